// What a script of `origin` has taken from the page it runs in, and not given back.

/** Tracks it in every page that `context` opens from now on. */
export const trackResources = (context, origin) => context.addInitScript(tracker, origin);

/** What is taken at present in a page or frame. */
export const heldResources = (frame) => frame.evaluate(() => window[Symbol.for("held resources")]());

/** Until nothing is taken any more, or for as long as one may wait: what is left is then told by `heldResources`. */
export const resourcesReleased = (frame) =>
  frame.waitForFunction(() => {
    const { listeners, observers, sheets } = window[Symbol.for("held resources")]();
    return !listeners.length && !observers.length && !sheets;
  }, undefined, { timeout: 5_000 }).catch(() => {});

/** Runs in the page, before any script of it. Counts only what has `origin` in its call stack. */
function tracker(origin) {
  const isOurs = () => new Error().stack.includes(origin);
  const targets = new Set();
  const entries = new WeakMap();
  const captures = (options) => (typeof options === "object" && options !== null ? !!options.capture : !!options);
  const same = (type, listener, options) => (e) =>
    e.type === type && e.listener === listener && e.capture === captures(options);
  const drop = (target, fits) => entries.set(target, (entries.get(target) ?? []).filter((e) => !fits(e)));
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;

  EventTarget.prototype.addEventListener = function (type, listener, options) {
    const target = this ?? window;
    if (listener && isOurs() && !options?.signal?.aborted) {
      const kept = entries.get(target) ?? [];
      if (!kept.some(same(type, listener, options))) {
        const entry = { type, listener, capture: captures(options) };
        entries.set(target, [...kept, entry]);
        if (!kept.length) targets.add(new WeakRef(target));
        const off = () => drop(target, (e) => e === entry);
        if (options?.once) add.call(target, type, off, { once: true, capture: entry.capture });
        if (options?.signal) add.call(options.signal, "abort", off, { once: true });
      }
    }
    return add.call(target, type, listener, options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    const target = this ?? window;
    drop(target, same(type, listener, options));
    return remove.call(target, type, listener, options);
  };

  const watching = new Map();
  for (const kind of ["MutationObserver", "ResizeObserver", "IntersectionObserver"]) {
    const { observe, disconnect } = window[kind].prototype;
    window[kind].prototype.observe = function (...what) {
      if (isOurs()) watching.set(this, kind);
      return observe.apply(this, what);
    };
    window[kind].prototype.disconnect = function () {
      watching.delete(this);
      return disconnect.call(this);
    };
  }
  const ticking = new Set();
  const { setInterval: tick, clearInterval: untick } = window;
  window.setInterval = (...what) => {
    const id = tick(...what);
    if (isOurs()) ticking.add(id);
    return id;
  };
  window.clearInterval = (id) => {
    ticking.delete(id);
    untick(id);
  };

  // What widgets like to wrap and then never put back.
  const natives = () => [
    window.fetch, window.open, window.onmessage, window.onerror, window.XMLHttpRequest, window.Promise,
    history.pushState, history.replaceState, XMLHttpRequest.prototype.open, Element.prototype.attachShadow,
    EventTarget.prototype.addEventListener, customElements.define, console.error, document.onclick,
  ];
  const [was, globals] = [natives(), new Set(Object.getOwnPropertyNames(window))];

  // By a symbol: a name would be one more global.
  window[Symbol.for("held resources")] = () => {
    const listeners = [];
    for (const weak of targets) {
      const target = weak.deref();
      // What hangs on a node that is gone goes with it; a signal is nobody's but its owner's.
      if (!target || target instanceof AbortSignal || (target instanceof Node && !target.isConnected && target !== document)) continue;
      const name = target === window ? "window" : (target.nodeName ?? target.constructor.name);
      listeners.push(...(entries.get(target) ?? []).map((e) => `${name} ${e.type}`));
    }
    const attributes = (node) => [...(node?.attributes ?? [])].map((a) => `${a.name}=${a.value}`).sort();
    return {
      listeners: listeners.sort(),
      observers: [...watching.values()],
      intervals: ticking.size,
      sheets: document.adoptedStyleSheets.length,
      globals: Object.getOwnPropertyNames(window).filter((name) => !globals.has(name)),
      wrapped: natives().flatMap((now, at) => (now === was[at] ? [] : [at])),
      html: attributes(document.documentElement),
      body: attributes(document.body),
      hosts: document.querySelectorAll("shingle-launcher,shingle-estimate:not([widget])").length,
    };
  };
}
