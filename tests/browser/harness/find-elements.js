// Runs in a page: elements by their role and name, their label or their text, through open shadow roots. For a browser
// whose driver only knows selectors.

/**
 * The visible elements that one of the `alternatives` leads to, in the order of the document. An alternative is a path
 * of steps, each of them taken within what the step before it found.
 */
export function find(alternatives) {
  const tags = { BUTTON: "button", FIELDSET: "group", DIALOG: "dialog", IMG: "img", FORM: "form" };
  const inputs = { checkbox: "checkbox", radio: "radio", button: "button", submit: "button" };
  const roleOf = (el) => {
    const given = el.getAttribute("role");
    if (given) return given;
    if (/^H[1-6]$/.test(el.tagName)) return "heading";
    if (el.tagName === "A") return el.hasAttribute("href") ? "link" : "";
    if (el.tagName === "INPUT") return inputs[el.type] ?? "textbox";
    return tags[el.tagName] ?? "";
  };
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
    return node.getAttribute("aria-label") ?? [...node.childNodes].map(textOf).join("");
  };
  const nameOf = (el) => {
    const by = el.getAttribute("aria-labelledby");
    if (by) return by.split(/\s+/).map((id) => textOf(el.getRootNode().getElementById(id) ?? new Text(""))).join(" ");
    const labels = [...(el.labels ?? [])].filter((label) => label !== el);
    if (el.hasAttribute("aria-label")) return el.getAttribute("aria-label");
    if (labels.length && el.tagName !== "BUTTON") return labels.map(textOf).join(" ");
    if (el.tagName === "FIELDSET") return textOf(el.querySelector("legend") ?? new Text(""));
    return el.getAttribute("alt") ?? textOf(el);
  };
  const fits = (given, wanted, exact) => {
    const text = given.replace(/\s+/g, " ").trim();
    if (typeof wanted !== "string") return new RegExp(wanted.source, wanted.flags).test(text);
    return exact ? text === wanted : text.toLowerCase().includes(wanted.toLowerCase());
  };
  const seen = (el) => {
    const { width, height } = el.getBoundingClientRect();
    return width > 0 && height > 0 && el.checkVisibility({ visibilityProperty: true });
  };
  const everything = (root) => {
    const all = [];
    for (const el of root.querySelectorAll("*")) {
      all.push(el);
      if (el.shadowRoot) all.push(...everything(el.shadowRoot));
    }
    return all;
  };
  const kinds = {
    role: (el, { role, text, exact }) => roleOf(el) === role && (!text || fits(nameOf(el), text, exact)),
    label: (el, { text }) => el.matches("input, select, textarea") && fits(nameOf(el), text),
    // The innermost element that has the text.
    text: (el, { text }) => fits(el.textContent, text) && ![...el.children].some((child) => fits(child.textContent, text)),
    css: (el, { text }) => el.matches(text),
  };
  const found = new Set();
  for (const steps of alternatives) {
    let within = [document];
    for (const step of steps) within = [...new Set(within.flatMap(everything))].filter((el) => kinds[step.by](el, step));
    for (const el of within) if (seen(el)) found.add(el);
  }
  return everything(document).filter((el) => found.has(el));
}
