// The designer: the preview follows what is typed, and what was typed survives a lost connection. Nothing here publishes.
(() => {
  const keep = (key, value) => {
    try {
      if (value === null) sessionStorage.removeItem(key);
      else if (value !== undefined) sessionStorage[key] = value;
      return sessionStorage[key];
    } catch {}
  };
  const forget = document.querySelector("[data-forget]");
  if (forget) keep("shingle-form:" + forget.dataset.forget, null);

  const form = document.getElementById("designer");
  if (!form) return;
  const key = "shingle-form:" + location.pathname;
  const texts = () => [...new FormData(form)].filter(([, value]) => typeof value === "string");
  const live = document.getElementById("live");
  const seen = (action) => new URL(action, location).searchParams.get("seen");

  // What was typed and not saved, in this tab. A draft of somebody else since then is noticed by the server, as the form
  // says again what it was typed over.
  const kept = keep(key);
  // Said until something is typed.
  let back = "";
  if (/said=(draft|published|discarded)/.test(location.search) || "typed" in form.dataset) keep(key, null);
  else if (kept) {
    const [action, pairs] = JSON.parse(kept);
    const fields = new Map(pairs);
    for (const field of form.elements) {
      if (!field.name || /file|submit|hidden/.test(field.type)) continue;
      if (field.type === "checkbox") field.checked = fields.has(field.name);
      else if (fields.has(field.name)) field.value = fields.get(field.name);
    }
    if (seen(action)) form.action = action;
    live.textContent = back = form.dataset.back;
    setTimeout(() => changed());
  }

  const stage = document.getElementById("stage");
  const frame = document.getElementById("preview");
  const tabs = [...document.querySelectorAll("[data-view]:is(a)")];
  for (const tab of tabs)
    tab.addEventListener("click", () => {
      for (const other of tabs) other.removeAttribute("aria-current");
      tab.setAttribute("aria-current", "true");
      stage.dataset.view = tab.dataset.view;
    });

  // A section that is closed opens on the way to it. A phone shows one at a time; the browser's Back leads to the list.
  const page = document.getElementById("sections");
  const links = [...page.querySelectorAll(".sections a:not(.back)")];
  const sections = links.map((one) => document.getElementById(one.hash.slice(1)));
  const reveal = (section, scroll) => {
    for (const [at, one] of sections.entries()) {
      one.classList.toggle("here", one === section);
      if (one === section) links[at].setAttribute("aria-current", "true");
      else links[at].removeAttribute("aria-current");
    }
    page.classList.toggle("at", !!section);
    if (!section) return;
    if (section.tagName === "DETAILS") section.open = true;
    // With the way back to the list, where there is one.
    if (scroll) (page.querySelector(".back").checkVisibility?.() ? page : section).scrollIntoView();
  };
  const goTo = () => reveal(sections.find((one) => "#" + one.id === location.hash), true);
  page.classList.add("paged");
  addEventListener("hashchange", goTo);
  // What is wrong comes before all else.
  const wrong = form.querySelector("[aria-invalid]");
  if (wrong && !location.hash) {
    reveal(wrong.closest(".section"));
    wrong.focus();
  } else goTo();
  // A link to a field, as in the summary of what is wrong, opens its section.
  addEventListener("click", ({ target }) => {
    const to = target.closest?.('a[href^="#"]')?.hash.slice(1);
    const field = to && form.querySelector(`[id="${CSS.escape(to)}"]`);
    const section = field?.closest(".section");
    if (section && section !== field) reveal(section);
  }, { capture: true });

  // The preview of a phone is a sheet.
  const side = page.querySelector(".side");
  const see = form.querySelector(".see");
  const shut = side.querySelector(".close");
  const sheet = (open) => {
    side.classList.toggle("open", open);
    shut.hidden = !open;
    see.setAttribute("aria-expanded", open);
    (open ? shut : see).focus();
  };
  see.hidden = false;
  see.setAttribute("aria-controls", "see");
  see.setAttribute("aria-expanded", "false");
  see.addEventListener("click", () => sheet(true));
  shut.addEventListener("click", () => sheet(false));
  addEventListener("keydown", ({ key }) => key === "Escape" && side.classList.contains("open") && sheet(false));
  document.querySelector('.crumbs a[href="#see"]')?.addEventListener("click", (event) => {
    event.preventDefault();
    sheet(true);
  });

  // A color is typed or picked: both say the same.
  for (const well of form.querySelectorAll("[data-well]")) {
    const hex = document.getElementById(well.dataset.well);
    well.hidden = false;
    well.addEventListener("input", () => (hex.value = well.value));
    hex.addEventListener("input", () => {
      const digits = hex.value.trim().replace(/^#/, "");
      const six = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
      if (/^[0-9a-f]{6}$/i.test(six)) well.value = "#" + six;
    });
  }

  const copy = form.querySelector("[data-copy-hours]");
  const undo = form.querySelector("[data-undo-hours]");
  const copied = form.querySelector("[data-copied]");
  const days = [...form.querySelectorAll("[data-day]")].map((day) => [...day.querySelectorAll("input[type=time]")]);
  let before;
  const fill = (values) => {
    days.forEach((times, day) => times.forEach((time, at) => (time.value = values(day, at))));
    typed();
  };
  copy.hidden = false;
  copy.addEventListener("click", () => {
    before = days.map((times) => times.map((time) => time.value));
    fill((_, at) => days[0][at].value);
    undo.hidden = false;
    copied.textContent = copied.dataset.copied;
  });
  undo.addEventListener("click", () => {
    fill((day, at) => before[day][at]);
    undo.hidden = true;
    copied.textContent = "";
    copy.focus();
  });

  let asked;
  let timer;
  const look = async () => {
    asked?.abort();
    asked = new AbortController();
    const sent = await fetch(form.dataset.preview, { method: "POST", body: new FormData(form), signal: asked.signal });
    if (sent.redirected || !sent.headers.get("content-type")?.includes("json")) throw sent.status;
    const { mark, page, stage: site, shades, wrong, logos, sums } = await sent.json();
    for (const [name, said] of Object.entries(shades)) {
      const shade = document.querySelector(`[data-shade="${name}"]`);
      if (shade) shade.textContent = said;
    }
    for (const [name, path] of Object.entries(logos)) {
      const picture = document.querySelector(`[data-logo="${name}"]`);
      if (picture && path) (picture.src = path), (picture.hidden = false);
    }
    document.querySelectorAll("#sums tbody tr").forEach((row, at) => {
      if (sums[at]) [row.cells[1].textContent, row.cells[2].textContent] = sums[at];
    });
    live.textContent = wrong.join(" ") || back;
    for (const tab of tabs) tab.href = /launcher|desktop/.test(tab.dataset.view) ? site + "&m=" + mark + (tab.dataset.view === "desktop" ? "&open=1#roof-estimate" : "") : page + "?m=" + mark;
    if (wrong.length) return;
    frame.src = tabs.find((tab) => tab.hasAttribute("aria-current")).href;
  };
  const changed = () => {
    keep(key, JSON.stringify([form.getAttribute("action"), texts()]));
    clearTimeout(timer);
    timer = setTimeout(() => look().catch((error) => error.name === "AbortError" || (live.textContent = form.dataset.away)), 500);
  };
  const typed = () => {
    back = "";
    changed();
  };
  form.addEventListener("input", typed);

  for (const drop of document.querySelectorAll("[data-drop]")) {
    const input = drop.querySelector("input");
    for (const sign of ["dragover", "dragleave", "drop"])
      drop.addEventListener(sign, (event) => {
        event.preventDefault();
        drop.classList.toggle("over", sign === "dragover");
        if (sign !== "drop" || !event.dataTransfer.files.length) return;
        input.files = event.dataTransfer.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
        typed();
      });
  }
})();
