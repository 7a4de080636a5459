// What a finger or an eye would stumble over inside the flow, in a window of any size.

/**
 * One line a finding: targets too small for a finger, what is beyond the window or covered, text that is cut, buttons
 * above or over the fields they belong to, content with no room left, words that are broken.
 */
export function layoutProblems(page) {
  return page.evaluate(() => {
    const host = document.querySelector("[id='shingle'], shingle-launcher, shingle-estimate");
    const root = host.shadowRoot ?? document;
    const flow = (host.shadowRoot ?? host).querySelector(".sh");
    const found = [];
    const name = (el) => `${el.localName}.${el.className.baseVal ?? el.className}#${el.id} "${(el.textContent || el.ariaLabel || "").slice(0, 30)}"`;
    const seen = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest(".sh-hp, .sh-vh");
    const sentence = (el) => el.localName == "a" && el.closest("p, .sh-note") && el.parentElement.textContent.trim() != el.textContent.trim();
    const all = [flow, ...flow.querySelectorAll("*")].filter((el) => seen(el));
    const box = (el) => el.getBoundingClientRect();
    const style = (el) => getComputedStyle(el);

    for (const el of flow.querySelectorAll("a, button, input, [role=option]")) {
      if (!seen(el) || sentence(el)) continue;
      const { width, height } = box(el.closest("label") ?? el);
      if (width < 43.9 || height < 43.9) found.push(`target ${Math.round(width)} × ${Math.round(height)}: ${name(el)}`);
    }

    const wide = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth - wide} px wider than the window`);
    const clips = (value) => value == "hidden" || value == "clip";
    const hasText = (el) => [...el.childNodes].some((node) => node.nodeType == 3 && node.data.trim());
    for (const el of all) {
      // Narrow, the words of the steps are for screen readers alone.
      if (el.closest("svg, .sh-list, .sh-progress li")) continue;
      const { left, right, width } = box(el);
      if (width && (left < -0.5 || right > wide + 0.5)) found.push(`outside the screen: ${name(el)}`);
      const { overflowX, overflowY, display, textOverflow } = style(el);
      if (!el.clientWidth || display == "inline") continue;
      if (el.scrollWidth > el.clientWidth + 1 && !clips(overflowX))
        found.push(`wider than its box by ${el.scrollWidth - el.clientWidth}: ${name(el)}`);
      // A text that ends in dots was meant to be cut.
      const cutX = clips(overflowX) && textOverflow != "ellipsis" && el.scrollWidth > el.clientWidth + 1;
      if (hasText(el) && (cutX || (clips(overflowY) && el.scrollHeight > el.clientHeight + 1))) found.push(`text is cut: ${name(el)}`);
    }

    // A word is broken only where a line would not hold it.
    const words = document.createRange();
    for (const el of all) {
      if (el.closest("svg, .sh-list, .sh-progress li") || style(el).whiteSpace == "nowrap") continue;
      for (const node of el.childNodes) {
        if (node.nodeType != 3) continue;
        for (const { index, 0: word } of node.data.matchAll(/[\p{L}\p{N}]{2,16}(?![\p{L}\p{N}@./-])/gu)) {
          if (/[\p{L}\p{N}@./-]/u.test(node.data[index - 1] ?? "")) continue;
          words.setStart(node, index);
          words.setEnd(node, index + word.length);
          const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(`broken: “${word}” in ${name(el)}`);
        }
      }
    }

    const [form, actions] = [flow.querySelector(".sh-scroll"), flow.querySelector(".sh-actions")];
    const first = actions.querySelector(".sh-btn");
    const places = [...flow.querySelectorAll("*"), document.scrollingElement].filter((el) => el.scrollTop || el.scrollLeft).map((el) => [el, el.scrollLeft, el.scrollTop]);
    // Scrolled to, everything that is read or pressed lies open. Under a question or a list, only these do.
    const over = flow.querySelector(".sh-alert") ?? flow.querySelector(".sh-list:popover-open");
    const leaves = all.filter((el) => !el.closest("svg") && (!over || over.contains(el)) && (hasText(el) || el.matches("button, input, a")));
    for (const el of leaves) {
      el.scrollIntoView({ block: "center", behavior: "instant" });
      // Of a sentence that goes on in a next line, its first.
      const { left, top, width, height } = el.getClientRects()[0] ?? box(el);
      const hit = root.elementFromPoint(left + width / 2, top + height / 2);
      const around = el.closest("label, button, a, [role=option]") ?? el;
      if (width && height && !hit) found.push(`can't be scrolled to: ${name(el)}`);
      else if (width && height && !around.contains(hit) && !hit.contains(el)) found.push(`covered by ${name(hit)}: ${name(el)}`);
    }
    for (const field of over ? [] : [...form.querySelectorAll("input")].filter(seen)) {
      field.scrollIntoView({ block: "nearest", behavior: "instant" });
      const [f, b] = [box(field), box(first)];
      const beside = b.right <= f.left || f.right <= b.left;
      if (!beside && f.bottom > b.top + 0.5) found.push(`not above its button, ${f.bottom} > ${b.top}: ${name(field)}`);
    }
    for (const [el, left, top] of places.reverse()) el.scrollTo({ left, top, behavior: "instant" });

    // Where the buttons stay in place, they are in the window, and the text has room beside them.
    const pinned = (el) => {
      const pane = el.closest(".sh-body");
      return style(pane).overflowY == "hidden" && style(pane).display != "contents";
    };
    if (pinned(first)) {
      const { top, bottom } = box(first);
      if (top < 0 || bottom > innerHeight + 0.5) found.push(`the first button is off the screen: ${top}–${bottom}`);
      if (form.scrollHeight > form.clientHeight + 1 && form.clientHeight < 120) found.push(`only ${form.clientHeight} px of height for the text`);
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
    return found;
  });
}
