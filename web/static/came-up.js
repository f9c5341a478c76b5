/* Says, in both languages, that a page did not come up, and what it needs. Without it a browser that is too old would show an
   empty table. It is written in ES5 and uses no other script, because such a browser cannot run them. Its own tag in base.html
   has the sentences (data-old-it, data-not-it, ...) and the oldest browsers of the page (data-needs: "Chrome 63, Firefox 60,
   Safari 12"). */
(function () {
  "use strict";
  var tag = document.getElementById("came-up");
  var SECONDS = 5;
  var began = false; // whether all scripts have run
  var told = false;

  /** The browser's name and version, from its user agent; null where it names none of these. On an iPhone every browser is
      Safari. */
  function browser() {
    var agent = navigator.userAgent, found;
    if ((found = /(?:iPhone|iPad|iPod).* OS (\d+(?:_\d+)?)/.exec(agent))) return ["Safari", found[1].replace("_", ".")];
    if ((found = /Chrom(?:e|ium)\/(\d+)/.exec(agent))) return ["Chrome", found[1]];
    if ((found = /Firefox\/(\d+)/.exec(agent))) return ["Firefox", found[1]];
    if ((found = /Version\/(\d+(?:\.\d+)?).* Safari/.exec(agent))) return ["Safari", found[1]];
    return null;
  }

  /** Which version of it the page needs; 0: any. */
  function needed(name) {
    var found = new RegExp(name + " ([\\d.]+)").exec(tag.getAttribute("data-needs"));
    return found ? parseFloat(found[1]) : 0;
  }

  var is = browser();
  var old = is !== null && parseFloat(is[1]) < needed(is[0]);

  function say(why) {
    if (told || !document.body) return;
    told = true;
    var box = document.createElement("div");
    box.id = "not-up";
    box.setAttribute("role", "alert");
    box.style.cssText = "position: fixed; left: 0; right: 0; top: 0; z-index: 99; padding: 1em 5%; background: #f0c419; color: #14110f;"
      + " font: 700 22px/1.4 sans-serif; text-align: left; border: 0";
    var langs = ["it", "en"];
    for (var i = 0; i < langs.length; i++) {
      var line = document.createElement("p");
      line.lang = langs[i];
      line.style.cssText = "margin: .2em 0; color: #14110f; font: inherit";
      line.appendChild(document.createTextNode(tag.getAttribute("data-" + (old ? "old-" : "not-") + langs[i])
        .replace("{found}", is ? is.join(" ") : "?").replace("{needed}", tag.getAttribute("data-needs")).replace("{why}", why)));
      box.appendChild(line);
    }
    document.body.appendChild(box);
  }

  function soon(why) {
    if (document.body) say(why);
    else document.addEventListener("DOMContentLoaded", function () { say(why); });
  }

  /* A script that cannot be read or that fails. Once all scripts have run, it counts only where the browser is too old: a fault
     of the program is not the browser's. A script that does not arrive reports it on its own tag. */
  window.addEventListener("error", function (event) {
    var script = event.target && event.target.tagName === "SCRIPT";
    if (event.target !== window && !script) return; // a picture
    if (!began || old) soon(script ? event.target.src.replace(/^.*\//, "") : event.message);
  }, true);
  window.addEventListener("unhandledrejection", function (event) {
    if (old && /^(Type|Reference)Error/.test(String(event.reason))) soon(String(event.reason));
  });
  window.addEventListener("load", function () {
    began = true;
    if (old && tag.getAttribute("data-modules") && !("noModule" in tag)) soon("");
  });
  setTimeout(function () { if (!began) soon(SECONDS + " s"); }, SECONDS * 1000);
})();
