// Brings the parts to life that the server has drawn: the wishes of the form that asks for a visit, its photographs,
// answers that are saved as they are given, buttons that do one thing, and the drawing of homes to choose from. Everything
// else in a part is plain markup. Many visitors see none of these, so this is a file of its own, which `stage.js` fetches
// when the first of them is there. `RULES`, the text of the stylesheet that only these need, is inserted by the build.
//
//   data-lead           URL of the lead; data-token beside it is the token that allows to change it
//   [name=wish]         "2026-12-01 morning"; at most three, numbered in the order of tapping by data-order ("1st|2nd|3rd")
//                       of the form's table; data-full is said at three, data-some ("{n} of 3 picked") before
//   data-answers        radios in it are saved at once, by their names; data-said, data-failed
//   [data-home]         around the drawing of homes to choose from: a tap on an outline chooses the radio whose data-at is the
//                       outline's data-building
//   button[data-do]     POSTs to that path below the lead; data-said, data-failed; data-copy is copied instead;
//                       with data-ends, the link to the estimate is over: the box gets data-ended
//   [data-photos]       around the next: how many the server has
//   [type=file]         photographs, sent one by one; data-busy, data-said, data-failed, data-refused (trying again
//                       would not help), data-again, data-remove
//
// What is said goes into the nearest [role=status].
export default (box, signal, { dress, wishes, fields }) => {
  const root = box.getRootNode();
  // The hosted page has the rules from the start.
  if (root != document) dress(root, RULES);
  const say = (at, text) => {
    let status;
    while (!status) status = (at = at.parentNode).querySelector("[role=status]");
    status.textContent = text || "";
  };
  const call = (at, path, method, body) => {
    const lead = at.closest("[data-lead]").dataset;
    const form = body instanceof FormData;
    if (!form) body = JSON.stringify({ ...body, leadToken: lead.token });
    return fetch(lead.lead + path, { method, body, signal: form ? signal : null, keepalive: !form }).then((answer) => {
      if (!answer.ok) throw answer.status;
      return answer.json();
    });
  };
  const tell = (at, doing) =>
    doing.then(
      () => say(at, at.dataset.said),
      () => say(at, at.dataset.failed),
    );

  let taps = 0;
  // By question, the answer that was tapped last.
  const given = {};
  const number = (form) => {
    const boxes = [...form.querySelectorAll("[name=wish]")];
    const picked = wishes(form);
    const { order, full, some } = form.querySelector("[data-order]").dataset;
    for (const one of boxes) {
      const at = picked.indexOf(one);
      one.nextElementSibling.textContent = at < 0 ? "+" : order.split("|")[at];
      one.ariaDisabled = picked.length > 2 && at < 0;
    }
    const status = form.querySelector("[role=status]");
    status.textContent = picked.length ? some.replace("{n}", picked.length) + (picked.length > 2 ? " " + full : "") : "";
  };
  const changed = ({ target }) => {
    if (target.name == "wish") {
      if (wishes(target.form).length > 3) target.checked = false;
      target.dataset.at = ++taps;
      return number(target.form);
    }
    const answers = target.closest("[data-answers]");
    if (answers) tell(answers, call(answers, "", "PATCH", { answers: fields(answers) }));
    if (target.type == "file") {
      for (const file of target.files) send(target, file);
      target.value = "";
    }
  };
  // One item for each photograph: its name, how far it is, and a button.
  const send = (input, file) => {
    const { busy, said, failed, refused, again, remove } = input.dataset;
    // Drawn with the part, and hidden there: an empty item. The form may be drawn again while it is shown.
    const item = input.parentNode.querySelector("li").cloneNode(true);
    input.parentNode.querySelector("ul").append(item);
    item.hidden = false;
    const [name, act] = item.children;
    const mark = (state, label, then) => {
      name.textContent = file.name + ": " + state;
      item.dataset.state = state;
      act.textContent = label;
      act.onclick = then;
      say(item, name.textContent);
    };
    const gone = () => {
      item.gone = true;
      const field = item.closest("[data-photos]").querySelector("input");
      item.remove();
      field.focus();
    };
    const takeBack = (id) => call(input, "/photos/" + id + "/remove", "POST");
    const start = () => {
      mark(busy, remove, gone);
      const body = new FormData();
      // The token comes first: the server reads nothing of a stranger's.
      body.append("leadToken", input.closest("[data-lead]").dataset.token);
      body.append("photo", file);
      call(input, "/photos", "POST", body).then(
        // Removed while it was on its way, it must not stay on the server.
        ({ id }) => {
          if (item.gone) return takeBack(id);
          item.arrived = true;
          mark(said, remove, () => takeBack(id).then(gone, () => say(item, failed)));
        },
        (cause) => item.gone || (cause == 400 ? mark(refused, remove, gone) : mark(failed, again, start)),
      );
    };
    start();
  };
  // The form that asks for a visit is drawn again after a step back and in another language. What was picked and typed in
  // it goes along, with its photographs, unless the server has counted them since.
  let last;
  let pane;
  const carry = () => {
    // A list of homes that is drawn again has its first one chosen.
    const homes = box.querySelector("[data-home]");
    if (homes && homes != pane) box.querySelector(`[data-at="${homes.dataset.home}"]`).checked = true;
    pane = homes;
    const form = box.querySelector(".sh-booking");
    if (!form || form == last) return;
    const old = last;
    last = form;
    if (!old) return number(form);
    if (old.dataset.lead != form.dataset.lead) return;
    for (const was of old.querySelectorAll("[name=wish],[name=contactBy],textarea")) {
      const same = [...form.querySelectorAll(`[name=${was.name}]`)];
      const now = was.type == "textarea" ? same[0] : same.find((one) => one.value == was.value);
      if (!now) continue;
      now.value = was.value;
      now.checked = was.checked;
      Object.assign(now.dataset, was.dataset);
    }
    form.querySelector("details").open = old.querySelector("details").open;
    const [before, photos] = [old, form].map((each) => each.querySelector("[data-photos]"));
    for (const item of before.querySelectorAll("li:not([hidden])"))
      if (!item.arrived || before.dataset.photos == photos.dataset.photos) photos.querySelector("ul").append(item);
    number(form);
  };
  const watch = new MutationObserver(carry);
  watch.observe(box, { childList: true, subtree: true });
  signal.addEventListener("abort", () => watch.disconnect());

  // A page without TLS has no clipboard, and one may refuse. Then the field is ready to be copied by hand.
  const copying = async (button, text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch (cause) {
      const field = button.parentNode.querySelector("input");
      field.focus();
      field.select();
      throw cause;
    }
  };
  // A tap on an outline, or beside it, chooses its home: where two are in reach, the nearer one. A browser may take a
  // finger for one that is farther away, and a tag may lie over an outline, so the place is what counts. But a number
  // belongs to its home alone.
  const tapped = ({ target, clientX, clientY }) => {
    const map = target.closest("[data-home]")?.querySelector(".homes");
    if (!map || target.closest("fieldset")) return;
    let chosen = target.closest(".badge")?.closest("[data-building]");
    let nearest = target.matches(".homes *") ? Infinity : 1e-9;
    for (const path of chosen ? [] : map.querySelectorAll(".outline")) {
      const point = new DOMPoint(clientX, clientY).matrixTransform(path.getScreenCTM().inverse());
      const inside = path.isPointInFill?.(point);
      for (let at = 0; at < 1; at += 0.01) {
        const { x, y } = path.getPointAtLength(at * path.getTotalLength());
        const away = inside ? 0 : Math.hypot(x - point.x, y - point.y);
        if (away < nearest) [nearest, chosen] = [away, path.parentNode];
      }
    }
    if (!chosen) return;
    const radio = box.querySelector(`[data-at="${chosen.dataset.building}"]`);
    radio.click();
    radio.parentNode.scrollIntoView({ block: "nearest" });
  };
  const clicked = (e) => {
    const { target } = e;
    tapped(e);
    // Another estimate has another link.
    const { ended } = box.dataset;
    if (ended && !box.querySelector(`[data-lead="${ended}"]`)) delete box.dataset.ended;
    // A second tap on an answer takes it back.
    if (target.type == "radio" && target.closest("[data-answers]")) {
      const was = given[target.name];
      given[target.name] = target;
      if (was == target) {
        given[target.name] = target.checked = false;
        changed(e);
      }
    }
    const button = target.closest("button[data-do],button[data-copy]");
    if (!button) return;
    e.preventDefault();
    const { copy, ends } = button.dataset;
    const doing = copy ? copying(button, copy) : call(button, button.dataset.do, "POST");
    // A link that ended is offered nowhere: neither here nor in the steps that follow.
    tell(button, ends == null ? doing : doing.then(() => {
      const panel = button.closest("[data-lead]");
      box.dataset.ended = panel.dataset.lead;
      panel.querySelector(".sh-ended").focus();
    }));
  };
  box.addEventListener("change", changed, { signal });
  box.addEventListener("click", clicked, { signal });
  // What was tapped while this file was on its way.
  carry();
  const early = "[type=file],[name=wish]:checked,[data-answers] :checked:not([checked])";
  for (const target of box.querySelectorAll(early)) changed({ target });
};
