// A hundred openings and closings: the page is afterwards what it was before.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { trackResources, resourcesReleased, heldResources } from "./harness/leaks.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";

const rounds = 100;
const pages = {};

const limits = { sessions_per_visitor: 10_000, suggestions_per_visitor: 10_000, roofs_per_visitor: 10_000 };
const { shingle, browser, closing } = await setUp({ limits });
const site = closing(await staticSite(pages));
const widget = await shingle.widget();
pages["/"] = {
  html: pageOf({
    html: `class="site dark" style="scroll-behavior: auto; overflow-y: scroll"`,
    head: `<style>body{margin:20px}</style>${widget.widgetScript}`,
    body: `<input aria-label="Search this site" style="position: fixed; top: 0; right: 0"><p>${"A line of the page.<br>".repeat(200)}</p>`,
  }),
};

/** What belongs to the page, and what has the focus in it. */
const state = (page) =>
  page.evaluate(() => {
    const attributes = (node) => [...node.attributes].map((a) => `${a.name}=${a.value}`).sort();
    const { activeElement: at } = document;
    return {
      html: attributes(document.documentElement),
      body: attributes(document.body),
      scroll: [scrollX, scrollY],
      focus: at?.shadowRoot?.activeElement?.localName ?? at?.getAttribute("aria-label") ?? at?.localName,
      sheets: document.adoptedStyleSheets.length,
      width: document.documentElement.clientWidth,
      children: document.body.children.length,
    };
  });

/** Ways in and out. Each ends with the flow closed. */
const ways = [
  async ({ page, flow }) => {
    await flow.launcher.click();
    await flow.address.waitFor();
    await page.keyboard.press("Escape");
  },
  async ({ page, flow }) => {
    await page.evaluate(() => window.shingle.open());
    await flow.address.waitFor();
    await page.evaluate(() => window.shingle.close());
  },
  // Gone again before the flow is there.
  async ({ page }) => page.evaluate(() => (window.shingle.open(), window.shingle.close())),
  async ({ page, flow }) => {
    await page.evaluate(() => window.shingle.toggle());
    await flow.address.waitFor();
    await page.getByRole("dialog").getByRole("button", { name: /close/i }).click();
  },
  // A page that navigates on its own meanwhile.
  async ({ page, flow }) => {
    await flow.launcher.click();
    await flow.address.waitFor();
    await page.evaluate(() => history.replaceState({ page: Math.random() }, "", `?${Math.random()}`));
    await page.keyboard.press("Escape");
  },
];

async function arrive(prepare) {
  const visitor = await newVisitor(browser, "desktop");
  await prepare?.(visitor.page.context());
  await visitor.page.goto(site.url);
  const flow = new Flow(visitor.page);
  await flow.launcher.waitFor();
  const cycle = async (round) => {
    await ways[round % ways.length]({ page: visitor.page, flow });
    await flow.address.waitFor({ state: "detached" });
    await visitor.page.waitForFunction(() => !document.adoptedStyleSheets.length && !history.state?.shingle);
  };
  return { ...visitor, flow, cycle };
}

test(`after ${rounds} openings the page's styles, place, focus and history are what they were`, async () => {
  const origin = new URL(shingle.url).origin;
  const { page, flow, cycle, problems, leave } = await arrive((context) => trackResources(context, origin));
  await page.evaluate(() => scrollTo(0, 1234));
  await cycle(0);
  const [was, heldBefore] = [await state(page), await heldResources(page)];
  assert.deepEqual(was.scroll, [0, 1234]);
  const entries = await page.evaluate(() => history.length);
  for (let round = 1; round <= rounds; round++) {
    await cycle(round);
    const now = await state(page);
    // Focus comes back to what had it: the launcher, or what it was opened from.
    assert.deepEqual({ ...now, focus: was.focus }, was, `after round ${round}`);
  }
  assert.deepEqual(await heldResources(page), heldBefore, "no listener more than after the first");
  assert.equal(await page.evaluate(() => history.length), entries);

  await page.getByLabel("Search this site").focus();
  await page.evaluate(() => window.shingle.open());
  await flow.address.waitFor();
  await page.keyboard.press("Escape");
  await flow.address.waitFor({ state: "detached" });
  const last = await state(page);
  assert.equal(last.focus, "Search this site", "the focus is back in the page's own field");
  assert.deepEqual(last.scroll, [0, 1234]);

  await page.evaluate(() => window.shingle.destroy());
  await resourcesReleased(page);
  const left = await heldResources(page);
  assert.deepEqual([left.listeners, left.observers, left.intervals, left.sheets, left.hosts], [[], [], 0, 0, 0]);
  assert.deepEqual(problems, []);
  await leave();
});

/** Opens, goes as far as the roof, closes, and waits until nothing of it is left. */
async function stepAndUnwind(page, flow) {
  await flow.open();
  await flow.address.fill("");
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.yes.waitFor();
  await page.evaluate(() => window.shingle.close());
  await flow.yes.waitFor({ state: "detached" });
  // Else the next opening takes up where this one ended.
  await page.evaluate(() => [sessionStorage, localStorage].forEach((storage) => storage.clear()));
  await page.waitForFunction(() => !document.adoptedStyleSheets.length && !history.state?.shingle);
}

