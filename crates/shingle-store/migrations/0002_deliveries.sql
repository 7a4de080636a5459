-- Events on their way: where they go, what was tried, what came back.

-- A webhook, a mailbox, the homeowner's mailbox, or a connector. events: kinds with spaces between.
-- widgets: ids with spaces between, empty for all. secrets: encrypted.
CREATE TABLE destination (
    id                   TEXT    NOT NULL PRIMARY KEY,
    account_id           TEXT    NOT NULL REFERENCES account (id),
    environment          TEXT    NOT NULL,
    kind                 TEXT    NOT NULL,
    name                 TEXT    NOT NULL,
    address              TEXT    NOT NULL,
    events               TEXT    NOT NULL,
    widgets              TEXT    NOT NULL,
    active               BOOLEAN NOT NULL,
    inactive_reason      TEXT,
    ordered              BOOLEAN NOT NULL,
    timeout_seconds      BIGINT  NOT NULL,
    config               TEXT    NOT NULL,
    secrets              TEXT,
    success_count        BIGINT  NOT NULL,
    failure_count        BIGINT  NOT NULL,
    last_success_at      BIGINT,
    last_failure_at      BIGINT,
    -- Failed attempts since the last success, and the first of them.
    failures_in_a_row    BIGINT  NOT NULL,
    failing_since        BIGINT,
    -- Nothing is sent before: the circuit is open, or the receiver asked for a pause.
    blocked_until        BIGINT  NOT NULL,
    created_at           BIGINT  NOT NULL,
    updated_at           BIGINT  NOT NULL
);
CREATE INDEX destination_tenant ON destination (account_id, environment, created_at, id);

-- One event to one destination. claim: who works on it; due_at is then the end of the lease.
-- state: pending, waiting (for the one before), delivered, failed, skipped.
-- step: minutes after the event; notices have several. progress: what a connector has done so far.
CREATE TABLE delivery (
    id               TEXT   NOT NULL PRIMARY KEY,
    account_id       TEXT   NOT NULL REFERENCES account (id),
    environment      TEXT   NOT NULL,
    event_id         TEXT   NOT NULL REFERENCES event (id),
    destination_id   TEXT   NOT NULL REFERENCES destination (id),
    kind             TEXT   NOT NULL,
    resource_id      TEXT   NOT NULL,
    sequence         BIGINT NOT NULL,
    step             BIGINT NOT NULL,
    state            TEXT   NOT NULL,
    reason           TEXT,
    attempts         BIGINT NOT NULL,
    due_at           BIGINT NOT NULL,
    claim            TEXT   NOT NULL,
    progress         TEXT,
    created_at       BIGINT NOT NULL,
    first_attempt_at BIGINT,
    completed_at     BIGINT
);
CREATE INDEX delivery_due ON delivery (due_at, id) WHERE state = 'pending';
CREATE INDEX delivery_log ON delivery (destination_id, created_at, id);
CREATE INDEX delivery_resource ON delivery (resource_id);
CREATE INDEX delivery_age ON delivery (created_at);
CREATE INDEX delivery_order ON delivery (destination_id, resource_id, sequence) WHERE state IN ('pending', 'waiting');

-- what was sent and what came back, as JSON, without secrets; removed with its lead.
CREATE TABLE attempt (
    id              TEXT   NOT NULL PRIMARY KEY,
    delivery_id     TEXT   NOT NULL REFERENCES delivery (id),
    number          BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    duration_micros BIGINT NOT NULL,
    outcome         TEXT   NOT NULL,
    status          BIGINT,
    cause           TEXT,
    exchange        TEXT
);
CREATE INDEX attempt_delivery ON attempt (delivery_id, number);

-- What an account has decided about notices.
CREATE TABLE notice_settings (
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    settings    TEXT   NOT NULL,
    -- The day up to which digests were made.
    digest_day  TEXT,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment)
);

-- Idempotency keys of the API: what was made for them.
CREATE TABLE api_request (
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    key_hash     TEXT   NOT NULL,
    request_hash TEXT   NOT NULL,
    resource_id  TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, key_hash)
);
CREATE INDEX api_request_age ON api_request (created_at);

-- One copy an address a day. email_hash: a keyed hash.
CREATE TABLE homeowner_copy (
    email_hash  TEXT   NOT NULL PRIMARY KEY,
    delivery_id TEXT   NOT NULL,
    sent_at     BIGINT NOT NULL
);

-- The drawing that was shown with the lead, as JSON.
ALTER TABLE lead ADD COLUMN drawing TEXT;
