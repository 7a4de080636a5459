// An inspection from both sides: booked on a phone by touch and on a desktop by keys alone, moved by either, canceled; without
// a script too.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture, sizes } from "./harness/browser.js";
import { mailServer } from "./harness/mail-server.js";
import { python, pythonPackage } from "./harness/python.js";
import { sendLead } from "./harness/send-lead.js";
import { setUp } from "./harness/setup.js";

const mails = await mailServer();
const { shingle, browser, closing } = await setUp({
  env: { SHINGLE_SMTP_URL: mails.url, SHINGLE_MAIL_FROM: "Shingle <leads@shingle.example>" },
});
closing(mails);
const widget = await shingle.widget();
await shingle.api("PUT", "/api/v1/notices", { recipients: [], timeZone: "America/New_York" });
const problems = [];

async function window(options) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  return { context, page };
}

async function invited(name, options) {
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "member");
  const { context, page } = await window(options);
  const path = new URL(link);
  await page.goto(shingle.url + path.pathname + path.search);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Email").fill(`${name.split(" ")[0].toLowerCase()}@quillback.example`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: `Welcome, ${name}` }).waitFor();
  return { context, page };
}

/** So many days from now, in Maine. */
function day(after) {
  return new Intl.DateTimeFormat("en-CA", { timeZone: "America/New_York" }).format(Date.now() + after * 86_400_000);
}

/** A homeowner who asks for two times. */
async function asks(firstName) {
  const email = `${firstName.toLowerCase()}@example.com`;
  const lead = await sendLead(shingle, widget, { firstName, email, phone: "2075550143" });
  const wishes = [{ date: day(4), part: "afternoon" }, { date: day(5), part: "morning" }];
  const answer = await fetch(`${shingle.url}/w/${widget.hostedPageLink.split("/w/")[1]}/leads/${lead.id}`, {
    method: "PATCH",
    headers: { "content-type": "text/plain", origin: shingle.url },
    body: JSON.stringify({ leadToken: lead.leadToken, inspection: { wishes, contactBy: "text", note: null } }),
  });
  assert.equal(answer.status, 200, await answer.text());
  return { email, page: `${shingle.url}/portal/leads/${lead.id}?data=sandbox` };
}

const to = (address, subject) => mails.next((mail) => mail.to?.value[0].address == address && subject.test(mail.subject));
const linkIn = (mail) => mail.html.match(/href="([^"]*\/v\/[0-9a-f]+[^"]*)"/)[1].replaceAll("&amp;", "&");

/** By keys alone: to the first element that fits. */
async function tabTo(page, selector) {
  for (let pressed = 0; pressed < 120; pressed++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
  }
  throw new Error(`no way to ${selector} by keys`);
}