test("steps taken and unwound leave nothing behind the page in the history, and the page where it was", async () => {
  const { page, flow, problems, leave } = await arrive();
  const entries = await page.evaluate(() => history.length);
  const place = page.url();
  for (let round = 0; round < 5; round++) {
    await stepAndUnwind(page, flow);
  }
  const now = await page.evaluate(() => history.length);
  // What Forward led to stays: the dialog, and its second step.
  assert.ok(now <= entries + 2, `${entries} entries before, ${now} after`);
  assert.equal(page.url(), place);
  assert.deepEqual(problems, []);
  await leave();
});

test(`${rounds} openings and a walk to the roof in each tenth cost less than a megabyte`, async () => {
  const { page, flow, cycle, problems, leave } = await arrive(async (context) => {
    // The module's own memory is not part of the script engine's heap.
    await context.addInitScript(() => {
      for (const name of ["instantiate", "instantiateStreaming"]) {
        const real = WebAssembly[name];
        WebAssembly[name] = async (...what) => {
          const made = await real.apply(WebAssembly, what);
          window[Symbol.for("memory")] = (made.instance ?? made).exports.memory;
          return made;
        };
      }
    });
  });
  const devtools = await page.context().newCDPSession(page);
  const weigh = async () => {
    // Twice: what only finalizers keep goes with the second.
    for (let time = 0; time < 2; time++) await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    const { nodes, jsEventListeners } = await devtools.send("Memory.getDOMCounters");
    const module = await page.evaluate(() => window[Symbol.for("memory")].buffer.byteLength);
    return { heap: usedSize, module, nodes, listeners: jsEventListeners };
  };
  const walk = async (round) => {
    if (round % 10) return cycle(round);
    await stepAndUnwind(page, flow);
  };
  // What is made once is made now: code is compiled, fonts are read, the module has its memory.
  for (let round = 0; round < 20; round++) await walk(round);
  const before = await weigh();
  for (let round = 0; round < rounds; round++) await walk(round);
  const after = await weigh();
  const grown = Object.fromEntries(Object.keys(before).map((name) => [name, after[name] - before[name]]));
  console.log(`grown after ${rounds} openings: ${JSON.stringify(grown)}`);
  assert.ok(grown.heap < 1 << 20, `the heap by ${grown.heap} bytes`);
  assert.ok(grown.module < 1 << 20, `the module's memory by ${grown.module} bytes`);
  assert.ok(grown.nodes < rounds, `${grown.nodes} nodes`);
  assert.ok(grown.listeners < rounds, `${grown.listeners} listeners`);
  assert.deepEqual(problems, []);
  await leave();
});

/** The page's own address and entries, once nothing of ours is in the history any more. */
async function unwound(page, flow) {
  await flow.address.waitFor({ state: "detached" });
  await page.waitForFunction(() => !history.state?.shingle);
  return page.evaluate(() => [location.href, history.length, history.state, scrollY]);
}

test("Back goes through the steps, then closes the dialog, and leaves the site only after that", async () => {
  const { page, flow, problems, leave } = await arrive();
  await page.evaluate(() => history.pushState({ page: 2 }, "", "?page=2"));
  const place = page.url();
  const entries = await page.evaluate(() => history.length);
  await flow.open();
  assert.equal(await page.evaluate(() => history.length), entries + 1, "opening adds one entry");
  await flow.pick("14 Alder Co", /14 Alder Court/);
  await flow.yes.waitFor();
  await page.goBack();
  await flow.address.waitFor();
  await page.goForward();
  await flow.yes.waitFor();
  await page.goBack();
  await flow.address.waitFor();
  await page.goBack();
  await flow.address.waitFor({ state: "detached" });
  assert.equal(page.url(), place);
  assert.deepEqual(await page.evaluate(() => history.state), { page: 2 }, "the page is at its own entry");
  assert.equal(await page.locator("dialog").count(), 0);
  await flow.open();
  assert.match(await flow.address.inputValue(), /14 Alder Court/, "what was typed is kept");
  await page.goBack();
  await flow.address.waitFor({ state: "detached" });
  await page.goBack();
  assert.equal(page.url(), site.url, "the next Back is the page's");
  assert.deepEqual(problems, []);
  await leave();
});

test("closed by its button, after a reload too, the dialog leaves no entry of its own", async () => {
  const { page, flow, problems, leave } = await arrive();
  const close = () => page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
  await flow.open();
  await close();
  const [place, entries] = await unwound(page, flow);
  await flow.open();
  await page.reload();
  await flow.launcher.waitFor();
  await flow.open();
  assert.equal(await page.evaluate(() => history.length), entries, "the entry from before the reload is used again");
  await close();
  assert.deepEqual((await unwound(page, flow)).slice(0, 2), [place, entries]);
  assert.deepEqual(problems, []);
  await leave();
});

test("a page that changes its address meanwhile keeps the new one", async () => {
  const { page, flow, problems, leave } = await arrive();
  const [, entries] = [await flow.open(), await page.evaluate(() => history.length)];
  await page.evaluate(() => history.replaceState({ page: "replaced" }, "", "?replaced"));
  await page.evaluate(() => window.shingle.close());
  await flow.address.waitFor({ state: "detached" });
  await page.waitForFunction(() => location.search == "?replaced" && history.state?.page == "replaced");
  await flow.open();
  await page.evaluate(() => history.pushState({ page: "pushed" }, "", "?pushed"));
  await page.evaluate(() => window.shingle.close());
  await flow.address.waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).search, "?pushed");
  assert.equal(await page.evaluate(() => history.length), entries + 1);
  assert.deepEqual(problems, []);
  await leave();
});
