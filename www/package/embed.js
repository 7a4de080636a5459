// For sites built with a bundler: one function that adds a widget's script to the page and resolves when it has run.
// Importing this file has no effect, and neither has calling it on a server.

/** One load for each widget: its promise and its number of users. A failed load is removed, so that the next call tries again. */
const loads = new Map();
const events = ["view", "open", "address", "estimate", "contact", "submit", "error", "close"];

/** The widget `id` of the service at `baseUrl`. Rejects when its script cannot be fetched or may not run on this page. */
export function load(options) {
  if (typeof document === "undefined") return Promise.resolve(nobody(options.id));
  return entry(options).ready;
}

/** For components: like `load`; the last one to release removes the widget. */
export function borrow(options) {
  if (typeof document === "undefined") return { ready: load(options), release() {} };
  const mine = entry(options);
  let held = true;
  mine.users += 1;
  const release = () => {
    if (!held) return;
    held = false;
    mine.users -= 1;
    // A component that is unmounted and mounted again at once finds the widget still there.
    mine.ready.then(
      (shingle) => mine.users === 0 && shingle.destroy(),
      () => {},
    );
  };
  return { ready: mine.ready, release };
}

function entry({ baseUrl, id, nonce, integrity }) {
  const url = new URL(`w/${encodeURIComponent(id)}.js`, String(baseUrl).replace(/\/*$/, "/")).href;
  const known = loads.get(url);
  if (known && (!known.done || running(id))) return known;
  const fresh = { users: 0, done: false };
  fresh.ready = fetched(url, id, { nonce, integrity }).then(
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

async function fetched(url, id, how) {
  if (running(id)) return;
  // Does not add a second tag while the page's own may still be loading, which is until the page's load event.
  if (document.readyState !== "complete" && [...document.scripts].some((script) => script.src === url)) {
    await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    if (running(id)) return;
  }
  await inject(url, how);
  if (!running(id)) throw new Error(`Shingle: widget ${id} does not run here. Is ${location.hostname} among its domains?`);
}

function inject(url, { nonce, integrity }) {
  // With the digest in the address, what a visitor has in the cache from before a change is not judged by it.
  const src = integrity ? `${url}?v=${encodeURIComponent(integrity.slice(-16))}` : url;
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.async = true;
    if (nonce) script.nonce = nonce;
    if (integrity) {
      script.integrity = integrity;
      // A browser checks only what the other server lets it read.
      script.crossOrigin = "anonymous";
    }
    script.onload = resolve;
    const hint = integrity ? " Or it has changed, and `integrity` no longer fits it." : "";
    script.onerror = () => reject(new Error(`Shingle: ${url} could not be loaded.${hint}`));
    script.src = trusted(src);
    document.head.append(script);
  }).finally(() => document.head.querySelectorAll("script").forEach((one) => one.src === src && one.remove()));
}

/** A page with Trusted Types has to allow the policy `shingle-embed`; on any other page the plain address is used. */
let policy;
function trusted(url) {
  try {
    policy ??= window.trustedTypes?.createPolicy("shingle-embed", { createScriptURL: (address) => address });
  } catch {
    // Blocked by the page's policy: then the address is blocked too, and the load fails with the browser's message.
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

/** For rendering on a server: accepts every call and does nothing. */
function nobody(id) {
  const nothing = () => {};
  return { id, open: nothing, close: nothing, toggle: nothing, prefill: nothing, on: () => nothing, destroy: nothing };
}
