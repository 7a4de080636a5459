// The operator's pages: an account is made and looked at, a town is imported from a file that is dropped into the browser, what
// changed is read in the log. Every page on a narrow phone and a desktop, in light and dark.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { walk } from "./harness/walk.js";

const { shingle, browser } = await setUp();
const problems = [];
const foreign = [];
/** What the operator's browser keeps from one test to the next. */
let kept;

async function operator() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, storageState: kept });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => new URL(request.url()).origin !== shingle.url && foreign.push(request.url()));
  const leave = async () => {
    kept = await context.storageState();
    await context.close();
  };
  return { page, leave };
}

/** A town with rows that are wrong, and enough of them to be seen at work. */
function town(rows) {
  const lines = ["PARCEL_ID,LOC_ADDR,CITY,STATE,ZIP,YR_BLT,X,Y"];
  for (let n = 1; n <= rows; n++) {
    const street = n % 50 ? `${n} Hill St` : "";
    lines.push(`${n},${street},Biddeford,ME,04005,${1900 + (n % 120)},-70.${4000 + (n % 900)},43.${4000 + (n % 900)}`);
  }
  return Buffer.from(lines.join("\n") + "\n");
}

/** The paths of pages, filled in as they come to be. */
const paths = { accounts: "/portal/operator", "new-account": "/portal/operator/accounts/new", health: "/portal/operator/health", audit: "/portal/operator/audit", "own-audit": "/portal/audit" };

describe("an operator", { concurrency: false }, () => {
  it("makes an account and looks at it by keyboard, with a bar that says so", async () => {
    const { page, leave } = await operator();
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    await page.getByLabel("Your name").fill("Ada Brandt");
    await page.getByLabel("Email").fill("ada@quillback.example");
    await page.getByLabel("Company").fill("Quillback Roofing");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Ada Brandt" }).waitFor();
    await page.goto(`${shingle.url}/portal/operator`);
    await page.getByRole("link", { name: "New account" }).press("Enter");
    await page.getByLabel("Company").fill("Harbor & Pine Roofing");
    await page.getByLabel("First owner’s email").fill("maya@harborpine.example");
    await page.keyboard.press("Enter");
    await page.getByText("Send this link to the owner.").waitFor();
    const invite = await page.locator("#invite-link").textContent();
    assert.match(invite, /\/portal\/invite\?token=/);
    await page.goto(`${shingle.url}/portal/operator?q=harbor`);
    await page.getByRole("link", { name: "Change Harbor & Pine Roofing" }).press("Enter");
    await page.getByLabel("Look-ups a month").fill("7500");
    await page.keyboard.press("Enter");
    await page.getByText("Limit updated.").waitFor();
    paths.account = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Open as its owner" }).press("Enter");
    const bar = page.getByRole("region", { name: "Viewing as an administrator" });
    await bar.getByText(/You’re viewing Harbor & Pine Roofing as an administrator until/).waitFor();
    await picture(page, "portal-operator-visit");
    assert.deepEqual(await violations(page), []);
    await page.goto(`${shingle.url}/portal/audit`);
    await page.getByRole("cell", { name: "opened this account as an administrator" }).waitFor();
    await bar.getByRole("button", { name: "Leave" }).press("Enter");
    await page.getByText("You have left the company.").waitFor();
    await leave();
  });

  it("imports a town: the mapping is proposed, corrected, and the rows that do not fit can be had", async () => {
    const { page, leave } = await operator();
    await page.goto(`${shingle.url}/portal/operator/imports`);
    const choose = page.getByLabel("Files of one town or county");
    await choose.setInputFiles({ name: "deeds.csv", mimeType: "text/csv", buffer: Buffer.from("%PDF-1.7 nothing of a table") });
    await page.getByRole("button", { name: "Upload" }).press("Enter");
    await page.getByText("this is a PDF").waitFor();
    paths["import-refused"] = new URL(page.url()).pathname;
    await page.getByRole("link", { name: "Choose another file" }).press("Enter");
    await choose.setInputFiles({ name: "biddeford.csv", mimeType: "text/csv", buffer: town(40_000) });
    await page.getByRole("button", { name: "Upload" }).press("Enter");
    await page.getByRole("heading", { name: "What each column means" }).waitFor({ timeout: 60_000 });
    paths.import = new URL(page.url()).pathname;
    assert.equal(await page.getByLabel("Year built").inputValue(), ":YR_BLT");
    await page.getByLabel("Year built").selectOption("");
    await page.getByLabel("Data set").fill("biddeford-me");
    await page.getByRole("button", { name: "Read the rows this way" }).press("Enter");
    await page.getByText("Saved.").waitFor();
    assert.equal(await page.getByLabel("Year built").inputValue(), "");
    await page.getByRole("link", { name: "Only rows with a problem" }).press("Enter");
    await page.getByRole("cell", { name: /No address of its own/ }).first().waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).press("Enter");
    // The page is there again on its own once the work has ended.
    await page.getByText("Imported", { exact: true }).first().waitFor({ timeout: 120_000 });
    await page.getByText(/homes in biddeford-me, from 40,000 rows/).waitFor();
    paths["import-done"] = new URL(page.url()).pathname;
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download", exact: true }).click()]);
    assert.equal(download.suggestedFilename(), "rejected-rows.csv");
    const found = await shingle.command("lookup", "12 Hill St, Biddeford, ME 04005");
    assert.ok(JSON.stringify(found).includes("Biddeford"), "another process reads the same index");
    // Another one waits for its turn, so that there is one to look at.
    await page.goto(`${shingle.url}/portal/operator/imports`);
    await choose.setInputFiles({ name: "saco.csv", mimeType: "text/csv", buffer: town(120) });
    await page.getByRole("button", { name: "Upload" }).press("Enter");
    await page.getByRole("heading", { name: "What each column means" }).waitFor();
    paths.import = new URL(page.url()).pathname;
    paths.imports = "/portal/operator/imports";
    paths.areas = "/portal/operator/areas";
    paths["no-area"] = "/portal/operator/areas?place=Portland&miles=5";
    await page.getByRole("button", { name: "Check every row first" }).press("Enter");
    await page.getByRole("heading", { name: "Preview of each field" }).waitFor({ timeout: 60_000 });
    await leave();
  });

  it("reads every page at 320 px, at 400 % and on a desktop, in light, dark and forced colours, and asks nobody else", async () => {
    const { page, leave } = await operator();
    await page.goto(`${shingle.url}/portal/operator/health`);
    await page.getByText(/The same checks as shingle doctor/).waitFor({ timeout: 90_000 });
    const found = await walk(page, shingle.url, paths);
    assert.deepEqual(found, []);
    assert.deepEqual(foreign, []);
    assert.deepEqual(problems.filter((line) => !/404|422/.test(line)), []);
    await leave();
  });
});
