// What visitors do on a contractor's site, as the contractor reads it in the portal: real visitors walk the flow, and the sums
// say how far they came. Nothing of them is sent but the step, the page's path and where they came from.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { newVisitor, picture } from "./harness/browser.js";
import { Flow } from "./harness/flow.js";
import { setUp } from "./harness/setup.js";
import { minimalSite } from "./harness/site.js";
import { walk } from "./harness/walk.js";

const { shingle, browser, closing } = await setUp();
const widget = await shingle.widget();
const site = closing(await minimalSite(widget.widgetScript));
const path = "/portal/results?data=sandbox";
/** A form that is sent sooner than this is taken for a robot's. */
const fastestPerson = 1_500;
const problems = [];
let kept;

async function owner(options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: kept, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  return { page, leave: async () => ((kept = await context.storageState()), context.close()) };
}

/** The figures of one row of a table, by its heading. */
async function row(page, caption, name) {
  const cells = page.getByRole("table", { name: caption }).getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) }).locator("td");
  return (await cells.allInnerTexts()).map((text) => text.split("\n").pop().trim());
}

describe("the results of a company's widgets", { concurrency: false }, () => {
  it("are what visitors did, by step, page and source", async () => {
    const sent = [];
    const walk = async (address, far) => {
      const visitor = await newVisitor(browser, "phone");
      visitor.page.on("request", (request) => request.method() === "POST" && sent.push([new URL(request.url()).pathname, request.postDataJSON()]));
      const flow = new Flow(visitor.page);
      await visitor.page.goto(address);
      await far(flow, visitor.page);
      assert.deepEqual(visitor.problems, []);
      assert.equal((await visitor.page.context().cookies()).length, 0, "no cookie is set");
      await visitor.leave();
    };
    const details = { first: "Dana", last: "Whitfield", email: "dana@example.com", phone: "2075550301", consent: true };
    await walk(`${site.url}?utm_source=Newsletter&utm_content=dana`, async (flow, page) => {
      await flow.open();
      await flow.pick("14 Alder Co", /14 Alder Court/);
      await flow.confirmRoof();
      await flow.fillDetails(details);
      await page.waitForTimeout(fastestPerson);
      await flow.showEstimate.click();
      await flow.estimateShown();
    });
    // Back and forth is one visit.
    await walk(`${site.url}roofs?ref=a`, async (flow, page) => {
      await flow.open();
      await flow.pick("14 Alder Co", /14 Alder Court/);
      await flow.confirmRoof();
      await page.goBack();
      await flow.confirmRoof();
    });
    await walk(site.url, async (flow) => {
      const session = flow.page.waitForResponse(/\/session$/);
      await flow.open();
      await session;
    });
    const steps = sent.filter(([to]) => to.endsWith("/step"));
    assert.deepEqual(steps.map(([, { step }]) => step), ["roof", "details", "roof"]);
    for (const [, body] of steps) assert.deepEqual(Object.keys(body).sort(), ["at", "step"]);
    assert.deepEqual(steps[0][1].at, ["embed", "/", "Newsletter", ""]);

    const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
    const { page, leave } = await owner();
    const invite = new URL(link);
    await page.goto(shingle.url + invite.pathname + invite.search);
    await page.getByLabel("Your name").fill("Tomas Okafor");
    await page.getByLabel("Email").fill("tomas@quillback.example");
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("heading", { name: "Welcome, Tomas Okafor" }).waitFor();
    await page.goto(shingle.url + path);
    await page.getByText("Too few to tell. Opened: 3. Leads: 1.").waitFor();
    for (const [step, count] of Object.entries({ Opened: "3", "Address chosen": "2", "Roof confirmed": "2", "Details started": "1", Lead: "1" })) {
      assert.equal((await row(page, /^From view to lead/, step))[0], count, step);
    }
    assert.deepEqual((await row(page, "By page", "/ (front page)")).slice(0, 2), ["1", "2"]);
    assert.deepEqual((await row(page, "By page", "/roofs")).slice(0, 2), ["0", "1"]);
    assert.deepEqual((await row(page, "By source", "newsletter")).slice(0, 2), ["1", "1"]);
    await picture(page, "portal-results-few", { fullPage: true });
    await page.getByRole("link", { name: "newsletter", exact: true }).press("Enter");
    await page.getByText("Too few to tell. Opened: 1. Leads: 1.").waitFor();
    assert.equal(await page.getByLabel("Source", { exact: true }).inputValue(), "utm:newsletter");
    await leave();
  });

  it("have a chart from thirty on, readable at 320 px and on a desktop, in light, dark and forced colours", async () => {
    for (let n = 0; n < 40; n++) {
      const at = ["embed", n % 3 ? "/" : "/roofs/standing-seam-metal-roofs-in-the-county", "", n % 2 ? "" : "www.search.example"];
      const answer = await fetch(`${shingle.url}/w/${widget.referenceId}/session`, { method: "POST", headers: { origin: new URL(site.url).origin }, body: JSON.stringify({ at }) });
      const { token } = await answer.json();
      const roof = (address, body) => fetch(`${shingle.url}/w/${widget.referenceId}/${address}`, { method: "POST", headers: { origin: new URL(site.url).origin }, body: JSON.stringify(body) });
      if (n < 25) await roof("roof", { token, address: { line: n < 4 ? "12 Elm Street, Biddeford, ME 04005" : "12 Elm Street, Saco, ME 04072" }, at });
      if (n < 20) await roof("step", { step: "roof", at });
    }
    const { page, leave } = await owner();
    await page.goto(shingle.url + path);
    const funnel = page.getByRole("img", { name: /^Funnel\. Opened: 43\. Leads: 1\. 21 visitors left at the contact form\.$/ });
    await funnel.waitFor();
    await page.getByText("62.8% of the previous step").first().waitFor();
    await page.getByRole("img", { name: /most of them in Saco, ME: 21\.$/ }).waitFor();
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const sizes = await page.evaluate(() => [...document.querySelectorAll(".chart text")].filter((text) => text.checkVisibility()).map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a));
      assert.ok(sizes.length > 5 && sizes.every((size) => size >= 12 && size <= 14), `letters of a chart at ${width}: ${sizes}`);
    }
    const opened = async () => {
      for (const summary of await page.getByText("As a table").all()) await summary.click();
    };
    const found = await walk(page, shingle.url, { results: path, towns: "/portal/towns" }, opened);
    assert.deepEqual(found, []);
    await leave();
  });

  it("need no script, and their files are tables", async () => {
    const { page, leave } = await owner({ javaScriptEnabled: false });
    await page.goto(shingle.url + path);
    await page.getByLabel("Period").selectOption("own");
    await page.getByLabel("From", { exact: true }).fill("2020-01-01");
    await page.getByLabel("To", { exact: true }).fill("2020-01-02");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("Too few to tell. Opened: 0. Leads: 0.").waitFor();
    await page.goto(shingle.url + path);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "CSV: By page" }).click()]);
    assert.equal(file.suggestedFilename(), "results-pages.csv");
    await leave();
    assert.deepEqual(problems, []);
  });
});
