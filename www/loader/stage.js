// The last lines of the runtime's script, behind wasm-bindgen's: starts the module, and says how a flow is entered.
// `RULES`, the text of the stylesheet, comes from the build.
const rules = new CSSStyleSheet();
rules.replaceSync(RULES);
// What the frames of this script have in their names. A trap of the page's own modules is none of our business.
const [, own, file] = /(.*\/)(\w+)\.js$/.exec(import.meta.url);
let started;
let broken;

// What the first page of a visit was opened with, as leads tell it.
const source = (touch) => {
  const told = {};
  try {
    const [referrer, query] = JSON.parse(touch);
    told.referrer = referrer;
    for (const [key, value] of new URLSearchParams(query)) {
      if (/^utm_(source|medium|campaign|term|content)$/.test(key))
        told[key.replace(/_./, (x) => x[1].toUpperCase())] = value;
      if (/(clid|clkid|braid)$/.test(key)) told.clickId = key + "=" + value;
    }
  } catch {}
  return told;
};

// What of an event on the flow crosses into the page, and whether the flow listens for it itself.
const crossing = {
  keydown: 1,
  click: 1,
  mousedown: 1,
  focusin: 1,
  keyup: 0,
  keypress: 0,
  mouseup: 0,
  pointerdown: 0,
  pointerup: 0,
  touchstart: 0,
  touchmove: 0,
  touchend: 0,
  wheel: 0,
  focus: 0,
};

// Keys, clicks and focus of the dialog stay in it, so no shortcut and no focus trap of the page can take them. At the
// window nobody has seen them yet but other listeners of the window. What the browser does on them, it does all the same.
const moat = (root, signal) => {
  for (const name in crossing) {
    const stop = (e) => {
      const target = e.composedPath()[0];
      if (!target.nodeType || !root.contains(target)) return;
      e.stopPropagation();
      if (!crossing[name]) return;
      // Not composed: it ends at the shadow root.
      const inner = new Event(name, { bubbles: true, cancelable: true });
      inner.key = e.key;
      inner.shiftKey = e.shiftKey;
      if (!target.dispatchEvent(inner)) e.preventDefault();
    };
    addEventListener(name, stop, { capture: true, signal });
  }
};

// Keeps the flow above the keyboard of a phone, and the field that is typed into in sight.
const follow = (root, signal) => {
  const view = window.visualViewport;
  const fit = (e) => {
    // Less is a bar of the browser's, and zoomed in by hand is no keyboard.
    const keyboard = innerHeight - view.height > 120 && view.scale < 1.01;
    const put = (name, length) => root.style.setProperty(name, keyboard ? (length | 0) + "px" : "");
    put("--sh-height", view.height);
    // Some browsers push the page up under the keyboard.
    put("--sh-top", view.offsetTop);
    if (keyboard && e.type == "resize") root.querySelector(":focus")?.scrollIntoView({ block: "nearest" });
  };
  for (const name of ["resize", "scroll"]) view?.addEventListener(name, fit, { signal });
};

// Some browsers and password managers fill a field in and say only that it has changed.
const hearAutofill = (root, signal) => {
  const filled = (e) => e.target.matches(".sh-input") && e.target.dispatchEvent(new Event("input"));
  root.addEventListener("change", filled, { signal });
};

// The list of suggestions in the top layer, as wide as its field: below it, or above where there is no room. A browser
// without popovers shows it in the flow of the form.
const placeList = (box, open) => {
  const list = box.querySelector("#sh-list");
  if (!list?.showPopover) return;
  // A list that is out already, or gone, refuses.
  try {
    list[open ? "showPopover" : "hidePopover"]();
  } catch {}
  if (!open) return;
  const at = box.querySelector("#sh-address").getBoundingClientRect();
  const view = window.visualViewport;
  // What a keyboard covers is no room.
  const below = (view ? view.offsetTop + view.height : innerHeight) - at.bottom;
  const up = below < 240 && at.top > below;
  const put = (name, length) => (list.style[name] = Math.round(length) + "px");
  put("left", at.left);
  put("width", at.width);
  // Room for the gap, and for a finger's breadth of what is behind.
  put("maxHeight", (up ? at.top : below) - 14);
  put("top", up ? Math.max(at.top - 6 - list.offsetHeight, 8) : at.bottom + 6);
};

