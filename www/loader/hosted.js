// Runs on the hosted page: the same runtime, in the page instead of a dialog. A module, so that the runtime's files
// are addressed relative to it.
(script, module, config, here) => {
  const d = document;
  const host = d.getElementById("shingle");
  const query = new URLSearchParams(location.search);
  const base = new URL("../..", here).href.replace(/\/$/, "");

  // Opened by a link, a QR code, or as the fallback frame of the overlay, which passes on what it knows; what was
  // typed there comes behind the #.
  const context = {
    via: /^(embed|link|qr)$/.test(query.get("via")) ? query.get("via") : "hosted",
    pageUrl: query.get("pageUrl") || location.href,
    touch: query.get("touch") || JSON.stringify([d.referrer, location.search]),
  };
  try {
    [context.prefill, context.draft] = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    history.replaceState(null, "", location.pathname + location.search);
  } catch {}

  const emit = (name, detail = {}) => {
    host.dispatchEvent(new CustomEvent("shingle:" + name, { bubbles: true, detail }));
    try {
      window.dataLayer?.push({ event: "shingle_" + name, ...detail });
    } catch {}
    // In the fallback frame, the page around raises our events; `open` and `view` it has raised. Nothing is personal.
    if (parent != window && name != "open" && name != "view") parent.postMessage([name, detail], "*");
  };
  const failed = (reason) => {
    console.warn("Shingle: the runtime did not start, the page works without it.", reason);
    emit("error", { reason: reason + "" });
    d.getElementById("shingle-failed").hidden = false;
  };
  const load = (path) =>
    fetch(base + path).then((answer) => {
      if (!answer.ok) throw answer.status;
      return answer;
    });

  Promise.all([import(base + script), load(module), load(config + "." + d.documentElement.lang + ".json").then((answer) => answer.json())])
    .then(async ([stage, answer, kit]) => {
      kit.widget.baseUrl = base;
      const enter = await stage.default(null, emit, answer, kit);
      // What was typed before the flow was mounted.
      const field = host.querySelector("input");
      if (field?.value) context.prefill = { ...context.prefill, address: field.value, typed: true };
      const focused = d.hasFocus() && d.activeElement == field;
      host.replaceChildren();
      // Keeps a reference: an unreferenced handle would be collected, and the flow with it.
      host.flow = enter(host, undefined, context, emit, () => {}, failed);
      if (focused) host.querySelector("input")?.focus();
    })
    .catch(failed);
}
