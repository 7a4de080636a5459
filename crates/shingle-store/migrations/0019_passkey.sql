-- Passkeys of users: public keys, by what the device calls them.
CREATE TABLE portal_passkey (
    id           TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES portal_user (id),
    credential   TEXT NOT NULL UNIQUE,
    key          TEXT NOT NULL,
    counter      BIGINT NOT NULL,
    name         TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX portal_passkey_user ON portal_passkey (user_id, id);

-- What a device was asked to sign, until the browser that asked sends the answer. Any node may get it.
CREATE TABLE portal_ceremony (
    id         TEXT NOT NULL PRIMARY KEY,
    browser    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    user_id    TEXT,
    state      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX portal_ceremony_created ON portal_ceremony (created_at);

-- NULL: nobody has chosen, so the browser says.
ALTER TABLE portal_user ADD COLUMN language TEXT;
