// New leads on a device: what the page says where a browser can and cannot, and what the worker shows of a message.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { violations } from "./harness/accessibility.js";
import { picture } from "./harness/browser.js";
import { setUp } from "./harness/setup.js";

const { shingle, browser } = await setUp();

/** Somebody of the company, in a browser of their own. */
async function invited(options = {}) {
  const { link } = await shingle.command("invite", "--account", shingle.account, "--role", "member");
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const path = new URL(link);
  await page.goto(shingle.url + path.pathname + path.search);
  await page.getByLabel("Your name").fill("Maya Lindqvist");
  await page.getByLabel("Email").fill(`maya-${Math.random().toString(36).slice(2)}@quillback.example`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Welcome, Maya Lindqvist" }).waitFor();
  return { context, page };
}

describe("new leads on a device", { concurrency: false }, () => {
  it("offers the button, or says truly why there is none", async () => {
    for (const [prepare, said] of [
      [() => delete self.PushManager, "This browser doesn’t show notifications from websites."],
      [() => { delete self.PushManager; Object.defineProperty(navigator, "standalone", { value: false }); }, "Tap Share, then Add to Home Screen"],
      [() => Object.defineProperty(Notification, "permission", { get: () => "denied" }), "This browser blocks notifications from this site"],
    ]) {
      const { context, page } = await invited();
      await page.addInitScript(prepare);
      await page.goto(`${shingle.url}/portal/phone`);
      await page.getByText(said).waitFor();
      assert.equal(await page.getByRole("button", { name: "Turn on for this device" }).isVisible(), false);
      await context.close();
    }
    const { context, page } = await invited();
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "default" }));
    await page.goto(`${shingle.url}/portal/phone`);
    await page.getByRole("button", { name: "Turn on for this device" }).waitFor();
    for (const [width, height] of [[320, 640], [1280, 900]]) {
      await page.setViewportSize({ width, height });
      assert.deepEqual(await violations(page), []);
      await picture(page, `portal-phone-${width}`);
    }
    await context.close();
  });

  it("subscribes, is listed, tried and turned off", async () => {
    const { context, page } = await invited();
    // No push service answers a test: the browser's answer is made up, what follows is not.
    await page.addInitScript(() => {
      let subscribed = localStorage.subscribed ? {} : null;
      Notification.requestPermission = async () => "granted";
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      PushManager.prototype.getSubscription = async () => subscribed && { unsubscribe: async () => { delete localStorage.subscribed; subscribed = null; } };
      PushManager.prototype.subscribe = async () => {
        localStorage.subscribed = "yes";
        const keys = { p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth: "BTBZMqHH6r4Tts7J_aSIgg" };
        return { toJSON: () => ({ endpoint: "https://93.184.215.14/push/1", keys }) };
      };
    });
    await page.goto(`${shingle.url}/portal/phone`);
    await page.getByRole("button", { name: "Turn on for this device" }).click();
    await page.getByText("This device gets notifications of new leads.").waitFor();
    assert.deepEqual(await violations(page), []);
    // So high that the bar at the bottom lies on nothing.
    await page.setViewportSize({ width: 320, height: 1400 });
    assert.deepEqual(await violations(page), []);
    await picture(page, "portal-phone-320-on");
    // The browser forgets its subscription: the page says so.
    await page.evaluate(() => delete localStorage.subscribed);
    await page.reload();
    await page.getByText("its browser no longer accepts notifications").waitFor();
    await page.getByRole("button", { name: /^Turn off / }).click();
    await page.getByText("That device gets no more notifications.").waitFor();
    await page.getByText("None.", { exact: true }).waitFor();
    await context.close();
  });

  it("shows name, street and price of a message", async () => {
    const { context, page } = await invited();
    await context.grantPermissions(["notifications"], { origin: shingle.url });
    await page.goto(`${shingle.url}/portal/leads`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    const client = await context.newCDPSession(page);
    const registered = new Promise((resolve) =>
      client.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => registrations.length && resolve(registrations[0].registrationId)),
    );
    await client.send("ServiceWorker.enable");
    // Told by the worker: browsers without a screen may show no notices at all.
    const [worker] = context.serviceWorkers();
    await worker.evaluate(() => {
      self.shown = new Promise((resolve) => {
        self.registration.showNotification = async (title, options) => resolve([title, options.body, options.data]);
      });
    });
    const data = JSON.stringify({ title: "Ann Whitfield", body: "14 Alder Court · $18,400", path: "/portal/leads/1" });
    await client.send("ServiceWorker.deliverPushMessage", { origin: shingle.url, registrationId: await registered, data });
    const shown = await worker.evaluate(() => self.shown);
    assert.deepEqual(shown, ["Ann Whitfield", "14 Alder Court · $18,400", "/portal/leads/1"]);
    await context.close();
  });

  it("says without scripts that it needs them", async () => {
    const { context, page } = await invited({ javaScriptEnabled: false });
    await page.goto(`${shingle.url}/portal/phone`);
    await page.getByText("Notifications need JavaScript").waitFor();
    assert.equal(await page.getByRole("button", { name: "Turn on for this device" }).isVisible(), false);
    await context.close();
  });
});
