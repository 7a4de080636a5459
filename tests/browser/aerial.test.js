// The photograph from the air under the drawing: it fades in by itself, never keeps anybody waiting, and can be switched off.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { newVisitor, picture, pictures } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { mailServer } from "./harness/mail-server.js";
import { writeOrtho } from "./harness/ortho.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";

const home = "14 Alder Court, Harrow Falls, ME 04995";
const before = async (it) => {
  const { evidence } = await it.command("lookup", home, "--sample-town");
  const file = path.join(it.data, "usda.tif");
  await writeOrtho(file, evidence.place.origin);
  const loaded = await it.command("import", file, "--taken", "2023-07", "--credit", "USDA, public domain");
  assert.equal(loaded.pictures.length, 1);
};
const mails = await mailServer();
const env = { SHINGLE_SMTP_URL: mails.url, SHINGLE_MAIL_FROM: "Shingle <leads@shingle.example>" };
const { shingle, browser, closing } = await setUp({ before, env });
closing(mails);
const widget = await shingle.widget();
const site = closing(await minimalSite(widget.widgetScript));
const aerial = "**/storage/aerial/*.webp";

async function atTheRoof(viewport, { route, ...options } = {}) {
  const visitor = await newVisitor(browser, { viewport, ...options });
  const { page } = visitor;
  const asked = [];
  page.on("request", (request) => request.url().includes("/aerial/") && asked.push(request.url()));
  if (route) await page.route(aerial, route);
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  assert.deepEqual(asked, [], "nothing is asked for before there is a roof");
  await flow.pick("14 Alder", /14 Alder/i);
  await flow.yes.waitFor();
  return { ...visitor, flow, page, asked, body: page.locator(".sh-body") };
}

const shown = (body) => body.and(body.page().locator("[data-photo=shown]")).waitFor();
const opacity = (page) => page.locator(".aerial").evaluate((el) => Number(getComputedStyle(el).opacity));

for (const [width, height] of [[320, 640], [390, 844], [683, 384], [1280, 900]]) {
  test(`it lies under the lines, dated, with a switch, ${width} x ${height}`, async () => {
    const { page, body, asked, leave } = await atTheRoof({ width, height });
    await shown(body);
    await page.waitForFunction(() => {
      const root = document.querySelector("shingle-launcher").shadowRoot;
      return getComputedStyle(root.querySelector(".aerial")).opacity == "1";
    });
    assert.equal(asked.length, 1);
    assert.ok(asked[0].startsWith(shingle.url), "nobody but our server is asked");
    await page.getByText("Photo, July 2023").waitFor();
    await page.getByText("Photo: July 2023, USDA, public domain.").waitFor();
    await picture(page, `aerial-${width}-photo`);
    const photo = page.getByRole("radio", { name: "Photo from July 2023" });
    const drawing = page.getByRole("radio", { name: "Drawing" });
    assert.ok(await photo.isChecked());
    const box = await page.locator(".sh-view").boundingBox();
    const plan = await page.locator(".sh-pane .plan").first().boundingBox();
    assert.ok(box.height >= 40 && box.x + box.width <= Math.ceil(plan.x + plan.width), JSON.stringify({ box, plan }));
    await page.locator(".sh-view").getByText("Drawing").click();
    assert.ok(await drawing.isChecked());
    await page.waitForFunction(() => {
      const root = document.querySelector("shingle-launcher").shadowRoot;
      return getComputedStyle(root.querySelector(".aerial")).opacity == "0";
    });
    await picture(page, `aerial-${width}-drawing`);
    // By keyboard.
    await drawing.press("ArrowRight");
    assert.ok(await photo.isChecked());
    await shown(body);
    assert.deepEqual(await violations(page), []);
    await leave();
  });
}

