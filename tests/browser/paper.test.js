// The estimate on paper, as each browser prints it: one sheet, whole, and legible in black ink.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { realResponses } from "./harness/mock-api.js";
import { ink, noPaper, papers, printed, printers, reading } from "./harness/paper.js";
import { setUp } from "./harness/setup.js";

const { shingle } = await setUp();
after(() => Promise.all(Object.values(printers).map(({ close }) => close?.())));
const widget = await shingle.widget();
const settingsOf = ({ referenceId }) => `/api/v1/roof-estimate-widget/${referenceId}/settings`;
await shingle.api("PUT", settingsOf(widget), {
  priceIncludes: ["One layer of old shingles off and away", "Permit and cleanup"],
  priceExcludes: ["rotten decking ($95 a sheet), gutters"],
  license: "RC-10448, insured",
  monthlyPayment: { aprPercent: 8.99, months: 120, leastAmount: 5000 },
  texts: { es: { priceIncludes: ["Retiro de una capa de tejas", "Permiso y limpieza"], priceExcludes: ["madera podrida"] } },
});
const { receipt } = await realResponses(shingle, widget);
/** A corner of the sample town: sixteen facets under a roof so steep that a check says so. */
const manor = await realResponses(shingle, widget, { home: "25 Quince Lane" });

/** In every language; then what only one of them says. */
const facts = ["14 Alder Court, Harrow Falls, ME 04995", receipt.reference, "Quillback Roofing", "6 Ropewalk Lane, Portland, ME 04101",
  "(207) 555-0143", "hello@quillback.example", "RC-10448, insured", "$12,188", "$11,000", "$13,400", "18.75", "6/12"];
/** On the drawing; Firefox and WebKit draw these letters as shapes. */
const drawn = ["540", "425", "397", "233", "164", "116", "47.9", "Alder"];
const said = {
  en: ["Roof estimate for", "License", "1 square = 10 × 10 ft", "Standing-seam metal", "What the price includes", "Permit and cleanup",
    "Not included: rotten decking", "8.99% APR", "An estimate, not an inspection", "Prices as of", "until", "Facet areas", "nothing was measured"],
  es: ["Presupuesto del techo de", "Licencia", "1 cuadro = 10 × 10 pies", "Metal", "Qué incluye el precio", "Permiso y limpieza",
    "No incluye: madera podrida", "8.99 %", "no una inspección", "Precios al", "hasta el", "Área de cada plano", "no se midió nada"],
};

/** Both languages on both papers; in the other browsers each once, as they read the same styles. */
const sheets = (name) =>
  Object.keys(papers).flatMap((paper) => ["en", "es"].map((lang) => [paper, lang]))
    .filter(([paper, lang]) => name == "Chromium" || (paper == "Letter") == (lang == "en"));

/** Two dots at 96 to the inch: half a millimetre. */
const edge = 2;

function assertWhole(page, paper, where) {
  const { width, height } = papers[paper];
  assert.ok(Math.abs(page.width - width) < 0.02 && Math.abs(page.height - height) < 0.02, `${where}: ${page.width} by ${page.height} in`);
  const outside = page.words.filter((word) => word.left < 0.2 || word.right > page.width - 0.2 || word.top < 0.2 || word.bottom > page.height - 0.2);
  assert.deepEqual(outside, [], `${where}: nothing stands over the margin`);
  const { rows, columns } = ink(page);
  const blank = [rows.subarray(0, edge), rows.subarray(-edge), columns.subarray(0, edge), columns.subarray(-edge)];
  assert.ok(blank.every((line) => line.every((dark) => dark < 16)), `${where}: no ink at the edge of the sheet`);
}

/** The frame about the drawing: its lines go all the way round. */
function frameOf({ image }) {
  const { width, height, data } = image;
  const dark = (x, y) => data[(y * width + x) * 4] < 200;
  const run = (y) => {
    let [first, last, count] = [width, 0, 0];
    for (let x = 0; x < width; x++) if (dark(x, y)) [first, last, count] = [Math.min(first, x), x, count + 1];
    return { y, first, last, whole: count > (last - first) * 0.97 && last - first > width * 0.7 };
  };
  const lines = Array.from({ length: height }, (_, y) => run(y)).filter(({ whole }) => whole);
  return { lines, dark };
}

