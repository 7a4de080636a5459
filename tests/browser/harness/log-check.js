// What the log of a server may not have: anything of a homeowner, and anything that opens something.

/** Homes and people of the journeys that need not have become leads. */
const FIXTURES = {
  street: ["Alder Court", "Nowhere Boulevard", "Fuller Street"],
  name: ["Dana", "Whitfield"],
  email: ["dana@example.com", "dana.whitfield@example.com", "ann@example.com"],
  telephone: ["2075550163", "2075550177"],
  token: [],
};

/** By its form, no matter whose it is: an API key, and the key in a link to an estimate. */
const OPENERS = [/\b(?:sandbox|production)_[0-9A-Za-z_-]{16,}/, /\/e\/[0-9A-Za-z_-]{8,}/];

const digits = (text) => text.replace(/\D/g, "");

/** What is written of these leads, by kind. */
function wordsOf(leads) {
  const words = Object.fromEntries(Object.entries(FIXTURES).map(([kind, list]) => [kind, [...list]]));
  for (const { firstName, lastName, email, phone, address, message } of leads) {
    words.name.push(firstName, lastName);
    words.email.push(email);
    if (phone) words.telephone.push(phone, digits(phone), phone.replace(/^\(\d+\) /, ""));
    const street = (address ?? "").split(",")[0];
    words.street.push(street, street.replace(/^\d+\s+/, ""));
    if (message) (words.message ??= []).push(message);
  }
  return words;
}

/** The kinds of what is in the log and may not be; never the words themselves, which would then be in another log. */
export function personalKinds(log, leads, secrets = []) {
  const words = wordsOf(leads);
  words.token.push(...secrets);
  const escaped = (word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const whole = (word) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, "u");
  const told = ([, list]) => list.some((word) => word?.length > 1 && whole(word).test(log));
  const kinds = Object.entries(words).filter(told).map(([kind]) => kind);
  if (OPENERS.some((form) => form.test(log)) && !kinds.includes("token")) kinds.push("token");
  return kinds;
}