for (const [width, height] of [[320, 640], [390, 844], [683, 384], [1280, 900]]) {
  test(`homes to choose from lie on it, ${width} x ${height}`, async () => {
    const { page, body, asked, leave } = await atTheRoof({ width, height });
    await shown(body);
    assert.equal(asked.length, 1);
    const ofAll = page.waitForResponse((answer) => answer.url().includes("/aerial/"));
    await page.getByRole("button", { name: "Not my roof" }).click();
    assert.equal((await ofAll).status(), 200);
    await page.getByRole("radiogroup", { name: "Which roof is yours?" }).waitFor();
    await page.locator(".homes .outline").first().waitFor();
    await shown(body);
    await page.waitForFunction(() => {
      const { shadowRoot } = document.querySelector("shingle-launcher");
      const of = (what) => getComputedStyle(shadowRoot.querySelector(what));
      return of(".aerial").opacity == "1" && of(".homes").visibility == "visible";
    });
    // All of them: it is not the photograph of the one home.
    const beyond = await page.locator(".plan").first().evaluate((plan) => {
      const photo = plan.querySelector(".aerial").getBoundingClientRect();
      const boxes = [...plan.querySelectorAll(".homes .outline")].map((outline) => outline.getBoundingClientRect());
      return boxes.filter((box) => box.left < photo.left || box.right > photo.right || box.top < photo.top || box.bottom > photo.bottom).length;
    });
    assert.equal(beyond, 0, "homes beyond the photograph");
    // Nothing lies over an outline.
    const under = await page.locator(".plan").first().evaluate((plan) => {
      const boxes = (within, what) => [...within.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
      const over = boxes(plan.parentNode, ".sh-view, .sh-tag, .sh-compass");
      const meets = (a) => (b) => a.right > b.left && a.left < b.right && a.bottom > b.top && a.top < b.bottom;
      return boxes(plan, ".homes .outline").filter((outline) => over.some(meets(outline))).length;
    });
    assert.equal(under, 0, "homes under the switch, a tag or the compass");
    assert.equal(asked.length, 2, "the photograph of all comes when it is needed");
    // White lines, which stand out from any photograph.
    const line = await page.locator(".homes > g > .outline").first().evaluate((el) => getComputedStyle(el).stroke);
    assert.equal(line, "rgb(255, 255, 255)");
    await page.getByRole("radio", { name: /16 Alder Court/ }).check({ force: true });
    await picture(page, `aerial-${width}-choose`);
    await page.locator(".sh-view").getByText("Drawing").click();
    await page.waitForFunction(() => {
      const { shadowRoot } = document.querySelector("shingle-launcher");
      return getComputedStyle(shadowRoot.querySelector(".aerial")).opacity == "0";
    });
    await leave();
  });
}

test("where the photograph of all homes does not come, the choice is a drawing", async () => {
  let asked = 0;
  const route = (it) => (asked++ ? it.fulfill({ status: 404 }) : it.continue());
  const { page, body, leave } = await atTheRoof({ width: 390, height: 844 }, { route });
  await shown(body);
  const lost = page.waitForResponse((answer) => answer.url().includes("/aerial/"));
  await page.getByRole("button", { name: "Not my roof" }).click();
  assert.equal((await lost).status(), 404);
  await page.locator(".aerial").waitFor({ state: "detached" });
  await page.waitForFunction(() => {
    const { shadowRoot } = document.querySelector("shingle-launcher");
    const of = (what) => getComputedStyle(shadowRoot.querySelector(what));
    return of(".homes").visibility == "visible" && of(".street").opacity == "1";
  });
  const line = await page.locator(".homes > g > .outline").first().evaluate((el) => getComputedStyle(el).stroke);
  assert.notEqual(line, "rgb(255, 255, 255)");
  assert.equal(await page.locator(".sh-view").isVisible(), false, "nothing to switch to");
  assert.equal(await page.getByText("Photo, July 2023").isVisible(), false);
  await picture(page, "aerial-390-choose-lost");
  await leave();
});

test("what was chosen stays for the steps that follow", async () => {
  const { page, flow, body, leave } = await atTheRoof({ width: 1280, height: 900 });
  await shown(body);
  await page.locator(".sh-view").getByText("Drawing").click();
  await flow.confirmRoof();
  await page.getByRole("radio", { name: "Drawing" }).waitFor();
  assert.ok(await page.getByRole("radio", { name: "Drawing" }).isChecked());
  assert.equal(await opacity(page), 0);
  await leave();
});

test("a late photograph changes nothing but offers the switch", async () => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const visitor = await newVisitor(browser, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.clock.install();
  await page.route(aerial, async (route) => {
    await held;
    await route.continue();
  });
  const flow = new Flow(page);
  await page.goto(site.url);
  await flow.open();
  await flow.pick("14 Alder", /14 Alder/i);
  await flow.yes.waitFor();
  assert.equal(await page.locator(".sh-view").isVisible(), false, "no switch while it is on its way");
  await page.clock.fastForward(9_000);
  release();
  await page.locator(".sh-body[data-photo=ready]").waitFor();
  assert.ok(await page.getByRole("radio", { name: "Drawing" }).isChecked());
  await page.locator(".sh-view").getByText("Photo").click();
  await page.locator(".sh-body[data-photo=shown]").waitFor();
  await visitor.leave();
});

test("one that does not come leaves no word and no gap", async () => {
  const { page, flow, leave } = await atTheRoof({ width: 390, height: 844 }, { route: (route) => route.abort() });
  await page.getByText("Is this your roof?").waitFor();
  assert.equal(await page.locator(".sh-view").isVisible(), false);
  assert.equal(await page.getByText("USDA").isVisible(), false);
  await flow.confirmRoof();
  await leave();
});

test("forced colors and a dark card keep the switch and the lines", async () => {
  const { page, body, leave } = await atTheRoof({ width: 390, height: 844 }, { forcedColors: "active" });
  await shown(body);
  await picture(page, "aerial-forced-colors");
  assert.deepEqual(await violations(page), []);
  await leave();
});

test("without scripts the page has it, and the switch works", async () => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(widget.hostedPageLink);
  await page.getByLabel("Your home address").fill("14 Alder Court");
  await page.getByRole("button", { name: "Measure my roof" }).click();
  await page.getByRole("heading", { level: 1, name: "Is this your roof?" }).waitFor();
  await page.getByText("Photo, July 2023").waitFor();
  await picture(page, "aerial-noscript");
  await page.locator(".sh-view").getByText("Drawing").click();
  await page.getByText("Photo, July 2023").waitFor({ state: "hidden" });
  await context.close();
});

