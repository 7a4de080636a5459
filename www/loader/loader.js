// Runs on a contractor's page: puts the launcher into a shadow root, fetches the runtime when a visitor is about
// to use it, and starts it. The server appends the widget's own values as arguments, and a link to the hosted page for where
// this throws. No markup is parsed and no style attribute is written, so it works under a strict content policy and with
// Trusted Types. Bytes are scarce here: what is not needed before the runtime is there belongs into stage.js.
//
//   page      the hosted page; base is the service, id the widget
//   hosts     domains that may run this
//   markup    by language, launcher and empty dialog as [tag, attributes, ...children]
//   rules     their stylesheet, with the colors they use
//   sum       SHA-256 of the runtime's script, in base64: its name and its integrity. The module has the same name
//   ahead     after how many milliseconds with a page in view the runtime is fetched; null: not before it is needed
//   edge      of the window, at which a launcher keeps off what is fixed there: top or bottom
//
// Lines between `§ NAME` and the next § are for the named kinds of launchers; the build leaves them out of others.
(id, base, hosts, markup, rules, sum, ahead, edge) => {
  const w = window;
  const d = document;
  const here = location.hostname;
  // A frame that was written by a script (srcdoc, blob:) has no host.
  if (!hosts.some((allowed) => allowed == here || (allowed[0] == "*" && here.endsWith(allowed.slice(1)))))
    return console.warn("Shingle: " + (here || "a frame without address") + " is not one of its domains: " + hosts);

  const lang = /^es/i.test(d.documentElement.lang || navigator.language) ? "es" : "en";
  const [launcher, skeleton] = markup[lang];
  const page = base + "/w/" + id;

  // Nothing that belongs to the page may stop the flow: its globals may be of any type, and its functions may throw.
  const attempt = (f) => {
    try {
      return f();
    } catch {}
  };
  // The page's command queue becomes the interface, once for all widgets. An element with the id or name
  // `shingle` is not the queue.
  let api = attempt(() => w.shingle);
  if (!api?.on?.bind) {
    const waiting = attempt(() => [...api.q]) || [];
    const pick = (which) => api.all[which || Object.keys(api.all)[0]];
    api = (command, ...rest) => api[command]?.(...rest);
    attempt(() => (w.shingle = api));
    api.all = {};
    api.q = waiting;
    for (const verb of ["open", "close", "toggle", "destroy"]) api[verb] = (which) => pick(which)?.[verb]();
    api.prefill = (data, which) => pick(which)?.prefill(data);
    api.on = (what, f) => {
      const forward = (e) => f(e.detail, e);
      d.addEventListener("shingle:" + what, forward);
      return () => d.removeEventListener("shingle:" + what, forward);
    };
  }
  // A second copy of the script only puts the launcher back if the page has removed it.
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
  // Safari before 16.4 has no constructor of stylesheets.
  const dress = (root) => {
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(rules);
      root.adoptedStyleSheets = [sheet];
    } catch {
      root.append(build(["style", {}, rules]));
    }
  };
  // Reads an entry of this tab's storage; with a value, writes it first. Storage may be blocked.
  const recall = (name, value) =>
    attempt(() => {
      if (value) sessionStorage[name] = value;
      return sessionStorage[name];
    });
  // One by one: old libraries give lists a `toJSON`, which makes texts of them.
  const toJson = (...list) => "[" + list.map((one) => JSON.stringify(one)) + "]";

  // Where the visitor came from, as first seen in this tab. It is parsed only when it is needed.
  const query = new URLSearchParams(location.search);
  let wanted = query.get("roof-estimate");
  const via = wanted ? (query.get("via") == "qr" ? "qr" : "link") : "embed";
  const touch = recall("shingle") || toJson(d.referrer, location.search);
  recall("shingle", touch);
  const context = () => ({ lang, via, pageUrl: location.href, touch });

  const ends = new AbortController();
  const until = { capture: true, signal: ends.signal };
  const host = d.createElement("shingle-launcher");
  const root = host.attachShadow({ mode: "open" });
  dress(root);

  const emit = (what, more) =>
    attempt(() => {
      const detail = { widget: id, ...more };
      host.dispatchEvent(new CustomEvent("shingle:" + what, { bubbles: true, composed: true, detail }));
      w.dataLayer?.push({ event: "shingle_" + what, ...detail });
    });

  // Three parallel requests, once: the script (imported from the cache after its checksum was verified), the
  // module, whose checksum the script verifies, and the widget's configuration with the words of the page's language for this runtime version.
  let runtime;
  const name = sum.replace(/\W/g, "").slice(0, 16);
  // A page's own `fetch` may throw instead of failing.
  const loadRuntime = async () => {
    const code = base + "/runtime/" + name;
    // An error page fails at what follows.
    return (runtime ||= Promise.all([
      fetch(code + ".js", { integrity: "sha256-" + sum }).then(() => import(code + ".js")),
      fetch(code + ".wasm"),
      fetch(page + "/config/" + name + "." + lang + ".json").then((answer) => answer.json()),
    ]).then(([stage, ...rest]) => stage.default(root, emit, ...rest, until)));
  };
  const prefetch = () => loadRuntime().catch(() => {});
  // A lead that an earlier visit could not send does not wait: the runtime sends it.
  if (attempt(() => (Object.keys(localStorage) + "").includes("shingle:" + id))) ahead = 0;

  let given = {};
  let dialog;
  let flow;
  // What was typed is passed behind the #, which is not sent to the server.
  const hosted = () => {
    const typed = toJson(given, recall("shingle:draft:" + id) + "");
    return page + "?" + new URLSearchParams(context()) + "#" + encodeURIComponent(typed);
  };
  // A page that is zoomed by its style zooms neither the launcher nor the dialog.
  const unzoom = () => {
    // In a browser that cannot zoom it is no number, and no zoom.
    const undone = 1 / getComputedStyle(d.documentElement).zoom;
    host.style.setProperty("--z", undone);
    return undone;
  };
  const hide = () => {
    dialog?.close();
    // The dialog's own event comes later.
    dialog?.onclose();
  };
  // Where the flow cannot run at all.
  const leave = (cause) => {
    console.warn("Shingle:", cause);
    attempt(() => open(hosted())) || (location = hosted());
  };
  const show = () => {
    if (dialog) return;
    const mine = build(skeleton);
    unzoom();
    root.append(mine);
    try {
      // A sandbox without an origin may call no server. Safari before 15.4 has no dialogs.
      if (origin == "null") throw origin;
      mine.showModal();
    } catch (cause) {
      mine.remove();
      return leave(cause);
    }
    dialog = mine;
    const [close, call] = mine.children;
    close.onclick = hide;
    mine.onclose = () => {
      if (mine != dialog) return;
      flow?.destroy();
      flow = dialog = null;
      mine.remove();
      emit("close");
    };
    emit("open", { via });
    // Fallback when the runtime cannot run: the hosted page in a frame; if frames are blocked, the hosted page.
    const fallBack = (cause) => {
      if (mine != dialog) return;
      flow = null;
      console.warn("Shingle:", cause);
      emit("error", { reason: cause + "" });
      const address = hosted();
      const blocked = (e) => {
        // frame-src: no other about an address of ours begins like it. A policy that only reports is as good as one.
        if (e.effectiveDirective[0] == "f" && address.startsWith(e.blockedURI)) location = address;
      };
      d.addEventListener("securitypolicyviolation", blocked, until);
      const frame = build(["iframe", { title: mine.ariaLabel, src: address }]);
      // The frame's events are raised here as our own.
      const forward = ({ source, data }) => source == frame.contentWindow && emit(...data);
      addEventListener("message", forward, until);
      mine.replaceChildren(close, call, frame);
    };
    const late = new Promise((_, fail) => setTimeout(fail, 15e3, "slow"));
    // The empty dialog is painted first, even if the runtime is already loaded.
    const seen = new Promise((painted) => (w.requestAnimationFrame || setTimeout)(() => setTimeout(painted)));
    Promise.race([Promise.all([loadRuntime().catch(() => loadRuntime((runtime = 0))), seen]), late])
      .then(([enter]) => {
        if (mine != dialog) return;
        flow = enter(host, mine, { ...context(), prefill: given }, emit, hide, fallBack);
        // § card
        // What was typed into the card now belongs to the flow.
        if (given.typed) given = {};
        // § end
      })
      .catch(fallBack)
      .catch(leave);
  };

  // § card
  const tag = "shingle-estimate";
  const place = (element) => {
    const card = build(launcher);
    if ((element.getAttribute("widget") || id) != id) return;
    const inner = element.shadowRoot || element.attachShadow({ mode: "open" });
    if (inner.firstChild) return;
    dress(inner);
    inner.append(card);
    card.addEventListener("focusin", prefetch);
    card.onpointerenter = prefetch;
    card.onsubmit = (e) => {
      e.preventDefault();
      given = { ...given, address: card.elements[0].value, typed: true };
      show();
    };
    until.signal.addEventListener("abort", () => inner.replaceChildren());
  };
  // § banner
  // If there is no body yet, a banner at the top is inserted before it and pushes the page down; otherwise it
  // overlays the page. Either way nothing that a visitor has already seen is moved.
  const above = edge == "top";
  const pushes = above && !d.body;
  const hidden = "shingle:off:" + id;
  // At the page's end, where there is a constructor.
  const room = attempt(() => new CSSStyleSheet());
  // § end
  // § plain banner
  // Moves the launcher off what the page has fixed at its place: a bar for cookies, a navigation. Looks when the page
  // has other children and when the visitor does something, which may open or close what is in the way. To translate
  // is no layout shift.
  let button;
  let moved = 0;
  const fixed = (el) => el && (/[xy]/.test(getComputedStyle(el).position) ? el : fixed(el.parentElement));
  const keepOff = () => {
    // § plain
    unzoom();
    if (!edge) return;
    // § plain banner
    const at = button.getBoundingClientRect();
    // § plain
    const y = at.bottom - moved;
    const around = d.elementsFromPoint(at.x + 20, y - 5);
    // § banner
    const y = at[edge] - moved;
    const around = d.elementsFromPoint(20, y + (above ? 5 : -5));
    // Over the page, it must hide neither the end of the page nor the focused element.
    const height = edge + ":" + at.height * (unzoom() || 1) + "px";
    if (!pushes) room?.replaceSync("html{scroll-padding-" + height + (above ? "" : ";padding-" + height) + "}");
    // § plain banner
    // Fixed or sticky; what is higher is no bar.
    const box = around.map(fixed).find((el) => el?.offsetHeight < 200)?.getBoundingClientRect();
    // § plain
    moved = box ? box.y - y - 8 : 0;
    // § banner
    moved = box ? box[above ? "bottom" : "top"] - y : 0;
    // § plain banner
    button.style.translate = "0 " + moved + "px";
  };
  // Written twice, it takes fewer bytes than a name.
  const look = () => (w.requestAnimationFrame || setTimeout)(keepOff);
  // § end
  // The host is a sibling of the body, so it survives whatever the page does to its body. If the page removes it,
  // it is put back, up to fifty times.
  let reattached = 0;
  const mend = () => {
    for (const node of [d, d.documentElement, d.body]) if (node) watch.observe(node, { childList: true });
    if (host.isConnected || reattached++ > 50) return;
    // § plain card
    d.documentElement.append(host);
    // § banner
    d.documentElement.insertBefore(host, pushes ? d.body : null);
    // § end
    // A dialog that was moved has left the top layer.
    if (dialog) {
      dialog.open = false;
      dialog.showModal();
    }
  };
  // § card
  const watch = new MutationObserver(mend);
  // § plain banner
  const watch = new MutationObserver(() => {
    mend();
    look();
  });
  // § end
  const prefill = (data) => {
    Object.assign(given, data);
    flow?.prefill(data);
  };
  const destroy = () => {
    ends.abort();
    watch.disconnect();
    hide();
    host.remove();
    delete api.all[id];
    // § banner
    d.adoptedStyleSheets = d.adoptedStyleSheets.filter((other) => other != room);
    // § end
  };
  const start = () => {
    // § plain card
    if (!d.body) return;
    // § banner
    if (!d.body && !pushes) return;
    // § end
    d.removeEventListener("readystatechange", start);
    if (api.all[id]) return;
    // § plain banner
    api.all[id] = { open: show, close: hide, toggle: () => (dialog ? hide() : show()), prefill, destroy, mend };
    // § card
    api.all[id] = { open: show, close: hide, toggle: () => (dialog ? hide() : show()), prefill, destroy, mend, place };
    // § end
    mend();
    // § card
    class Card extends HTMLElement {
      connectedCallback() {
        for (const widget of Object.values(api.all)) widget.place?.(this);
      }
    }
    if (!customElements.get(tag)) customElements.define(tag, Card);
    d.querySelectorAll(tag).forEach(place);
    // § plain
    button = build(launcher);
    // Accessibility: everything a page shows has to be in a landmark.
    host.role = "complementary";
    root.append(button);
    // § banner
    button = build(launcher);
    button.lastChild.onclick = () => {
      button.remove();
      recall(hidden, 1);
    };
    button.classList.toggle("over", !pushes);
    if (!recall(hidden)) root.append(button);
    attempt(() => d.adoptedStyleSheets.push(room));
    attempt(() => new ResizeObserver(keepOff).observe(button));
    // § plain
    look();
    // § end
    // What is marked, and links to this page's own #roof-estimate. An icon in them, or the host of a shadow root around them,
    // counts as well; what is nearest says which widget it opens.
    const named = (text) => /#roof-estimate$/i.test(text);
    const plain = (url) => url.href.split("#")[0];
    const opens = (node) => {
      const read = (name) => node.getAttribute?.(name);
      const marked = read("data-shingle-open");
      const href = read("href");
      return marked == null ? named(href) && plain(new URL(href, location)) == plain(location) && id : marked || id;
    };
    // While capturing, before the page's own listeners, which may cancel it or stop it. The launcher is a link: opening it
    // in a new tab still works.
    const asked = (e) => {
      // § plain
      const at = button.getBoundingClientRect();
      if (e.pointerType == "mouse" && Math.hypot(e.x - at.x, e.y - at.y) < 300) prefetch();
      if (e.type == "pointermove") return;
      // § plain banner
      look();
      // § end
      if (e.composedPath().map(opens).find((which) => which) != id) return;
      prefetch();
      if (e.type != "click" || e.metaKey || e.ctrlKey || e.shiftKey) return;
      e.preventDefault();
      show();
    };
    // On a touch screen, pointerover comes before the tap.
    // § plain
    for (const sign of ["click", "pointerover", "pointermove", "focusin"]) addEventListener(sign, asked, until);
    // § card banner
    for (const sign of ["click", "pointerover", "focusin"]) addEventListener(sign, asked, until);
    // § end
    // The page's address opens one widget only. What it asks for opens it once, and its fragment whenever it changes.
    const addressed = () => {
      if (wanted == id || (Object.keys(api.all)[0] == id && (wanted == "open" || named(location.hash)))) show();
      wanted = 0;
    };
    addEventListener("hashchange", addressed, until);
    emit("view");
    addressed();
    if (ahead != null && !navigator.connection?.saveData)
      setTimeout(() => d.hidden || (w.requestIdleCallback || setTimeout)(prefetch), ahead);
    // Calls for a widget that is not loaded yet stay in the queue.
    for (const call of api.q.splice(0))
      attempt(() => {
        const which = [...call].pop();
        if (which?.length == 36 && !api.all[which]) api.q.push(call);
        else api(...call);
      });
  };
  d.addEventListener("readystatechange", start);
  start();
}
