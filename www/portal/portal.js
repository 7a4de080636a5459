// What only a script can do in the portal: the key behind # of the link that claims an installation, and what is copied.
(() => {
  const setup = document.getElementById("setup");
  if (setup && location.hash.length > 1) {
    const { token } = setup.elements;
    token.value = location.hash.slice(1);
    // Nobody has to see it.
    if (token.closest(".field")) token.closest(".field").hidden = true;
    // It is spent by the form, and stays in no history.
    history.replaceState(null, "", location.pathname);
    setup.elements.name.focus();
  }

  const code = document.getElementById("code");
  code?.addEventListener("input", () => {
    if (code.value.replace(/\D/g, "").length === 6) code.form.requestSubmit();
  });

  // Times are the company's once an owner has said where it is.
  const ask = document.getElementById("zone-ask");
  const zone = ask && Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !/^(Etc\/)?(UTC|GMT)$/.test(zone)) {
    const said = ask.querySelector("[data-said]");
    said.textContent = said.dataset.said.replace("#", zone.replaceAll("_", " "));
    ask.elements.zone.value = zone;
    ask.hidden = false;
  }

  // The list of companies closes like a menu. Many are found by typing.
  const choice = document.querySelector(".rail > .co");
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !choice?.open) return;
    choice.open = false;
    choice.querySelector("summary").focus();
  });
  addEventListener("click", ({ target }) => choice?.open && !choice.contains(target) && (choice.open = false));
  const finder = document.getElementById("co-finder");
  if (finder) {
    const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const items = [...finder.parentElement.querySelectorAll("li")];
    finder.hidden = false;
    finder.querySelector("input").addEventListener("input", ({ target }) => {
      for (const item of items) item.hidden = !plain(item.textContent).includes(plain(target.value.trim()));
    });
  }

  // After a refused form: to the first field that needs a look, else to what is said of the whole.
  const find = (query) => document.querySelector(query);
  (find("[aria-invalid=true], .wrong[tabindex]") || find("[data-refused]"))?.focus();

  // A file that is too large is not sent at all.
  for (const file of document.querySelectorAll("input[data-max]"))
    file.addEventListener("change", () => {
      if (!(file.files[0]?.size > file.dataset.max)) return;
      file.value = "";
      const said = document.getElementById(file.getAttribute("aria-describedby"));
      said.className = "wrong";
      said.textContent = file.dataset.large;
      said.setAttribute("role", "alert");
    });

  // Results: a day that is typed is not part of a period.
  for (const day of document.querySelectorAll("#from, #to"))
    day.addEventListener("input", () => day.form.elements.days && (day.form.elements.days.value = "own"));

  // Of a field, a paragraph, or a list with a line for each entry.
  const textOf = (from) => from.value ?? ([...from.children].map((line) => line.textContent).join("\n") || from.textContent);
  for (const save of document.querySelectorAll("[data-download]")) {
    save.hidden = false;
    save.addEventListener("click", () => {
      const file = new Blob([textOf(document.getElementById(save.dataset.download)) + "\n"], { type: "text/plain" });
      const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "shingle-codes.txt" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
  for (const copy of document.querySelectorAll("[data-copy]")) {
    const from = document.getElementById(copy.dataset.copy);
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const text = textOf(from);
      if (from.select) from.select();
      else getSelection().selectAllChildren(from);
      // Pages that came without TLS have no clipboard, and one that has lost the focus may not write to it.
      const written = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      if (written || document.execCommand("copy")) copy.textContent = document.documentElement.lang === "es" ? "Copiado" : "Copied";
    });
  }
})();