test("lead, mails and sheet have it, and a click hides the home everywhere", async () => {
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const { pathname, search } = new URL(link);
  await page.goto(shingle.url + pathname + search);
  await page.getByLabel("Your name").fill("Tomas Okafor");
  await page.getByLabel("Email").fill("tomas@quillback.example");
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Welcome, Tomas Okafor" }).waitFor();

  const email = "dana.aerial@example.com";
  await sendLead(shingle, widget, { firstName: "Dana", email, phone: "2075550143" });
  const [lead] = (await shingle.leads()).filter((one) => one.email == email);
  await page.goto(`${shingle.url}/portal/leads/${lead.id}?data=sandbox`);
  await page.getByText("Photo from the air: USDA, public domain, July 2023.").waitFor();
  const drawing = page.locator("img.drawing");
  await drawing.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector("img.drawing").complete);
  const answer = await page.request.get(new URL(await drawing.getAttribute("src"), shingle.url).href);
  assert.equal(answer.headers()["content-type"], "image/jpeg");
  await picture(page, "aerial-lead", { fullPage: true });
  assert.deepEqual(await violations(page), []);

  const mail = await mails.next(({ replyTo }) => replyTo?.value[0].address == email);
  const [photo] = mail.attachments.filter(({ contentType }) => contentType == "image/jpeg");
  assert.ok(photo.content.length > 20_000 && photo.content.length < 300_000, `${photo.content.length} bytes`);
  if (process.env.SHINGLE_SCREENSHOTS == "keep") await writeFile(`${pictures}/aerial-mail.jpg`, photo.content);

  const sheet = await context.newPage();
  await sheet.goto(new URL(await page.getByRole("link", { name: "Drawing and print sheet" }).getAttribute("href"), shingle.url).href);
  await sheet.getByText("Photo: July 2023, USDA, public domain.").waitFor();
  await picture(sheet, "aerial-sheet", { fullPage: true });
  await sheet.emulateMedia({ media: "print" });
  await picture(sheet, "aerial-sheet-print", { fullPage: true });

  await page.getByRole("button", { name: "Never show this home in photos" }).click();
  await page.getByText("No photo from the air shows this home any more.").waitFor();
  assert.equal(await page.getByText("Photo from the air:").count(), 0);
  await sheet.reload();
  assert.equal(await sheet.locator(".aerial").count(), 0);
  await context.close();
});
