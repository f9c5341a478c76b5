"""The camera side: what reads a camera and looks at its pictures, in a thread (`thread_worker`) or in a supervised process of its
own (`process_worker`, `process`). It sends small messages of what it finds (`messages`, `wire`). What both kinds have, and what
can be asked of them, is in `base`.
"""
