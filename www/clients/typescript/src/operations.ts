// Written by www/clients/generate.mjs from the description of the API. Do not change it by hand.

import { type Http, pages, type PostOptions, type RequestOptions, segment } from "./http.js";
import type * as types from "./types.js";

export class LookUp {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Property details, level 1.
   *
   * Owner, age, size and kind of the property at an address.
   */
  async addressInfo(address: types.Address, query: types.GetAddressInfoQuery = {}, options: RequestOptions = {}): Promise<types.AddressInfoAnswer> {
    return this.#http.json<types.AddressInfoAnswer>({ method: "GET", path: "/api/v1/address-info", address, query }, options);
  }

  /**
   * Property details, level 2.
   *
   * As level 1, and on request how far a lead from this address can be relied on.
   */
  async addressInfoV2(address: types.Address, query: types.GetAddressInfoV2Query = {}, options: RequestOptions = {}): Promise<types.AddressInfoV2Answer> {
    return this.#http.json<types.AddressInfoV2Answer>({ method: "GET", path: "/api/v1/address-info-v2", address, query }, options);
  }

  /**
   * How the owner buys.
   *
   * Scores of the owner and, on request, advice that goes with them. They rest on stated priors and on no consumer report. Off for production keys until the operator switches the product on.
   */
  async buyerInsights(address: types.Address, query: types.GetBuyerInsightsQuery = {}, options: RequestOptions = {}): Promise<types.BuyerInsightsAnswer> {
    return this.#http.json<types.BuyerInsightsAnswer>({ method: "GET", path: "/api/v1/buyer-insights", address, query }, options);
  }

  /**
   * Size, pitch and price of the roof.
   *
   * An approximation, which replaces no inspection.
   */
  async roofEstimate(address: types.Address, query: types.GetRoofEstimateQuery = {}, options: RequestOptions = {}): Promise<types.RoofEstimateAnswer> {
    return this.#http.json<types.RoofEstimateAnswer>({ method: "GET", path: "/api/v1/roof-estimate", address, query }, options);
  }

  /**
   * How likely the household takes up solar power.
   *
   * An index from 0 to 10, what to lead with, and the details of the property.
   */
  async solarIndex(address: types.Address, query: types.GetSolarIndexQuery = {}, options: RequestOptions = {}): Promise<types.SolarIndexAnswer> {
    return this.#http.json<types.SolarIndexAnswer>({ method: "GET", path: "/api/v1/solar-index", address, query }, options);
  }

  /**
   * Consumption, cost and emissions of a year.
   *
   * Electricity and fuel of the last twelve months, worked out from homes like this one.
   */
  async utilityBill(address: types.Address, query: types.GetUtilityBillQuery = {}, options: RequestOptions = {}): Promise<types.UtilityBillAnswer> {
    return this.#http.json<types.UtilityBillAnswer>({ method: "GET", path: "/api/v1/utility-bill", address, query }, options);
  }
}

export class Usage {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * What the look-ups come to.
   *
   * Calls, billed calls and amounts by day, key and product, in the environment of this key; amounts are whole cents. What was credited to the account, less what was taken from the balance on all days, is the balance. With `Accept: text/csv` the lines come as a table.
   */
  async get(query: types.GetUsageQuery = {}, options: RequestOptions = {}): Promise<types.UsageReport> {
    return this.#http.json<types.UsageReport>({ method: "GET", path: "/api/v1/usage", query }, options);
  }
}

export class Widgets {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List widgets.
   *
   * All of the account, the oldest first. A key for the leads of some widgets lists those.
   */
  async list(options: RequestOptions = {}): Promise<types.WidgetRecord[]> {
    return this.#http.json<types.WidgetRecord[]>({ method: "GET", path: "/api/v1/roof-estimate-widget" }, options);
  }

  /**
   * Make a widget.
   *
   * A form, because it carries the logos. Without logos it may also be JSON or URL-encoded.
   */
  async create(body: types.CreateWidgetBody, options: PostOptions = {}): Promise<types.WidgetRecord> {
    return this.#http.json<types.WidgetRecord>({ method: "POST", path: "/api/v1/roof-estimate-widget", form: body, takesIdempotencyKey: true }, options);
  }

  /**
   * Get a widget.
   *
   * The whole record.
   */
  async get(referenceId: string, options: RequestOptions = {}): Promise<types.WidgetRecord> {
    return this.#http.json<types.WidgetRecord>({ method: "GET", path: `/api/v1/roof-estimate-widget/${segment("referenceId", referenceId)}` }, options);
  }

