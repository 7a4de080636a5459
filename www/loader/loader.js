// What a contractor's page runs: puts the launcher into a shadow root, fetches the runtime when somebody means
// to use it, and hands over. The server appends the widget's own values as arguments. No markup is parsed
// and no style attribute is written, so a strict content policy and Trusted Types have nothing to object to.
//
//   config   what the runtime gets (PublicWidget)
//   hosts    pages that may run this
//   markup   launcher and empty dialog, as [tag, attributes, ...children]
//   rules    their stylesheet
//   palette  the widget's colours, as custom properties of the host element
//   files    addresses of the runtime's script, module and stylesheet, and of the
//            sentences in English and in Spanish
//
// Lines between `§ NAME` and the next § are for one kind of launcher; the server leaves the others out. It also
// shortens names that are no property anywhere; `show` and `hide` are not called `open` and `close` for that
// reason.
(config, hosts, [launcher, skeleton], rules, palette, files) => {
  const w = window;
  const d = document;
  const id = config.id;
  const here = location.hostname;
  if (!hosts.some((allowed) => allowed == here || (allowed[0] == "*" && here.endsWith(allowed.slice(1)))))
    return console.warn("Shingle: widget " + id + " is for " + hosts + ", not " + here);

  // The command queue of the page becomes the interface, once for all widgets.
  let api = w.shingle;
  if (!api?.all) {
    const waiting = api?.q || [];
    const all = {};
    const pick = (which) => all[which] || Object.values(all)[0];
    api = w.shingle = (command, ...rest) => api[command](...rest);
    api.all = all;
    api.q = waiting;
    for (const verb of ["open", "close", "toggle", "destroy"]) api[verb] = (which) => pick(which)?.[verb]();
    api.on = (what, f) => d.addEventListener("shingle:" + what, (e) => f(e.detail));
  }
  // A second copy of the script only mends what the page has swapped away.
  if (api.all[id]) return api.all[id].mend();

  const build = ([tag, attributes, ...children], space) => {
    if (tag == "svg") space = "http://www.w3.org/2000/svg";
    const node = space ? d.createElementNS(space, tag) : d.createElement(tag);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children.map((child) => (child.map ? build(child, space) : child)));
    return node;
  };
  const sheet = (css) => {
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    return made;
  };

  // Where the visitor came from, as first seen in this tab.
  const query = new URLSearchParams(location.search);
  const wanted = query.get("roof-estimate");
  let touch;
  try {
    touch = JSON.parse(sessionStorage.shingle);
  } catch {}
  if (!touch) {
    touch = { referrer: d.referrer };
    for (const [key, value] of query) {
      if (/^utm_./.test(key)) touch[key.replace(/_./, (x) => x[1].toUpperCase())] = value;
      if (/(clid|clkid|braid)$/.test(key)) touch.clickId = key + "=" + value;
    }
    try {
      sessionStorage.shingle = JSON.stringify(touch);
    } catch {}
  }
  const origin = wanted == null ? "embed" : query.get("via") == "qr" ? "qr" : "link";
  const context = () => ({ ...touch, via: origin, pageUrl: location.href });

  const ends = new AbortController();
  const until = { signal: ends.signal };
  const host = d.createElement("shingle-estimate");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet(rules)];
  host.style.cssText = palette;

  const emit = (what, more = {}) => {
    host.dispatchEvent(new CustomEvent("shingle:" + what, { bubbles: true, composed: true, detail: more }));
    w.dataLayer?.push({ event: "shingle_" + what, ...more });
  };

  // Requests side by side, once; after a failure the next try starts anew.
  let runtime;
  const load = async (file) => {
    const answer = await fetch(file);
    if (answer.ok) return answer;
    throw file;
  };
  const warm = () =>
    (runtime ||= Promise.all([
      import(files[0]),
      ...[1, 2, 3 + /^es/.test(d.documentElement.lang)].map((at) => load(files[at])),
    ]).then(async ([glue, wasm, css, words]) => {
      await glue.default({ module_or_path: wasm });
      root.adoptedStyleSheets.push(sheet(await css.text()));
      return [glue, await words.json()];
    }));
  const quietly = () =>
    warm().catch(() => {
      runtime = 0;
    });

  let dialog;
  let mounted;
  let broken;
  const hide = () => dialog?.close();
  const show = async () => {
    if (dialog) return;
    const mine = (dialog = build(skeleton));
    // The page keeps its place and its own styles: the lock is a sheet that comes and goes.
    const gutter = w.innerWidth > d.documentElement.clientWidth ? ";scrollbar-gutter:stable" : "";
    const lock = sheet("html{overflow:hidden!important" + gutter + "}");
    d.adoptedStyleSheets.push(lock);
    root.append(mine);
    mine.firstChild.onclick = hide;
    mine.onclose = () => {
      mounted?.destroy();
      mounted = dialog = null;
      d.adoptedStyleSheets = d.adoptedStyleSheets.filter((other) => other != lock);
      mine.remove();
      emit("close");
    };
    mine.showModal();
    emit("open", { via: origin });
    try {
      const late = new Promise((_, fail) => setTimeout(fail, 15e3, "slow"));
      const [glue, words] = broken || (await Promise.race([warm(), late]));
      if (mine != dialog) return;
      mounted = glue.mount(host, mine, config, { ...context(), words }, (what, more) => {
        if (what == "close") hide();
        else if (more.fatal) {
          // A module that has trapped cannot be used again, so there is nothing left to mount.
          mounted = null;
          broken = [{}];
          stand(mine, what);
        } else if (what != "open" && what != "view") emit(what, more);
      });
    } catch (cause) {
      runtime = 0;
      if (mine == dialog) stand(mine, cause);
    }
  };

  // Where the module may not run: the hosted page in a frame; where frames are barred: the hosted page.
  const stand = (mine, cause) => {
    console.warn("Shingle: no runtime:", cause);
    emit("error", { reason: cause + "" });
    const address = config.baseUrl + "/w/" + id + "?" + new URLSearchParams(context());
    const barred = (e) => {
      if (e.effectiveDirective == "frame-src" && address.startsWith(e.blockedURI)) location = address;
    };
    d.addEventListener("securitypolicyviolation", barred, until);
    const inner = d.createElement("iframe");
    inner.title = mine.ariaLabel;
    inner.src = address;
    mine.replaceChildren(build(skeleton).firstChild, inner);
    mine.firstChild.onclick = hide;
  };

  // § plain
  const mend = () => host.isConnected || d.body.append(host);
  // § banner
  // Where this runs before there is a body, a banner at the top pushes the page down; later it lies over it.
  // Either way nothing that a visitor has seen is moved.
  const edge = config.elementLocation;
  const pushes = edge == "top" && !d.body;
  const mend = () => host.isConnected || (pushes ? d.body.prepend(host) : d.body.append(host));
  // What lies over the page hides neither its end nor what has the focus.
  const room = sheet("");
  const clear = () => {
    d.adoptedStyleSheets = d.adoptedStyleSheets.filter((other) => other != room);
  };
  const hidden = "shingle-hidden-" + id;
  const banner = (element) => {
    try {
      if (sessionStorage[hidden]) return;
    } catch {}
    element.lastChild.onclick = () => {
      element.remove();
      clear();
      try {
        sessionStorage[hidden] = 1;
      } catch {}
    };
    root.append(element);
    if (pushes) return;
    element.classList.add("over");
    const height = edge + ":" + element.offsetHeight + "px";
    room.replaceSync("html{scroll-padding-" + height + (edge == "top" ? "" : ";padding-" + height) + "}");
    d.adoptedStyleSheets.push(room);
  };
  // § end
  const watch = new MutationObserver(mend);
  const destroy = () => {
    ends.abort();
    watch.disconnect();
    hide();
    // § banner
    clear();
    // § end
    host.remove();
    delete api.all[id];
  };
  const start = () => {
    if (!d.body || api.all[id]) return;
    api.all[id] = { open: show, close: hide, toggle: () => (dialog ? hide() : show()), destroy, mend };
    mend();
    watch.observe(d.documentElement, { childList: true });
    if (launcher) {
      const button = build(launcher);
      // A finger enters before it presses.
      button.onpointerenter = button.onfocus = quietly;
      // § plain
      root.append(button);
      // § banner
      banner(button);
      // § end
    }
    // The launcher is a link: a new tab stays a new tab.
    const clicked = (e) => {
      const by = e.composedPath()[0].closest?.("[data-shingle-open],[href='#roof-estimate']");
      if (!by || (by.getAttribute("data-shingle-open") || id) != id) return;
      if (e.defaultPrevented || e.metaKey || e.ctrlKey || e.shiftKey) return;
      e.preventDefault();
      show();
    };
    d.addEventListener("click", clicked, until);
    if (launcher) emit("view");
    if (wanted == id || wanted == "open" || location.hash == "#roof-estimate") show();
    const idle = () => (w.requestIdleCallback || setTimeout)(quietly);
    if (!navigator.connection?.saveData) {
      if (d.readyState == "complete") idle();
      else w.addEventListener("load", idle, until);
    }
    for (const call of api.q.splice(0)) api(...call);
  };
  start();
  d.addEventListener("readystatechange", start, until);
  // § banner
  const early = new MutationObserver(() => {
    if (!d.body) return;
    early.disconnect();
    start();
  });
  if (pushes) early.observe(d.documentElement, { childList: true });
  // § end
}
