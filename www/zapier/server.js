// Requests to the server: where it is, and what its errors say.

/** The origin of what was typed: people paste a page of the portal, or leave out `https://`. */
function originOf(typed) {
  const text = (typed ?? "").trim();
  const match = /^(https?:\/\/)?([^/?#\s@]+)(?:[/?#]|$)/i.exec(text);
  if (!match || /^[a-z]+:\/\//i.test(text) !== Boolean(match[1])) return undefined;
  return ((match[1] ?? "https://") + match[2]).toLowerCase();
}

function origin(z, bundle) {
  const found = originOf(bundle.authData.server);
  if (!found) throw new z.errors.Error("The server must be an address such as https://roofs.example.com. Connect the account again.", "InvalidServer", 400);
  return found;
}

/** What the server answered, as JSON. */
async function ask(z, bundle, method, path, more = {}) {
  const url = origin(z, bundle) + path;
  const headers = { token: (bundle.authData.apiKey ?? "").trim() };
  // Another server would get the key, so no redirect is followed.
  const response = await z.request({ method, url, headers, redirect: "manual", ...more });
  return response.data;
}

/** Texts that a person can act on, in place of a status. 429 is Zapier's own: it waits as long as the server says. */
function explain(response, z) {
  if (response.status < 300 || response.skipThrowForStatus) return response;
  const said = response.data?.message;
  const sentences = Array.isArray(said) ? said.join(". ") : said || `The server answered ${response.status}`;
  if (response.status === 401) {
    throw new z.errors.ExpiredAuthError(`${sentences}. The key may be revoked or past its last day: connect the account again with a new one.`);
  }
  if (response.status < 400) {
    const to = response.getHeader("location");
    throw new z.errors.Error(`The server sends elsewhere, to ${to}. Connect the account again with that address.`, "Moved", response.status);
  }
  throw new z.errors.Error(response.status === 403 ? `${sentences}. Use a key that may do this.` : sentences, "Refused", response.status);
}

module.exports = { ask, explain, originOf };
