// Small windows, keyboards on the screen, notches, paper, and pages whose styles reach for everything.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sizes, newVisitor } from "./harness/browser.js";
import { mockResponses, realResponses, MockApi } from "./harness/mock-api.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { animationsDone, Walkthrough } from "./harness/walkthrough.js";


const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const responses = mockResponses(await realResponses(shingle, widget));

const phone = (width, height) => ({ ...sizes.phone, viewport: { width, height } });

/** A visitor on the first step, with a walk to go on with. */
async function begin(size, head) {
  const site = closing(await minimalSite(widget.widgetScript, head));
  const visitor = await newVisitor(browser, size);
  const { page } = visitor;
  const api = await MockApi.on(page);
  const enter = async () => {
    await page.goto(site.url);
    await page.locator(".sl").click();
    await page.locator("[data-screen=address] #sh-address").waitFor();
  };
  const walk = new Walkthrough(page, api, responses, enter, async () => {});
  await walk.start({ roof: responses.roof });
  return { visitor, page, walk };
}

async function toDetails(walk) {
  await walk.look(responses.roof);
  await walk.at("roof");
  await walk.main.click();
  await walk.at("details");
}

/** Whether a finger on the middle of an element hits it. */
const uncovered = (locator) =>
  locator.evaluate((el) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    const hit = el.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
    return el == hit || el.contains(hit);
  });

test("with the keyboard up on the smallest phone, every field, the consent and the button are reached", async () => {
  const { visitor, page, walk } = await begin(phone(320, 480));
  await toDetails(walk);
  // The keyboard takes the lower half: the page asked for its content to be resized.
  await page.setViewportSize({ width: 320, height: 240 });
  for (const name of ["first", "last", "email", "phone"]) {
    const field = page.locator(`#sh-${name}`);
    await field.fill(name == "email" ? "dana@example.com" : name == "phone" ? "2075550163" : "Dana");
    assert.ok(await uncovered(field), `${name} is covered`);
  }
  const consent = page.locator(".sh-check input");
  await consent.scrollIntoViewIfNeeded();
  assert.ok(await uncovered(consent), "the consent is covered");
  await consent.check();
  await walk.main.scrollIntoViewIfNeeded();
  assert.ok(await uncovered(walk.main), "the button is covered");
  await walk.main.click();
  await walk.at("estimate");
  await visitor.leave();
});

test("where a keyboard only shrinks what is visible, the dialog keeps above it and the drawing makes room", async () => {
  const { visitor, page } = await begin(phone(390, 844));
  const keyboard = (height) =>
    page.evaluate((height) => {
      if (height) Object.defineProperty(visualViewport, "height", { value: height, configurable: true });
      else delete visualViewport.height;
      visualViewport.dispatchEvent(new Event("resize"));
    }, height);
  const dialog = page.locator("dialog");
  const height = async () => (await dialog.boundingBox()).height;
  await keyboard(500);
  assert.equal(await height(), 500);
  assert.ok(!(await page.locator(".sh-pane").isVisible()));
  const main = await page.locator(".sh-actions .primary").boundingBox();
  assert.ok(main.y + main.height <= 500, "the button is under the keyboard");
  await keyboard(0);
  assert.equal(await height(), 844);
  assert.ok(await page.locator(".sh-pane").isVisible());
  await visitor.leave();
});

test("the list goes along with its field when the flow scrolls under it", async () => {
  const { visitor, page, walk } = await begin(phone(683, 384));
  await walk.type("14 Alder");
  await walk.options.first().waitFor();
  const gap = () =>
    page.evaluate(() => {
      const { shadowRoot } = document.querySelector("shingle-launcher, shingle-estimate");
      const [list, field] = ["#sh-list", "#sh-address"].map((at) => shadowRoot.querySelector(at).getBoundingClientRect());
      return { top: field.top, apart: Math.round(list.top > field.top ? list.top - field.bottom : field.top - list.bottom) };
    });
  const before = await gap();
  await page.locator(".sh").evaluate((el) => el.scrollBy({ top: 30, behavior: "instant" }));
  await page.waitForFunction((top) => document.querySelector("shingle-launcher, shingle-estimate").shadowRoot
    .querySelector("#sh-address").getBoundingClientRect().top < top, before.top);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const after = await gap();
  assert.ok(after.top < before.top, "the field has moved");
  assert.equal(after.apart, before.apart);
  assert.equal(after.apart, 6);
  await visitor.leave();
});

