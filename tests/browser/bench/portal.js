// How soon a phone with a slow processor paints the list of leads, beside the page that homeowners get from the same server: the first
// paint at all, and the first that shows a text.
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

const byWidget = ["", "/versions", "/sheet"];
const byOperators = ["operator", "operator/accounts/new", "operator/imports", "operator/health", "operator/audit"];

/** Of the body, as it is sent. */
const bytesOf = (url, cookie) => new Promise((done, failed) => {
  http.get(url, { headers: { cookie, "accept-encoding": "br", accept: "text/html,*/*", "sec-fetch-site": "same-origin" } }, (answer) => {
    let bytes = 0;
    answer.on("data", (part) => (bytes += part.length));
    answer.on("end", () => (answer.statusCode === 200 ? done(bytes) : failed(new Error(`${answer.statusCode} at ${url}`))));
  }).on("error", failed);
});

// As talkative as an operator has it: the log of the tests takes longer than the answer.
const shingle = await Shingle.start({ limits, env: { SHINGLE_LOG: "info" } });
const browser = await launch();
try {
  const widget = await shingle.widget();
  const at = `${shingle.url}/w/${widget.hostedPageLink.split("/w/")[1]}`;
  for (let number = 0; number < leads; number++) {
    await sendLead(shingle, widget, { firstName: "Dana", lastName: `Whitfield ${number}`, email: `dana.${number}@example.com` });
  }
  const signedIn = async (name, ...as) => {
    const { link } = await shingle.command("invite", ...as);
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(shingle.url + new URL(link).pathname + new URL(link).search);
    await page.getByLabel("Your name").fill(name);
    await page.getByLabel("Email").fill(`${name.split(" ")[0].toLowerCase()}@quillback.example`);
    await page.getByRole("button", { name: "Join", exact: true }).click();
    await page.waitForLoadState();
    const state = await context.storageState();
    await context.close();
    return state;
  };
  const newWidget = async (state) => {
    const context = await browser.newContext({ storageState: state });
    const page = await context.newPage();
    await page.goto(`${shingle.url}/portal/widgets/new`);
    const typed = { "Company name": "Quillback Roofing", Phone: "207.555.0143", Email: "office@quillback.example",
      Website: "https://quillback.example", Address: "12 Alder Court, Portland, ME 04101", "Privacy policy": "https://quillback.example/privacy" };
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await page.getByText("Your widget is ready.").waitFor();
    const path = new URL(page.url()).pathname.match(/widgets\/[0-9a-f-]{36}/)[0];
    await context.close();
    return path;
  };
  const storageState = await signedIn("Tomas Okafor", "--account", shingle.account, "--role", "owner");

  const pages = { inbox: `${shingle.url}/portal/leads?data=sandbox`, hosted: at };
  const kinds = ["first-paint", "first-contentful-paint"];
  const paints = Object.fromEntries(kinds.map((kind) => [kind, { inbox: [], hosted: [] }]));
  // The first round warms both and counts for nothing; who is first changes with every round.
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 ? ["inbox", "hosted"] : ["hosted", "inbox"]) {
      const context = await browser.newContext({ ...sizes.phone, storageState });
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await cdp.send("Emulation.setCPUThrottlingRate", { rate: slow });
      await page.goto(pages[name], { waitUntil: "load" });
      const seen = await page.evaluate((kinds) => Promise.all(kinds.map((kind) => new Promise((seen) =>
        new PerformanceObserver((list) => list.getEntriesByName(kind).forEach(({ startTime }) => seen(startTime)))
          .observe({ type: "paint", buffered: true })))), kinds);
      if (name === "inbox" && !round) console.log(`the list shows ${await page.locator(".leads tbody tr").count()} leads`);
      if (round) kinds.forEach((kind, at) => paints[kind][name].push(seen[at]));
      await context.close();
    }
  }
  const median = (of) => of.sort((a, b) => a - b)[of.length >> 1];
  console.log(`processor ${slow} times slower, medians of ${rounds}:`);
  for (const kind of kinds) {
    const [inbox, hosted] = [median(paints[kind].inbox), median(paints[kind].hosted)];
    console.log(`${kind}: list of leads ${inbox.toFixed(0)} ms, hosted page ${hosted.toFixed(0)} ms, ratio ${(inbox / hosted).toFixed(2)}`);
  }
  const cookieOf = (state) => state.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const weigh = async (paths, cookie) => {
    for (const path of paths) console.log(`${String(await bytesOf(`${shingle.url}/portal/${path}`, cookie)).padStart(7)} bytes  /portal/${path}`);
  };
  const cookie = cookieOf(storageState);
  const first = async (path, pattern) => (await (await fetch(`${shingle.url}/portal/${path}`, { headers: { cookie } })).text()).match(pattern)[0];
  const lead = await first("leads?data=sandbox", /leads\/[0-9a-f-]{36}\?data=sandbox/);
  const made = await newWidget(storageState);
  await weigh([...files, ...byOwners, lead, ...byWidget.map((page) => made + page)], cookie);
  const operator = cookieOf(await signedIn("Ada Brandt", "--operator"));
  await weigh([...byOperators, `operator/accounts/${shingle.account}`], operator);
} finally {
  await browser.close();
  await shingle.stop();
}
