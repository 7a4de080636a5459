// The same for CommonJS.

import shingleClient = require("shingle-client");

export const shingle: shingleClient.Shingle = new shingleClient.Shingle({ baseUrl: "https://quotes.example.com", key: "sandbox_key" });
export const leads: Promise<shingleClient.LeadPage> = shingle.leads.list();
// @ts-expect-error -- there is no such group
shingle.roofs;
