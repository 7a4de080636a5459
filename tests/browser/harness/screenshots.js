// Screenshots of what a visitor sees, compared with the committed ones. They are updated with
//
//   SHINGLE_SCREENSHOTS=update node --test tests/browser/screenshots.test.js
//
// and looked at before they are committed.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { root } from "./shingle.js";

const folder = path.join(root, "tests/browser/screenshots");
const resultsFolder = path.join(root, "target/browser");
const boxesFile = path.join(folder, "boxes.json");
export const updating = process.env.SHINGLE_SCREENSHOTS == "update";

/** What makes up the layout: compared to the pixel across, whatever the fonts. */
const layoutElements = "dialog, .sh, .sh-head, .sh-scroll, .sh-actions, .sh-foot, .sh-pane, .sh-input, .sh-iconbtn, .sl, .sb, .sc";

export class Screenshots {
  constructor() {
    this.known = updating ? {} : JSON.parse(readFileSync(boxesFile, "utf8"));
    mkdirSync(folder, { recursive: true });
    mkdirSync(resultsFolder, { recursive: true });
  }

  /** The fonts that were really drawn with, as the browser names them. */
  static async fonts(page, within, selector) {
    const wire = await page.context().newCDPSession(page);
    await wire.send("DOM.enable");
    await wire.send("CSS.enable");
    const { result } = await wire.send("Runtime.evaluate", {
      expression: `document.querySelector("${within}").shadowRoot.querySelector("${selector}")` });
    const { nodeId } = await wire.send("DOM.getDocument").then(() => wire.send("DOM.requestNode", result));
    const { fonts } = await wire.send("CSS.getPlatformFontsForNode", { nodeId });
    await wire.detach();
    return fonts.map(({ familyName }) => familyName).sort().join(", ");
  }

  /** What differs from the last time, and what could not be compared. */
  async compare(page, name, { clip, text = ".sh-title", within = "shingle-launcher" } = {}) {
    await settled(page, within);
    const fonts = await Screenshots.fonts(page, within, text);
    const boxes = await page.evaluate(([within, layoutElements]) => {
      const { shadowRoot } = document.querySelector(within);
      const seen = [...shadowRoot.querySelectorAll(layoutElements)].filter((el) => el.checkVisibility());
      return seen.map((el) => {
        const { left, top, width, height } = el.getBoundingClientRect();
        return [el.className.split(" ")[0] || el.localName, ...[left, width, top, height].map(Math.round)];
      });
    }, [within, layoutElements]);
    const take = () => page.screenshot({ animations: "disabled", clip });
    let picture = await take();
    const file = path.join(folder, `${name}.png`);
    if (updating) {
      this.known[name] = { fonts, boxes };
      writeFileSync(file, PNG.sync.write(PNG.sync.read(picture), { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 }));
      return { wrong: [] };
    }
    const before = this.known[name];
    if (!before) return { wrong: [`${name}: there is no picture of it yet`] };
    const sameFonts = fonts == before.fonts;
    const wrong = differing(before.boxes, boxes, sameFonts).map((line) => `${name}: ${line}`);
    if (!sameFonts) return { wrong, skipped: `${name} is drawn with ${fonts}, not ${before.fonts}` };
    const old = PNG.sync.read(readFileSync(file));
    let found = difference(old, PNG.sync.read(picture));
    // A busy machine may have painted only a part, and shows that part more than once: what counts is the picture that stays.
    for (let same = 0, tries = 0; found && same < 3 && tries < 20; tries++) {
      await settled(page, within);
      const last = picture;
      picture = await take();
      same = last.equals(picture) ? same + 1 : 0;
      found = difference(old, PNG.sync.read(picture));
    }
    if (found) {
      writeFileSync(path.join(resultsFolder, `${name}-now.png`), picture);
      if (found.marked) writeFileSync(path.join(resultsFolder, `${name}-differs.png`), PNG.sync.write(found.marked));
      wrong.push(`${name}: ${found.what}, see target/browser/${name}-now.png`);
    }
    return { wrong };
  }

  close() {
    if (!updating) return;
    const lines = Object.entries(this.known).map(([name, of]) => `${JSON.stringify(name)}: ${JSON.stringify(of)}`);
    writeFileSync(boxesFile, `{\n${lines.join(",\n")}\n}\n`);
  }
}

/** Shown without any motion, and painted. A fade that only ended, by itself or by force, stayed at its first frame on a busy machine. */
function settled(page, within) {
  return page.evaluate(async (within) => {
    const { shadowRoot } = document.querySelector(within);
    shadowRoot.still ??= new CSSStyleSheet();
    shadowRoot.still.replaceSync("*, ::before, ::after, ::backdrop { animation: none !important; transition: none !important; }");
    if (!shadowRoot.adoptedStyleSheets.includes(shadowRoot.still)) shadowRoot.adoptedStyleSheets.push(shadowRoot.still);
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  }, within);
}

/** How a picture differs from the old one, where that is more than a smoothed line. */
function difference(old, taken) {
  const { width, height } = old;
  if (width != taken.width || height != taken.height) return { what: `${taken.width} × ${taken.height} instead of ${width} × ${height}` };
  const marked = new PNG({ width, height });
  const count = pixelmatch(old.data, taken.data, marked.data, width, height, { threshold: 0.2, diffMask: true });
  // Smoothing of letters and lines differs a little from one machine to the next.
  if (count <= 0.004 * width * height) return;
  const at = [...Array(width * height).keys()].filter((i) => marked.data[i * 4 + 3]);
  const span = (values) => values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, 0]).join(" to ");
  return { marked, what: `${count} pixels differ, x ${span(at.map((i) => i % width))}, y ${span(at.map((i) => Math.floor(i / width)))}` };
}

/** Left edge and width in any case; top and height where the same letters are drawn. */
function differing(before, now, same) {
  const names = (boxes) => boxes.map(([name]) => name).join(" ");
  if (names(before) != names(now)) return [`${names(now)} instead of ${names(before)}`];
  return before.flatMap((box, at) => {
    const apart = now[at].some((value, i) => i > 0 && (i < 3 || same) && Math.abs(value - box[i]) > 2);
    return apart ? [`${box.join(" ")} is now ${now[at].join(" ")}`] : [];
  });
}
