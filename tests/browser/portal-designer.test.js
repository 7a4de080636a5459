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
    await page.getByLabel("Second color").fill("#ffffee");
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

  it("is readable at every width, in light, dark and forced colours", async () => {
    const { page, leave } = await person();
    const opened = () => page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    const paths = { designer: path, versions: `${path}/versions`, sheet: `${path}/sheet` };
    const found = await walk(page, shingle.url, paths, opened);
    await leave();
    assert.deepEqual(found, []);
    // A form that was refused, and a server that was away, say so to the console.
    assert.deepEqual(problems.filter((line) => !/409|ERR_INTERNET_DISCONNECTED/.test(line)), []);
  });
});
