// How a site uses the package. The type checker reads this; nobody runs it.

import { load, type Shingle, type ShingleDataLayerEvent } from "shingle-embed";

export async function estimate(): Promise<Shingle> {
  const shingle = await load({ baseUrl: new URL("https://quotes.example.com"), id: "w", nonce: "n", integrity: "sha384-A" });
  shingle.prefill({ address: "14 Alder Court", email: "ana@example.com" });
  const off: () => void = shingle.on("estimate", ({ value, widget }) => {
    const dollars: number = value ?? 0;
    const id: string | undefined = widget;
    console.log(dollars, id);
  });
  off();
  shingle.on("submit", (detail) => detail.reference?.toUpperCase());
  shingle.on("error", ({ where, reason }) => console.log(where ?? reason));
  shingle.open();
  shingle.toggle();
  shingle.close();
  shingle.destroy();
  return shingle;
}

// Without the package's own function: the queue before the script has come, and the page's events.
window.shingle?.("open");
window.shingle?.("prefill", { phone: "+1 207 555 0143" }, "w");
window.shingle?.("on", "open", ({ via }) => console.log(via === "qr"));
window.shingle?.open?.("w");
const stop = window.shingle?.on?.("close", () => {});
stop?.();
document.addEventListener("shingle:submit", (event) => console.log(event.detail.reference));
document.querySelector("shingle-estimate")?.addEventListener("shingle:open", (event) => console.log(event.detail.via));

export function tag(pushed: ShingleDataLayerEvent): number {
  return pushed.event === "shingle_estimate" ? (pushed.value ?? 0) : 0;
}

// And what it must not take.
export async function wrong(shingle: Shingle): Promise<void> {
  // @ts-expect-error -- a widget has an id
  await load({ baseUrl: "https://quotes.example.com" });
  // @ts-expect-error -- there is no such option
  await load({ baseUrl: "https://quotes.example.com", id: "w", theme: "dark" });
  // @ts-expect-error -- there is no such event
  shingle.on("submitted", () => {});
  // @ts-expect-error -- the price comes with another event
  shingle.on("submit", ({ value }) => value);
  // @ts-expect-error -- prices are numbers
  shingle.on("estimate", ({ value }) => value?.toUpperCase());
  // @ts-expect-error -- nobody's income is prefilled
  shingle.prefill({ income: 1 });
  // @ts-expect-error -- the id stays
  shingle.id = "other";
  // @ts-expect-error -- a widget is opened, not asked for by its id
  shingle.open(7);
  // @ts-expect-error -- there is no such command
  window.shingle?.("reopen");
  // @ts-expect-error -- ways are three
  shingle.on("open", ({ via }) => via === "mail");
  // @ts-expect-error -- nothing of that name is pushed
  const pushed: ShingleDataLayerEvent = { event: "shingle_leads" };
  console.log(pushed);
}
