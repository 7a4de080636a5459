// Behind a busy widget: the visitor's browser does the work that the server asks for, and the visitor sees nothing of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newVisitor } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { staticSite } from "./harness/site.js";
import { pageOf } from "./fixtures/host-pages.js";

const pages = {};
const { shingle, browser, closing } = await setUp({ limits: { suggestions_per_widget: 6, roofs_per_widget: 1, leads_per_widget: 1 } });
const site = closing(await staticSite(pages));
const ours = new URL(shingle.url).origin;
const withoutWorkers = `default-src 'self'; script-src 'self' ${ours} 'wasm-unsafe-eval'; connect-src 'self' ${ours}; ` +
  `img-src 'self' ${ours}; style-src 'self'; worker-src 'none'`;

/** From the address to the estimate; how often each path was asked for, with the status, and how many workers there were. */
async function complete(url, launches, email) {
  const visitor = await newVisitor(browser, "desktop");
  const { page } = visitor;
  const seen = { answers: [], workers: 0, paused: 0 };
  page.on("response", (answer) => seen.answers.push(`${answer.status()} ${new URL(answer.url()).pathname.replace(/^\/w\/[^/]+/, "")}`));
  page.on("worker", () => seen.workers++);
  await page.clock.install();
  await page.goto(url);
  const flow = new Flow(page);
  if (launches) await flow.open();
  await flow.pick("14 Alder", /14 Alder Court/);
  await flow.confirmRoof();
  await flow.fillDetails({ first: "Dana", last: "Whitfield", email });
  // A form that is filled in at once was filled in by a program.
  await page.clock.fastForward(5_000);
  seen.paused = await page.getByRole("button", { name: "Try now" }).count();
  // A script that is fetched and then imported is seen twice. The estimate brings another one.
  const scripts = new Set(seen.answers.filter((one) => /^200 \/runtime\/\w+\.js$/.test(one)));
  await flow.showEstimate.click();
  await flow.estimateShown();
  await visitor.leave();
  const count = (answer) => seen.answers.filter((one) => one === answer).length;
  return { ...seen, count, scripts: scripts.size };
}

for (const [place, launches, policy, works] of [
  ["a page", true, undefined, 1],
  ["a page that forbids workers", true, withoutWorkers, 0],
  ["the hosted page", false, undefined, 1],
]) {
  test(`the second visitor of a busy widget gets the estimate like the first, on ${place}`, async () => {
    const widget = await shingle.widget();
    pages["/"] = { html: pageOf({ head: widget.widgetScript }), headers: policy ? { "content-security-policy": policy } : {} };
    const url = launches ? site.url : widget.hostedPageLink;

    const first = await complete(url, launches, `first.${works}@example.com`);
    assert.deepEqual([first.scripts, first.workers, first.count("200 /roof"), first.count("429 /roof")], [1, 0, 1, 0]);

    const second = await complete(url, launches, `second.${works}@example.com`);
    assert.equal(second.scripts, 2, "the script that works comes when it is needed");
    assert.ok(works ? second.workers > 0 : second.workers === 0, `${second.workers} workers`);
    for (const [path, status] of [["/roof", 200], ["/leads", 201]]) {
      assert.deepEqual([second.count(`429 ${path}`), second.count(`${status} ${path}`)], [1, 1], second.answers.join("\n"));
    }
    assert.equal(second.paused, 0);
    const leads = (await shingle.leads()).filter((lead) => lead.widgetId === widget.referenceId);
    assert.deepEqual(leads.map((lead) => lead.status), ["new", "new"]);
  });
}
