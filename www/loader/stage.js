// The end of the runtime's script, after wasm-bindgen's part: starts the module and mounts flows.
// `RULES`, the text of the stylesheet, `MODULE`, the module's SHA-256 in base64, and `PARTS`, the name of what `parts.js`
// became, are inserted by the build.
// For the module, which asks for it: a page may have another.
const self = globalThis;
// By their text.
const sheets = {};
// Safari before 16.4 has no constructor of stylesheets: there the root gets an element.
const dress = (root, rules) => {
  try {
    const { adoptedStyleSheets: worn } = root;
    if (!sheets[rules]) (sheets[rules] = new CSSStyleSheet()).replaceSync(rules);
    if (!worn.includes(sheets[rules])) root.adoptedStyleSheets = [...worn, sheets[rules]];
  } catch {
    for (const { textContent } of root.querySelectorAll("style")) if (textContent == rules) return;
    const tag = document.createElement("style");
    tag.append(rules);
    root.append(tag);
  }
};
// JSON for the module and for us. Old libraries give the page's lists, some of them all objects, a `toJSON`: here the
// page's prototypes have no say.
const { JSON: theirs } = globalThis;
const JSON = {
  parse: theirs.parse,
  stringify(value) {
    if (!value || typeof value != "object") return theirs.stringify(value);
    if (Array.isArray(value)) return "[" + value.map((one) => JSON.stringify(one) || "null") + "]";
    const members = [];
    for (const key of Object.keys(value)) {
      const text = JSON.stringify(value[key]);
      if (text) members.push(theirs.stringify(key) + ":" + text);
    }
    return "{" + members + "}";
  },
};
// The page may have another `Event`, as MooTools has.
const raise = (target, name, members) => {
  const event = document.createEvent("Event");
  event.initEvent(name, true, true);
  return target.dispatchEvent(Object.assign(event, members));
};
// Our address as it is in stack frames. Traps of the page's own modules are ignored.
const [, own, file] = /(.*\/)(\w+)\.js$/.exec(import.meta.url);
let started;
let broken;

// How the visitor came, as it is sent with a lead: referrer, campaign and click ids of the first page.
const source = (touch, own) => {
  const clicks = [];
  const found = {
    // `own`: the contractor's page, where Google and Meta may have set ids for the contractor. They are read when a
    // lead is sent, and once, because a lead that is sent again must not change.
    get clickId() {
      try {
        if (own) clicks.push(...document.cookie.split("; ").filter((pair) => /^_(ga(_\w+)?|fb[pc])=[^&]+$/.test(pair)));
      } catch {}
      own = 0;
      return clicks.join("&");
    },
  };
  try {
    const [referrer, query] = JSON.parse(touch);
    found.referrer = referrer;
    for (const [key, value] of new URLSearchParams(query)) {
      if (/^utm_(source|medium|campaign|term|content)$/.test(key))
        found[key.replace(/_./, (x) => x[1].toUpperCase())] = value;
      const pair = key + "=" + value;
      if (/^(([gdy]|fb|tt|tw)clid|[gw]braid|msclkid|li_fat_id)=[^&]+$/.test(pair)) clicks.push(pair);
    }
  } catch {}
  return found;
};

// Events that are kept from the page. For the first four the flow itself listens.
const keptEvents =
  "keydown click mousedown focusin keyup keypress mouseup pointerdown pointerup touchstart touchmove touchend wheel focus";

// Keeps keys, clicks and focus events of the dialog from the page, so that its shortcuts and focus traps do not see
// them. They are stopped at the window, in the capture phase, before the page's listeners on its elements. The
// browser's own reaction is not affected.
const keepEventsInside = (root, signal) => {
  keptEvents.split(" ").forEach((name, at) => {
    const stop = (e) => {
      const target = e.composedPath()[0];
      if (!target.nodeType || !root.contains(target)) return;
      e.stopPropagation();
      // While an input method composes, its keys are its own: Escape dismisses its suggestion.
      if (at > 3 || e.isComposing || e.keyCode == 229) return;
      // Not composed: it ends at the shadow root.
      const { key, shiftKey, clientX, clientY } = e;
      if (!raise(target, name, { key, shiftKey, clientX, clientY })) e.preventDefault();
    };
    addEventListener(name, stop, { capture: true, signal });
  });
};

