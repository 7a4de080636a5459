// What only a script can do in the portal: the key behind # of the link that claims an installation, and keys for the list.
(() => {
  const setup = document.getElementById("setup");
  if (setup && location.hash.length > 1) {
    setup.elements.token.value = location.hash.slice(1);
    // It is spent by the form, and stays in no history.
    history.replaceState(null, "", location.pathname);
    setup.elements.name.focus();
  }

  const code = document.getElementById("code");
  code?.addEventListener("input", () => {
    if (code.value.replace(/\D/g, "").length === 6) code.form.requestSubmit();
  });

  for (const copy of document.querySelectorAll("[data-copy]")) {
    const from = document.getElementById(copy.dataset.copy);
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      from.select();
      // Pages that came without TLS have no clipboard.
      if (navigator.clipboard) await navigator.clipboard.writeText(from.value);
      else document.execCommand("copy");
      copy.textContent = "Copied";
    });
  }

  const search = document.getElementById("search");
  if (!search) return;
  const rows = () => [...document.querySelectorAll(".leads tbody tr")];
  const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea");
  const at = () => rows().indexOf(document.activeElement?.closest("tr"));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
    if (event.key === "/") {
      event.preventDefault();
      search.focus();
    } else if (event.key === "?") {
      document.getElementById("keys").focus();
    } else if (event.key === "e" && at() >= 0) {
      rows()[at()].querySelector("input").click();
    } else if ((event.key === "j" || event.key === "k") && rows().length) {
      const next = Math.min(Math.max(at() + (event.key === "j" ? 1 : -1), 0), rows().length - 1);
      rows()[next].querySelector("a").focus();
    }
  });

  // Leads that come in while the list is open. The list itself changes only where nobody is at work in it.
  const news = document.getElementById("news");
  const busy = () => document.activeElement?.closest(".list, .bar") || document.querySelector(".leads :checked");
  const look = async () => {
    if (document.visibilityState === "hidden") return;
    const asked = await fetch(`/portal/leads/news?since=${news.dataset.since}&data=${news.dataset.data}`);
    if (asked.redirected || !asked.ok) return clearInterval(timer);
    const count = Number(await asked.text());
    if (!count) return;
    news.firstElementChild.textContent = count === 1 ? "A new lead came in. " : `${count} new leads came in. `;
    news.hidden = false;
    if (!("newest" in news.dataset) || busy()) return;
    const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const [list, old] = [fresh, document].map((page) => page.querySelector(".list, .empty"));
    if (!list || busy()) return;
    old.replaceWith(list);
    news.dataset.since = fresh.getElementById("news").dataset.since;
    news.querySelector("a").hidden = true;
  };
  // A server that is away for a moment is asked again.
  const timer = setInterval(() => look().catch(() => {}), 10_000);
})();