  /**
   * Change a widget.
   *
   * What is not sent stays as it is.
   */
  async update(referenceId: string, body: types.UpdateWidgetBody = {}, options: RequestOptions = {}): Promise<types.WidgetRecord> {
    return this.#http.json<types.WidgetRecord>({ method: "PUT", path: `/api/v1/roof-estimate-widget/${segment("referenceId", referenceId)}`, form: body }, options);
  }

  /**
   * Replace a widget's logos.
   *
   * One of them or both.
   */
  async uploadLogos(referenceId: string, body: types.UploadWidgetLogosBody, options: RequestOptions = {}): Promise<types.WidgetRecord> {
    return this.#http.json<types.WidgetRecord>({ method: "PATCH", path: `/api/v1/roof-estimate-widget/${segment("referenceId", referenceId)}/upload-logos`, form: body }, options);
  }

  /**
   * Get a widget's settings.
   *
   * What a contractor says beside the record: what the price includes, an example of monthly payment, working hours and more. Where nothing was set, the defaults.
   */
  async getSettings(referenceId: string, options: RequestOptions = {}): Promise<types.WidgetSettings> {
    return this.#http.json<types.WidgetSettings>({ method: "GET", path: `/api/v1/roof-estimate-widget/${segment("referenceId", referenceId)}/settings` }, options);
  }

  /**
   * Replace a widget's settings.
   *
   * All of them: what is missing or null becomes the default.
   */
  async replaceSettings(referenceId: string, body: types.ReplaceWidgetSettingsBody | types.WidgetSettings, options: RequestOptions = {}): Promise<types.WidgetSettings> {
    return this.#http.json<types.WidgetSettings>({ method: "PUT", path: `/api/v1/roof-estimate-widget/${segment("referenceId", referenceId)}/settings`, json: body }, options);
  }
}

export class Leads {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List leads.
   *
   * The newest first, a page at a time.
   */
  async list(query: types.ListLeadsQuery = {}, options: RequestOptions = {}): Promise<types.LeadPage> {
    return this.#http.json<types.LeadPage>({ method: "GET", path: "/api/v1/leads", query }, options);
  }

  /** Like `list`: every item, of one page after the other. */
  listAll(query: Omit<types.ListLeadsQuery, "cursor"> = {}, options: RequestOptions = {}): AsyncGenerator<types.Lead, void, undefined> {
    return pages((cursor) => this.list({ ...query, cursor }, options));
  }

  /**
   * Download leads as a table.
   *
   * All of them, without pages, one row for each; the first row names the columns.
   */
  async csv(query: types.DownloadLeadsQuery = {}, options: RequestOptions = {}): Promise<string> {
    return this.#http.text({ method: "GET", path: "/api/v1/leads.csv", query, accept: "text/csv" }, options);
  }

  /**
   * List addresses that leads name again and again.
   *
   * Those that five and more leads of one widget and day name, of the last thirty days; the most repeated first, a hundred at most.
   */
  async repeatedAddresses(options: RequestOptions = {}): Promise<types.RepeatedAddress[]> {
    return this.#http.json<types.RepeatedAddress[]>({ method: "GET", path: "/api/v1/leads/repeated" }, options);
  }

  /**
   * Get a lead.
   *
   * The whole record.
   */
  async get(id: string, options: RequestOptions = {}): Promise<types.Lead> {
    return this.#http.json<types.Lead>({ method: "GET", path: `/api/v1/leads/${segment("id", id)}` }, options);
  }

  /**
   * Change a lead.
   *
   * Its status, its message, and what became of the visit that was asked for. Every change is a `lead.updated`.
   */
  async update(id: string, body: types.UpdateLeadBody = {}, options: RequestOptions = {}): Promise<types.Lead> {
    return this.#http.json<types.Lead>({ method: "PATCH", path: `/api/v1/leads/${segment("id", id)}`, json: body }, options);
  }

  /**
   * Erase a lead.
   *
   * Deletes every personal datum of it, also in the log of deliveries. This cannot be undone.
   */
  async erase(id: string, options: RequestOptions = {}): Promise<types.Erased> {
    return this.#http.json<types.Erased>({ method: "DELETE", path: `/api/v1/leads/${segment("id", id)}` }, options);
  }

