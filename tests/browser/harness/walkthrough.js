// Through every screen of the flow, and every state of a screen that looks or reads differently. By ids and
// classes, so that it is the same walk in every language.

import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./shingle.js";

/** The names of all screens, as the flow's source has them. */
export function screens() {
  const source = readFileSync(path.join(root, "crates/shingle-widget/src/flow/screen.rs"), "utf8");
  const names = source.slice(source.indexOf("fn name(self)")).split("\n    }\n")[0];
  return [...names.matchAll(/Self::\w+ => "([\w-]+)"/g)].map(([, name]) => name);
}

/** What the page shows, once nothing moves any more. */
export async function animationsDone(page) {
  await page.evaluate(async () => {
    const host = document.querySelector("[id='shingle'], shingle-launcher, shingle-estimate");
    const root = host?.shadowRoot ?? document;
    const running = () => root.getAnimations().filter((one) => one.playState == "running");
    // One may begin with the frame that ends another.
    while (running().length) await Promise.allSettled(running().map((one) => one.finished));
  });
}

export class Walkthrough {
  /** `enter` shows the first step again; `at` is called in every state with its name. */
  constructor(page, api, responses, enter, at) {
    Object.assign(this, { page, api, responses, enter, visit: at });
    this.seen = new Set();
    this.address = page.locator("#sh-address");
    this.main = page.locator(".sh-actions .primary");
    this.other = page.locator(".sh-actions .sh-btn:not(.primary)");
    this.back = page.locator(".has-back .sh-iconbtn").first();
    this.options = page.locator("#sh-options > li");
  }

  async at(screen, what = "") {
    await this.page.locator(`[data-screen="${screen}"] .sh-inner`).waitFor();
    await animationsDone(this.page);
    this.seen.add(screen);
    await this.visit(what ? `${screen}, ${what}` : screen);
  }

  /** Types into the address field and waits for the list. */
  async type(text) {
    await this.address.fill("");
    await this.address.pressSequentially(text);
    await this.page.locator("#sh-list:popover-open").waitFor();
  }

  /** Chooses the address again and has it looked up. */
  async look(roof) {
    this.api.set({ roof });
    await this.type("14 Alder");
    await this.options.first().click();
    await this.main.click();
  }

  async fillDetails() {
    const texts = { first: "Dana", last: "Whitfield", email: "dana.whitfield@example.com", phone: "2075550163" };
    for (const [name, text] of Object.entries(texts)) await this.page.locator(`#sh-${name}`).fill(text);
  }

  async start(answers = {}) {
    const { suggested, roof, receipt } = this.responses;
    this.api.set({ suggest: suggested, roof, leads: receipt, change: receipt, kept: receipt, ...answers });
    await this.enter();
  }

  async everyState() {
    await this.mainPath();
    await this.withoutRoof();
    await this.plainEstimate();
    await this.paused();
    await this.kept();
  }

