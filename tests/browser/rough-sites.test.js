// Sites whose own code, styles or engine get in the way: the widget opens anyway, and whatever goes wrong, there is a
// way to the hosted page.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { launchFirefox, newVisitor, noFirefox } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";
import { components, globals, libraries, links, listeners, routers } from "./fixtures/rough-sites.js";
import { lacking, withoutEngineParts } from "./fixtures/old-engines.js";

const limits = { sessions_per_visitor: 10_000, suggestions_per_visitor: 10_000, roofs_per_visitor: 10_000 };
const { shingle, browser, closing } = await setUp({ limits });
const pages = {};
const site = closing(await staticSite(pages));
const widget = await shingle.widget();
const hostedAt = `${shingle.url}/w/${widget.referenceId}`;

async function arrive({ at = "/", head = "", body = "", tail = "", size = "desktop", kind = browser, prepare }) {
  const record = widget;
  pages[at.split("?")[0]] = { html: pageOf({ head: head + record.widgetScript, body, tail }) };
  const visitor = await newVisitor(kind, size);
  await prepare?.(visitor.page);
  await visitor.page.goto(site.url + at.slice(1));
  return { ...visitor, flow: new Flow(visitor.page) };
}

/** Closes the flow, and waits until nothing of it is in the page's history. */
async function close(page, flow) {
  await page.keyboard.press("Escape");
  await flow.address.waitFor({ state: "detached" });
  await page.waitForFunction(() => !history.state?.shingle);
}

