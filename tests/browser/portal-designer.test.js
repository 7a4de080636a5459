// The widget designer in a browser: the preview follows what is typed, nobody else sees it before it is published, what was
// typed is not lost, and any version comes back.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";
import { walk } from "./harness/walk.js";

const { shingle, browser } = await setUp();
const problems = [];
let kept;
let path;

async function person(options) {
  const context = await browser.newContext({ serviceWorkers: "block", viewport: { width: 1280, height: 900 }, storageState: kept, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  const leave = async () => {
    kept = await context.storageState();
    await context.close();
  };
  return { page, leave };
}

const publicTitle = async () => (await fetch(`${shingle.url}/w/${path.split("/").pop()}`)).text();
const title = (page) => page.getByLabel("Title of the first page", { exact: true });

describe("the widget designer", { concurrency: false }, () => {
  it("shows what is typed in the preview alone, and publishes it after a look at what changes", async () => {
    const { page, leave } = await person();
    // Of the page beside the preview, which no page in the frame may take it from.
    await page.addInitScript(() => addEventListener("blur", () => window === top && (window.lost = (window.lost ?? 0) + 1)));
    const losses = () => page.evaluate(() => window.lost ?? 0);
    await page.goto(shingle.log.match(/"setup":\s*"([^"]+)"/)[1]);
    for (const text of ["Maya Lindqvist", "maya@quillback.example", "Quillback Roofing"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
    await page.goto(`${shingle.url}/portal/widgets/new`);
    const typed = {
      Website: "quillback.example",
      "Company name": "Quillback Roofing",
      Phone: "207.555.0143",
      Email: "office@quillback.example",
      Address: "5 Mill St, Portland, ME 04101",
      "Privacy policy": "quillback.example/privacy",
    };
    for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
    await page.keyboard.press("Enter");
    await page.getByText("Your widget is ready.").waitFor();
    path = new URL(page.url()).pathname;
    const preview = page.frameLocator("#preview");
    await preview.getByRole("heading", { name: "See what a new roof would cost" }).waitFor();
    const frame = () => page.frames().find((one) => one.name() === "preview");
    // The visitor's own module, by its name.
    const modules = (html) => [...html.matchAll(/runtime\/([\w-]+\.(?:js|wasm))/g)].map((found) => found[1]).sort();
    const runtime = modules(await publicTitle());
    assert.ok(runtime.length > 0);
    assert.deepEqual(modules(await (await fetch(frame().url())).text()), runtime);

    await title(page).fill("A roof this fall?");
    await page.keyboard.type(" Ask us.");
    await preview.getByRole("heading", { name: "A roof this fall? Ask us." }).waitFor();
    await page.keyboard.type(" Now.");
    assert.equal(await title(page).inputValue(), "A roof this fall? Ask us. Now.", "the frame does not take the focus");
    await preview.getByRole("heading", { name: "A roof this fall? Ask us. Now." }).waitFor();
    assert.doesNotMatch(await publicTitle(), /this fall/, "nothing is published");
    // With the number sign or without, typed or picked.
    const second = page.getByLabel("Second color", { exact: true });
    await second.fill("#ffffee");
    assert.equal(await page.getByLabel("Pick the second color").inputValue(), "#ffffee");
    await page.getByLabel("Pick the second color").fill("#ffffdd");
    assert.equal(await second.inputValue(), "#ffffdd");
    await second.fill("ffffee");
    // The preview stays in sight from the first section to the last.
    const sections = page.getByRole("navigation", { name: "Sections" });
    for (const name of ["On your site", "Colors", "Inspection hours", "Position and loading"]) {
      await sections.getByRole("link", { name, exact: true }).click();
      const box = await page.locator("#stage").boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 900, `${name}: ${JSON.stringify(box)}`);
    }
    await sections.getByRole("link", { name: "Inspection hours" }).click();
    const time = (of) => page.getByLabel(of, { exact: true });
    await time("Monday, morning, from").fill("08:00");
    await time("Monday, morning, to").fill("12:00");
    await page.getByRole("button", { name: "Copy Monday to all days" }).click();
    assert.equal(await time("Sunday, morning, to").inputValue(), "12:00");
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    assert.equal(await time("Sunday, morning, to").inputValue(), "");
    await picture(page, "portal-designer-hours");
    await time("Monday, morning, from").fill("");
    await time("Monday, morning, to").fill("");
    await page.getByText(/is hard to read\. Visitors see #/).first().waitFor();
    await picture(page, "portal-designer-1280", { fullPage: true });
    assert.deepEqual(await violations(page), []);

    // The launcher, on a page.
    await page.getByRole("link", { name: "Launcher" }).click();
    await preview.getByRole("link", { name: "Get my roof estimate" }).waitFor();
    await page.getByRole("link", { name: "Desktop" }).click();
    await preview.getByRole("dialog").waitFor();
    await picture(page, "portal-designer-desktop");
    assert.equal(await losses(), 0, "no page in the frame takes the focus");
    await preview.getByRole("dialog").locator("input:visible").first().click();
    await page.keyboard.type("5 Mill");
    assert.equal(await preview.getByRole("dialog").locator("input:visible").first().inputValue(), "5 Mill", "a person who points at it can type in it");
    await page.getByRole("button", { name: "Review and publish" }).click();
    await page.getByRole("heading", { name: "What changes for visitors" }).waitFor();
    await picture(page, "portal-designer-review");
    assert.deepEqual(await violations(page), []);
    assert.doesNotMatch(await publicTitle(), /this fall/, "a draft is not published");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Published.").waitFor();
    assert.match(await publicTitle(), /this fall/);
    await leave();
  });

  it("keeps what was typed when the connection is lost, and tells the second of two", async () => {
    const { page, leave } = await person();
    await page.goto(shingle.url + path);
    await page.context().setOffline(true);
    await title(page).fill("Typed in a tunnel");
    await page.getByText("The preview isn’t loading.").waitFor();
    await page.context().setOffline(false);
    const seen = page.waitForResponse((response) => response.url().includes("/preview") && response.ok());
    await page.reload();
    await seen;
    await page.getByText("What you typed before and did not save is back.").waitFor();
    assert.equal(await title(page).inputValue(), "Typed in a tunnel");
    await title(page).fill("Typed in a tunnel.");
    await page.getByText("What you typed before and did not save is back.").waitFor({ state: "detached" });
    await title(page).fill("Typed in a tunnel");

    const other = await page.context().newPage();
    await other.goto(shingle.url + path);
    await title(other).fill("Somebody else's");
    await other.getByRole("button", { name: "Save as draft" }).click();
    await other.getByText("Saved as a draft.").waitFor();
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByText("Someone changed this widget after you opened it").waitFor();
    assert.equal(await title(page).inputValue(), "Typed in a tunnel");
    await page.getByText("Saved now: Somebody else's").waitFor();
    await picture(page, "portal-designer-conflict");
    assert.deepEqual(await violations(page), []);
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByText("Saved as a draft.").waitFor();
    await page.getByRole("button", { name: "Discard the draft" }).click();
    await page.getByText("Draft discarded.").waitFor();
    assert.equal(await title(page).inputValue(), "A roof this fall? Ask us. Now.");
    await leave();
  });

  it("goes back to the first version, on a phone and without scripts", async () => {
    const { page, leave } = await person({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
    await page.goto(shingle.url + path);
    await page.frameLocator("#preview").getByRole("heading", { name: "A roof this fall? Ask us. Now." }).waitFor();
    await page.goto(`${shingle.url}${path}/versions`);
    await page.getByRole("button", { name: "Go back to this version" }).last().click();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Published.").waitFor();
    assert.doesNotMatch(await publicTitle(), /this fall/);
    await leave();
  });

  it("shows one section at a time on a phone, with the preview as a sheet", async () => {
    const { page, leave } = await person({ viewport: { width: 390, height: 844 } });
    await page.goto(shingle.url + path);
    await page.getByRole("link", { name: "Colors", exact: true }).click();
    await page.getByLabel("Main color", { exact: true }).waitFor();
    assert.ok(!(await title(page).isVisible()), "one section at a time");
    await picture(page, "portal-designer-colors-390");
    const see = page.getByRole("button", { name: "Preview", exact: true });
    await see.click();
    assert.equal(await see.getAttribute("aria-expanded"), "true");
    await page.frameLocator("#preview").getByRole("heading").first().waitFor();
    await picture(page, "portal-designer-sheet-390");
    await page.keyboard.press("Escape");
    assert.ok(await see.evaluate((button) => button === document.activeElement));
    await page.goBack();
    await page.getByRole("link", { name: "Texts", exact: true }).waitFor();
    await page.getByRole("link", { name: "Colors", exact: true }).click();
    await page.getByLabel("Main color", { exact: true }).fill("no color");
    await page.getByRole("button", { name: "Save as draft" }).click();
    await page.getByText("Please type a color like #14365C.").first().waitFor();
    assert.ok(await page.getByLabel("Main color", { exact: true }).isVisible(), "what is wrong is in sight");
    await leave();
  });

  it("is readable at every width, in light, dark and forced colours", async () => {
    const { page, leave } = await person();
    const opened = () => page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    const paths = { designer: path, versions: `${path}/versions`, sheet: `${path}/sheet` };
    const found = await walk(page, shingle.url, paths, opened);
    await leave();
    assert.deepEqual(found, []);
    // A form that was refused, and a server that was away, say so to the console.
    assert.deepEqual(problems.filter((line) => !/409|422|ERR_INTERNET_DISCONNECTED/.test(line)), []);
  });
});