  /**
   * List the notes of a lead.
   *
   * What people of the company and programs wrote down, the oldest first. Homeowners never see them.
   */
  async notes(id: string, options: RequestOptions = {}): Promise<types.LeadNote[]> {
    return this.#http.json<types.LeadNote[]>({ method: "GET", path: `/api/v1/leads/${segment("id", id)}/notes` }, options);
  }

  /**
   * Add a note to a lead.
   *
   * It is in the lead's timeline, with the name of the key. It changes nothing else of the lead, so there is no event.
   */
  async addNote(id: string, body: types.AddLeadNoteBody, options: RequestOptions = {}): Promise<types.LeadNote> {
    return this.#http.json<types.LeadNote>({ method: "POST", path: `/api/v1/leads/${segment("id", id)}/notes`, json: body }, options);
  }

  /**
   * Get the certificate of consent of a lead.
   *
   * Everything the homeowner agreed to or not: text, time, page, network address and browser, with the person as typed then. It is signed and linked to all consents of the account; `shingle consent verify` checks it offline and names each changed byte.
   */
  async consentCertificate(id: string, options: RequestOptions = {}): Promise<types.ConsentCertificate> {
    return this.#http.json<types.ConsentCertificate>({ method: "GET", path: `/api/v1/leads/${segment("id", id)}/consent` }, options);
  }

  /**
   * Get the certificate of consent as a page.
   *
   * The same for people: one file that prints.
   */
  async consentPage(id: string, options: RequestOptions = {}): Promise<string> {
    return this.#http.text({ method: "GET", path: `/api/v1/leads/${segment("id", id)}/consent.html`, accept: "text/html" }, options);
  }

  /**
   * Get a photograph of the roof.
   *
   * A JPEG without what the camera wrote into it.
   */
  async photo(id: string, photo: string, options: RequestOptions = {}): Promise<Uint8Array> {
    return this.#http.bytes({ method: "GET", path: `/api/v1/leads/${segment("id", id)}/photos/${segment("photo", photo)}`, accept: "image/jpeg" }, options);
  }

  /**
   * Switch the link to the estimate off.
   *
   * The page that the homeowner may have passed on. A new link is in later mails.
   */
  async revokeLink(id: string, options: RequestOptions = {}): Promise<types.Revoked> {
    return this.#http.json<types.Revoked>({ method: "DELETE", path: `/api/v1/leads/${segment("id", id)}/link` }, options);
  }

  /**
   * List the deliveries of a lead.
   *
   * Of everything that happened to it, to any destination.
   */
  async deliveries(id: string, options: RequestOptions = {}): Promise<types.DeliveryList> {
    return this.#http.json<types.DeliveryList>({ method: "GET", path: `/api/v1/leads/${segment("id", id)}/deliveries` }, options);
  }
}

export class Webhooks {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Make a webhook.
   *
   * Its address has to be public and to begin with `https://`.
   */
  async create(body: types.CreateWebhookBody, options: PostOptions = {}): Promise<types.Webhook> {
    return this.#http.json<types.Webhook>({ method: "POST", path: "/api/v1/webhooks", json: body, takesIdempotencyKey: true }, options);
  }

  /**
   * List webhooks.
   *
   * All of them.
   */
  async list(options: RequestOptions = {}): Promise<types.Webhook[]> {
    return this.#http.json<types.Webhook[]>({ method: "GET", path: "/api/v1/webhooks" }, options);
  }

  /**
   * Get a webhook.
   *
   * The whole record, without its secret.
   */
  async get(webhookId: string, options: RequestOptions = {}): Promise<types.Webhook> {
    return this.#http.json<types.Webhook>({ method: "GET", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}` }, options);
  }

  /**
   * Change a webhook.
   *
   * What is not sent stays as it is. Every mistake is one sentence about syntax.
   */
  async update(webhookId: string, body: types.UpdateWebhookBody = {}, options: RequestOptions = {}): Promise<types.Webhook> {
    return this.#http.json<types.Webhook>({ method: "PATCH", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}`, json: body }, options);
  }

  /**
   * Delete a webhook.
   *
   * What is on its way to it is given up.
   */
  async delete(webhookId: string, options: RequestOptions = {}): Promise<types.Webhook> {
    return this.#http.json<types.Webhook>({ method: "DELETE", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}` }, options);
  }

  /**
   * Renew the secret of a webhook.
   *
   * The old one signs beside the new one for a day.
   */
  async rotateSecret(webhookId: string, options: RequestOptions = {}): Promise<types.Webhook> {
    return this.#http.json<types.Webhook>({ method: "POST", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}/rotate-secret` }, options);
  }

