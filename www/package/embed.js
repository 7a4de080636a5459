// The widget from a bundler's point of view: one function that brings a widget's own script onto the page and says
// when it is there. Importing this does nothing, and on a server neither does calling it.

/** One load a widget: its promise, and who uses it. A load that fails is forgotten, so that the next one tries anew. */
const loads = new Map();
const events = ["view", "open", "address", "estimate", "contact", "submit", "error", "close"];

/** The widget `id` of the service at `baseUrl`. Fails when its script cannot be had or may not run on this page. */
export function load(options) {
  if (typeof document === "undefined") return Promise.resolve(nobody(options.id));
  return entry(options).ready;
}

/** For components: like `load`, and whoever gives back last takes the widget down. */
export function borrow(options) {
  if (typeof document === "undefined") return { ready: load(options), release() {} };
  const mine = entry(options);
  let held = true;
  mine.users += 1;
  const release = () => {
    if (!held) return;
    held = false;
    mine.users -= 1;
    // A component that is taken down and put up again at once finds it still there.
    mine.ready.then(
      (shingle) => mine.users === 0 && shingle.destroy(),
      () => {},
    );
  };
  return { ready: mine.ready, release };
}

function entry({ baseUrl, id, nonce }) {
  const url = new URL(`w/${encodeURIComponent(id)}.js`, String(baseUrl).replace(/\/*$/, "/")).href;
  const known = loads.get(url);
  if (known && (!known.done || running(id))) return known;
  const fresh = { users: 0, done: false };
  fresh.ready = fetched(url, id, nonce).then(
    () => {
      fresh.done = true;
      return shingle(id);
    },
    (error) => {
      if (loads.get(url) === fresh) loads.delete(url);
      throw error;
    },
  );
  loads.set(url, fresh);
  return fresh;
}

const running = (id) => Boolean(window.shingle?.all?.[id]);

async function fetched(url, id, nonce) {
  if (running(id)) return;
  // A tag that the page brings itself is not doubled while it may still be on its way: that ends with the page's load.
  if (document.readyState !== "complete" && [...document.scripts].some((script) => script.src === url)) {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    if (running(id)) return;
  }
  await inject(url, nonce);
  if (!running(id)) throw new Error(`Shingle: widget ${id} does not run here. Is ${location.hostname} among its domains?`);
}

function inject(url, nonce) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.async = true;
    if (nonce) script.nonce = nonce;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`Shingle: ${url} could not be loaded.`));
    script.src = trusted(url);
    document.head.append(script);
  }).finally(() => document.head.querySelectorAll("script").forEach((one) => one.src === url && one.remove()));
}

/** A page with Trusted Types names the policy `shingle-embed` in its own; any other page takes the plain address. */
let policy;
function trusted(url) {
  try {
    policy ??= window.trustedTypes?.createPolicy("shingle-embed", { createScriptURL: (address) => address });
  } catch {
    // Barred by the page's policy: then so is the address, and the load fails with the browser's own words.
  }
  return policy ? policy.createScriptURL(url) : url;
}

/** The page's interface, for one widget. */
function shingle(id) {
  const off = new Set();
  const api = () => window.shingle;
  return {
    id,
    open: () => api()?.open(id),
    close: () => api()?.close(id),
    toggle: () => api()?.toggle(id),
    prefill: (data) => api()?.prefill(data, id),
    on(name, listener) {
      if (!events.includes(name)) throw new TypeError(`Shingle: there is no event "${name}", only ${events.join(", ")}`);
      const heard = (event) => (event.detail.widget ?? id) === id && listener(event.detail);
      document.addEventListener(`shingle:${name}`, heard);
      const stop = () => {
        off.delete(stop);
        document.removeEventListener(`shingle:${name}`, heard);
      };
      off.add(stop);
      return stop;
    },
    destroy() {
      if (running(id)) api().destroy(id);
      for (const stop of [...off]) stop();
    },
  };
}

/** What a server renders with: it takes every call and does nothing. */
function nobody(id) {
  const nothing = () => {};
  return { id, open: nothing, close: nothing, toggle: nothing, prefill: nothing, on: () => nothing, destroy: nothing };
}
