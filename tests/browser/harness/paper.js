// A page on paper: printed into a PDF by each browser, and read from it as words and as a picture.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { openDisplay } from "./display.js";
import { launch, launchFirefox, noFirefox, noWebKit, pictures } from "./browser.js";

const run = promisify(execFile);
const dotsPerInch = 96;

/** Why nothing can be read from a PDF, or false. */
export const noPaper = process.env.SHINGLE_PDF || process.env.CI ? false : "SHINGLE_PDF is not set: poppler-utils may be missing";

/** Inches, and GTK's name. */
export const papers = {
  Letter: { width: 8.5, height: 11, gtk: "na_letter" },
  A4: { width: 210 / 25.4, height: 297 / 25.4, gtk: "iso_a4" },
};

/** One browser for all sheets of a file: starting one takes longer than printing. */
const inPage = (start, size) => {
  let started;
  return {
    print: async (url, paper, file) => {
      started ??= start();
      const page = await (await started).newPage();
      try {
        await page.goto(url);
        const { width, height } = size(papers[paper]);
        // As browsers print by themselves: without the colors of backgrounds.
        await page.pdf({ path: file, width: `${width}in`, height: `${height}in`, printBackground: false, preferCSSPageSize: true });
      } finally {
        await page.close();
      }
    },
    close: async () => (await started)?.close(),
  };
};

/** Its driver has no command for it, so WebKit prints through its library. */
async function printWithWebKit(url, paper, file) {
  const script = new URL("webkit-print.py", import.meta.url).pathname;
  const display = await openDisplay();
  try {
    await run("/usr/bin/python3", [script, url, papers[paper].gtk, file], { env: display.env });
  } finally {
    await display.close();
  }
}

export const printers = {
  Chromium: { skip: false, ...inPage(launch, (paper) => paper) },
  // Playwright hands inches on as if they were centimetres.
  Firefox: { skip: noFirefox, ...inPage(launchFirefox, ({ width, height }) => ({ width: width * 2.54, height: height * 2.54 })) },
  WebKit: { skip: noWebKit, print: printWithWebKit },
};

/** What came out: for each page its size in inches, its words with their places, and its picture. */
export async function printed(name, url, paper, print) {
  await mkdir(pictures, { recursive: true });
  const folder = await mkdtemp(path.join(tmpdir(), "shingle-paper-"));
  try {
    const file = path.join(folder, "sheet.pdf");
    await print(url, paper, file);
    const { stdout } = await run("pdftotext", ["-bbox", file, "-"], { maxBuffer: 16 << 20 });
    const pages = [...stdout.matchAll(/<page width="([\d.]+)" height="([\d.]+)">(.*?)<\/page>/gs)];
    return await Promise.all(pages.map(async ([, width, height, inside], at) => {
      const picture = path.join(pictures, `paper-${name}-${at + 1}`);
      const only = ["-f", at + 1, "-l", at + 1, "-singlefile"].map(String);
      await run("pdftoppm", ["-png", "-r", String(dotsPerInch), ...only, file, picture]);
      const word = /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g;
      return {
        width: width / 72,
        height: height / 72,
        words: [...inside.matchAll(word)].map(([, left, top, right, bottom, text]) => (
          { text: plain(text), left: left / 72, top: top / 72, right: right / 72, bottom: bottom / 72 })),
        image: PNG.sync.read(await readFile(`${picture}.png`)),
      };
    }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Without the entities of HTML, and without ligatures. */
const plain = (text) => text.normalize("NFKC").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/** The words of a page, one blank between them. */
export const reading = ({ words }) => words.map(({ text }) => text).join(" ");

/** How dark each row and column of dots is at its darkest, 0 white to 255. */
export function ink({ image }) {
  const { width, height, data } = image;
  const rows = new Uint8Array(height), columns = new Uint8Array(width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const [r, g, b] = data.subarray(at, at + 3);
      const dark = 255 - Math.min(r, g, b);
      rows[y] = Math.max(rows[y], dark);
      columns[x] = Math.max(columns[x], dark);
    }
  }
  return { rows, columns };
}