describe("an inspection", { concurrency: false }, () => {
  /** The calendar files of the first one: the homeowner's and the team's. */
  let files;
  it("is booked on a phone, and both sides hear of it", async () => {
    const { email, page: path } = await asks("Dana");
    const { page } = await invited("Tomas Okafor", sizes.phone);
    await page.goto(path);
    await page.getByRole("heading", { name: "Book the inspection" }).scrollIntoViewIfNeeded();
    assert.deepEqual(await violations(page), []);
    await picture(page, "inspection-form-390", { fullPage: true });
    await page.locator(".wish").nth(1).locator("label").first().click();
    await page.locator("input[name=start-1][value='09:30']").check();
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(await sideways(), false);
    await page.getByRole("button", { name: "Book and tell Dana" }).click();
    await page.getByText("The inspection is booked.").waitFor();
    await page.getByText(/9:30 AM to 10:15 AM/).waitFor();
    const own = await to(email, /Your inspection/);
    assert.equal(own.attachments.some((file) => file.filename == "inspection.ics"), true);
    const team = await to("tomas@quillback.example", /Inspection booked: Dana Whitfield/);
    files = [own, team].map((mail) => mail.attachments.find((file) => file.filename == "inspection.ics").content.toString("utf8"));
    await page.goto(path);
    await page.getByText("Email to Dana delivered").waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal(await sideways(), false);
    await picture(page, "inspection-booked-390", { fullPage: true });
  });

  it("is read as it was meant by another parser, in both calendars", async (test) => {
    const { folder, missing } = pythonPackage("icalendar", "7.3.2");
    if (missing) return test.skip(missing);
    const script = `
import json, sys, zoneinfo
from icalendar import Calendar
def read(text):
    calendar = Calendar.from_ical(text)
    [event] = calendar.walk("VEVENT")
    return {"method": str(calendar["METHOD"]), "uid": str(event["UID"]), "sequence": int(event.get("SEQUENCE", 0)),
        "start": event.decoded("DTSTART").astimezone(zoneinfo.ZoneInfo("America/New_York")).isoformat(), "minutes": (event.decoded("DTEND") - event.decoded("DTSTART")).seconds // 60,
        "place": str(event.get("LOCATION", "")), "errors": [str(error) for error in event.errors]}
print(json.dumps([read(text) for text in json.loads(sys.argv[1])]))
`;
    const { status, stdout, stderr } = await python(["-c", script, JSON.stringify(files)], { folder });
    assert.equal(status, 0, stderr);
    const [own, team] = JSON.parse(stdout);
    for (const read of [own, team]) {
      assert.equal(read.minutes, 45);
      assert.match(read.start, new RegExp(`^${day(5)}T09:30:00-0[45]:00$`), "nine thirty in Maine");
      assert.match(read.place, /Alder Court/);
      assert.deepEqual(read.errors, []);
    }
    assert.equal(own.uid, team.uid, "one inspection");
  });

  it("is booked by keys alone on a desktop", async () => {
    const { email, page: path } = await asks("Luis");
    const { page } = await invited("Renee Pelletier", { viewport: { width: 1280, height: 900 } });
    await page.goto(path);
    await tabTo(page, "input[name=wish]");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "input[name=start-1]");
    await page.keyboard.press("ArrowRight");
    await picture(page, "inspection-form-1280", { fullPage: true });
    await tabTo(page, "form.book button");
    await page.keyboard.press("Enter");
    await page.getByText("The inspection is booked.").waitFor();
    await to(email, /Your inspection/);
    await page.goto(path);
    await page.getByText("Email to Luis delivered").waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, "inspection-booked-1280", { fullPage: true });
    // The dialog: Escape keeps it, and Enter on its first button too.
    await tabTo(page, "button[popovertarget]");
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Keep it");
    await page.keyboard.press("Escape");
    await page.getByRole("alertdialog").waitFor({ state: "hidden" });
  });

  it("is moved by either side, and the other one agrees", async () => {
    const { email, page: path } = await asks("Priya");
    const { page } = await invited("Maya Lindqvist", { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false });
    await page.goto(path);
    await page.getByRole("button", { name: "Book and tell Priya" }).click();
    const link = linkIn(await to(email, /Your inspection/));
    await page.getByText("Move", { exact: true }).click();
    await page.getByLabel("Date").fill(day(6));
    await page.getByRole("textbox", { name: "Start" }).or(page.getByLabel("Start", { exact: true })).last().fill("10:00");
    await page.getByRole("button", { name: "Move and tell Priya" }).click();
    await page.getByText("Not answered", { exact: true }).waitFor();
    await to(email, /New time for your inspection/);

    const { page: own } = await window({ ...sizes.phone, javaScriptEnabled: false });
    await own.goto(link);
    await own.getByRole("heading", { name: "New time for your inspection" }).waitFor();
    await picture(own, "inspection-homeowner-moved-390", { fullPage: true });
    await own.getByRole("button", { name: "That works" }).click();
    await own.getByRole("heading", { name: "Your inspection" }).waitFor();
    await picture(own, "inspection-homeowner-390", { fullPage: true });
    await to("maya@quillback.example", /agreed to the new time/);

    await own.getByRole("link", { name: "Pick another time" }).click();
    await picture(own, "inspection-homeowner-other-390", { fullPage: true });
    await own.getByLabel("Day and time of day").selectOption(`${day(7)} morning`);
    await own.getByRole("button", { name: "Ask for this time" }).click();
    await own.getByText(/^You asked for/).waitFor();
    await to("maya@quillback.example", /asks for another time/);
    await page.goto(path);
    await page.getByText(/^Asked for by Priya/).waitFor();
    await page.getByRole("button", { name: "Move and tell Priya" }).click();
    await page.getByText("Booked", { exact: true }).waitFor();

    await own.goto(link);
    await own.getByRole("link", { name: "Cancel" }).click();
    await own.getByLabel("I found someone else").check();
    await picture(own, "inspection-homeowner-cancel-390", { fullPage: true });
    await own.getByRole("button", { name: "Cancel the inspection" }).click();
    await own.getByRole("heading", { name: "Canceled" }).waitFor();
    await page.goto(path);
    await page.getByText(/^Priya canceled/).waitFor();
  });

  it("looks the same to a homeowner on a desktop", async () => {
    const { email, page: path } = await asks("Nora");
    const { page } = await invited("Ines Duarte", { viewport: { width: 1280, height: 900 } });
    await page.goto(path);
    await page.getByRole("button", { name: "Book and tell Nora" }).click();
    const link = linkIn(await to(email, /Your inspection/));
    const { page: own } = await window({ viewport: { width: 1280, height: 900 } });
    await own.goto(link);
    await own.getByRole("heading", { name: "Your inspection" }).waitFor();
    assert.deepEqual(await violations(own), []);
    await picture(own, "inspection-homeowner-1280", { fullPage: true });
    assert.deepEqual(problems, []);
  });
});