  /**
   * Send a test event.
   *
   * A `ping`, which nobody has to subscribe to.
   */
  async test(webhookId: string, options: PostOptions = {}): Promise<types.Started> {
    return this.#http.json<types.Started>({ method: "POST", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}/test`, takesIdempotencyKey: true }, options);
  }

  /**
   * List deliveries.
   *
   * The newest first, a page at a time, without their attempts.
   */
  async deliveries(webhookId: string, query: types.ListWebhookDeliveriesQuery = {}, options: RequestOptions = {}): Promise<types.DeliveryList> {
    return this.#http.json<types.DeliveryList>({ method: "GET", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}/deliveries`, query }, options);
  }

  /** Like `deliveries`: every item, of one page after the other. */
  deliveriesAll(webhookId: string, query: Omit<types.ListWebhookDeliveriesQuery, "cursor"> = {}, options: RequestOptions = {}): AsyncGenerator<types.DeliveryView, void, undefined> {
    return pages((cursor) => this.deliveries(webhookId, { ...query, cursor }, options));
  }

  /**
   * Send again what failed.
   *
   * Everything that failed or was skipped since a time.
   */
  async replay(webhookId: string, body: types.ReplayWebhookBody, options: RequestOptions = {}): Promise<types.Replayed> {
    return this.#http.json<types.Replayed>({ method: "POST", path: `/api/v1/webhooks/${segment("webhookId", webhookId)}/replay`, json: body }, options);
  }
}

export class Deliveries {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Get a delivery.
   *
   * With every attempt: what was sent, without secrets, and what came back.
   */
  async get(id: string, options: RequestOptions = {}): Promise<types.DeliveryView> {
    return this.#http.json<types.DeliveryView>({ method: "GET", path: `/api/v1/deliveries/${segment("id", id)}` }, options);
  }

  /**
   * Send a delivery again.
   *
   * As a delivery of its own, with the same event.
   */
  async replay(id: string, options: PostOptions = {}): Promise<types.Started> {
    return this.#http.json<types.Started>({ method: "POST", path: `/api/v1/deliveries/${segment("id", id)}/replay`, takesIdempotencyKey: true }, options);
  }
}

export class Connectors {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List connectors.
   *
   * Every system that there is a connector for, and what each has to be given.
   */
  async list(options: RequestOptions = {}): Promise<types.ConnectorView[]> {
    return this.#http.json<types.ConnectorView[]>({ method: "GET", path: "/api/v1/connectors" }, options);
  }

  /**
   * Get a connector.
   *
   * What it does and what it has to be given.
   */
  async get(name: string, options: RequestOptions = {}): Promise<types.ConnectorView> {
    return this.#http.json<types.ConnectorView>({ method: "GET", path: `/api/v1/connectors/${segment("name", name)}` }, options);
  }
}

export class Destinations {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Set a connector up.
   *
   * Every new lead goes there from then on.
   */
  async create(body: types.CreateDestinationBody, options: PostOptions = {}): Promise<types.DestinationView> {
    return this.#http.json<types.DestinationView>({ method: "POST", path: "/api/v1/destinations", json: body, takesIdempotencyKey: true }, options);
  }

  /**
   * List what is set up.
   *
   * Without webhooks, which have a list of their own.
   */
  async list(options: RequestOptions = {}): Promise<types.DestinationView[]> {
    return this.#http.json<types.DestinationView[]>({ method: "GET", path: "/api/v1/destinations" }, options);
  }

  /**
   * Get a destination.
   *
   * The whole record, without secrets.
   */
  async get(id: string, options: RequestOptions = {}): Promise<types.DestinationView> {
    return this.#http.json<types.DestinationView>({ method: "GET", path: `/api/v1/destinations/${segment("id", id)}` }, options);
  }

  /**
   * Change a destination.
   *
   * What is not sent stays as it is.
   */
  async update(id: string, body: types.UpdateDestinationBody, options: RequestOptions = {}): Promise<types.DestinationView> {
    return this.#http.json<types.DestinationView>({ method: "PATCH", path: `/api/v1/destinations/${segment("id", id)}`, json: body }, options);
  }

  /**
   * Delete a destination.
   *
   * What is on its way to it is given up.
   */
  async delete(id: string, options: RequestOptions = {}): Promise<types.DestinationView> {
    return this.#http.json<types.DestinationView>({ method: "DELETE", path: `/api/v1/destinations/${segment("id", id)}` }, options);
  }

