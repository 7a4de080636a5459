/** The events of a widget. They contain nothing personal; texts in them are not meant to be shown. */
export interface ShingleEvents {
  /** The launcher was shown. */
  view: ShingleDetail;
  /** The dialog was opened. */
  open: ShingleDetail & {
    /** How the visitor came: by the launcher, by a link with `?roof-estimate=`, by a QR code. */
    via?: "embed" | "link" | "qr";
  };
  /** An address was chosen. */
  address: ShingleDetail;
  /** The price is shown. */
  estimate: ShingleDetail & {
    /** Of the first material, in whole US dollars. */
    value?: number;
  };
  /** The contact form was reached. */
  contact: ShingleDetail;
  /** The lead has arrived. */
  submit: ShingleDetail & {
    /** The reference number that visitor and contractor both have. */
    reference?: string;
  };
  /** Something failed; the visitor was offered an alternative. */
  error: ShingleDetail & {
    /** The step at which it failed. */
    where?: string;
    /** Why the hosted page replaces the dialog. */
    reason?: string;
  };
  /** The dialog was closed. */
  close: ShingleDetail;
}

export interface ShingleDetail {
  /** The widget's id. */
  widget?: string;
}

export type ShingleEventName = keyof ShingleEvents;

/** What the page knows of a visitor; visitors can change all of it. */
export interface ShinglePrefill {
  /** One line, as on a letter. */
  address?: string;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
}

/** One widget on this page. */
export interface Shingle {
  readonly id: string;
  open(): void;
  close(): void;
  toggle(): void;
  prefill(data: ShinglePrefill): void;
  /** Returns a function that removes the listener. */
  on<Name extends ShingleEventName>(name: Name, listener: (detail: ShingleEvents[Name]) => void): () => void;
  /** Removes launcher, dialog and all listeners. `load` adds the widget again. */
  destroy(): void;
}

export interface ShingleOptions {
  /** Where the service is, such as `https://quotes.example.com`. */
  baseUrl: string | URL;
  /** The widget's id. */
  id: string;
  /** For a Content-Security-Policy that allows scripts by nonce. */
  nonce?: string;
  /** The digest of the widget's script, such as `sha384-…`. The script changes with the widget and with each release. */
  integrity?: string;
}

/**
 * Adds the widget to the page, once, however often it is called. Rejects when its script cannot be fetched or may
 * not run on this page; the next call tries again. On a server it resolves to a `Shingle` that does nothing.
 */
export function load(options: ShingleOptions): Promise<Shingle>;

/** For components: like `load`; the last one to release removes the widget. */
export function borrow(options: ShingleOptions): { ready: Promise<Shingle>; release(): void };

/** `window.shingle`: a queue of calls until the script has run, then the interface. Without an id: the first widget. */
export interface ShinglePage {
  (command: "open" | "close" | "toggle" | "destroy", id?: string): void;
  (command: "prefill", data: ShinglePrefill, id?: string): void;
  <Name extends ShingleEventName>(command: "on", name: Name, listener: (detail: ShingleEvents[Name]) => void): void;
  open?(id?: string): void;
  close?(id?: string): void;
  toggle?(id?: string): void;
  destroy?(id?: string): void;
  prefill?(data: ShinglePrefill, id?: string): void;
  on?<Name extends ShingleEventName>(name: Name, listener: (detail: ShingleEvents[Name]) => void): () => void;
  /** Calls made before the script has run. */
  q?: ArrayLike<unknown>[];
}

/** `<shingle-estimate widget="ID">`: the card of a widget of the type `custom`, in the text of a page. */
export interface ShingleEstimateElement extends HTMLElement {}

type Named<Prefix extends string, Detail extends "own" | "event"> = {
  [Name in ShingleEventName as `${Prefix}${Name}`]: Detail extends "event"
    ? CustomEvent<ShingleEvents[Name]>
    : { event: `${Prefix}${Name}` } & ShingleEvents[Name];
};

/** `shingle:submit` and the others, dispatched on the widget's element; they bubble to the document. */
export type ShingleEventMap = Named<"shingle:", "event">;

/** What is pushed to `dataLayer`: `{ event: "shingle_submit", reference }` and the others. */
export type ShingleDataLayerEvent = Named<"shingle_", "own">[keyof Named<"shingle_", "own">];

declare global {
  interface Window {
    shingle?: ShinglePage;
  }
  interface HTMLElementTagNameMap {
    "shingle-estimate": ShingleEstimateElement;
  }
  interface DocumentEventMap extends ShingleEventMap {}
  interface HTMLElementEventMap extends ShingleEventMap {}
  interface WindowEventMap extends ShingleEventMap {}
}
