// What a page must hold in every state by axe's rules. What it must hold beside them: layout.js.

import axe from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What depends on the window, the colors and the fonts. All else is the same wherever the page is the same. */
const ofColors = ["color-contrast", "link-in-text-block"];
const ofSizes = ["target-size", "scrollable-region-focusable"];
const ofLooks = [...ofColors, ...ofSizes];
/** For a page that was looked at in other colors, in this window. */
export const inOtherColors = { only: ofColors };
/** For a page that was looked at in another window, in these colors. */
export const inAnotherWindow = { only: ofSizes };

/**
 * Every rule of the six sets, only those `ofLooks`, or `only` these, on all of the page that can be reached. One line a finding. What
 * lies under a modal dialog is out of reach, but axe takes it for covering the dialog: it is hidden meanwhile. `except`:
 * rules that the page is not under.
 */
export async function violations(page, { onlyLooks = false, only = onlyLooks ? ofLooks : null, except = [] } = {}) {
  // As a value, not as a script of the page: no policy is asked.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (runOnly) => {
    const modal = document.querySelector("shingle-launcher, shingle-estimate")?.shadowRoot.querySelector("dialog[open]");
    const under = modal ? [...document.querySelectorAll("body > *"), ...modal.parentNode.children].filter((el) => el != modal) : [];
    for (const el of under) if (!el.contains(modal?.getRootNode().host)) el.style.display = "none";
    // What lies under a bar that sticks to the window is scrolled free; how much of it does depends on the fonts.
    const hosts = [...document.querySelectorAll("shingle-launcher, shingle-estimate")].flatMap((host) => host.shadowRoot ?? []);
    const all = [document, ...hosts].flatMap((root) => [...root.querySelectorAll("*")]);
    const bars = all.filter((el) => getComputedStyle(el).position == "sticky").map((el) => [el, el.style.position]);
    for (const [el] of bars) el.style.position = "static";
    // axe reads a sheet's colors, not those the system puts in their place; `layoutProblems` looks at what it leaves.
    const contrast = !matchMedia("(forced-colors: active)").matches;
    if (runOnly.type == "rule" && !contrast) runOnly.values = runOnly.values.filter((rule) => rule != "color-contrast");
    const rules = { "color-contrast": { enabled: contrast } };
    const results = await window.axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
    for (const el of under) el.style.display = "";
    for (const [el, position] of bars) el.style.position = position;
    return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, at: node.target.flat().join(" "), why: node.failureSummary })));
  }, only ? { type: "rule", values: only } : { type: "tag", values: tags });
  return found.filter(({ id }) => !except.includes(id)).map(({ id, at, why }) => `${id} ${at}: ${why.replace(/\s+/g, " ")}`);
}
