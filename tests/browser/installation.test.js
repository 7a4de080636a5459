// The widget on pages as their owners made them: exactly one of it works, and it leaves nothing behind.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { trackResources, resourcesReleased, heldResources } from "./harness/leaks.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { installs, pageOf, swaps } from "./fixtures/host-pages.js";
import { scripts, styles } from "./fixtures/hostile-pages.js";

const groups = { installs, swaps, "hostile styles": styles, "hostile scripts": scripts };
const pages = {};
const made = {};

const { shingle, browser, closing } = await setUp();
const [site, elsewhere] = [closing(await staticSite(pages)), closing(await staticSite(pages))];
const plain = await launcherBox();

/** Where the launcher is, and how large, on a page that does nothing. */
async function launcherBox() {
  pages["/plain"] = { html: pageOf({ head: (await widget("button")).tag }) };
  const visitor = await newVisitor(browser, "desktop");
  await visitor.page.goto(`${site.url}plain`);
  const box = await new Flow(visitor.page).launcher.boundingBox();
  await visitor.leave();
  return box;
}

/** One widget of each kind is enough: nothing is kept between pages. */
function widget(kind) {
  return (made[kind] ??= (async () => {
    const bare = kind === "custom" ? { elementLocation: undefined, elementSize: undefined, buttonText: undefined } : {};
    const record = await shingle.widget({ elementType: kind, ...bare });
    const [, src] = record.widgetScript.match(/src="([^"]+)"/);
    // The same script as an earlier release would be: other bytes, other addresses.
    const older = (await (await fetch(src)).text()).replaceAll("/runtime/", "/./runtime/");
    return { id: record.referenceId, src, tag: record.widgetScript, elsewhere: elsewhere.url, older };
  })());
}

/** Books without what the page did itself. */
const ofOurs = (held, fixture) => {
  const own = new Set(["shingle", ...(fixture.own ?? [])]);
  const kept = {
    ...held,
    globals: held.globals.filter((name) => !own.has(name)),
    // What the page has asked for by `on` is the page's.
    listeners: held.listeners.filter((name) => !name.includes(" shingle:")),
  };
  for (const name of fixture.unchecked ?? []) delete kept[name];
  return kept;
};

async function works(fixture) {
  const w = await widget(fixture.kind ?? "button");
  for (const [path, page] of Object.entries(fixture.pages?.(w) ?? {})) pages[path] = page;
  pages["/"] = { html: fixture.page(w) };
  const visitor = await newVisitor(browser, fixture.size ?? "desktop");
  const { page } = visitor;
  await trackResources(page.context(), new URL(shingle.url).origin);
  await page.goto(site.url);
  const frame = fixture.frame?.(page) ?? page;
  const flow = new Flow(frame);
  await fixture.act?.(page, w, flow);

  const ours = { flow, frame, page, w };
  if (fixture.inline) {
    const card = frame.getByRole("form");
    await card.waitFor();
    assert.equal(await card.count(), 1, "one card");
    await card.getByRole("button").click();
  } else if (w === (await made.custom)) {
    await frame.waitForFunction(() => window.shingle?.open);
    await fixture.enter(flow);
  } else {
    await flow.launcher.waitFor();
    assert.equal(await flow.launcher.count(), 1, "one launcher");
    if (fixture.alike) assert.deepEqual(await flow.launcher.boundingBox(), plain, "where and as large as elsewhere");
    await fixture.look?.(ours);
    await (fixture.enter ? fixture.enter(flow) : flow.launcher.click());
  }
  await flow.address.waitFor();
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  assert.equal(await flow.address.count(), 1, "one dialog");
  assert.equal(await flow.address.inputValue(), "14 Alder Co");
  await fixture.opened?.(ours);

  if (!fixture.lasting) {
    await frame.evaluate((id) => window.shingle.destroy(id), w.id);
    await flow.address.waitFor({ state: "detached" });
    // The browser tells a dialog of its closing a task later.
    await resourcesReleased(frame);
    const left = ofOurs(await heldResources(frame), fixture);
    const html = fixture.html === null ? left.html : ["lang=en", ...(fixture.html ?? [])].sort();
    const none = { listeners: [], observers: [], intervals: 0, sheets: 0, globals: [], html, body: [], hosts: 0 };
    assert.deepEqual(left, "wrapped" in left ? { ...none, wrapped: [] } : none);
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
}

for (const [group, fixtures] of Object.entries(groups)) {
  describe(group, () => {
    for (const fixture of fixtures) test(`one widget works on a page that ${fixture.name}`, () => works(fixture));
  });
}

test("a page that removes the launcher for good is left alone", async () => {
  const { tag } = await widget("button");
  const remover = `new MutationObserver(() => document.querySelectorAll("shingle-launcher").forEach((it) => it.remove()))
    .observe(document, { childList: true, subtree: true })`;
  pages["/"] = { html: pageOf({ head: `<script>${remover}</script>${tag}` }) };
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  await page.goto(site.url);
  await page.waitForFunction(() => window.shingle?.open);
  // Two observers that undo each other's work never let the page have its turn.
  assert.equal(await page.evaluate(() => new Promise((done) => setTimeout(done, 0, "alive"))), "alive");
  assert.equal(await page.locator("shingle-launcher").count(), 0);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});

test("several widgets share a page, each with its own dialog", async () => {
  const kinds = [
    { elementLocation: "bottom_right", buttonText: "Price my roof", firstPageTitle: "What a roof would cost" },
    { elementLocation: "bottom_left", buttonText: "Price my porch", firstPageTitle: "What a porch roof would cost" },
    { elementType: "custom", elementLocation: undefined, elementSize: undefined, buttonText: undefined,
      firstPageTitle: "What a barn roof would cost" },
  ];
  const widgets = await Promise.all(kinds.map((kind) => shingle.widget(kind)));
  const [, , barn] = widgets.map((one) => one.referenceId);
  pages["/"] = {
    html: pageOf({ head: widgets.map((one) => one.widgetScript).join(""), body: `<button data-shingle-open="${barn}">Barn</button>` }),
  };
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  await trackResources(page.context(), new URL(shingle.url).origin);
  await page.goto(site.url);
  const flow = new Flow(page);
  await page.waitForFunction((ids) => ids.every((id) => window.shingle?.all?.[id]), widgets.map((one) => one.referenceId));
  const doors = [page.getByText("Price my roof"), page.getByText("Price my porch"), page.getByText("Barn", { exact: true })];
  for (const [at, door] of doors.entries()) {
    assert.equal(await door.count(), 1);
    await door.click();
    await flow.heading(kinds[at].firstPageTitle).waitFor();
    assert.equal(await flow.address.count(), 1);
    await page.keyboard.press("Escape");
    await flow.address.waitFor({ state: "detached" });
  }
  await page.evaluate((ids) => ids.forEach((id) => window.shingle.destroy(id)), widgets.map((one) => one.referenceId));
  await resourcesReleased(page);
  const left = ofOurs(await heldResources(page), {});
  assert.deepEqual([left.listeners, left.observers, left.sheets, left.hosts], [[], [], 0, 0]);
  assert.deepEqual(visitor.problems, []);
  await visitor.leave();
});
