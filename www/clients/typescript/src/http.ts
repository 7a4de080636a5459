// Requests and their answers: addresses, timeouts, and which request may be sent again.

import { ConnectionFailedError, errorOf, secondsOf, ShingleError, TimedOutError } from "./errors.js";
import type { Address } from "./types.js";
import { version } from "./version.js";
import { webCrypto } from "./web-crypto.js";

export interface ClientOptions {
  /** Where the service is, such as `https://quotes.example.com`. */
  baseUrl: string | URL;
  /** A key of `shingle key issue`. It stays on servers: do not put it into a page. */
  key: string;
  /** Milliseconds until an attempt is given up; 30,000 by default. */
  timeout?: number | undefined;
  /** How often a request is sent again at most; 2 by default. */
  maxRetries?: number | undefined;
  /** The longest wait in milliseconds that a `Retry-After` may ask for; 60,000 by default. A longer one is an error at once. */
  maxRetryDelay?: number | undefined;
  /** In place of the global one: for a proxy, or for tests. */
  fetch?: Fetch | undefined;
}

/** As much of the global `fetch` as is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  maxRetries?: number | undefined;
}

export interface PostOptions extends RequestOptions {
  /** Requests with the same key have an effect once. By default each call has a key of its own. */
  idempotencyKey?: string | undefined;
}

export interface Call {
  method: string;
  path: string;
  address?: Address;
  query?: object;
  json?: object;
  form?: object;
  takesIdempotencyKey?: boolean;
  accept?: string;
}

const LONGEST_STEP = 8_000;
const BUSY = [429, 503];
const FAULT = [408, 500, 502, 504];

export class Http {
  readonly #options: { key: string; timeout: number; maxRetries: number; maxRetryDelay: number; fetch: Fetch };
  readonly #base: string;

  constructor({ baseUrl, key, timeout, maxRetries, maxRetryDelay, fetch }: ClientOptions) {
    const url = parsedUrl(baseUrl);
    const trimmed = typeof key === "string" ? key.trim() : "";
    if (!/^[!-~]+$/.test(trimmed)) throw new ShingleError("key must be the text that `shingle key issue` printed");
    this.#base = url.origin + url.pathname.replace(/\/+$/, "");
    this.#options = {
      key: trimmed,
      timeout: timeout ?? 30_000,
      maxRetries: maxRetries ?? 2,
      maxRetryDelay: maxRetryDelay ?? 60_000,
      fetch: fetch ?? ((where, init) => globalThis.fetch(where, init)),
    };
  }

  async json<Answer>(call: Call, options: PostOptions): Promise<Answer> {
    return (await this.#send(call, options, (response) => response.json())) as Answer;
  }

  text(call: Call, options: PostOptions): Promise<string> {
    return this.#send(call, options, (response) => response.text());
  }

  bytes(call: Call, options: PostOptions): Promise<Uint8Array> {
    return this.#send(call, options, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  async #send<Answer>(call: Call, options: PostOptions, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    const headers: Record<string, string> = {
      token: this.#options.key,
      accept: call.accept ?? "application/json",
      "user-agent": `shingle-typescript/${version}`,
    };
    if (call.json) headers["content-type"] = "application/json";
    // The same for each attempt.
    if (call.takesIdempotencyKey) headers["idempotency-key"] = options.idempotencyKey ?? (await webCrypto()).randomUUID();
    // After a lost answer nobody knows whether the request had its effect.
    const mayRepeat = ["GET", "PUT"].includes(call.method) || call.takesIdempotencyKey === true;
    const url = this.#base + call.path + queryOf(call);
    const body = call.json ? JSON.stringify(call.json) : call.form ? formOf(call.form) : null;
    const retries = options.maxRetries ?? this.#options.maxRetries;
    for (let attempt = 0; ; attempt++) {
      const last = attempt >= retries;
      let failure: ShingleError;
      let wait = (Math.min(LONGEST_STEP, 500 * 2 ** attempt) * (1 + Math.random())) / 2;
      try {
        const outcome = await this.#attempt(url, { method: call.method, headers, body, redirect: "manual" }, options, read);
        if ("answer" in outcome) return outcome.answer;
        const { status, text, header } = outcome;
        failure = errorOf(status, text, header);
        const asked = secondsOf(header("retry-after"));
        if (asked !== null) wait = Math.max(wait, asked * 1000);
        const isWorthIt = BUSY.includes(status) || (mayRepeat && FAULT.includes(status));
        if (last || !isWorthIt || wait > this.#options.maxRetryDelay) throw failure;
      } catch (error) {
        if (!(error instanceof ConnectionFailedError) || last || !mayRepeat) throw error;
      }
      await pause(wait, options.signal);
    }
  }

  /** One request. Its time includes reading the answer. */
  async #attempt<Answer>(url: string, init: RequestInit, options: PostOptions, read: (response: Response) => Promise<Answer>) {
    const { signal } = options;
    const timeout = options.timeout ?? this.#options.timeout;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, timeout);
    try {
      const response = await this.#options.fetch(url, { ...init, signal: controller.signal });
      if (response.ok) return { answer: await read(response) };
      const header = (name: string) => response.headers.get(name);
      return { status: response.status, text: await response.text(), header };
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (timedOut) throw new TimedOutError(`no answer from ${this.#base} in ${timeout} ms`, { cause });
      throw new ConnectionFailedError(`no answer from ${this.#base}: ${reasonOf(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

function parsedUrl(baseUrl: string | URL): URL {
  try {
    const url = new URL(baseUrl);
    if (["http:", "https:"].includes(url.protocol)) return url;
  } catch {
    // Said below.
  }
  throw new ShingleError(`baseUrl must be an address like https://quotes.example.com, not ${String(baseUrl)}`);
}

/** `fetch failed` alone tells nobody anything. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const deeper: unknown = cause.cause;
  return deeper instanceof Error ? `${cause.message} (${deeper.message || deeper.name})` : cause.message;
}

/** A path's part. An empty one or dots would name another operation. */
export function segment(name: string, value: string): string {
  if (typeof value !== "string" || value === "" || /^\.+$/.test(value)) {
    throw new ShingleError(`${name} must be an id, not ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

function queryOf({ address, query = {} }: Call): string {
  const all = new URLSearchParams();
  const named = typeof address === "string" ? { address } : (address ?? {});
  for (const [name, value] of Object.entries({ ...named, ...query })) {
    if (value !== undefined && value !== null) all.append(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = all.toString();
  return text && `?${text}`;
}

function formOf(fields: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value, "name" in value ? String(value.name) : name);
    else if (value instanceof Uint8Array || value instanceof ArrayBuffer) form.append(name, new Blob([value as BlobPart]), name);
    else form.append(name, String(value));
  }
  return form;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
}

/** Every item of all pages. */
export async function* pages<Item>(get: (cursor: string | undefined) => Promise<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await get(cursor);
    yield* page.data;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
