import { type ClientOptions, Http } from "./http.js";
import { groups } from "./operations.js";

export type { ClientOptions, Fetch, PostOptions, RequestOptions } from "./http.js";
export {
  ApiError, BadRequestError, ConflictError, ConnectionFailedError, ForbiddenError, NotFoundError, RateLimitError, ServerError, ShingleError,
  TimedOutError, UnauthorizedError, WebhookVerificationError,
} from "./errors.js";
export type * from "./types.js";
export { version } from "./version.js";
export * from "./webhook.js";

type Groups = ReturnType<typeof groups>;

/** The API of one Shingle server, with one key. */
export class Shingle implements Groups {
  readonly lookUp: Groups["lookUp"];
  readonly usage: Groups["usage"];
  readonly widgets: Groups["widgets"];
  readonly leads: Groups["leads"];
  readonly webhooks: Groups["webhooks"];
  readonly deliveries: Groups["deliveries"];
  readonly connectors: Groups["connectors"];
  readonly destinations: Groups["destinations"];
  readonly notices: Groups["notices"];
  readonly people: Groups["people"];
  readonly retention: Groups["retention"];

  constructor(options: ClientOptions) {
    const made = groups(new Http(options));
    this.lookUp = made.lookUp;
    this.usage = made.usage;
    this.widgets = made.widgets;
    this.leads = made.leads;
    this.webhooks = made.webhooks;
    this.deliveries = made.deliveries;
    this.connectors = made.connectors;
    this.destinations = made.destinations;
    this.notices = made.notices;
    this.people = made.people;
    this.retention = made.retention;
  }
}