// Prints the flow alone: what does not hold it steps aside, by a sheet that comes and goes.
const printAlone = (host) => {
  const mark = "data-shingle-print";
  const alone = new CSSStyleSheet();
  alone.replaceSync(`@media print{body>:not([${mark}],:has([${mark}])){display:none!important}}`);
  host.setAttribute(mark, "");
  document.adoptedStyleSheets.push(alone);
  print();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet != alone);
  host.removeAttribute(mark);
};

// A font costs most when it is first set. The first step's are set while the module is compiled elsewhere.
const setFonts = (root) => {
  const sample = document.createElement("div");
  sample.className = "sh";
  sample.style.cssText = "position:fixed;visibility:hidden";
  for (const name of ["title", "lead", "label", "btn", "hint", "foot"]) {
    const line = document.createElement("p");
    line.className = "sh-" + name;
    line.append("a");
    sample.append(line);
  }
  root.append(sample);
  sample.offsetHeight;
  sample.remove();
};

// Of wasm-bindgen's ways to start, the one that is needed. Not streamed: its integrity is checked on the whole, and so
// its media type does not matter.
const start = async (answer, root) => {
  const compiled = WebAssembly.instantiate(await answer.arrayBuffer(), __wbg_get_imports());
  if (root) setFonts(root);
  const { instance, module } = await compiled;
  __wbg_finalize_init(instance, module);
};

const later = window.requestIdleCallback || setTimeout;

/** Once a widget. `root`: where the dialog will be. `answer`: the module. `kit`: the widget and the words. */
export default async (root, emit, answer, kit) => {
  // A module that has trapped cannot be used again.
  if (broken) throw broken;
  if (root && !root.adoptedStyleSheets.includes(rules)) root.adoptedStyleSheets.push(rules);
  try {
    await (started ||= start(answer, root));
  } catch (cause) {
    started = 0;
    throw cause;
  }
  // What an earlier visit could not send. Whoever opens the flow does not wait for it.
  later(() => broken || deliver(kit.widget, emit));
  return (host, dialog, { touch, via, pageUrl, ...context }, emit, hide, stand) => {
    const ends = new AbortController();
    const { signal } = ends;
    const all = { ...context, source: { ...source(touch), via, pageUrl }, words: kit.words, signal };
    const box = dialog || host;
    const flow = mount(host, dialog, kit.widget, all, (what, more) => {
      if (what == "list") placeList(box, more.open);
      else if (what == "print") printAlone(host);
      else if (what == "close") hide();
      // The loader has told these.
      else if (!dialog || (what != "open" && what != "view")) emit(what, more);
    });
    // A panic is a trap, which the module itself cannot tell of.
    const trapped = (e) => {
      const cause = e.error || e.reason;
      if (cause?.name != "RuntimeError" || !(cause.stack + "").includes(own)) return;
      ends.abort();
      stand((broken = "panic"));
    };
    // The other language, here; where its words cannot be had, on the hosted page, beside this one.
    const turn = async (e) => {
      const link = e.target.closest("[hreflang]");
      if (!link) return;
      e.preventDefault();
      const { href, hreflang } = link;
      try {
        const { words } = await (await fetch(href.replace("?lang=", "/config/" + file + ".") + ".json")).json();
        flow.turn({ words });
        kit.words = words;
      } catch {
        return signal.aborted || open(href + "&" + new URLSearchParams({ touch, via, pageUrl }));
      }
      if (dialog) return;
      const here = new URL(location);
      here.searchParams.set("lang", hreflang);
      history.replaceState(history.state, "", here);
    };
    addEventListener("error", trapped, { signal });
    addEventListener("unhandledrejection", trapped, { signal });
    if (dialog) moat(box, signal);
    follow(box, signal);
    hearAutofill(box, signal);
    box.addEventListener("click", turn, { signal });
    requestAnimationFrame(() => setTimeout(() => signal.aborted || flow.settle()));
    return {
      prefill: (data) => flow.prefill(data),
      destroy() {
        ends.abort();
        flow.destroy();
      },
    };
  };
};