// Keeps the flow above the on-screen keyboard of a phone, and the focused field visible.
const fitAboveKeyboard = (root, signal) => {
  const view = window.visualViewport;
  const fit = (e) => {
    // A smaller difference is a browser toolbar; a scaled viewport is a zoomed page.
    const keyboard = innerHeight - view.height > 120 && view.scale < 1.01;
    const put = (name, length) => root.style.setProperty(name, keyboard ? (length | 0) + "px" : "");
    put("--sh-height", view.height);
    // Some browsers scroll the page up when the keyboard opens.
    put("--sh-top", view.offsetTop);
    if (keyboard && e.type == "resize") root.querySelector(":focus")?.scrollIntoView({ block: "nearest" });
  };
  for (const name of ["resize", "scroll"]) view?.addEventListener(name, fit, { signal });
};

// Some browsers and password managers fill in a field and raise only `change`.
const hearAutofill = (root, signal) => {
  const filled = (e) => e.target.matches(".sh-input") && raise(e.target, "input");
  root.addEventListener("change", filled, { signal });
};

// Positions the list of suggestions in the top layer, as wide as its field: below it, or above if there is no room
// below. A browser without popovers shows it inside the form.
const placeList = (box, open) => {
  const list = box.querySelector("#sh-list");
  if (!list?.showPopover) return;
  // Throws if the list is already open, or gone.
  try {
    list[open ? "showPopover" : "hidePopover"]();
  } catch {}
  if (!open) return;
  const at = box.querySelector("#sh-address").getBoundingClientRect();
  const view = window.visualViewport;
  // The area under an on-screen keyboard does not count.
  const below = (view ? view.offsetTop + view.height : innerHeight) - at.bottom;
  const up = below < 240 && at.top > below;
  const put = (name, length) => (list.style[name] = Math.round(length) + "px");
  put("left", at.left);
  put("width", at.width);
  // Leaves a gap to the field and a margin to the edge.
  put("maxHeight", (up ? at.top : below) - 14);
  put("top", up ? Math.max(at.top - 6 - list.offsetHeight, 8) : at.bottom + 6);
};

// Our own steps back whose events are still to come: the visitor did not cause them.
let leaving = 0;
const goBack = (by, then) => {
  leaving++;
  const arrived = () => {
    leaving--;
    then?.();
  };
  addEventListener("popstate", arrived, { once: true });
  history.go(-by);
};

// One entry in the page's history for each step, and for a dialog one beneath them: the browser's Back goes through the
// flow and then closes the dialog. Our entries keep the page's own state; what ends the flow removes them.
const historyEntries = (base, flow, signal) => {
  // After a reload we may be on one of ours. A page that copied its state to another address is not ours.
  const old = history.state?.shingle;
  let [mark, depth] = old?.[2] == location.href ? old : [Math.random(), 0];
  let { length } = history;
  const depthOf = (state) => (state?.shingle?.[0] == mark ? state.shingle[1] : 0);
  const set = (wanted) => {
    if (leaving) return addEventListener("popstate", () => signal.aborted || set(wanted), { once: true });
    // A sandbox may not write its history.
    try {
      while (depth < wanted) {
        const { state } = history;
        const theirs = typeof state == "object" ? state : {};
        history.pushState({ ...theirs, shingle: [mark, depth + 1, location.href] }, "");
        depth++;
        length = history.length;
      }
    } catch {}
    if (depth > wanted) goBack(depth - wanted);
    depth = wanted < depth ? wanted : depth;
  };
  const popped = ({ state }) => {
    const now = depthOf(state);
    if (leaving || now == depth) return;
    depth = now;
    if (now < base) flow().leave();
    else flow().popped(now - base);
  };
  addEventListener("popstate", popped, { signal });
  signal.addEventListener("abort", () => {
    const { state } = history;
    if (!depth || depthOf(state) == depth) return depth && goBack(depth);
    // The page has navigated on its own: with an entry of its own, which stays, or in ours, whose place it then gets.
    const { href } = location;
    if (history.length == length) goBack(depth, () => replaceState(state, href));
  });
  return (steps) => set(steps + base);
};

// A page may have broken its history.
const replaceState = (state, address) => {
  try {
    history.replaceState(state, "", address);
  } catch {}
};

// Locks the page's scrolling by a stylesheet that is removed in the end: its own styles are not touched.
const lockPage = (signal) => {
  const { documentElement: html, head } = document;
  const scrolls = innerWidth > html.clientWidth;
  const css = "html{overflow:hidden!important" + (scrolls ? ";scrollbar-gutter:stable" : "") + "}";
  const tag = document.createElement("style");
  try {
    const lock = new CSSStyleSheet();
    lock.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock];
    signal.addEventListener("abort", () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other != lock);
    });
  } catch {
    tag.append(css);
    head.append(tag);
    signal.addEventListener("abort", () => tag.remove());
  }
};

