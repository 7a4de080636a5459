/* An area that is being loaded: how far it is, and the page again once it has ended. */
(() => {
  for (const load of document.querySelectorAll("[data-load]")) {
    const bar = load.querySelector("progress"), said = load.querySelector(".rows2"), short = "short" in load.dataset;
    let told = -1;
    const look = async () => {
      let now;
      try {
        now = await (await fetch(load.dataset.load)).json();
      } catch {
        return setTimeout(look, 5000);
      }
      if (!now.working && !short) return location.reload();
      const percent = now.working ? now.percent : 100;
      if (percent == null) bar.removeAttribute("value");
      else bar.value = percent;
      // Each tenth is said, and the end; what is seen moves with every look.
      const tenth = Math.floor((percent || 0) / 10);
      said.setAttribute("aria-live", tenth > told || !now.working ? "polite" : "off");
      told = Math.max(told, tenth);
      said.textContent = short ? now.short : now.said;
      if (now.working) setTimeout(look, 1000);
    };
    setTimeout(look, 500);
  }
})();
