// How soon a phone with a slow processor paints the list of leads, beside the page that homeowners get from the same server:
// `node tests/browser/bench/portal.js [ROUNDS]`, with SHINGLE_BINARY a release build. Of the times only the ratio means something. Then
// the bytes of every page of an owner and of what all pages load, as they are sent to a browser that takes brotli.

import http from "node:http";
import { launch, sizes } from "../harness/browser.js";
import { sendLead } from "../harness/send-lead.js";
import { Shingle } from "../harness/shingle.js";

const rounds = Number(process.argv[2] ?? 15);
const leads = 50;
const slow = 4;
const limits = Object.fromEntries(["sessions_per_visitor", "leads_per_visitor", "leads_per_widget", "leads_per_visitor_a_day"].map((name) => [name, 10_000]));
const files = ["portal.css", "portal.js", "manifest.webmanifest", "worker.js", "icon.svg"];
const byOwners = ["leads?data=sandbox", "leads/board?data=sandbox", "leads/filters?data=sandbox", "results?data=sandbox", "widgets", "widgets/new", "notices",
  "phone", "connections", "connections/new?of=webhook", "towns", "usage", "usage/statement", "keys", "people", "settings", "consents", "audit", "start", "more"];

/** Of the body, as it is sent. */
const bytesOf = (url, cookie) => new Promise((done, failed) => {
  http.get(url, { headers: { cookie, "accept-encoding": "br", accept: "text/html,*/*", "sec-fetch-site": "same-origin" } }, (answer) => {
    let bytes = 0;
    answer.on("data", (part) => (bytes += part.length));
    answer.on("end", () => (answer.statusCode === 200 ? done(bytes) : failed(new Error(`${answer.statusCode} at ${url}`))));
  }).on("error", failed);
});

const shingle = await Shingle.start({ limits });
const browser = await launch();
try {
  const widget = await shingle.widget();
  const at = `${shingle.url}/w/${widget.hostedPageLink.split("/w/")[1]}`;
  for (let number = 0; number < leads; number++) {
    await sendLead(shingle, widget, { firstName: "Dana", lastName: `Whitfield ${number}`, email: `dana.${number}@example.com` });
  }
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "owner");
  const first = await browser.newContext();
  const join = await first.newPage();
  await join.goto(shingle.url + new URL(link).pathname + new URL(link).search);
  await join.getByLabel("Your name").fill("Tomas Okafor");
  await join.getByLabel("Email").fill("tomas@quillback.example");
  await join.getByRole("button", { name: "Join", exact: true }).click();
  await join.waitForLoadState();
  const storageState = await first.storageState();
  await first.close();

  const pages = { inbox: `${shingle.url}/portal/leads?data=sandbox`, hosted: at };
  const paints = { inbox: [], hosted: [] };
  // The first round warms both and counts for nothing; who is first changes with every round.
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 ? ["inbox", "hosted"] : ["hosted", "inbox"]) {
      const context = await browser.newContext({ ...sizes.phone, storageState });
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: slow });
      await page.goto(pages[name], { waitUntil: "load" });
      const paint = await page.evaluate(() => new Promise((seen) =>
        new PerformanceObserver((list) => seen(list.getEntriesByName("first-contentful-paint")[0]?.startTime)).observe({ type: "paint", buffered: true })));
      if (name === "inbox" && !round) console.log(`the list shows ${await page.locator(".leads tbody tr").count()} leads`);
      if (round) paints[name].push(paint);
      await context.close();
    }
  }
  const median = (of) => of.sort((a, b) => a - b)[of.length >> 1];
  const [inbox, hosted] = [median(paints.inbox), median(paints.hosted)];
  console.log(`first paint, processor ${slow} times slower, medians of ${rounds}: list of leads ${inbox.toFixed(0)} ms, hosted page ${hosted.toFixed(0)} ms, ratio ${(inbox / hosted).toFixed(2)}`);
  const cookie = storageState.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const read = async (path) => (await fetch(`${shingle.url}/portal/${path}`, { headers: { cookie } })).text();
  const lead = (await read("leads?data=sandbox")).match(/leads\/[0-9a-f-]{36}\?data=sandbox/)[0];
  for (const path of [...files, ...byOwners, lead]) {
    console.log(`${String(await bytesOf(`${shingle.url}/portal/${path}`, cookie)).padStart(7)} bytes  /portal/${path}`);
  }
} finally {
  await browser.close();
  await shingle.stop();
}
