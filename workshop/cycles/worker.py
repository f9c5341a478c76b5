"""Renders shots with Cycles. Runs as a script in an environment that has `bpy`, and imports nothing of companion.

Reads the path of one `shapes.Shot`, as JSON, a line from standard input; writes ``ready`` once, then ``done`` for each. Blender
itself writes to standard output what it likes: that goes to standard error here.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import bpy
import mathutils

UNIT = 0.01
"""Blender's units for each mm: a table of a metre is then ten units wide, at which shadow rays have digits to spare."""
KEPT = 300
"""Number of pictures that stay loaded."""


def prepare() -> Any:
    """An empty scene with everything set that all shots share."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter, cycles.denoising_quality = "NONE", "FAST"
    cycles.use_adaptive_sampling = cycles.use_light_tree = False  # neither pays for itself at so few paths and one lamp
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 2, 1, 1
    cycles.transmission_bounces, cycles.transparent_max_bounces = 1, 8
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    scene.render.threads_mode = "FIXED"
    scene.render.threads = 1
    scene.render.resolution_percentage = 100
    scene.render.use_persistent_data = False
    scene.render.image_settings.file_format = "HDR"
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(scene.camera)
    scene.world = bpy.data.worlds.new("room")
    scene.world.cycles.sampling_method, scene.world.cycles.sample_map_resolution = "MANUAL", 256
    return scene


def picture(path: str) -> Any:
    """A loaded picture."""
    return bpy.data.images.load(path, check_existing=True)


def linear(colour: list[float]) -> tuple[float, float, float, float]:
    """BGR 0..255, as a screen shows it, to linear RGBA."""
    red, green, blue = ((max(0.0, v) / 255) ** 2.2 for v in reversed(colour))
    return red, green, blue, 1.0


def material(told: dict[str, Any]) -> Any:
    """A material: lacquer or matt over a print or a colour, and glass as a wall that light goes straight through."""
    made = bpy.data.materials.new("m")
    made.use_nodes = True
    tree = made.node_tree
    body = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeBsdfPrincipled")
    output = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial")
    body.inputs["Roughness"].default_value = told["roughness"]
    body.inputs["Metallic"].default_value = told["metal"]
    body.inputs["Base Color"].default_value = linear(told["colour"])
    if told["image"]:
        print_ = tree.nodes.new("ShaderNodeTexImage")
        print_.image = picture(told["image"])
        tree.links.new(print_.outputs["Color"], body.inputs["Base Color"])
    if told["clear"]:
        through, mix, rim = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("BsdfTransparent", "MixShader", "LayerWeight"))
        scale = tree.nodes.new("ShaderNodeMath")
        through.inputs["Color"].default_value = linear(told["colour"])
        rim.inputs["Blend"].default_value = 0.25
        scale.operation = "MULTIPLY_ADD"  # what the wall keeps back: little straight on, much where one looks along it
        scale.inputs[1].default_value, scale.inputs[2].default_value = told["clear"], 1 - told["clear"]
        tree.links.new(rim.outputs["Facing"], scale.inputs[0])
        tree.links.new(scale.outputs[0], mix.inputs[0])
        tree.links.new(through.outputs[0], mix.inputs[1])
        tree.links.new(body.outputs[0], mix.inputs[2])
        tree.links.new(mix.outputs[0], output.inputs["Surface"])
    return made


def solid(scene: Any, told: dict[str, Any], known: dict[str, Any]) -> None:
    """A mesh with its materials. ``known``: materials of this shot that are told in the same words."""
    mesh = bpy.data.meshes.new("s")
    mesh.from_pydata([[v * UNIT for v in at] for at in told["vertices"]], [], told["faces"])
    layer = mesh.uv_layers.new(name="uv")
    layer.data.foreach_set("uv", [v for face in told["uv"] for pair in face for v in pair])
    mesh.polygons.foreach_set("material_index", told["slots"])
    mesh.polygons.foreach_set("use_smooth", [told["smooth"]] * len(told["faces"]))
    for one in told["materials"]:
        words = json.dumps(one, sort_keys=True)
        if words not in known:
            known[words] = material(one)
        mesh.materials.append(known[words])
    mesh.update()
    thing = bpy.data.objects.new("s", mesh)
    scene.collection.objects.link(thing)
    if told["melt"]:
        melt = thing.modifiers.new("melt", "REMESH")
        melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", told["melt"] * UNIT, True
        soft = thing.modifiers.new("soft", "SMOOTH")
        soft.iterations = 4


def light(scene: Any, lamp: dict[str, Any], room: dict[str, Any]) -> None:
    """The room's light, whose mean is 1, and the lamp, told by its share of the light where it shines."""
    world = scene.world
    world.use_nodes = True
    tree = world.node_tree
    tree.nodes.clear()
    output, back = tree.nodes.new("ShaderNodeOutputWorld"), tree.nodes.new("ShaderNodeBackground")
    back.inputs["Color"].default_value = (*room["colour"], 1)
    tree.links.new(back.outputs[0], output.inputs["Surface"])
    if room["image"]:
        where, turn = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
        around = tree.nodes.new("ShaderNodeTexEnvironment")
        turn.inputs["Rotation"].default_value = (0, 0, room["turn"])
        around.image = picture(room["image"])
        tree.links.new(where.outputs["Generated"], turn.inputs["Vector"])
        tree.links.new(turn.outputs["Vector"], around.inputs["Vector"])
        tree.links.new(around.outputs["Color"], back.inputs["Color"])
    shade = bpy.data.lights.new("lamp", "AREA")
    at, towards = (mathutils.Vector(lamp[name]) * UNIT for name in ("at", "towards"))
    way = towards - at
    shade.shape, shade.size, shade.color = "DISK", lamp["size"] * UNIT, lamp["colour"]
    down = max(0.2, -way.normalized().z)
    shade.energy = 9.87 * way.length_squared / down * lamp["strength"]  # irradiance = energy / (pi r^2), and the room's is pi
    thing = bpy.data.objects.new("lamp", shade)
    thing.location = at
    thing.rotation_euler = way.to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(thing)


