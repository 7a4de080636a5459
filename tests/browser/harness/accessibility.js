// What a page must hold in every state: axe's rules, targets for fingers, nothing wider than the screen.

import axe from "axe-core";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What depends on the window, the colours and the fonts. All else is the same wherever the page is the same. */
const ofLooks = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"];

/**
 * Every rule of the six sets, or only those `ofLooks`, on all of the page that can be reached. One line a finding. What
 * lies under a modal dialog is out of reach, but axe takes it for covering the dialog: it is hidden meanwhile. `except`:
 * rules that the page is not under.
 */
export async function violations(page, { onlyLooks = false, except = [] } = {}) {
  // As a value, not as a script of the page: no policy is asked.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (runOnly) => {
    const modal = document.querySelector("shingle-launcher, shingle-estimate")?.shadowRoot.querySelector("dialog[open]");
    const under = modal ? [...document.querySelectorAll("body > *"), ...modal.parentNode.children].filter((el) => el != modal) : [];
    for (const el of under) if (!el.contains(modal?.getRootNode().host)) el.style.display = "none";
    // axe reads a sheet's colours, not those the system puts in their place; `layoutProblems` looks at what it leaves.
    const contrast = !matchMedia("(forced-colors: active)").matches;
    if (runOnly.type == "rule" && !contrast) runOnly.values = runOnly.values.filter((rule) => rule != "color-contrast");
    const rules = { "color-contrast": { enabled: contrast } };
    const results = await window.axe.run(document, { runOnly, rules, resultTypes: ["violations"] });
    for (const el of under) el.style.display = "";
    return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => ({ id, at: node.target.flat().join(" "), why: node.failureSummary })));
  }, onlyLooks ? { type: "rule", values: ofLooks } : { type: "tag", values: tags });
  return found.filter(({ id }) => !except.includes(id)).map(({ id, at, why }) => `${id} ${at}: ${why.replace(/\s+/g, " ")}`);
}

/** What a finger or an eye would stumble over inside the flow. One line a finding. */
export function layoutProblems(page) {
  return page.evaluate(() => {
    const host = document.querySelector("[id='shingle'], shingle-launcher, shingle-estimate");
    const flow = (host.shadowRoot ?? host).querySelector(".sh");
    const found = [];
    const name = (el) => `${el.localName}.${el.className}#${el.id} "${(el.textContent || el.ariaLabel || "").slice(0, 30)}"`;
    const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest(".sh-hp, .sh-vh");
    const sentence = (el) => el.localName == "a" && el.closest("p, .sh-note") && el.parentElement.textContent.trim() != el.textContent.trim();
    for (const el of flow.querySelectorAll("a, button, input, [role=option]")) {
      if (!seen(el) || sentence(el)) continue;
      const { width, height } = (el.closest("label") ?? el).getBoundingClientRect();
      if (width < 43.9 || height < 43.9) found.push(`target ${Math.round(width)} × ${Math.round(height)}: ${name(el)}`);
    }
    const wide = document.documentElement.clientWidth;
    const cut = (el) => ["hidden", "clip"].includes(getComputedStyle(el).overflowX);
    for (const el of [flow, ...flow.querySelectorAll("*")]) {
      if (!seen(el) || el.closest("svg, .sh-list")) continue;
      const box = el.getBoundingClientRect();
      if (box.width && (box.left < -0.5 || box.right > wide + 0.5)) found.push(`outside the screen: ${name(el)}`);
      if (el.scrollWidth > el.clientWidth + 1 && el.clientWidth && !cut(el) && getComputedStyle(el).display != "inline")
        found.push(`wider than its box by ${el.scrollWidth - el.clientWidth}: ${name(el)}`);
    }
    if (matchMedia("(forced-colors: active)").matches) {
      // The browser leaves drawings alone.
      const probe = flow.appendChild(document.createElement("i"));
      probe.style.color = "CanvasText";
      const ink = getComputedStyle(probe).color;
      probe.remove();
      for (const el of flow.querySelectorAll("svg text, svg .half")) {
        const { fill } = getComputedStyle(el);
        if (seen(el) && fill != ink) found.push(`not in the system's colour: ${name(el)} ${fill}, text is ${ink}`);
      }
    }
    const first = flow.querySelector(".sh-actions .sh-btn");
    const { top, bottom } = first.getBoundingClientRect();
    const pinned = getComputedStyle(flow.querySelector(".sh-body")).overflowY == "hidden";
    if (pinned && (top < 0 || bottom > innerHeight + 0.5)) found.push(`the first button is off the screen: ${top}–${bottom}`);
    return found;
  });
}
