// The description of the API in the form that the writers need: groups of methods, and named types.

/** Where each operation is in the clients. A new operation has to be given a place here. */
const places = {
  getAddressInfo: "lookUp.addressInfo",
  getAddressInfoV2: "lookUp.addressInfoV2",
  getBuyerInsights: "lookUp.buyerInsights",
  getRoofEstimate: "lookUp.roofEstimate",
  getSolarIndex: "lookUp.solarIndex",
  getUtilityBill: "lookUp.utilityBill",
  getUsage: "usage.get",
  createWidget: "widgets.create",
  listWidgets: "widgets.list",
  getWidget: "widgets.get",
  updateWidget: "widgets.update",
  uploadWidgetLogos: "widgets.uploadLogos",
  getWidgetSettings: "widgets.getSettings",
  replaceWidgetSettings: "widgets.replaceSettings",
  listLeads: "leads.list",
  downloadLeads: "leads.csv",
  listRepeatedAddresses: "leads.repeatedAddresses",
  getLead: "leads.get",
  updateLead: "leads.update",
  eraseLead: "leads.erase",
  listLeadNotes: "leads.notes",
  addLeadNote: "leads.addNote",
  getConsentCertificate: "leads.consentCertificate",
  getConsentPage: "leads.consentPage",
  getLeadPhoto: "leads.photo",
  revokeLeadLink: "leads.revokeLink",
  listLeadDeliveries: "leads.deliveries",
  createWebhook: "webhooks.create",
  listWebhooks: "webhooks.list",
  getWebhook: "webhooks.get",
  updateWebhook: "webhooks.update",
  deleteWebhook: "webhooks.delete",
  rotateWebhookSecret: "webhooks.rotateSecret",
  testWebhook: "webhooks.test",
  listWebhookDeliveries: "webhooks.deliveries",
  replayWebhook: "webhooks.replay",
  getDelivery: "deliveries.get",
  replayDelivery: "deliveries.replay",
  listConnectors: "connectors.list",
  getConnector: "connectors.get",
  createDestination: "destinations.create",
  listDestinations: "destinations.list",
  getDestination: "destinations.get",
  updateDestination: "destinations.update",
  deleteDestination: "destinations.delete",
  testDestination: "destinations.test",
  listDestinationDeliveries: "destinations.deliveries",
  replayDestination: "destinations.replay",
  getNoticeSettings: "notices.get",
  replaceNoticeSettings: "notices.replace",
  exportPerson: "people.export",
  erasePerson: "people.erase",
  getRetention: "retention.get",
  setRetention: "retention.set",
};

const addressParts = ["streetNumber", "streetAddress", "city", "state", "zip"];

export const pascal = (name) => name[0].toUpperCase() + name.slice(1);
export const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `{ version, schemas, groups: Map of name to operations, events }`. */
export function read(description, version) {
  const schemas = description.components.schemas;
  const groups = new Map();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const place = places[operation.operationId];
      if (!place) throw new Error(`${operation.operationId} has no place in the clients: give it one in description.mjs`);
      const [group, name] = place.split(".");
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(readOperation(operation, { path, method: method.toUpperCase(), name, schemas }));
    }
  }
  const events = Object.entries(description.webhooks).map(([type, { post }]) => ({
    type,
    summary: post.summary,
    typeName: type.split(".").map(pascal).join("") + "Event",
    schema: post.requestBody.content["application/json"].schema,
  }));
  return { version, schemas, groups, events };
}

function readOperation(operation, { path, method, name, schemas }) {
  const id = operation.operationId;
  const parameters = operation.parameters ?? [];
  const query = parameters.filter((one) => one.in === "query");
  const takesAddress = query.some((one) => one.name === "streetNumber");
  const ofAddress = new Set(takesAddress ? [...addressParts, "address"] : []);
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))[1];
  const answer = readAnswer(success.content, pascal(id.replace(/^get/, "")) + "Answer");
  const comesInPages = query.some((one) => one.name === "cursor");
  const headers = parameters.filter((one) => one.in === "header").map((one) => one.name);
  if (headers.some((header) => header !== "Idempotency-Key")) throw new Error(`${id} takes a header that clients do not know`);
  const body = operation.requestBody && readBody(operation.requestBody, pascal(id) + "Body");
  return {
    id, name, method, path, takesAddress, answer,
    about: [operation.summary + ".", operation.description].filter(Boolean).join("\n\n"),
    inPath: parameters.filter((one) => one.in === "path"),
    query: query.filter((one) => !ofAddress.has(one.name)),
    queryName: pascal(id) + "Query",
    takesIdempotencyKey: headers.length > 0,
    body,
    // A record that was read may be sent back: its type, though it is not the body's.
    sentBack: body?.kind === "json" && answer.schema?.$ref && isWithin(schemas[refName(answer.schema)], body.schema) ? refName(answer.schema) : null,
    // One item of a list that comes in pages.
    item: comesInPages ? schemas[refName(answer.schema)].properties.data.items : null,
  };
}

function readBody({ content, required = false }, typeName) {
  const [[kind, { schema }]] = Object.entries(content);
  return { kind: kind === "application/json" ? "json" : "form", schema, required, typeName };
}

function readAnswer(content, typeName) {
  const [[kind, { schema }]] = Object.entries(content);
  if (kind === "application/json") return { kind: "json", accept: kind, schema: withoutRefused(schema), typeName };
  return { kind: kind.startsWith("text/") ? "text" : "bytes", accept: kind };
}

/** A part of `allOf` may name fields that are never there: they become `without`. */
function withoutRefused(schema) {
  if (!schema.allOf) return schema;
  const without = schema.allOf.flatMap((one) => one.not?.anyOf ?? []).flatMap((one) => one.required);
  return { ...schema, allOf: schema.allOf.filter((one) => !one.not), without };
}

const isWithin = (record, body) => Boolean(record.properties && body.properties) && Object.keys(record.properties).every((name) => name in body.properties);

/** The named types of a body's or an event's schema besides those of the description's own components. */
export const bodies = ({ groups }) => [...groups.values()].flat().filter((one) => one.body).map((one) => one.body);

export const refName = (schema) => schema.$ref?.split("/").pop();

export const isMap = (schema) => !schema.properties && typeof schema.additionalProperties === "object";

/** What the types of a schema are besides null, and whether null is one of them. */
export function withoutNull(schema) {
  const types = [schema.type].flat().filter(Boolean);
  const union = schema.anyOf ?? schema.oneOf;
  if (union && !schema.properties) {
    const rest = union.filter((one) => one.type !== "null");
    return { isNullable: rest.length < union.length || rest.some((one) => withoutNull(one).isNullable), union: rest };
  }
  const isNullable = types.includes("null");
  const values = schema.enum?.filter((one) => one !== null);
  const plain = { ...schema, type: types.find((one) => one !== "null"), ...(values && { enum: values }) };
  return { isNullable, plain };
}

export const addressNames = addressParts;
