// Leads over a connection that fails, by people who click twice and close their tabs. `SHINGLE_SUBMITS=1000` sends more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { seededRandom, faultyProxy } from "./harness/faulty-proxy.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { submitLeads } from "./fixtures/submit-leads.js";
import { pageOf } from "./fixtures/host-pages.js";

const total = Number(process.env.SHINGLE_SUBMITS ?? 120);
const visitors = 4;
const tabs = 1;
const share = 0.3;
/** Small and still: nobody looks. */
const tab = { locale: "en-US", viewport: { width: 320, height: 240 }, reducedMotion: "reduce" };
const pages = {};

// As an operator would for a load test: the limits are of one neighborhood, and all of ours live in one.
const limits = Object.fromEntries(
  ["sessions_per_visitor", "suggestions_per_visitor", "suggestions_per_widget", "roofs_per_visitor", "roofs_per_widget",
    "leads_per_visitor", "leads_per_widget", "suggestions_per_visitor_a_day", "suggestions_per_widget_a_day",
    "roofs_per_visitor_a_day", "roofs_per_widget_a_day", "leads_per_visitor_a_day", "leads_per_widget_a_day", "leads_per_account_a_day"].map((name) => [name, 1_000_000]));
const proxy = await faultyProxy({ port: () => shingle.port, share, matches: (path) => path.endsWith("/leads"), seed: 4 });
const { shingle, browser, closing } = await setUp({ limits, publicUrl: proxy.url });
closing(proxy);
const site = closing(await staticSite(pages));
const widget = await shingle.widget();
pages["/"] = { html: pageOf({ head: widget.widgetScript }) };

test(`of ${total} leads, ${share * 100} % of them failing at first, none is lost and none arrives twice`, async () => {
  const random = seededRandom(7);
  const people = Array.from({ length: total }, (_, number) => ({
    first: "Dana",
    last: "Whitfield",
    email: `dana.${number}@example.com`,
    phone: `207${String(5_550_000 + number)}`,
    clicks: 1 + Math.floor(random() * 3),
    closes: random() < 0.06,
  }));
  const sent = new Set();
  let closed = 0;

  /** One tab after another, until all people are served. */
  async function openTabs(context) {
    let running = true;
    while (running) {
      const page = await context.newPage();
      let person;
      await page.exposeFunction("next", () => (person = people.pop()) ?? null);
      await page.exposeFunction("done", () => {});
      const leaves = new Promise((gone) =>
        page.exposeFunction("sending", (email) => {
          sent.add(email);
          if (person.closes) gone("closed");
        }));
      await page.goto(site.url);
      await page.waitForFunction(() => window.shingle?.open);
      // The tab may be closed under it.
      const drives = page.evaluate(submitLeads).then(() => "served", (error) => (page.isClosed() ? "closed" : error));
      const ended = await Promise.race([drives, leaves]);
      if (ended instanceof Error) throw ended;
      running = ended === "closed";
      if (running) closed++;
      await page.close();
    }
  }

  const contexts = await Promise.all(Array.from({ length: visitors }, () => browser.newContext(tab)));
  await Promise.all(contexts.flatMap((context) => Array.from({ length: tabs }, () => openTabs(context))));

  // The next visit, on a good day: what was left is sent automatically.
  proxy.armed = false;
  for (const context of contexts) {
    const page = await context.newPage();
    await page.goto(site.url);
    await page.waitForFunction((id) => !Object.keys(localStorage).some((name) => name.startsWith(`shingle:${id}:`)),
      widget.referenceId, { polling: 100, timeout: 60_000 });
  }

  const counts = new Map([...sent].map((email) => [email, 0]));
  for (const { email } of await shingle.leads()) counts.set(email, (counts.get(email) ?? 0) + 1);
  const lost = [...counts].filter(([, count]) => count === 0);
  const double = [...counts].filter(([, count]) => count > 1);
  const injected = Object.values(proxy.injected).reduce((sum, n) => sum + n, 0);
  console.log(`${sent.size} leads, ${lost.length} lost, ${double.length} double; ${injected} of ${injected + proxy.passed} requests ` +
    `failed on purpose: ${JSON.stringify(proxy.injected)}; ${closed} tabs closed while sending`);
  assert.deepEqual([lost, double], [[], []]);
  assert.equal(sent.size, total);
  assert.ok(Object.values(proxy.injected).every((n) => n > 0) && closed > 0, "every kind of failure happened");
});