test("no field is small enough for a phone to zoom in on it", async () => {
  const { visitor, page, walk } = await begin(phone(390, 844));
  const fonts = () => page.locator(".sh-input").evaluateAll((all) => all.map((el) => parseFloat(getComputedStyle(el).fontSize)));
  const seen = await fonts();
  await toDetails(walk);
  seen.push(...(await fonts()));
  assert.equal(seen.length, 5);
  assert.ok(seen.every((size) => size >= 16), seen.join(", "));
  await visitor.leave();
});

test("notches and home bars are kept clear of", async () => {
  const { visitor, page } = await begin(phone(390, 844));
  const wire = await page.context().newCDPSession(page);
  await wire.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 47, bottom: 34, left: 0, right: 0 } });
  const box = (selector) => page.locator(selector).first().boundingBox();
  const close = await box(".sh-head > .sh-iconbtn");
  assert.ok(close.y >= 47, `the head begins at ${close.y}`);
  const link = await box(".sh-foot a");
  assert.ok(link.y + link.height <= 844 - 34, `the foot ends at ${link.y + link.height}`);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  const launcher = await box(".sl");
  assert.ok(launcher.y + launcher.height <= 844 - 34 - 20, `the launcher ends at ${launcher.y + launcher.height}`);
  await visitor.leave();
});

/** Where everything is that a step shows. */
const boxes = (page) =>
  page.evaluate(() => {
    const { shadowRoot } = document.querySelector("shingle-launcher, shingle-estimate");
    return [...shadowRoot.querySelectorAll("dialog, .sh, .sh *")].map((el) => {
      const { left, top, width, height } = el.getBoundingClientRect();
      return [el.localName, el.className.baseVal ?? el.className, ...[left, top, width, height].map(Math.round)].join(" ");
    });
  });

const greedy = `<style>
html{font-size:10px!important;letter-spacing:.2em!important;line-height:3!important;text-transform:uppercase!important;
  word-spacing:1em;text-align:right;font-family:cursive!important;direction:rtl;-webkit-text-size-adjust:200%}
*,*::before,*::after{box-sizing:content-box!important;margin:7px!important;padding:5px!important;border:3px solid red!important;
  font-size:31px!important;float:left!important;max-width:90px!important;transition:all 2s!important;display:block!important}
dialog{display:none!important}button,input{all:unset!important}
</style>`;

test("a page's own styles change nothing about the flow", async () => {
  const shown = [];
  for (const head of ["", greedy, '<script>document.documentElement.dir="rtl"</script>']) {
    const { visitor, page, walk } = await begin(sizes.desktop, head);
    await animationsDone(page);
    const first = await boxes(page);
    await toDetails(walk);
    // A step that still moves is what fields out of sight are placed by.
    await animationsDone(page);
    shown.push([first, await boxes(page)]);
    await visitor.leave();
  }
  assert.ok(shown[0][1].length > 60);
  assert.deepEqual(shown[1], shown[0], "resets and a root font of 10 px");
  assert.deepEqual(shown[2], shown[0], "a page that reads from right to left");
});

test("words that read from right to left mirror the flow, and north stays up", async () => {
  const { visitor, page, walk } = await begin(sizes.desktop);
  await toDetails(walk);
  await page.locator(".sh").evaluate((el) => (el.lang = "he"));
  await animationsDone(page);
  const x = async (selector) => (await page.locator(selector).first().boundingBox()).x;
  assert.ok((await x(".has-back .sh-iconbtn")) > (await x(".sh-head > .sh-iconbtn:last-child")), "back is at the start");
  assert.ok((await x(".sh-scroll")) > (await x(".sh-pane")), "the words come first");
  assert.ok((await x("#sh-first")) > (await x("#sh-last")));
  const wide = await page.locator(".sh, .sh-scroll, .sh-actions, .sh-foot").evaluateAll((all) => all.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.className));
  assert.deepEqual(wide, []);
  await visitor.leave();
});

test("on paper the whole estimate stands, without buttons", async () => {
  const { visitor, page, walk } = await begin(phone(390, 844));
  await toDetails(walk);
  await walk.fillDetails();
  await walk.main.click();
  await walk.at("estimate");
  await page.emulateMedia({ media: "print" });
  for (const gone of [".sl", ".sh-actions", ".sh-progress", ".sh-iconbtn"])
    assert.equal(await page.locator(gone).first().isVisible(), false, gone);
  for (const there of [".price", ".sh-for", ".sh-pane .plan", ".facts", ".sh-call"])
    assert.ok(await page.locator(there).first().isVisible(), there);
  const cut = await page.locator("dialog, .sh, .sh-body, .sh-scroll").evaluateAll((all) => all.filter((el) => el.scrollHeight > el.clientHeight + 1 && getComputedStyle(el).overflowY != "visible").map((el) => el.className || el.localName));
  assert.deepEqual(cut, []);
  await visitor.leave();
});
