// One candidate: load, rest, tap, use. Twice on a fresh page: slowed down, for the times a visitor sees, and at full
// speed with a trace, for the work of the main thread.

import { probe } from "./probe.js";
import { blocking, categories, tasks, used } from "./trace.js";
import { NetworkLog, stages, weigh } from "./network.js";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const slow = 4;
/** A page that asks for nothing this long, in milliseconds, is at rest. */
const calm = 500;
/** A page that takes longer than this, in milliseconds, is given up, and the run with it. */
const patience = 90_000;

export async function measure(browser, candidate, siteUrl) {
  const seen = await visit(browser, candidate, siteUrl, slow);
  const traced = await visit(browser, candidate, siteUrl, 1, true);
  const all = tasks(traced.trace, siteUrl, slow);
  const resting = blocking(all, 0, traced.clicked ?? traced.rested);
  const sample = {
    candidate: candidate.name,
    problems: [...seen.problems, ...traced.problems],
    lcp: seen.lcp,
    shift: Math.max(seen.shift, traced.shift),
    blocking: resting.excess,
    ownBlocking: resting.own,
    before: weigh(seen.before),
  };
  if (!candidate.launcher) return sample;
  const files = seen.opened.filter((one) => one.method === "GET" && one.kind !== "Image");
  return {
    ...sample,
    launcher: seen.launcherAt - seen.asked,
    launcherUsed: used(all, traced.asked, traced.launcherAt),
    launcherSinceStart: seen.launcherAt,
    usable: seen.usableAt - seen.clicked,
    usableUsed: used(all, traced.clicked, traced.usableAt),
    firstFrame: seen.firstFrame,
    delay: Math.max(0, ...seen.delays),
    shiftAtOpening: Math.max(seen.shiftAtOpening, traced.shiftAtOpening),
    atOpening: blocking(all, traced.clicked, traced.now),
    opened: { ...weigh(seen.opened), files: files.length, stages: stages(files) },
  };
}

/** Everything one page load shows. */
async function visit(browser, candidate, siteUrl, rate, traced) {
  const context = await browser.newContext({ ...phone, locale: "en-US" });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  const network = new NetworkLog(cdp, siteUrl);
  let timer;
  // What is waited for inside a page has no limit of its own.
  const overdue = new Promise((_, reject) => {
    const given = () => reject(new Error(`the page did not get on; under way: ${network.pending().join(" ") || "nothing"}`));
    timer = setTimeout(given, patience);
  });
  try {
    await cdp.send("Emulation.setCPUThrottlingRate", { rate });
    return await Promise.race([watch(browser, page, network, candidate, siteUrl, traced), overdue]);
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

async function watch(browser, page, network, { page: name, launcher, until, saver, stays }, siteUrl, traced) {
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.addInitScript(probe, { launcher, until, saver });
  if (traced) await browser.startTracing(page, { categories });
  await page.goto(`${siteUrl}/?with=${name}`, { waitUntil: "load" });
  if (launcher) await page.evaluate(() => bench.launcher);
  if (stays) await page.waitForFunction(() => performance.getEntriesByType("resource").some((one) => one.name.endsWith(".wasm")));
  await atRest(page, network);
  const before = network.take();
  const rested = await page.evaluate(() => performance.now());
  if (launcher) await use(page, network, until);
  const opened = network.take();
  const seen = await page.evaluate(figures);
  const trace = traced && (await browser.stopTracing());
  return { ...seen, problems, before, opened, rested, trace };
}

/** Taps the launcher as a finger does, and waits until what opened can be used. */
async function use(page, network, until) {
  const box = await page.evaluate(() => bench.box());
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => bench.usable);
  await atRest(page, network);
  if (!until.focus) return;
  // A field that has the focus and takes no letter would be a picture of a dialog.
  await page.keyboard.type("1");
  await page.waitForFunction(() => bench.value() === "1");
}

/** In the page: what was seen, the time now, and when the first thing that is not the contractor's own was asked for. */
function figures() {
  const entries = performance.getEntriesByType("resource");
  const foreign = entries.filter((one) => !one.name.startsWith(location.origin)).map((one) => one.startTime);
  return { ...bench, launcher: null, usable: null, now: performance.now(), asked: Math.min(...foreign) };
}

/** Nothing that waits for an idle moment, and nothing under way on the network. */
async function atRest(page, network) {
  const idle = () => page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await idle();
  await network.quiet(calm);
  await idle();
}
