// What a contractor's page runs: puts the launcher into a shadow root, fetches the runtime when somebody means
// to use it, and hands over. The server appends the widget's own values as arguments. No markup is parsed
// and no style attribute is written, so a strict content policy and Trusted Types have nothing to object to.
//
//   id, base  of the widget, and of the service
//   hosts     pages that may run this
//   markup    by language, launcher and empty dialog as [tag, attributes, ...children]
//   rules     their stylesheet, with the colours they use
//   sums      SHA-256 of the runtime's script and module, in base64: their names and their integrity
//   edge      where a banner lies
//
// Lines between `§ NAME` and the next § are for the kinds of launchers that it names; the others are left out.
(id, base, hosts, markup, rules, [script, module], edge) => {
  const w = window;
  const d = document;
  const here = location.hostname;
  if (!hosts.some((allowed) => allowed == here || (allowed[0] == "*" && here.endsWith(allowed.slice(1)))))
    return console.warn("Shingle: widget " + id + " is allowed on " + hosts + ", not on " + here);

  const lang = /^es/i.test(d.documentElement.lang || navigator.language) ? "es" : "en";
  const [launcher, skeleton] = markup[lang];

  // The command queue of the page becomes the interface, once for all widgets.
  // A form or a field of that name is not it.
  let api = w.shingle;
  if (!api?.on?.bind) {
    const waiting = api?.q?.splice ? api.q : [];
    const pick = (which) => (which ? api.all[which] : Object.values(api.all)[0]);
    api = w.shingle = (command, ...rest) => api[command]?.(...rest);
    api.all = {};
    api.q = waiting;
    for (const verb of ["open", "close", "toggle", "destroy"]) api[verb] = (which) => pick(which)?.[verb]();
    api.prefill = (data, which) => pick(which)?.prefill(data);
    api.on = (what, f) => {
      const told = (e) => f(e.detail, e);
      d.addEventListener("shingle:" + what, told);
      return () => d.removeEventListener("shingle:" + what, told);
    };
  }
  // A second copy of the script only mends what the page has swapped away.
  if (api.all[id]) return api.all[id].mend();

  // § plain
  const build = ([tag, attributes, ...children], space) => {
    if (tag == "svg") space = "http://www.w3.org/2000/svg";
    const node = space ? d.createElementNS(space, tag) : d.createElement(tag);
  // § card banner
  const build = ([tag, attributes, ...children]) => {
    const node = d.createElement(tag);
    // § end
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    // § plain
    node.append(...children.map((child) => (child.map ? build(child, space) : child)));
    // § card banner
    node.append(...children.map((child) => (child.map ? build(child) : child)));
    // § end
    return node;
  };
  const sheet = (css) => {
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    return made;
  };
  const drop = (gone) => {
    d.adoptedStyleSheets = d.adoptedStyleSheets.filter((other) => other != gone);
  };
  // What this tab remembers; with a value, from now on. Storage may be barred.
  const recall = (name, value) => {
    try {
      if (value) sessionStorage[name] = value;
      return sessionStorage[name];
    } catch {}
  };

  // Where the visitor came from, as first seen in this tab. What is in it is read when it is needed.
  const query = new URLSearchParams(location.search);
  const wanted = query.get("roof-estimate");
  const via = wanted == null ? "embed" : query.get("via") == "qr" ? "qr" : "link";
  const touch = recall("shingle") || JSON.stringify([d.referrer, location.search]);
  recall("shingle", touch);
  const context = () => ({ lang, via, pageUrl: location.href, touch });

  const ends = new AbortController();
  const until = { signal: ends.signal };
  const host = d.createElement("shingle-launcher");
  const root = host.attachShadow({ mode: "open" });
  const look = sheet(rules);
  root.adoptedStyleSheets = [look];

  const emit = (what, more) => {
    const detail = { widget: id, ...more };
    host.dispatchEvent(new CustomEvent("shingle:" + what, { bubbles: true, composed: true, detail }));
    w.dataLayer?.push({ event: "shingle_" + what, ...detail });
  };

  // Three requests side by side, once: the script (which is imported from the cache, its sum being right), the
  // module, and the widget's configuration with the words of the page's language for this very runtime.
  let runtime;
  const name = (sum) => sum.replace(/\W/g, "").slice(0, 16);
  const load = (path, sum) =>
    fetch(base + path, sum && { integrity: "sha256-" + sum }).then((answer) => {
      if (!answer.ok) throw answer.status;
      return answer;
    });
  const warm = () => {
    const code = "/runtime/" + name(script) + ".js";
    return (runtime ||= Promise.all([
      load(code, script).then(() => import(base + code)),
      load("/runtime/" + name(module) + ".wasm", module),
      load("/w/" + id + "/config/" + name(script) + "." + lang + ".json").then((answer) => answer.json()),
    ]).then(([stage, ...rest]) => stage.default(root, emit, ...rest)));
  };
  const quietly = () => warm().catch(() => {});

  let given = {};
  let dialog;
  let flow;
  // What was typed goes along behind the #, which no server sees.
  const hosted = () => {
    const typed = JSON.stringify([given, recall("shingle:draft:" + id)]);
    return base + "/w/" + id + "?" + new URLSearchParams(context()) + "#" + encodeURIComponent(typed);
  };
  const hide = () => {
    dialog?.close();
    // The event comes later.
    dialog?.onclose();
  };
  const show = () => {
    // A sandbox without an origin is let in nowhere.
    if (origin == "null") return open(hosted()) || (location = hosted());
    if (dialog) return;
    const mine = (dialog = build(skeleton));
    // The page keeps its place and its own styles: the lock is a sheet that comes and goes.
    const gutter = innerWidth > d.documentElement.clientWidth ? ";scrollbar-gutter:stable" : "";
    const lock = sheet("html{overflow:hidden!important" + gutter + "}");
    d.adoptedStyleSheets.push(lock);
    root.append(mine);
    mine.firstChild.onclick = hide;
    mine.onclose = () => {
      if (mine != dialog) return;
      flow?.destroy();
      flow = dialog = null;
      drop(lock);
      mine.remove();
      emit("close");
    };
    mine.showModal();
    emit("open", { via });
    // Where the runtime may not run: the hosted page in a frame; where frames are barred: the hosted page.
    const stand = (cause) => {
      if (mine != dialog) return;
      flow = null;
      console.warn("Shingle:", cause);
      emit("error", { reason: cause + "" });
      const address = hosted();
      const barred = (e) => {
        if (e.effectiveDirective == "frame-src" && e.disposition == "enforce" && address.startsWith(e.blockedURI))
          location = address;
      };
      d.addEventListener("securitypolicyviolation", barred, until);
      mine.replaceChildren(...build(skeleton).childNodes);
      mine.firstChild.onclick = hide;
      const frame = build(["iframe", { title: mine.ariaLabel, src: address }]);
      // What happens in there is told out here.
      const told = ({ source, data }) => source == frame.contentWindow && emit(...data);
      addEventListener("message", told, until);
      mine.lastChild.replaceWith(frame);
    };
    const again = () => warm((runtime = 0));
    const late = new Promise((_, fail) => setTimeout(fail, 15e3, "slow"));
    // The empty dialog is seen first, also where all is at hand.
    const seen = new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    Promise.race([Promise.all([warm().catch(again), seen]), late])
      .then(([enter]) => {
        if (mine != dialog) return;
        flow = enter(host, mine, { ...context(), prefill: given }, emit, hide, stand);
        // § card
        // What was typed into it is the flow's now.
        if (given.typed) given = {};
        // § end
      })
      .catch(stand);
  };

  // § plain
  const pushes = false;
  // § card
  const pushes = false;
  const tag = "shingle-estimate";
  const place = (element) => {
    const card = build(launcher);
    if ((element.getAttribute("widget") || id) != id) return;
    const inner = element.shadowRoot || element.attachShadow({ mode: "open" });
    if (inner.firstChild) return;
    inner.adoptedStyleSheets = [look];
    inner.append(card);
    card.addEventListener("focusin", quietly);
    card.onsubmit = (e) => {
      e.preventDefault();
      given = { ...given, address: card.elements[0].value, typed: true };
      show();
    };
    until.signal.addEventListener("abort", () => inner.replaceChildren());
  };
  // § banner
  // Where this runs before there is a body, a banner at the top goes before it and pushes the page down; later it
  // lies over it. Either way nothing that a visitor has seen is moved.
  const pushes = edge == "top" && !d.body;
  // What lies over the page hides neither its end nor what has the focus.
  const room = sheet("");
  const hidden = "shingle:hidden:" + id;
  const banner = (element) => {
    if (recall(hidden)) return;
    element.lastChild.onclick = () => {
      element.remove();
      drop(room);
      recall(hidden, 1);
    };
    root.append(element);
    if (pushes) return;
    element.className += " over";
    new ResizeObserver(() => {
      const height = edge + ":" + element.offsetHeight + "px";
      room.replaceSync("html{scroll-padding-" + height + (edge == "top" ? "" : ";padding-" + height) + "}");
    }).observe(element);
    d.adoptedStyleSheets.push(room);
  };
  // § end
  // Beside the body: there, whatever a page does to its body, the launcher stays in its place. A page that throws it
  // out gets it back, but not for ever.
  let mended = 0;
  const mend = () => {
    if (host.isConnected || mended++ > 50) return;
    d.documentElement.insertBefore(host, pushes ? d.body : null);
    watch.observe(d.documentElement, { childList: true });
    // It is no longer on top.
    if (dialog) {
      dialog.removeAttribute("open");
      dialog.showModal();
    }
  };
  const watch = new MutationObserver(mend);
  const destroy = () => {
    ends.abort();
    watch.disconnect();
    hide();
    // § banner
    drop(room);
    // § end
    host.remove();
    delete api.all[id];
  };
  const start = () => {
    if (!d.body && !pushes) return;
    d.removeEventListener("readystatechange", start);
    if (api.all[id]) return;
    const prefill = (data) => {
      Object.assign(given, data);
      flow?.prefill(data);
    };
    const toggle = () => (dialog ? hide() : show());
    // § plain banner
    api.all[id] = { open: show, close: hide, toggle, prefill, destroy, mend };
    // § card
    api.all[id] = { open: show, close: hide, toggle, prefill, destroy, mend, place };
    // § end
    watch.observe(d, { childList: true });
    mend();
    // § card
    class Card extends HTMLElement {
      connectedCallback() {
        for (const widget of Object.values(w.shingle.all)) widget.place?.(this);
      }
    }
    if (!customElements.get(tag)) customElements.define(tag, Card);
    d.querySelectorAll(tag).forEach(place);
    // § plain
    const button = build(launcher);
    // All that a page shows belongs to a landmark.
    host.role = "complementary";
    // A finger enters before it presses.
    button.onpointerenter = button.onfocus = quietly;
    root.append(button);
    // § banner
    const button = build(launcher);
    button.onpointerenter = quietly;
    button.addEventListener("focusin", quietly);
    banner(button);
    // § end
    // The launcher is a link: a new tab stays a new tab.
    const clicked = (e) => {
      const by = e.composedPath()[0].closest?.("[data-shingle-open],[href='#roof-estimate']");
      if (!by || (by.getAttribute("data-shingle-open") || id) != id) return;
      if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.shiftKey) return;
      e.preventDefault();
      show();
    };
    d.addEventListener("click", clicked, until);
    emit("view");
    // A page opens by its address once, and with one widget.
    const first = Object.keys(api.all)[0] == id;
    if (wanted == id || (first && (wanted == "open" || location.hash == "#roof-estimate"))) show();
    const idle = () => (w.requestIdleCallback || setTimeout)(quietly);
    if (!navigator.connection?.saveData) {
      if (d.readyState == "complete") idle();
      else addEventListener("load", idle, until);
    }
    // What is asked of a widget that is still to come waits for it.
    for (const call of api.q.splice(0)) {
      const which = [...call].pop();
      if (which?.length == 36 && !api.all[which]) api.q.push(call);
      else api(...call);
    }
  };
  d.addEventListener("readystatechange", start);
  start();
}
