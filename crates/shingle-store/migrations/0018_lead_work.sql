-- What the company's people do about a lead: whose it is, what comes next, and what was done and noted by whom. Texts are sealed.
CREATE TABLE lead_work (
    lead_id     TEXT NOT NULL PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES account (id),
    assignee_id TEXT,
    next_step   TEXT,
    due_day     TEXT
);
CREATE INDEX lead_work_assignee ON lead_work (assignee_id);

CREATE TABLE lead_entry (
    id         TEXT NOT NULL PRIMARY KEY,
    lead_id    TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    author     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX lead_entry_lead ON lead_entry (lead_id, id);

-- Lists of leads that somebody has named. The query holds words that were searched for, so it is sealed.
CREATE TABLE portal_view (
    id         TEXT NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES portal_user (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    name       TEXT NOT NULL,
    query      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX portal_view_user ON portal_view (user_id, id);
