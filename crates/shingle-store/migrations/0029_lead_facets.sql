-- By what the portal lists leads: a few short columns beside the encrypted record, made when a lead is made searchable. A price
-- names nobody; a town is a keyed hash, whose name is sealed in lead_town. erased: its lead is gone.
CREATE TABLE lead_facet (
    lead_id     TEXT   NOT NULL PRIMARY KEY REFERENCES lead (id),
    account_id  TEXT   NOT NULL,
    environment TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    touched_at  BIGINT NOT NULL,
    status      TEXT   NOT NULL,
    widget_id   TEXT   NOT NULL,
    price_cents BIGINT,
    town        TEXT,
    origin      TEXT   NOT NULL,
    visit       TEXT,
    assignee_id TEXT,
    due_day     TEXT,
    erased      BOOLEAN NOT NULL
);
CREATE INDEX lead_facet_touched ON lead_facet (account_id, environment, touched_at);

CREATE TABLE lead_town (
    account_id TEXT NOT NULL REFERENCES account (id),
    town       TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL
);
CREATE INDEX lead_town_account ON lead_town (account_id);

-- Leads of older versions get their row with the next indexing.
UPDATE lead SET tokens_at = NULL WHERE record IS NOT NULL;

-- With tokens_at in it, SQLite takes it, and not one of all the account's leads.
DROP INDEX lead_without_tokens;
CREATE INDEX lead_without_tokens ON lead (account_id, tokens_at, id) WHERE tokens_at IS NULL AND record IS NOT NULL;

-- What a won lead was worth, in cents: it is counted, and names nobody, so it stays when the lead is erased.
ALTER TABLE lead ADD COLUMN won_value_cents BIGINT;
-- Why a lead was taken for spam; NULL: it was not, or nobody noted it.
ALTER TABLE lead ADD COLUMN spam_reason TEXT;

-- When a user opened a lead; 0: before this was kept.
ALTER TABLE portal_lead_view ADD COLUMN seen_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX portal_lead_view_seen ON portal_lead_view (user_id, seen_at);

-- Leads of one person.
CREATE INDEX lead_email ON lead (account_id, environment, email_hash);
CREATE INDEX lead_phone ON lead (account_id, environment, phone_hash);