/** Every door opens it, and then the launcher; and it answers. */
async function opens({ doors = [], roof, ...fixture }) {
  const { page, flow, problems, leave } = await arrive(fixture);
  await flow.launcher.waitFor();
  for (const door of doors) {
    await (typeof door == "string" ? page.getByText(door, { exact: true }).first().click() : door(page)).catch((error) => {
      throw new Error(`${door}: ${error.message}`);
    });
    await flow.address.waitFor().catch(() => assert.fail(`${door} opens nothing`));
    await close(page, flow);
  }
  await flow.launcher.click();
  await flow.address.waitFor();
  if (roof) {
    await flow.pick("14 Alder Co", /14 Alder Court/);
    await flow.yes.waitFor();
  } else {
    await flow.type("14 Alder Co");
    await flow.suggestion(/14 Alder Court/).waitFor();
  }
  assert.equal(page.url().split(/[?#]/)[0], site.url + (fixture.at ?? "/").slice(1).split("?")[0], "the visitor is where he was");
  await leave();
  return problems;
}

const groups = { links, components, listeners, routers, libraries, globals };
for (const [group, fixtures] of Object.entries(groups)) {
  describe(group, () => {
    for (const fixture of fixtures)
      test(`the widget opens on a page that ${fixture.name}`, async () => {
        const problems = await opens(fixture);
        // What a page's own code throws is the page's.
        if (group != "globals") assert.deepEqual(problems, []);
      });
  });
}

test("a link to another page, or to another view of this one, is the page's", async () => {
  pages["/other"] = { html: pageOf({ head: widget.widgetScript }) };
  const body = `<a href="/other#roof-estimate">Other</a> <a href="/?lang=es#roof-estimate">View</a> <a href="/#roof-estimates">Longer</a>`;
  for (const [name, url] of [["Other", "other"], ["View", "?lang=es"]]) {
    const { page, flow, leave } = await arrive({ body });
    await page.getByText(name, { exact: true }).click();
    await flow.address.waitFor();
    assert.equal(page.url(), site.url + url, "it went there, and there it opens");
    await leave();
  }
  const { page, flow, leave } = await arrive({ body });
  await flow.launcher.waitFor();
  await page.getByText("Longer").click();
  await page.waitForFunction(() => location.hash == "#roof-estimates");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByText("Longer").evaluate((link) => (link.href = "#roof-estimate"));
  // With a key that opens a new tab it is the browser's.
  const [tab] = await Promise.all([page.context().waitForEvent("page"), page.getByText("Longer").click({ modifiers: ["ControlOrMeta"] })]);
  await tab.close();
  assert.equal(await flow.address.count(), 0);
  await leave();
});

test("what the page stops before anybody is still a link to the hosted page", async () => {
  const { page, flow, leave } = await arrive({
    head: `<script>addEventListener("click", (e) => e.stopImmediatePropagation(), true)</script>`,
  });
  await flow.launcher.click();
  await page.waitForURL(`${hostedAt}*`);
  await leave();
});

const ownFetch = {
  "has no fetch": "window.fetch = undefined",
  "has a fetch that throws": `window.fetch = () => { throw new Error("blocked"); }`,
  "has a fetch that refuses": `window.fetch = () => Promise.reject("blocked")`,
  "has a fetch with answers of its own": "const of = fetch; window.fetch = (...a) => of(...a).then(() => ({ data: {}, status: 200 }))",
  "has a fetch that makes texts of all answers":
    "const of = fetch; window.fetch = (...a) => of(...a).then(async (r) => new Response(await r.text(), { status: r.status, headers: r.headers }))",
};
for (const [name, script] of Object.entries(ownFetch))
  for (const kind of ["button", "banner"])
    test(`on a page that ${name} the hosted page stands in, ${kind}`, async () => {
      const { widgetScript } = await shingle.widget(kind === "banner" ? { elementType: "banner", elementLocation: "bottom", bannerText: "A new roof?" } : {});
      pages["/"] = { html: pageOf({ head: `<script>${script}</script>${widgetScript}`, body: `<button data-shingle-open>Marked</button>` }) };
      const { page, leave } = await newVisitor(browser, "desktop");
      await page.goto(site.url);
      await page.getByText("Marked").click();
      await new Flow(page.frameLocator("iframe")).address.waitFor();
      await leave();
    });

for (const part of ["Element.prototype.attachShadow", "MutationObserver", "URLSearchParams"])
  for (const elementLocation of ["top", "bottom"])
    test(`where the loader of a banner at the ${elementLocation} fails for want of ${part}, there is a link`, async () => {
      const banner = await shingle.widget({ elementType: "banner", elementLocation, bannerText: "A new roof?" });
      pages["/"] = { html: pageOf({ head: banner.widgetScript }) };
      const { page, leave } = await newVisitor(browser, "desktop");
      await withoutEngineParts(page, [part]);
      await page.goto(site.url);
      await page.getByRole("link", { name: "See what a new roof would cost" }).click();
      await page.waitForURL(`${shingle.url}/w/${banner.referenceId}*`);
      await leave();
    });

for (const load of ["async", ""])
  for (const fields of [{}, { elementType: "banner", elementLocation: "top", bannerText: "A new roof?" }, { elementType: "custom", elementLocation: undefined }])
    test(`a page without URLSearchParams has a link where its head loads it ${load || "at once"}, ${fields.elementType ?? "button"}`, async () => {
      const { widgetScript, referenceId } = await shingle.widget(fields);
      const script = widgetScript.replace(" async", load && ` ${load}`);
      pages["/"] = { html: pageOf({ head: `<script>window.URLSearchParams = undefined</script>${script}` }) };
      const { page, leave } = await newVisitor(browser, "desktop");
      await page.goto(site.url);
      await page.getByRole("link", { name: "See what a new roof would cost" }).click();
      await page.waitForURL(`${shingle.url}/w/${referenceId}*`);
      await leave();
    });

describe("engines that lack something", () => {
  for (const { name, gone, hosted, link, styles } of lacking)
    test(`without ${name} ${hosted ? "every door leads to the hosted page" : "the flow goes on to the roof"}`, async () => {
      const doors = link ? [null] : hosted ? ["Marked", "Link", null] : [null, "Marked"];
      for (const door of doors) {
        const { page, flow, leave, picture } = await arrive({
          body: `<button data-shingle-open>Marked</button> <a href="#roof-estimate">Link</a>`,
          prepare: (page) => withoutEngineParts(page, gone, styles),
        });
        const opener = door ? page.getByText(door, { exact: true }) : page.getByText(/Get my roof estimate|See what a new roof would cost/).first();
        await opener.waitFor();
        if (!hosted) {
          await opener.click();
          await flow.address.waitFor();
          await picture(`old-engine-${name.replace(/\W+/g, "-")}-${door}`);
          await flow.pick("14 Alder Co", /14 Alder Court/);
          await flow.yes.waitFor();
          await picture(`old-engine-${name.replace(/\W+/g, "-")}-${door}-roof`);
          await leave();
          continue;
        }
        const tab = page.context().waitForEvent("page", { timeout: 20_000 }).catch(() => null);
        const here = page.waitForURL(`${hostedAt}*`).then(() => page).catch(() => null);
        await opener.click();
        const there = await Promise.race([tab, here]);
        await there.waitForURL(`${hostedAt}*`);
        await leave();
      }
    });
});

const zooms = [0.5, 0.67, 0.8, 1.1, 1.25, 1.5, 2];
/** Where things are on a page that is zoomed by its style, and on one that is not. */
async function measured(kind, zoom, name) {
  const bar = `<div id="bar" style="position:fixed;inset:auto 0 0;height:60px;background:#246">Call us</div>`;
  const { page, flow, leave, picture } = await arrive({ kind, head: `<style>html{zoom:${zoom}}</style>`, body: bar });
  await flow.launcher.waitFor();
  const boxOf = async (found) => found.evaluate((el) => {
    const { x, y, width, height } = el.getBoundingClientRect();
    return [x, y, width, height].map((n) => Math.round(n));
  });
  const launcher = await boxOf(flow.launcher);
  const free = (await boxOf(page.locator("#bar")))[1];
  await flow.launcher.click();
  await flow.address.waitFor();
  await flow.type("14 Alder Co");
  await flow.suggestion(/14 Alder Court/).waitFor();
  const [field, list, dialog] = [flow.address, page.locator("#sh-list"), page.getByRole("dialog")];
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
  const boxes = { launcher, free, field: await boxOf(field), list: await boxOf(list), dialog: await boxOf(dialog) };
  await picture(`zoom-${name}-${zoom}`);
  await leave();
  return boxes;
}
async function unmoved(kind, name, list) {
  const plain = await measured(kind, 1, name);
  for (const zoom of list) {
    const at = await measured(kind, zoom, name);
    for (const part of ["field", "list", "dialog"])
      at[part].forEach((n, i) => assert.ok(Math.abs(n - plain[part][i]) <= 2, `${part} at ${zoom}: ${at[part]}, not ${plain[part]}`));
    for (const i of [0, 2, 3]) assert.ok(Math.abs(at.launcher[i] - plain.launcher[i]) <= 2, `launcher at ${zoom}: ${at.launcher}`);
    assert.ok(at.launcher[1] + at.launcher[3] <= at.free, `at ${zoom} the launcher lies on the bar: ${at.launcher}, ${at.free}`);
  }
}

test("a page that is zoomed by its style zooms neither launcher nor dialog", () => unmoved(browser, "chromium", zooms));
test("nor in Firefox", { skip: noFirefox }, async () => {
  const firefox = await launchFirefox();
  try {
    await unmoved(firefox, "firefox", [0.8, 1.25, 2]);
  } finally {
    await firefox.close();
  }
});