  /**
   * Send a test event.
   *
   * A `ping`, which nobody has to subscribe to.
   */
  async test(id: string, options: PostOptions = {}): Promise<types.Started> {
    return this.#http.json<types.Started>({ method: "POST", path: `/api/v1/destinations/${segment("id", id)}/test`, takesIdempotencyKey: true }, options);
  }

  /**
   * List deliveries.
   *
   * The newest first, a page at a time, without their attempts.
   */
  async deliveries(id: string, query: types.ListDestinationDeliveriesQuery = {}, options: RequestOptions = {}): Promise<types.DeliveryList> {
    return this.#http.json<types.DeliveryList>({ method: "GET", path: `/api/v1/destinations/${segment("id", id)}/deliveries`, query }, options);
  }

  /** Like `deliveries`: every item, of one page after the other. */
  deliveriesAll(id: string, query: Omit<types.ListDestinationDeliveriesQuery, "cursor"> = {}, options: RequestOptions = {}): AsyncGenerator<types.DeliveryView, void, undefined> {
    return pages((cursor) => this.deliveries(id, { ...query, cursor }, options));
  }

  /**
   * Send again what failed.
   *
   * Everything that failed or was skipped since a time.
   */
  async replay(id: string, body: types.ReplayDestinationBody, options: RequestOptions = {}): Promise<types.Replayed> {
    return this.#http.json<types.Replayed>({ method: "POST", path: `/api/v1/destinations/${segment("id", id)}/replay`, json: body }, options);
  }
}

export class Notices {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Get the settings of notices.
   *
   * Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.
   */
  async get(options: RequestOptions = {}): Promise<types.NoticeSettings> {
    return this.#http.json<types.NoticeSettings>({ method: "GET", path: "/api/v1/notices" }, options);
  }

  /**
   * Replace the settings of notices.
   *
   * All of them: what is missing becomes the default.
   */
  async replace(body: types.ReplaceNoticeSettingsBody | types.NoticeSettings, options: RequestOptions = {}): Promise<types.NoticeSettings> {
    return this.#http.json<types.NoticeSettings>({ method: "PUT", path: "/api/v1/notices", json: body }, options);
  }
}

export class People {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Get everything that is stored of a person.
   *
   * Of all leads that have the e-mail address or the telephone number. It is a POST, so that neither is in an address, which servers write into their logs.
   */
  async export(body: types.ExportPersonBody, options: RequestOptions = {}): Promise<types.PersonExport> {
    return this.#http.json<types.PersonExport>({ method: "POST", path: "/api/v1/people/export", json: body }, options);
  }

  /**
   * Erase everything that is stored of a person.
   *
   * Erases every lead that has the e-mail address or the telephone number. This cannot be undone; what it would erase is told by `/api/v1/people/export`.
   */
  async erase(body: types.ErasePersonBody, options: RequestOptions = {}): Promise<types.ErasedPerson> {
    return this.#http.json<types.ErasedPerson>({ method: "POST", path: "/api/v1/people/erase", json: body }, options);
  }
}

export class Retention {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Get how long leads are kept.
   *
   * Of the account, in both environments. With `days` it is told what keeping leads for so long would erase now; nothing is erased by asking.
   */
  async get(query: types.GetRetentionQuery = {}, options: RequestOptions = {}): Promise<types.RetentionView> {
    return this.#http.json<types.RetentionView>({ method: "GET", path: "/api/v1/retention", query }, options);
  }

  /**
   * Set how long leads are kept.
   *
   * Older leads are erased by themselves, with their evidence of consent. It acts a day later, so that what it will erase can be seen before; a longer time than before acts at once.
   */
  async set(body: types.SetRetentionBody, options: RequestOptions = {}): Promise<types.RetentionView> {
    return this.#http.json<types.RetentionView>({ method: "PUT", path: "/api/v1/retention", json: body }, options);
  }
}

export const groups = (http: Http) => {
  return {
    lookUp: new LookUp(http),
    usage: new Usage(http),
    widgets: new Widgets(http),
    leads: new Leads(http),
    webhooks: new Webhooks(http),
    deliveries: new Deliveries(http),
    connectors: new Connectors(http),
    destinations: new Destinations(http),
    notices: new Notices(http),
    people: new People(http),
    retention: new Retention(http),
  };
};
