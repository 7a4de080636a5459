// Signatures by the text of Standard Webhooks.

const { createHmac, timingSafeEqual } = require("node:crypto");

/** Whether the server that has this secret sent it. Zapier passes the headers on with names of its own. */
function isSigned({ headers = {}, content }, secret) {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase().replace(/^http-/, ""), value]));
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = named;
  if (!id || !timestamp || !signatures || content == null) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const wanted = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(content).digest();
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return signature.startsWith("v1,") && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

module.exports = { isSigned };