def aim(scene: Any, view: dict[str, Any]) -> None:
    """The camera."""
    thing, data = scene.camera, scene.camera.data
    right, down, forward = view["right"], view["down"], view["forward"]
    rows = [[right[n], -down[n], -forward[n], view["at"][n] * UNIT] for n in range(3)]
    thing.matrix_world = mathutils.Matrix([*rows, [0, 0, 0, 1]])
    data.sensor_fit, data.sensor_width, data.lens = "HORIZONTAL", 36.0, 36.0 * view["focal"]
    data.clip_start, data.clip_end = 10 * UNIT, 100000 * UNIT
    data.dof.use_dof = view["lens"] > 0
    data.dof.focus_distance = view["focus"] * UNIT
    # Blender takes a unit for a metre: the opening in units is lens / 1000 / fstop.
    data.dof.aperture_fstop = data.lens / 1000 / max(1e-6, view["lens"] * UNIT)
    scene.render.resolution_x, scene.render.resolution_y = view["width"], view["height"]


def render(scene: Any, shot: dict[str, Any]) -> None:
    """Renders one shot into its file."""
    for thing in list(scene.collection.objects):
        if thing is not scene.camera:
            bpy.data.objects.remove(thing)
    for kind in (bpy.data.meshes, bpy.data.lights, bpy.data.materials):
        for one in list(kind):
            kind.remove(one)
    if len(bpy.data.images) > KEPT:
        for one in list(bpy.data.images):
            bpy.data.images.remove(one)
    known: dict[str, Any] = {}
    for told in shot["solids"]:
        solid(scene, told, known)
    light(scene, shot["lamp"], shot["room"])
    aim(scene, shot["view"])
    scene.cycles.samples, scene.cycles.seed = shot["samples"], shot["seed"]
    scene.render.filepath = shot["out"]
    bpy.ops.render.render(write_still=True)


def main() -> None:
    """Serve shots until standard input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    scene = prepare()
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        with open(line.strip(), encoding="utf-8") as file:
            shot = json.load(file)
        render(scene, shot)
        print("done", file=answers, flush=True)


if __name__ == "__main__":
    main()