// The first layout of a font is the slow one. It is done while the module compiles in another thread.
const warmUpFonts = (root) => {
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

// The one of wasm-bindgen's ways to start that we need. Not streamed: the checksum needs the whole file anyway, and so
// the media type does not matter. Without TLS a browser cannot make one, and there it would prove nothing.
const start = async (answer, root) => {
  const bytes = await answer.arrayBuffer();
  const compiled = WebAssembly.instantiate(bytes, __wbg_get_imports());
  if (root) warmUpFonts(root);
  const { subtle } = crypto;
  const sum = subtle && new Uint8Array(await subtle.digest("SHA-256", bytes));
  if (sum && btoa(String.fromCharCode(...sum)) != MODULE) throw "another module";
  const { instance, module } = await compiled;
  __wbg_finalize_init(instance, module);
};

// The open flow reports how far it has come, each step once, for the company's sums: with its page's path and what led
// there. Nothing names the visitor or the visit.
let visit;
const visitOf = ({ via, pageUrl, referrer, utmSource }) => {
  const told = {};
  // A link reads addresses as `URL` does, which the page may have replaced. The other address has neither of the parts.
  const part = (url, name) => Object.assign(document.createElement("a"), { href: url || "x:" })[name];
  const at = [via, part(pageUrl, "pathname"), utmSource || "", part(referrer, "hostname")];
  return (step) => !told[step] && (told[step] = at);
};

// `fetch`, for the module. Where many ask at once, the server lets those pass who do some work; an empty solution says
// that this browser could not.
const ask = async (url, init) => {
  // A flow that opens asks for a session, one with an address for its roof: these steps travel along.
  const at = /\/(session|roof)$/.test(url) && visit && visit(url);
  if (at) init.body = JSON.stringify({ ...JSON.parse(init.body), at });
  const answer = await fetch(url, init);
  if (answer.status != 429) return answer;
  const body = JSON.parse(init.body);
  body.altcha = "";
  try {
    const { solver, challenge } = await answer.clone().json();
    if (!solver) return answer;
    body.altcha = await (await import(solver)).default(challenge);
  } catch {}
  return fetch(url, { ...init, body: JSON.stringify(body) });
};

// In the order of tapping.
const wishes = (form) => [...form.querySelectorAll("[name=wish]:checked")].sort((a, b) => a.dataset.at - b.dataset.at);

// What is chosen or typed within an element, by name.
const fields = (within) => {
  const found = {};
  for (const { name, value, type, checked } of within.querySelectorAll("input,textarea"))
    if (type != "radio" || checked) found[name] = value.trim() || null;
    // An answer that was taken back is sent too, as none.
    else found[name] ??= null;
  return found;
};

// The form that asks for a visit, as JSON; empty when no time was picked.
const readBooking = (box) => {
  const form = box.querySelector("#sh-form");
  const picked = wishes(form).map((one) => one.value.split(" "));
  const { contactBy, note } = fields(form);
  return picked.length ? JSON.stringify({ wishes: picked.slice(0, 3).map(([date, part]) => ({ date, part })), contactBy, note }) : "";
};

// Fetches what brings parts of the server to life, when the first one is there.
const livenParts = (box, signal) => {
  let tries = 0;
  let coming;
  const look = () => {
    if (coming || tries > 4 || !box.querySelector("[data-lead],.sh-booking,[data-home]")) return;
    // Some browsers never ask again for an address that failed.
    coming = import("./" + PARTS + (tries++ ? "?" + tries : "")).then(
      (parts) => {
        watch.disconnect();
        signal.aborted || parts.default(box, signal, { dress, wishes, fields });
      },
      () => (coming = 0),
    );
  };
  const watch = new MutationObserver(look);
  watch.observe(box, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watch.disconnect());
  look();
};

const { requestIdleCallback: idle, requestAnimationFrame: frame } = window;
const later = typeof idle == "function" ? idle : setTimeout;
const drawn = typeof frame == "function" ? frame : setTimeout;

/**
 * Once a widget. `root`: where the dialog will be. `answer`: the module. `config`: the widget and the words. `until`: the
 * options of listeners that last as long as the widget.
 */
export default async (root, emit, answer, config, until) => {
  // A module that has trapped must not be used again.
  if (broken) throw broken;
  if (root) dress(root, RULES);
  try {
    await (started ||= start(answer, root));
  } catch (cause) {
    started = 0;
    throw cause;
  }
  // An error that came as JSON has none: thrown here, it is asked for once more.
  const { baseUrl, id } = config.widget;
  // Sends what an earlier visit could not send. Opening the flow does not wait for it.
  const send = () => broken || deliver(config.widget, emit);
  later(send);
  // What could not be sent stays, also when the dialog is closed.
  addEventListener("online", send, until);
  return (host, dialog, { touch, via, pageUrl, ...context }, emit, close, fallBack) => {
    const ends = new AbortController();
    const { signal } = ends;
    // Assigned, not spread: that would read the cookies now.
    const from = Object.assign(source(touch, dialog), { via, pageUrl });
    // The hosted page in a frame is the company's own preview.
    visit = (parent == window || via != "hosted") && visitOf(from);
    const all = { ...context, source: from, words: config.words, parts: config.parts, signal };
    const box = dialog || host;
    const entries = historyEntries(dialog ? 1 : 0, () => flow, signal);
    const tell = (step) => {
      const at = visit && visit(step);
      const body = JSON.stringify({ step, at });
      if (at) fetch(baseUrl + "/w/" + id + "/step", { method: "POST", body, keepalive: true }).catch(() => {});
    };
    if (dialog) {
      lockPage(signal);
      // Else the same link would open nothing a second time.
      if (/#roof-estimate$/i.test(location.hash)) replaceState(history.state, location.href.split("#")[0]);
    }
    let reached;
    const flow = mount(host, dialog, config.widget, all, (what, more) => {
      if (what == "contact") tell("roof"), (reached = 1);
      if (what == "list") placeList(box, more.open);
      else if (what == "steps") entries(more.steps);
      else if (what == "booking") return readBooking(box);
      else if (what == "close") close();
      // The loader raises these two itself.
      else if (!dialog || (what != "open" && what != "view")) emit(what, more);
    });
    // A panic is a trap, which the module cannot report itself.
    const trapped = (e) => {
      const cause = e.error || e.reason;
      if (cause?.name != "RuntimeError" || !(cause.stack + "").includes(own)) return;
      ends.abort();
      fallBack((broken = "panic"));
    };
    // Switches the language in place; if its words cannot be fetched, opens the hosted page in a new tab.
    const switchLanguage = async (e) => {
      const link = e.target.closest("[hreflang]");
      if (!link) return;
      e.preventDefault();
      const { href, hreflang } = link;
      try {
        const kit = await fetch(baseUrl + "/w/" + id + "/config/" + file + "." + hreflang + ".json");
        const { words, parts } = await kit.json();
        flow.set_words({ words, parts });
        Object.assign(config, { words, parts });
      } catch {
        return signal.aborted || open(href + "&" + new URLSearchParams({ touch, via, pageUrl }));
      }
      if (dialog) return;
      const here = new URL(location);
      here.searchParams.set("lang", hreflang);
      replaceState(history.state, here);
    };
    addEventListener("error", trapped, { signal });
    addEventListener("unhandledrejection", trapped, { signal });
    if (dialog) keepEventsInside(box, signal);
    fitAboveKeyboard(box, signal);
    hearAutofill(box, signal);
    box.addEventListener("input", (e) => reached && e.target.id != "sh-address" && tell("details"), { signal });
    // The list goes along with its field. It is of the top layer, and scrolling inside the flow is not heard outside.
    const scrolled = () => box.querySelector("#sh-list")?.offsetHeight && placeList(box, true);
    box.addEventListener("scroll", scrolled, { capture: true, signal });
    // A phone that is turned. And a page may zoom itself by the width of the window.
    const turned = () => {
      if (dialog) host.style.setProperty("--z", 1 / getComputedStyle(document.documentElement).zoom);
      if (!box.querySelector("#sh-list")?.offsetHeight) return;
      box.querySelector("#sh-address").scrollIntoView({ block: "nearest" });
      placeList(box, true);
    };
    addEventListener("resize", turned, { signal });
    livenParts(box, signal);
    // A photograph that does not come leaves a drawing.
    box.addEventListener("error", ({ target }) => target.tagName == "image" && target.remove(), { capture: true, signal });
    box.addEventListener("click", switchLanguage, { signal });
    drawn(() => setTimeout(() => signal.aborted || flow.painted()));
    return {
      prefill: (data) => flow.prefill(data),
      destroy() {
        ends.abort();
        visit = 0;
        flow.destroy();
      },
    };
  };
};
