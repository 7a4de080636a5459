// From the link of a new server to a priced real home, on a phone and without scripts; then Towns.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { violations } from "./harness/accessibility.js";
import { areaBucket, bucketProgram, localSources } from "./harness/area-bucket.js";
import { newVisitor, picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

const skip = existsSync(bucketProgram) ? false : "skipped: no area-bucket beside the binary";

/** A new server beside a bucket of its own. */
async function besideABucket() {
  let bucket;
  const started = await setUp({ env: localSources, before: async (it) => (bucket = await areaBucket(it)) });
  return { ...started, bucket: started.closing(bucket) };
}
const [withScripts, without] = skip ? [] : [await besideABucket(), await besideABucket()];

/** From the setup link to the step of the area. */
async function toArea(page, shingle) {
  await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
  await page.getByLabel("Your name").fill("Maya Lindqvist");
  await page.getByLabel("Email").first().fill("maya@quillback.example");
  await page.getByLabel("Company").first().fill("Quillback Roofing");
  await page.getByRole("button", { name: /^(Create my account|Continue with recovery codes)$/ }).first().click();
  await page.getByLabel("I have kept them. You won’t see them again.").check();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("link", { name: "Set up without one" }).click();
  await page.getByLabel(/^Phone$/).fill("(207) 555-0143");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("heading", { name: "What do you charge?" }).waitFor();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("heading", { name: "Where do you work?" }).waitFor();
}

test("a ZIP becomes priced homes on a phone", { skip }, async () => {
  const { shingle, browser, bucket } = withScripts;
  const { page, picture, problems, leave } = await newVisitor(browser, "phone");
  await toArea(page, shingle);
  await picture("area-1-where");
  assert.deepEqual(await violations(page), []);

  await page.getByLabel("ZIP or town").fill("00000");
  await page.getByRole("button", { name: "Show this area" }).click();
  await page.getByText("There is no ZIP 00000.", { exact: true }).waitFor();
  assert.ok(await page.getByLabel("ZIP or town").evaluate((it) => it === document.activeElement), "back to the field");
  await page.getByLabel("ZIP or town").fill("04101");
  await page.getByLabel("How far do you drive?").selectOption({ label: "5 miles" });
  await page.getByRole("button", { name: "Show this area" }).click();
  await page.getByRole("heading", { name: "About 600 addresses and 600 buildings" }).waitFor();
  await page.getByRole("img", { name: /^Map: 04101 \+ 5 mi\./ }).waitFor();
  await picture("area-2-plan");
  assert.deepEqual(await violations(page), []);

  await bucket.tell("hold", "type=building");
  await page.getByRole("button", { name: "Load these homes" }).click();
  await page.getByRole("heading", { name: "Loading your homes" }).waitFor();
  await page.getByRole("progressbar").first().waitFor();
  await picture("area-3-loading");
  assert.deepEqual(await violations(page), []);
  // The page is left: the bar goes along.
  await page.getByRole("link", { name: "Go on while it loads" }).click();
  await page.getByRole("heading", { name: "Your estimate page is live" }).waitFor();
  await page.getByText(/^Loading homes, \d+%$/).waitFor();
  await picture("area-4-bar");
  await bucket.tell("release");
  await page.getByText("Loading has ended").waitFor();

  await page.getByRole("link", { name: "Back", exact: true }).click();
  await page.getByRole("heading", { name: "Your homes are in" }).waitFor();
  await page.getByText("600 homes have an outline (100%).", { exact: false }).waitFor();
  await picture("area-5-homes");
  assert.deepEqual(await violations(page), []);
  const links = page.getByRole("link", { name: /^Try .*Portland, ME 04101$/ });
  assert.equal(await links.count(), 3);
  const to = await links.first().evaluate((it) => it.href);

  await page.goto(`${shingle.url}/portal/start?step=6`);
  await page.getByText(/Portland, ME 04101/).first().waitFor();
  await page.getByRole("button", { name: "Send test lead" }).click();
  await page.getByRole("heading", { name: "You’re ready for leads" }).waitFor();
  await page.getByRole("link", { name: "Open it" }).first().click();
  await page.getByText(/Portland, ME 04101/).first().waitFor();
  await picture("area-6-lead");
  await page.goto(to);
  await page.getByText(/Portland/).first().waitFor();
  await picture("area-7-home");

  await bucket.tell("publish", "2026-11-18.0", 590);
  await page.goto(`${shingle.url}/portal/towns`);
  await page.getByRole("button", { name: "Check for new data" }).click();
  await page.getByText("There is new data.").waitFor();
  await page.getByRole("button", { name: "Load changes" }).click();
  await page.getByText(/^590 homes, 100% with an outline\. Release 2026-11-18\.0/).waitFor();
  await picture("area-8-towns");
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(problems.filter((line) => !/422/.test(line)), []);
  await leave();
});

test("a ZIP becomes priced homes without a script", { skip }, async () => {
  const { shingle, browser } = without;
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  // The key is behind # of the link, where only a script can read it.
  const key = new URL(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]).hash.slice(1);
  await page.goto(`${shingle.url}/setup`);
  await page.locator("[name=token]").fill(key);
  await page.getByLabel("Your name").fill("Maya Lindqvist");
  await page.getByLabel("Email").first().fill("maya@quillback.example");
  await page.getByLabel("Company").first().fill("Quillback Roofing");
  await page.getByRole("button", { name: /^(Create my account|Continue with recovery codes)$/ }).first().click();
  await page.goto(`${shingle.url}/portal/start?step=2&site=none`);
  await page.getByLabel(/^Phone$/).fill("(207) 555-0143");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByLabel("ZIP or town").fill("04101");
  await page.getByLabel("How far do you drive?").selectOption({ label: "5 miles" });
  await page.getByLabel("Show photos from the air (USDA, public domain)").check();
  await page.getByRole("button", { name: "Show this area" }).click();
  await page.getByText(/^Photos from the air: USGS NAIP Plus, July 2023\. About /).waitFor();
  await page.getByRole("button", { name: "Load these homes" }).click();
  for (let left = 600; left && !(await page.getByRole("heading", { name: "Your homes are in" }).count()); left--) {
    await page.getByRole("link", { name: "Reload" }).click();
  }
  await page.getByRole("heading", { name: "Your homes are in" }).waitFor();
  const tries = page.getByRole("link", { name: /^Try .*Portland, ME 04101$/ });
  assert.equal(await tries.count(), 3);
  // The home that is tried lies on the photograph, and the drawing can be had without it.
  await page.goto(await tries.first().evaluate((it) => it.href));
  await page.getByRole("radio", { name: "Photo from July 2023" }).waitFor();
  const shown = () => page.locator(".aerial").evaluate((it) => [getComputedStyle(it).opacity, it.href.baseVal]);
  const [opacity, photo] = await shown();
  assert.equal(opacity, "1");
  const answer = await page.request.get(new URL(photo, page.url()).href);
  assert.deepEqual([answer.status(), answer.headers()["content-type"]], [200, "image/webp"]);
  await picture(page, "area-photo");
  await page.getByText("Drawing", { exact: true }).click();
  assert.equal((await shown())[0], "0");
  await context.close();
});
