-- Who changed what, when. Rows are added and, after two years, deleted; none is changed. No name, address or text of a person:
-- ids, which are read against the tables of today. account_id NULL: a change of the installation.
CREATE TABLE audit_entry (
    id         TEXT NOT NULL PRIMARY KEY,
    account_id TEXT,
    actor      TEXT NOT NULL,
    actor_id   TEXT,
    what       TEXT NOT NULL,
    target     TEXT,
    detail     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX audit_entry_account ON audit_entry (account_id, id);
CREATE INDEX audit_entry_actor ON audit_entry (actor_id, id);

-- An operator who looks at a company's portal from one browser, until then.
CREATE TABLE portal_visit (
    session_id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    expires_at BIGINT NOT NULL
);
