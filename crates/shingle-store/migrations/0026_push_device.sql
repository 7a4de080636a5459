-- Browsers of users that are told of new leads, by a destination in each environment. One ends with the session in which it
-- subscribed. endpoint: a keyed hash of where its push service takes messages; the address itself is sealed with the destination.
CREATE TABLE push_device (
    id            TEXT NOT NULL PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES account (id),
    user_id       TEXT NOT NULL REFERENCES portal_user (id),
    session_id    TEXT NOT NULL,
    endpoint      TEXT NOT NULL UNIQUE,
    production_id TEXT NOT NULL UNIQUE REFERENCES destination (id),
    sandbox_id    TEXT NOT NULL UNIQUE REFERENCES destination (id),
    created_at    BIGINT NOT NULL
);
CREATE INDEX push_device_user ON push_device (user_id);
CREATE INDEX push_device_session ON push_device (session_id);
