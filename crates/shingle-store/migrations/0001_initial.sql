-- One text for SQLite and PostgreSQL: times are microseconds since 1970 (UTC), ids and hashes are text,
-- money is whole cents. Nothing here is engine-specific; see src/dialect.rs for what is.

-- Exactly one row: proves that a database is opened with the secret it was written with.
CREATE TABLE installation (
    id           BIGINT NOT NULL PRIMARY KEY,
    secret_check TEXT   NOT NULL,
    created_at   BIGINT NOT NULL
);

CREATE TABLE account (
    id            TEXT   NOT NULL PRIMARY KEY,
    name          TEXT   NOT NULL,
    paused_at     BIGINT,
    balance_cents BIGINT,
    monthly_limit BIGINT,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);

-- Only products that an operator switched on or off; the others follow the product's default.
CREATE TABLE account_product (
    account_id TEXT    NOT NULL REFERENCES account (id),
    product    TEXT    NOT NULL,
    enabled    BOOLEAN NOT NULL,
    PRIMARY KEY (account_id, product)
);

CREATE TABLE api_key (
    id           TEXT   NOT NULL PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    hash         TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX api_key_account ON api_key (account_id, created_at);

-- Look-ups reserved or billed in a calendar month, by its first instant.
CREATE TABLE usage_month (
    account_id TEXT   NOT NULL REFERENCES account (id),
    month      BIGINT NOT NULL,
    used       BIGINT NOT NULL,
    PRIMARY KEY (account_id, month)
);

-- One row for every metered call; for accounts with neither limit nor balance, one row for equal calls within
-- 100 ms. held_cents: what was taken from the balance.
CREATE TABLE usage (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES account (id),
    key_id      TEXT   NOT NULL,
    product     TEXT   NOT NULL,
    state       TEXT   NOT NULL,
    calls       BIGINT NOT NULL,
    price_cents BIGINT NOT NULL,
    held_cents  BIGINT NOT NULL,
    month       BIGINT NOT NULL,
    reserved_at BIGINT NOT NULL,
    settled_at  BIGINT
);
CREATE INDEX usage_account ON usage (account_id, reserved_at);
CREATE INDEX usage_open ON usage (reserved_at) WHERE state = 'reserved';

CREATE TABLE widget (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    config      TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
CREATE INDEX widget_tenant ON widget (account_id, environment, created_at, id);

-- A row to lock: every submission of a lead updates its widget's row first, so that two submissions of the same
-- person are stored one after the other.
CREATE TABLE widget_lock (
    widget_id    TEXT   NOT NULL PRIMARY KEY REFERENCES widget (id),
    acquisitions BIGINT NOT NULL
);

-- The *_hash columns are keyed hashes: they find the same person and address again without naming them.
-- An erased lead keeps its row, without record and hashes.
CREATE TABLE lead (
    id           TEXT   NOT NULL PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    widget_id    TEXT   NOT NULL REFERENCES widget (id),
    status       TEXT   NOT NULL,
    record       TEXT,
    address_hash TEXT,
    email_hash   TEXT,
    phone_hash   TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    erased_at    BIGINT
);
CREATE INDEX lead_tenant ON lead (account_id, environment, created_at, id);
CREATE INDEX lead_address ON lead (widget_id, address_hash, created_at);

-- Evidence of consent: one row for every submission. Rows are added and, on erasure, removed; never changed.
CREATE TABLE consent (
    id          TEXT    NOT NULL PRIMARY KEY,
    account_id  TEXT    NOT NULL REFERENCES account (id),
    environment TEXT    NOT NULL,
    lead_id     TEXT    NOT NULL REFERENCES lead (id),
    given       BOOLEAN NOT NULL,
    text        TEXT    NOT NULL,
    text_hash   TEXT    NOT NULL,
    page_url    TEXT,
    ip          TEXT,
    user_agent  TEXT,
    at          BIGINT  NOT NULL
);
CREATE INDEX consent_lead ON consent (lead_id, at);

CREATE TABLE idempotency (
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    widget_id    TEXT   NOT NULL REFERENCES widget (id),
    key_hash     TEXT   NOT NULL,
    request_hash TEXT   NOT NULL,
    lead_id      TEXT   NOT NULL REFERENCES lead (id),
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (widget_id, key_hash)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- The outbox: events to deliver. payload is the whole body; NULL once its lead is erased.
CREATE TABLE event (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id TEXT   NOT NULL,
    sequence    BIGINT NOT NULL,
    payload     TEXT,
    created_at  BIGINT NOT NULL
);
CREATE INDEX event_tenant ON event (account_id, environment, created_at, id);
CREATE UNIQUE INDEX event_resource ON event (resource_id, sequence);
