import type { ErrorBody } from "./types.js";

/** Everything that this package throws is one of these. */
export class ShingleError extends Error {
  override name = "ShingleError";
}

/** The server's answer is an error. */
export class ApiError extends ShingleError {
  override name = "ApiError";
  readonly status: number;
  /** The error as the server sent it; null if something on the way answered in its place, such as a proxy. */
  readonly body: ErrorBody | null;
  /** One sentence for each broken rule. */
  readonly messages: readonly string[];
  /** The request in the server's log. */
  readonly requestId: string | null;

  constructor(status: number, body: ErrorBody | null, text: string, requestId: string | null) {
    const messages = body ? [body.message].flat() : [text];
    super(`${status}: ${messages.join("; ")}`);
    this.status = status;
    this.body = body;
    this.messages = messages;
    this.requestId = requestId;
  }
}

/** 400: a field is missing or wrong, or the account may not do this. */
export class BadRequestError extends ApiError {
  override name = "BadRequestError";
}

/** 401: the key is missing, unknown, revoked or expired. */
export class UnauthorizedError extends ApiError {
  override name = "UnauthorizedError";
}

/** 403 */
export class ForbiddenError extends ApiError {
  override name = "ForbiddenError";
}

/** 404: there is no such record in this account and environment. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** 409 */
export class ConflictError extends ApiError {
  override name = "ConflictError";
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | null;

  constructor(status: number, body: ErrorBody | null, text: string, requestId: string | null, retryAfter: number | null) {
    super(status, body, text, requestId);
    this.retryAfter = retryAfter;
  }
}

/** 500 and above. */
export class ServerError extends ApiError {
  override name = "ServerError";
}

/** No answer came: the server cannot be reached, or the connection broke. `cause` says why. */
export class ConnectionFailedError extends ShingleError {
  override name = "ConnectionFailedError";
}

/** No whole answer came in time. */
export class TimedOutError extends ConnectionFailedError {
  override name = "TimedOutError";
}

/** A request that says it is a webhook's is not, or is too old. Answer it with 400. */
export class WebhookVerificationError extends ShingleError {
  override name = "WebhookVerificationError";
}

/** The error of an answer. */
export function errorOf(status: number, text: string, header: (name: string) => string | null): ApiError {
  const body = parsed(text);
  const location = header("location");
  const shown = location === null ? text.slice(0, 200).trim() || "no text" : `the server redirects to ${location}: make that the base URL`;
  const requestId = header("x-request-id");
  switch (status) {
    case 400:
      return new BadRequestError(status, body, shown, requestId);
    case 401:
      return new UnauthorizedError(status, body, shown, requestId);
    case 403:
      return new ForbiddenError(status, body, shown, requestId);
    case 404:
      return new NotFoundError(status, body, shown, requestId);
    case 409:
      return new ConflictError(status, body, shown, requestId);
    case 429:
      return new RateLimitError(status, body, shown, requestId, secondsOf(header("retry-after")));
    default:
      return status >= 500 ? new ServerError(status, body, shown, requestId) : new ApiError(status, body, shown, requestId);
  }
}

/** Seconds of `Retry-After`, which is a number or a date. */
export function secondsOf(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  const seconds = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

function parsed(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null) return null;
    const { message, error, statusCode } = body as Partial<ErrorBody>;
    const isMessage = typeof message === "string" || Array.isArray(message);
    return isMessage && typeof error === "string" && typeof statusCode === "number" ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}
