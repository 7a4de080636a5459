// What the hosted page runs: the same runtime, in the page instead of a dialog. A module, so that it can name
// the runtime's files relative to itself.
(config, files, here) => {
  const d = document;
  const host = d.getElementById("shingle");
  const query = new URLSearchParams(location.search);
  config.baseUrl = new URL("../..", here).href.replace(/\/$/, "");

  // From a link or a code, or from the frame that stands in for the overlay, which passes on what it knows.
  const context = { via: "hosted", referrer: d.referrer, pageUrl: location.href, mode: "page" };
  for (const [name, value] of query) {
    if (/^(utm(Source|Medium|Campaign|Term|Content)|clickId|pageUrl|referrer)$/.test(name)) context[name] = value;
    if (name == "via" && /^(embed|link|qr)$/.test(value)) context.via = value;
    if (/^utm_(source|medium|campaign|term|content)$/.test(name))
      context[name.replace(/_./, (x) => x[1].toUpperCase())] = value;
    if (/^([gf]b?clid|[gw]braid|msclkid|ttclid)$/.test(name)) context.clickId = name + "=" + value;
  }

  const emit = (name, detail = {}) => {
    host.dispatchEvent(new CustomEvent("shingle:" + name, { bubbles: true, detail }));
    window.dataLayer?.push({ event: "shingle_" + name, ...detail });
  };
  const [script, module, ...words] = files.flat().map((file) => new URL("../../runtime/" + file, here).href);

  Promise.all([import(script), fetch(module), fetch(words[+/^es/i.test(d.documentElement.lang)])])
    .then(async ([glue, answer, spoken]) => {
      if (!answer.ok || !spoken.ok) throw answer.status;
      context.words = await spoken.json();
      await glue.default({ module_or_path: answer });
      const before = host.querySelector("input");
      const typed = before.value;
      const focused = d.activeElement == before;
      host.replaceChildren();
      // Held by the page: a handle that nobody holds is collected, and takes the flow with it.
      host.flow = glue.mount(host, null, config, context, emit);
      const after = host.querySelector("input");
      if (after && typed) {
        after.value = typed;
        after.dispatchEvent(new Event("input", { bubbles: true }));
      }
      if (focused) after?.focus();
    })
    .catch((reason) => {
      console.warn("Shingle: the runtime did not start.", reason);
      emit("error", { reason: String(reason) });
      d.getElementById("shingle-failed").hidden = false;
    });
}
