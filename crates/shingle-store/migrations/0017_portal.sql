-- Who signs in to the portal. account_id NULL: an operator of the installation alone.
CREATE TABLE portal_user (
    id          TEXT NOT NULL PRIMARY KEY,
    account_id  TEXT REFERENCES account (id),
    role        TEXT NOT NULL,
    email       TEXT NOT NULL UNIQUE,
    name        TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    disabled_at BIGINT
);
CREATE INDEX portal_user_account ON portal_user (account_id);

-- Links that make a user, once. Only the hash of a link is kept.
CREATE TABLE portal_invite (
    id         TEXT NOT NULL PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    account_id TEXT REFERENCES account (id),
    role       TEXT NOT NULL,
    email      TEXT,
    invited_by TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at   BIGINT
);
CREATE INDEX portal_invite_account ON portal_invite (account_id);

CREATE TABLE portal_session (
    id           TEXT NOT NULL PRIMARY KEY,
    token        TEXT NOT NULL UNIQUE,
    user_id      TEXT NOT NULL REFERENCES portal_user (id),
    way          TEXT NOT NULL,
    user_agent   TEXT NOT NULL,
    network      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT NOT NULL
);
CREATE INDEX portal_session_user ON portal_session (user_id);

-- A mailed link with its code, good for the browser that asked. user_id NULL: nobody has the address, and the page looks
-- the same.
CREATE TABLE portal_sign_in (
    id         TEXT NOT NULL PRIMARY KEY,
    link       TEXT NOT NULL UNIQUE,
    browser    TEXT NOT NULL,
    user_id    TEXT,
    created_at BIGINT NOT NULL,
    tries_left BIGINT NOT NULL,
    ended_at   BIGINT
);

CREATE TABLE portal_recovery_code (
    user_id TEXT NOT NULL REFERENCES portal_user (id),
    code    TEXT NOT NULL,
    used_at BIGINT,
    PRIMARY KEY (user_id, code)
);

-- Which leads a user has opened.
CREATE TABLE portal_lead_view (
    user_id TEXT NOT NULL,
    lead_id TEXT NOT NULL,
    PRIMARY KEY (user_id, lead_id)
);
CREATE INDEX portal_lead_view_lead ON portal_lead_view (lead_id);