for (const [name, { skip, print }] of Object.entries(printers)) {
  for (const [paper, lang] of sheets(name)) {
    test(`one sheet of ${paper} holds the whole estimate, ${name}, ${lang}`, { skip: noPaper || skip }, async () => {
      const where = `${name}-${paper}-${lang}`;
      const pages = await printed(where, `${receipt.link}/print?lang=${lang}`, paper, print);
      assert.equal(pages.length, 1, `${where}: one page`);
      const [page] = pages;
      assertWhole(page, paper, where);
      const text = reading(page);
      for (const fact of [...facts, ...said[lang]]) assert.ok(text.includes(fact), `${where}: ${fact} in: ${text}`);
      for (const other of ["Dana", "dana@example.com"]) assert.ok(!text.includes(other), `${where}: nothing of the person`);
      if (name == "Chromium") for (const label of drawn) assert.ok(page.words.some(({ text }) => text == label), label);
      // The frame: both its sides are between the first whole line under the price and the last above the figures.
      const { lines, dark } = frameOf(page);
      const price = page.words.find((word) => word.text == "$12,188").bottom * 96;
      const [top] = lines.filter(({ y }) => y > price);
      assert.ok(top, `${where}: the drawing has its upper line`);
      const bottom = lines.filter(({ y }) => y > top.y + 200)[0];
      assert.ok(bottom, `${where}: the drawing has its lower line`);
      const middle = Math.round((top.y + bottom.y) / 2);
      for (const x of [top.first, top.last]) {
        assert.ok([x - 1, x, x + 1].some((at) => dark(at, middle)), `${where}: the frame has the side at ${x}`);
      }
      let dots = 0;
      for (let y = top.y + 4; y < bottom.y - 4; y++) for (let x = top.first + 4; x < top.last - 4; x++) dots += dark(x, y);
      const share = dots / ((bottom.y - top.y) * (top.last - top.first));
      assert.ok(share > 0.01 && share < 0.15, `${where}: lines are drawn in the frame, and no black ground: ${share}`);
      assert.ok(top.last - top.first > page.image.width * 0.85, `${where}: the drawing is as wide as the sheet allows`);
    });
  }
}

test("what a plane's shade says is said by lines in black ink", { skip: noPaper }, async () => {
  const [page] = await printed("hatches", `${receipt.link}/print?lang=en`, "Letter", printers.Chromium.print);
  // Beside the area of each: how much of the ground is ink. 540 faces south, 397 west, 233 east, 425 north.
  const darkness = (area) => {
    const at = page.words.find(({ text }) => text == area);
    const [x, y] = [((at.left + at.right) / 2) * 96, ((at.top + at.bottom) / 2) * 96];
    const { width, data } = page.image;
    let [sum, count] = [0, 0];
    for (let dy = -16; dy <= 16; dy++) {
      for (const dx of [-1, 1]) {
        for (let far = 0; far < 10; far++) {
          if (Math.abs(dy) < 10 && far < 6) continue;
          const dot = (Math.round(y + dy) * width + Math.round(x + dx * (10 + far))) * 4;
          sum += 255 - data[dot];
          count++;
        }
      }
    }
    return sum / count;
  };
  const [north, west, south, east] = ["425", "397", "540", "233"].map(darkness);
  assert.ok(north < 12, `north stays blank: ${north}`);
  assert.ok(Math.min(west, south, east) > north + 6, `the others are hatched: ${[west, south, east]}`);
  // The logo is the only thing with a color of its own.
  const { width, height, data } = page.image;
  let colored = 0;
  for (let y = Math.round(height * 0.14); y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3);
      if (Math.max(r, g, b) - Math.min(r, g, b) > 24) colored++;
    }
  }
  assert.equal(colored, 0, "black ink alone");
});

const listed = {
  en: { tag: "numbered: see the list", heading: "largest flat pieces (facets)", rest: /4 smaller facets, [\d,]+ sq ft together/, flag: "Worth a second look" },
  es: { tag: "llevan números: vea la lista", heading: "planos más grandes", rest: /4 planos más pequeños: [\d,]+ pies cuadrados en total/, flag: "Conviene revisarlo" },
};

for (const [name, { skip, print }] of Object.entries(printers)) {
  for (const [paper, lang] of sheets(name)) {
    test(`a roof of many facets stays on one sheet of ${paper}, ${name}, ${lang}`, { skip: noPaper || skip }, async () => {
      const where = `many-${name}-${paper}-${lang}`;
      const pages = await printed(where, `${manor.receipt.link}/print?lang=${lang}`, paper, print);
      assert.equal(pages.length, 1, `${where}: one page`);
      assertWhole(pages[0], paper, where);
      const text = reading(pages[0]);
      const { tag, heading, rest, flag } = listed[lang];
      for (const fact of [tag, heading, flag, "8.99", "25 Quince Lane"]) assert.ok(text.includes(fact), `${where}: ${fact} in: ${text}`);
      assert.match(text, rest, where);
      if (name != "Chromium") return;
      // The largest is number 1 on the drawing and in the list.
      for (let n = 1; n <= 12; n++) assert.ok(pages[0].words.filter((word) => word.text == n).length >= 2, `${where}: ${n} on the drawing and in the list`);
      assert.ok(text.includes("Weathervane"), `${where}: the street at its side`);
    });
  }
}

test("a list that does not fit beside the figures goes to a second sheet, whole", { skip: noPaper }, async () => {
  const other = await shingle.widget();
  const line = (n) => `Line ${n}: ${"a long description of what is done on the roof ".repeat(3)}end${n}`;
  const priceIncludes = Array.from({ length: 12 }, (_, n) => line(n + 1));
  await shingle.api("PUT", settingsOf(other), { priceIncludes });
  const { receipt } = await realResponses(shingle, other);
  for (const paper of Object.keys(papers)) {
    const pages = await printed(`long-${paper}`, `${receipt.link}/print?lang=en`, paper, printers.Chromium.print);
    assert.equal(pages.length, 2, paper);
    const [first, second] = pages.map(reading);
    assert.match(first, /It is on the next page/);
    assert.ok(!first.includes("end1") && first.includes("Open again"));
    for (let n = 1; n <= 12; n++) assert.ok(second.includes(`end${n}`), `line ${n}`);
    for (const [at, page] of pages.entries()) assertWhole(page, paper, `${paper}, page ${at + 1}`);
  }
});
