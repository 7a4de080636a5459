// The lists of leads: keys, counts, cards that are drawn, and leads that appear by themselves.
(() => {
  const $ = (query, of = document) => of.querySelector(query);
  const all = (query) => [...document.querySelectorAll(query)];
  // Of a person in several companies: another tab may have chosen another one meanwhile.
  const { company } = document.body.dataset;
  const ofCompany = company ? `&company=${company}` : "";

  // On a phone the tabs move sideways: the one that is open is in sight.
  const reveal = () => {
    const here = $(".inbox-tabs [aria-current]");
    if (here?.previousElementSibling) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft;
  };
  reveal();

  $("#conflict")?.focus();

  // Which of two leads stays says which values do, until one is chosen by itself.
  if ($("[name=stays]")) {
    addEventListener("change", ({ target }) => {
      if (target.name.startsWith("keep-")) target.closest("fieldset").dataset.own = "";
      if (target.name !== "stays") return;
      for (const one of all("fieldset:not([data-own]) [name^=keep-]")) one.checked = one.value === target.value;
    });
  }

  // A note half written outlives the other forms of the page, in this tab. Once it stands among the notes, it is forgotten.
  const note = $("textarea#note");
  if (note) {
    const key = `shingle-note:${new URL(note.form.action).pathname}`;
    const draft = (text) => {
      try {
        if (text) sessionStorage[key] = text;
        else if (text === "") sessionStorage.removeItem(key);
        return sessionStorage[key] ?? "";
      } catch {
        return "";
      }
    };
    const kept = draft();
    const written = [...note.closest("section").querySelectorAll("blockquote")];
    if (written.some((said) => said.textContent.trim() === kept.trim())) draft("");
    else if (kept && !note.value) {
      note.value = kept;
      $("#note-kept").hidden = false;
    }
    note.addEventListener("input", () => draft(note.value));
  }
  // The next user of this tab finds none of them.
  $("form[action='/portal/sign-out']")?.addEventListener("submit", () => {
    try {
      Object.keys(sessionStorage).filter((key) => key.startsWith("shingle-note:")).forEach((key) => sessionStorage.removeItem(key));
    } catch {}
  });

  // Status and assignee save themselves.
  for (const form of all("form.saves")) {
    const select = $("select", form);
    const said = $("[role=status]", form);
    const button = $("button", form);
    button.hidden = true;
    let kept = select.value;
    let byKey = false;
    let busy = false;
    let quiet;
    const tell = (answer) => {
      said.textContent = answer.said;
      said.className = answer.saved ? "hint" : "wrong";
      clearTimeout(quiet);
      if (answer.saved) quiet = setTimeout(() => (said.textContent = ""), 4_000);
    };
    // What the change brings with it, from a fresh page. What somebody types stays where it is.
    const renew = async () => {
      const fresh = new DOMParser().parseFromString(await (await fetch(form.dataset.page)).text(), "text/html");
      const parts = ["status-now", "to-take", "timeline", ...(select.id === "status" ? ["outcome"] : [])];
      for (const id of parts) {
        const [now, next] = [document, fresh].map((page) => page.getElementById(id));
        if (now && next && !now.contains(document.activeElement)) now.replaceWith(next);
      }
    };
    const save = async () => {
      if (busy || select.value === kept) return;
      busy = true;
      const wanted = select.value;
      let answer = { said: form.dataset.offline };
      try {
        const body = new URLSearchParams(new FormData(form));
        const sent = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" }, redirect: "manual", keepalive: true });
        const isJson = sent.headers.get("content-type")?.startsWith("application/json");
        answer = isJson ? await sent.json() : { said: form.dataset.refused };
      } catch {}
      busy = false;
      if (document.activeElement === button) select.focus();
      button.hidden = true;
      kept = form.elements.seen.value = answer.value ?? kept;
      const isSettled = select.value === wanted;
      if (isSettled) select.value = kept;
      tell(answer);
      if (answer.saved || answer.value !== undefined) await renew().catch(() => {});
      if (!isSettled) save();
    };
    // Arrow keys pass over choices: one is saved with Enter, with the button, or by leaving the field.
    select.addEventListener("keydown", ({ key }) => {
      byKey = key !== "Enter";
      if (!byKey) save();
    });
    select.addEventListener("pointerdown", () => (byKey = false));
    select.addEventListener("change", () => {
      button.hidden = !byKey || select.value === kept;
      if (!byKey) save();
    });
    button.addEventListener("click", (event) => {
      event.preventDefault();
      save();
    });
    form.addEventListener("focusout", ({ relatedTarget }) => form.contains(relatedTarget) || save());
    addEventListener("pagehide", save);
  }

  // The rest waits.
  whenSeen(() => {
    const quietly = (promise) => promise.catch(() => {});
    const text = async (path) => {
      const asked = await fetch(path);
      return asked.redirected || !asked.ok ? undefined : asked.text();
    };

    // The button of the filters says what comes.
    const filters = $("#filter-page");
    if (filters) {
      const button = $(".ink", filters);
      const said = filters.appendChild(document.createElement("span"));
      said.className = "vh";
      said.setAttribute("role", "status");
      let turn = 0;
      const count = async () => {
        const mine = ++turn;
        const found = await text(`/portal/leads/count?${new URLSearchParams(new FormData(filters))}${ofCompany}`);
        if (mine !== turn || !found) return;
        const { one, many } = filters.dataset;
        button.textContent = found === "1" ? one : many.replace("#", Number(found).toLocaleString(document.documentElement.lang));
        said.textContent = button.textContent;
      };
      filters.addEventListener("input", () => quietly(count()));
      quietly(count());
    }

    // Fields that would hold up the first paint.
    for (const later of all("[data-type]")) later.type = later.dataset.type;

    // One menu of filters at a time.
    const menus = all("details.filter");
    const close = (but) => menus.forEach((menu) => menu !== but && (menu.open = false));
    menus.forEach((menu) => menu.addEventListener("toggle", () => menu.open && close(menu)));
    if (menus.length) {
      addEventListener("click", ({ target }) => close(target.closest("details.filter")));
      addEventListener("keydown", ({ key }) => {
        const menu = key === "Escape" && $("details.filter[open]");
        if (!menu) return;
        $("summary", menu).focus();
        close();
      });
    }

    for (const card of all("[data-card]")) {
      card.draggable = true;
      card.addEventListener("dragstart", (event) => {
        event.dataTransfer.setData("text/plain", $("select", card).id);
        event.dataTransfer.effectAllowed = "move";
      });
    }
    for (const lane of all(".lane")) {
      lane.addEventListener("dragover", (event) => event.preventDefault());
      lane.addEventListener("drop", (event) => {
        event.preventDefault();
        const select = document.getElementById(event.dataTransfer.getData("text/plain"));
        if (!select?.closest("[data-card]") || lane.contains(select)) return;
        select.value = lane.dataset.status;
        select.form.requestSubmit();
      });
    }

    const typing = (target) => target.closest("input:not([type=checkbox]), select, textarea");
    const store = (value) => {
      try {
        if (value) localStorage.setItem("shingle-keys", value);
        return localStorage.getItem("shingle-keys");
      } catch {
        return null;
      }
    };
    // Read when it is first asked: what is stored comes from the disk.
    let stored;
    const isOn = () => (stored ??= store() !== "off");
    let press = {};
    addEventListener("keydown", (event) => {
      if (!isOn() || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || !Object.hasOwn(press, event.key)) return;
      if (event.key !== "Escape") event.preventDefault();
      press[event.key]();
    });

    // On a lead: to its neighbors in the list.
    for (const way of all(".beside [rel]")) press[way.getAttribute("aria-keyshortcuts")] = () => way.click();

    const search = $(".inbox-bar #search");
    if (!search) return;

    const ticked = () => all(".leads tbody :checked").length;
    const counted = () => {
      const bulk = $(".bulk");
      if (!bulk) return;
      const { none, one, some } = bulk.dataset;
      const idle = !ticked() && !$(".tick :checked", bulk);
      // It takes the place of the filters once something is selected.
      bulk.classList.toggle("idle", idle);
      // Nothing is touched before somebody selects: the list has just been laid out.
      if (!idle || $(".leads .chosen")) for (const row of rows()) row.classList.toggle("chosen", $("input", row).checked);
      const whole = $(".leads thead input");
      if (whole) whole.checked = ticked() > 0 && ticked() === rows().length;
      const said = ticked() > 1 ? some.replace("#", ticked()) : ticked() ? one : none;
      $(".selected", bulk).textContent = said;
      // Outside of the bar, which is not there before: what was empty and shown is read out.
      const region = $("#selected-said");
      if (region) region.textContent = ticked() ? said : "";
    };
    addEventListener("change", ({ target }) => target.closest(".list") && counted());

    const rows = () => all(".leads tbody tr");
    const at = () => rows().indexOf(document.activeElement?.closest("tr"));
    const keys = $("#keys-switch");
    const shown = () => (keys.textContent = isOn() ? keys.dataset.on : keys.dataset.off);
    if (keys) {
      keys.hidden = false;
      keys.addEventListener("click", () => {
        stored = !isOn();
        store(stored ? "on" : "off");
        shown();
      });
      shown();
    }
    const tick = (row, checked) => {
      const box = $("input", row);
      box.checked = checked ?? !box.checked;
      counted();
    };
    // One tick for all rows of the page.
    const selectAll = () => {
      const head = $(".leads thead th");
      if (!head) return;
      const box = document.createElement("input");
      box.type = "checkbox";
      box.ariaLabel = head.dataset.all;
      box.addEventListener("change", () => {
        rows().forEach((row) => ($("input", row).checked = box.checked));
        counted();
      });
      const label = document.createElement("label");
      label.className = "ck";
      label.append(box);
      head.append(label);
    };
    selectAll();
    counted();
    press = {
      "/": () => search.focus(),
      "?": () => $("#keys").focus(),
      x: () => at() >= 0 && tick(rows()[at()]),
      e: () => {
        if (at() >= 0) tick(rows()[at()], true);
        if (ticked()) $("#bulk-status").focus();
      },
      "#": () => {
        if (at() < 0) return;
        tick(rows()[at()], true);
        const spam = $(".bulk button[value=spam]");
        spam.form.requestSubmit(spam);
      },
      Escape: () => {
        const chosen = $(".list tbody :checked");
        const within = document.activeElement?.closest(".bulk");
        all(".list input:checked").forEach((box) => (box.checked = false));
        counted();
        // What had the focus is gone.
        if (within) chosen?.focus();
      },
    };
    $(".bulk .done")?.addEventListener("click", press.Escape);
    const step = (by) => {
      if (!rows().length) return;
      const next = Math.min(Math.max(at() + by, 0), rows().length - 1);
      $("a", rows()[next]).focus();
    };
    press.j = () => step(1);
    press.k = () => step(-1);

    // Leads that come in while the list is open: a bar, the title and the menu say so. What somebody reads stays where it is.
    const news = $("#news");
    if (!news) return;
    const { data, query, since, one, many } = news.dataset;
    const title = document.title;
    const [badge, said] = [".count", "[data-said]"].map((part) => $(`.rail a[href="/portal/leads"] ${part}`));
    const hidden = () => document.visibilityState === "hidden";
    const look = async () => {
      if (hidden()) return;
      const found = await text(`/portal/leads/news?${query}${query && "&"}since=${since}${ofCompany}`);
      if (found === undefined) return clearInterval(timer);
      const [count, fresh] = found.split(" ");
      if (badge) {
        badge.textContent = fresh;
        said.textContent = said.dataset.said.replace("#", fresh);
        badge.hidden = said.hidden = fresh === "0";
      }
      document.title = count === "0" ? title : `(${count}) ${title}`;
      if (count === "0") return;
      const now = count === "1" ? one : many.replace("#", count);
      // Said once, and again only where there are more.
      if (news.firstElementChild.textContent !== now) news.firstElementChild.textContent = now;
      news.hidden = false;
    };
    // By how long ago, not by the device's clock, which may be wrong and may be set meanwhile.
    let heard = -Infinity;
    const hear = (kind) => {
      heard = performance.now();
      if (kind !== "beat") quietly(look());
    };
    // A server that is away for a moment, or a browser without streams: the page asks on its own.
    const timer = setInterval(() => performance.now() - heard > 40_000 && quietly(look()), 10_000);
    addEventListener("visibilitychange", () => quietly(look()));
    if (!navigator.locks || !self.BroadcastChannel || !self.EventSource) return;
    const name = `shingle-leads-${data}${ofCompany}`;
    const channel = new BroadcastChannel(name);
    channel.onmessage = (event) => hear(event.data);
    // One tab that is in sight holds the stream for all; when it is closed or hidden, the next one does.
    let leave = () => {};
    const join = () => {
      const turn = new AbortController();
      let stream;
      let wait;
      let letGo = () => {};
      leave = () => {
        turn.abort();
        clearTimeout(wait);
        stream?.close();
        letGo();
      };
      const held = navigator.locks.request(name, { signal: turn.signal }, () => {
        // It came while the tab was hidden.
        if (turn.signal.aborted) return;
        const open = () => {
          stream = new EventSource(`/portal/leads/live?data=${data}${ofCompany}`);
          for (const kind of ["open", "leads", "beat"])
            stream.addEventListener(kind, (event) => {
              // The browser's own "open" has no data.
              if (!("data" in event)) return;
              channel.postMessage(kind);
              hear(kind);
            });
          stream.addEventListener("error", () => {
            if (stream.readyState === EventSource.CLOSED) wait = setTimeout(open, 60_000);
          });
        };
        open();
        return new Promise((resolve) => (letGo = resolve));
      });
      quietly(held);
    };
    const follow = () => {
      leave();
      leave = () => {};
      if (!hidden()) join();
    };
    addEventListener("visibilitychange", follow);
    follow();
  });
})();