  async mainPath() {
    const { page, api, responses, main, other } = this;
    await this.start({ suggest: responses.none });
    await this.at("address");
    await this.address.press("Enter");
    await this.at("address", "nothing chosen");
    await this.type("zzz");
    await this.at("address", "no match");
    api.set({ suggest: responses.suggested });
    await this.type("14 Alder");
    await this.address.press("ArrowDown");
    await this.at("address", "list");
    await this.look({ status: 400, message: ["zip must be five digits"] });
    await page.locator(".sh-note.bad").waitFor();
    await this.at("address", "refused");
    await this.type("14 Alder");
    await this.options.last().click();
    await this.at("parts");
    // It starts from what was typed.
    await page.locator("#sh-street").fill("");
    await main.click();
    await page.locator("#sh-city[aria-invalid]").waitFor();
    await this.at("parts", "errors");
    const parts = { number: "41", street: "Alder Crt", city: "Portland", state: "ME", zip: "04103" };
    for (const [name, text] of Object.entries(parts)) await page.locator(`#sh-${name}`).fill(text);
    let answer;
    api.set({ roof: new Promise((resolve) => (answer = resolve)) });
    await main.click();
    await this.at("measuring");
    answer(responses.close);
    await this.at("not-found");
    api.set({ roof: "down" });
    await page.locator(".sh-choice").first().click();
    await this.at("unreached");
    api.set({ roof: responses.many });
    await main.click();
    await this.at("roof", "several buildings");
    await page.locator(".sh-radio").nth(1).check();
    await page.locator(".sh-sum", { hasText: "A + B" }).waitFor();
    await this.at("roof", "another building");
    await other.click();
    await this.at("choose");
    await page.locator(".sh-radio").nth(2).check();
    await this.at("choose", "another home");
    await other.click();
    await this.at("not-mine");
    await page.locator(".sh-choice").first().click();
    await this.look(responses.near);
    await this.at("roof", "the house next door");
    await this.back.click();
    await this.look(responses.roof);
    await this.at("roof");
    await this.back.click();
    await this.at("address", "back");
    await main.click();
    await page.locator('[data-screen="roof"]').waitFor();
    await main.click();
    await this.at("details");
    await main.click();
    await page.locator("#sh-first[aria-invalid]").waitFor();
    await this.at("details", "errors");
    await this.fillDetails();
    if (await page.locator("dialog").count()) {
      await page.keyboard.press("Escape");
      await page.locator(".sh-alert").waitFor();
      await this.at("details", "closing");
      await page.locator("#sh-keep").click();
    }
    api.set({ leads: "down" });
    await main.click();
    await this.at("unsent");
    api.set({ leads: responses.flagged });
    await main.click();
    await this.at("estimate", "flags");
    await page.locator(".sh-radio").nth(1).check();
    await this.at("estimate", "another material");
    await this.back.click();
    await this.at("details", "back");
    await main.click();
    await page.locator('[data-screen="estimate"]').waitFor();
    await main.click();
    await this.booking();
    await this.at("thanks");
  }

  /** Asks for a visit: nothing picked, not sent, sent. */
  async booking() {
    const { page, api, main, responses } = this;
    await this.at("booking");
    await main.click();
    await page.locator(".sh-note.bad").waitFor();
    await this.at("booking", "nothing picked");
    const wishes = page.locator("[name=wish]:not([disabled])");
    for (const at of [0, 2, 3]) await wishes.nth(at).check({ force: true });
    api.set({ change: "down" });
    await main.click();
    await page.locator(".sh-note.bad").waitFor();
    await this.at("booking", "not sent");
    api.set({ change: responses.booked });
    await main.click();
  }

  /** What an earlier visit has left on the device. */
  async kept() {
    const { page, api, responses } = this;
    const entry = JSON.stringify({ id: responses.receipt.id, token: "t", at: Date.now() });
    await page.addInitScript(([name, text]) => localStorage.setItem(name, text), [`shingle:kept:${api.widget}`, entry]);
    let answer;
    await this.start({ kept: new Promise((resolve) => (answer = resolve)) });
    answer(responses.receipt);
    await this.at("kept");
    await this.main.click();
    await this.page.locator('[data-screen="estimate"]').waitFor();
  }

  async withoutRoof() {
    const { responses, main, other } = this;
    await this.start({ roof: responses.unknown });
    await this.look(responses.unknown);
    await this.at("not-found", "nothing close");
    await other.click();
    await this.at("visit", "of an unknown address");
    await this.back.click();
    await main.click();
    await this.look(responses.noRoof);
    await this.at("visit");
    await this.fillDetails();
    this.api.set({ leads: responses.asked });
    await main.click();
    await this.at("thanks", "for a visit");
  }

  async plainEstimate() {
    await this.start();
    await this.look(this.responses.roof);
    // Each step has a main button: it is this step's only once the step is there.
    await this.page.locator('[data-screen="roof"]').waitFor();
    await this.main.click();
    await this.fillDetails();
    await this.page.locator(".sh-check input").check();
    await this.main.click();
    await this.at("estimate");
  }

  async paused() {
    await this.start();
    await this.look({ status: 403, message: "no" });
    await this.at("paused");
  }
}
