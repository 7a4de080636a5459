// A logo as SVG: the browser draws it, and the form sends a PNG. What cannot be drawn is said, and nothing of it runs or loads.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { violations } from "./harness/accessibility.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();
const form = `${shingle.url}/portal/start?step=2&site=none`;
const shape = '<path fill="#a1301f" d="M0 0h20v10H0z"/>';
const svg = (attributes, inside = shape) => `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;
/** What Chromium says of a style or a handler that is read, and not applied. */
const policySays = /violates the following Content Security Policy directive/;
let kept;

async function person(options) {
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 390, height: 844 }, storageState: kept, ...options });
  const page = await context.newPage();
  const problems = [];
  const requests = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => requests.push(request.url()));
  return { context, page, problems, requests };
}

const input = (page) => page.locator("#headerLogo");
/** The chosen file as the form would send it: its name, and what a browser sees in it. */
const chosen = (page) =>
  input(page).evaluate(async (it) => {
    const [file] = it.files;
    if (!file) return null;
    const picture = await createImageBitmap(file).catch(() => null);
    return { name: file.name, type: file.type, size: picture && [picture.width, picture.height] };
  });
const choose = async (page, name, text) => {
  await input(page).setInputFiles({ name, mimeType: name.endsWith(".svg") ? "image/svg+xml" : "", buffer: Buffer.from(text) });
};
const isDrawn = (page) => page.waitForFunction(() => document.querySelector("#headerLogo").files[0]?.type === "image/png");
const wrong = (page) => page.getByText("We couldn’t draw this SVG. Choose a PNG, JPEG or WebP.");

describe("a logo as SVG", { concurrency: false }, () => {
  it("is drawn at the size of its shape, whatever it says of its own", async () => {
    const { context, page, problems } = await person();
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    for (const [label, text] of [["Your name", "Maya Lindqvist"], ["Email", "maya@quillback.example"], ["Company", "Quillback Roofing"]])
      await page.getByLabel(label).first().fill(text);
    await page.getByRole("button", { name: "Create my account" }).click();
    await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
    kept = await context.storageState();
    await page.goto(form);
    await page.getByText("SVG works too.").waitFor();
    for (const [name, text, size] of [
      ["its size", svg('width="120" height="40"'), [600, 200]],
      ["pixels", svg('width="20px" height="20px"'), [300, 300]],
      ["millimeters", svg('width="20mm" height="10mm" viewBox="0 0 20 10"'), [600, 300]],
      ["a view box alone", svg('viewBox="0 0 20 10"'), [600, 300]],
      ["a huge size", svg('width="1000000" height="500000" viewBox="0 0 20 10"'), [600, 300]],
      ["no size", svg('width="0" height="0" viewBox="0 0 20 10"'), [600, 300]],
      ["no size and no view box", svg('width="0" height="0"'), [600, 300]],
      ["nothing", svg(""), [600, 300]],
      ["percents", svg('width="100%" height="100%" viewBox="0 0 10 10"'), [300, 300]],
      ["no namespace", `<svg viewBox="0 0 20 10">${shape}</svg>`, [600, 300]],
      ["a part of a page", `<svg viewbox="0 0 20 10"><title>Oak</title><use href="#x"/><clippath id="c"></clippath>${shape}<br></svg>`, [600, 300]],
      ["a declaration", `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg>\n<!-- drawn -->${svg('viewBox="0 0 20 10"')}`, [600, 300]],
    ]) {
      await choose(page, "logo.svg", text);
      await isDrawn(page);
      assert.deepEqual(await chosen(page), { name: "logo.png", type: "image/png", size }, name);
      assert.equal(await wrong(page).isVisible(), false, name);
      // The next one is not taken for this one.
      await input(page).setInputFiles([]);
    }
    await choose(page, "logo.svgz", gzipSync(svg('viewBox="0 0 20 10"')));
    await isDrawn(page);
    assert.deepEqual(await violations(page), []);
    // Chromium writes its own styled page for what is no XML.
    assert.deepEqual(problems.filter((text) => !policySays.test(text)), []);
    // The page's policy does not apply a style where it is read; the picture has it.
    await input(page).setInputFiles([]);
    await choose(page, "logo.svg", svg('viewBox="0 0 20 10" style="width:3px;height:auto;fill:red"'));
    await isDrawn(page);
    assert.deepEqual((await chosen(page)).size, [600, 300]);
    assert.deepEqual(problems.filter((text) => !policySays.test(text)), []);
    await context.close();
  });

  it("runs nothing and loads nothing", async () => {
    const { context, page, requests, problems } = await person();
    await page.goto(form);
    await page.getByText("SVG works too.").waitFor();
    const before = requests.length;
    const hostile = svg(
      'viewBox="0 0 20 10" onload="top.hacked=1"',
      `<script>top.hacked=1</script><style>@import "${shingle.url}/track.css"; path{background:url(${shingle.url}/track-1.png)}</style>
       <foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><img src="${shingle.url}/track-2.png"/></body></foreignObject>
       <image href="${shingle.url}/track-3.png" width="9" height="9"/><use href="${shingle.url}/track.svg#a"/>${shape}`,
    );
    await choose(page, "logo.svg", hostile);
    await isDrawn(page);
    assert.deepEqual((await chosen(page)).size, [600, 300]);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    const loaded = requests.slice(before).filter((url) => !url.startsWith("data:") && !url.startsWith("blob:"));
    assert.deepEqual(loaded, []);
    assert.deepEqual(problems.filter((text) => !policySays.test(text)), []);
    await context.close();
  });

  it("says so where it cannot be drawn", async () => {
    const { context, page } = await person();
    await page.goto(form);
    await page.getByText("SVG works too.").waitFor();
    for (const [name, text] of [
      ["no drawing", "not an svg"],
      ["empty", ""],
      ["nothing in it", svg('viewBox="0 0 20 10"', "")],
      ["what is elsewhere", svg('viewBox="0 0 20 10"', `<image href="${shingle.url}/track.png" width="20" height="10"/>`)],
      ["outside of its view box", svg('viewBox="500 500 20 10"')],
    ]) {
      await choose(page, "logo.svg", text);
      await wrong(page).waitFor();
      assert.equal(await chosen(page), null, name);
      await choose(page, "logo.svg", svg('viewBox="0 0 20 10"'));
      await isDrawn(page);
      assert.equal(await wrong(page).isVisible(), false, "it goes with the next one");
    }
    await choose(page, "logo.svg", svg('viewBox="0 0 20 10"', shape + " ".repeat(5 << 20)));
    await page.getByText("This picture is larger than 1 MB. Choose a smaller one.").waitFor();
    assert.equal(await chosen(page), null);
    await context.close();
  });

  it("of the company’s site is drawn at once, sent, and seen by visitors", async () => {
    const { context, page, problems } = await person();
    const mark = svg('viewBox="0 0 40 10"', '<path fill="#0b7a3c" d="M0 0h40v10H0z"/>');
    // As the server writes it for a site that has one: tests/it/portal/start.rs.
    const said = mark.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    await page.route(form, async (route) => {
      const response = await route.fetch();
      const html = (await response.text()).replace('<input id="headerLogo"', `<input data-svg="${said}" id="headerLogo"`);
      await route.fulfill({ response, body: html });
    });
    await page.goto(form);
    await isDrawn(page);
    assert.deepEqual((await chosen(page)).size, [600, 150]);
    await page.getByLabel("Phone", { exact: true }).fill("(207) 555-0143");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Step 3 of 6").first().waitFor();
    await page.goto(`${shingle.url}/portal/start?step=5`);
    const hosted = await page.getByLabel("Link", { exact: true }).inputValue();
    await page.goto(hosted);
    const logo = page.locator("img.h-logo").first();
    await logo.waitFor();
    assert.deepEqual(await logo.evaluate(async (it) => (await it.decode(), [it.naturalWidth, it.naturalHeight])), [600, 150]);
    assert.deepEqual(problems, []);
    await context.close();
  });

  it("is drawn in the designer too, where it is chosen or dropped", async () => {
    const { context, page } = await person({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${shingle.url}/portal/widgets`);
    await page.locator(".rows a").first().click();
    await page.locator("#footerLogo").setInputFiles({ name: "small.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg('viewBox="0 0 10 10"')) });
    const shown = page.locator('[data-logo="footerLogo"]');
    await page.waitForFunction(() => document.querySelector("#footerLogo").files[0]?.type === "image/png");
    await page.waitForFunction(() => document.querySelector('[data-logo="footerLogo"]').src.includes("/storage/"));
    assert.ok(await shown.isVisible());
    await page.evaluate((text) => {
      const files = new DataTransfer();
      files.items.add(new File([text], "dropped.svg", { type: "image/svg+xml" }));
      document.querySelector('[data-drop="headerLogo"]').dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }, svg('viewBox="0 0 30 10"'));
    await isDrawn(page);
    assert.deepEqual((await chosen(page)).size, [600, 200]);
    await context.close();
  });
});
