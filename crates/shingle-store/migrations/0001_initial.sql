-- The data model: all tables of an installation, one text for SQLite and PostgreSQL.
--
-- Types. Times are microseconds since 1970 (UTC), `…_at`. Ids are UUIDs as text. Money is whole cents. `environment` is
-- `production` or `sandbox`.
-- Hashes. A keyed hash, `…_hash`, finds the same value again without naming it.
-- Encryption. A sealed column holds personal data, encrypted with a data key of its account.
-- Engines. `{row_number}` and `{without_rowid}` stand for what SQLite and PostgreSQL spell differently.

-- Installation --------------------------------------------------------------------------------------------------------

-- Exactly one row.
CREATE TABLE installation (
    id           BIGINT NOT NULL PRIMARY KEY,
    -- Proves that the database is opened with the secret it was written with.
    secret_check TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    -- Raised in the transaction of every change to a key, an account's terms or a widget. A node that reads the same
    -- value again knows that what it holds of them in memory is still current.
    revision     BIGINT NOT NULL DEFAULT 0,
    -- 1 while a server runs on the database, 0 after it has stopped and its log is in the file. A file that says 1 and has
    -- no log beside it was copied from a running server, without its newest rows.
    serving      BIGINT NOT NULL DEFAULT 0,
    -- Counted up by readiness checks: a database that can be read may still refuse writes.
    write_checks BIGINT NOT NULL DEFAULT 0,
    -- What the storage of this installation has in its file `installation.txt`. NULL: no server has looked yet.
    storage_mark TEXT
);

-- Accounts and their keys ---------------------------------------------------------------------------------------------

-- A company.
CREATE TABLE account (
    id             TEXT   NOT NULL PRIMARY KEY,
    name           TEXT   NOT NULL,
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    paused_at      BIGINT,
    -- NULL: not prepaid.
    balance_cents  BIGINT,
    -- Look-ups in a calendar month. NULL: no limit.
    monthly_limit  BIGINT,
    -- Leads older than this are erased, from retention_from on. NULL: they are kept.
    retention_days BIGINT,
    retention_from BIGINT,
    -- Every row of the account is encrypted with the data key of this number or a later one.
    encrypted_with BIGINT NOT NULL,
    -- Since when the account is closed. NULL again when it was reopened.
    closed_at      BIGINT,
    -- When its erasure began. It is complete when the last data key is gone.
    erased_at      BIGINT
);
CREATE INDEX account_closed ON account (closed_at) WHERE closed_at IS NOT NULL;

-- Only products that an operator switched on or off; the others follow the product's default.
CREATE TABLE account_product (
    account_id TEXT    NOT NULL REFERENCES account (id),
    product    TEXT    NOT NULL,
    enabled    BOOLEAN NOT NULL,
    PRIMARY KEY (account_id, product)
);

-- The keys that encrypt an account's personal data. The newest one encrypts; the others still open what they encrypted.
CREATE TABLE data_key (
    account_id TEXT   NOT NULL REFERENCES account (id),
    number     BIGINT NOT NULL,
    -- The number of the installation's key that encrypts this one. That key is not in the database, so the database alone
    -- gives nobody personal data.
    wrapping   BIGINT NOT NULL,
    wrapped    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, number)
);

CREATE TABLE api_key (
    id           TEXT   NOT NULL PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    hash         TEXT   NOT NULL,
    name         TEXT   NOT NULL,
    -- The look-ups it is for, separated by spaces. NULL: everything.
    products     TEXT,
    -- As in portal_user: the widgets whose leads it reads.
    widgets      TEXT,
    -- The networks it may be used from, separated by spaces. NULL: everywhere.
    networks     TEXT,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT,
    revoked_at   BIGINT,
    -- The key that replaced it.
    successor    TEXT
);
CREATE INDEX api_key_account ON api_key (account_id, created_at);

-- Idempotency keys of the API, and what each request made.
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

-- Usage ---------------------------------------------------------------------------------------------------------------

-- Look-ups billed in a calendar month, by its first instant: what the monthly limit counts.
CREATE TABLE usage_month (
    account_id TEXT   NOT NULL REFERENCES account (id),
    month      BIGINT NOT NULL,
    used       BIGINT NOT NULL,
    PRIMARY KEY (account_id, month)
);

-- The look-ups of a key and product in a day (UTC, by its first instant), billed or not: what is reported to the customer
-- and adds up to the balance.
CREATE TABLE usage_day (
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    key_id       TEXT   NOT NULL,
    product      TEXT   NOT NULL,
    calls        BIGINT NOT NULL,
    billed       BIGINT NOT NULL,
    amount_cents BIGINT NOT NULL,
    -- What was taken from the balance.
    paid_cents   BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, day, key_id, product)
);

-- People: who signs in to the portal, and how -------------------------------------------------------------------------

-- One person in one company. Rows with one address are one person, who signs in once and works in all of these companies.
CREATE TABLE portal_user (
    id           TEXT NOT NULL PRIMARY KEY,
    -- NULL: an operator of the installation who belongs to no company.
    account_id   TEXT REFERENCES account (id),
    role         TEXT NOT NULL,
    -- Reference ids of the widgets that a client sees, separated by spaces. NULL: all of them.
    widgets      TEXT,
    email        TEXT NOT NULL,
    name         TEXT NOT NULL,
    -- NULL: the browser's language.
    language     TEXT,
    created_at   BIGINT NOT NULL,
    -- Whether all who could sign in had the address's mailbox. Not so after a link that another person may have opened.
    is_proven    BOOLEAN NOT NULL,
    -- When they last chose this company.
    chosen_at    BIGINT NOT NULL,
    disabled_at  BIGINT
);
CREATE UNIQUE INDEX portal_user_once ON portal_user (email, COALESCE(account_id, ''));
CREATE INDEX portal_user_account ON portal_user (account_id);

-- Links by which calendars read inspections. A link covers its version, so another version ends it.
CREATE TABLE calendar_link (
    account_id TEXT    NOT NULL REFERENCES account (id),
    -- Empty: the company's, with everybody's inspections.
    user_id    TEXT    NOT NULL,
    version    BIGINT  NOT NULL,
    is_on      BOOLEAN NOT NULL,
    PRIMARY KEY (account_id, user_id)
);

-- Links that make a user, once. Only the hash of a link is kept.
CREATE TABLE portal_invite (
    id         TEXT NOT NULL PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    account_id TEXT REFERENCES account (id),
    role       TEXT NOT NULL,
    -- As in portal_user.
    widgets    TEXT,
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

-- A mailed link with its code, valid in the browser that asked for it.
CREATE TABLE portal_sign_in (
    id         TEXT NOT NULL PRIMARY KEY,
    link       TEXT NOT NULL UNIQUE,
    browser    TEXT NOT NULL,
    -- NULL: no user has the address. The page looks the same.
    user_id    TEXT,
    created_at BIGINT NOT NULL,
    tries_left BIGINT NOT NULL,
    ended_at   BIGINT
);

-- Public keys whose private half stays on a device.
CREATE TABLE portal_passkey (
    id           TEXT NOT NULL PRIMARY KEY,
    user_id      TEXT NOT NULL REFERENCES portal_user (id),
    -- What the device calls it.
    credential   TEXT NOT NULL UNIQUE,
    key          TEXT NOT NULL,
    counter      BIGINT NOT NULL,
    name         TEXT NOT NULL,
    -- The server's name when the passkey was made: it works for no other name.
    host         TEXT NOT NULL,
    -- The user whom the device knows by it: the same person, perhaps in another company.
    made_for     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX portal_passkey_user ON portal_passkey (user_id, id);
CREATE INDEX portal_passkey_host ON portal_passkey (host);

-- What a device was asked to sign, or what a website may have, until the answer comes. Any node may receive it.
CREATE TABLE portal_ceremony (
    id         TEXT NOT NULL PRIMARY KEY,
    browser    TEXT NOT NULL,
    kind       TEXT NOT NULL,
    user_id    TEXT,
    state      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX portal_ceremony_created ON portal_ceremony (created_at);

CREATE TABLE portal_recovery_code (
    user_id  TEXT NOT NULL REFERENCES portal_user (id),
    code     TEXT NOT NULL,
    -- Whose id is in the hash: the same person, perhaps in another company.
    made_for TEXT NOT NULL,
    used_at  BIGINT,
    PRIMARY KEY (user_id, code)
);

-- A user's new e-mail address, until the code mailed to it is typed.
CREATE TABLE portal_email_change (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES portal_user (id),
    email      TEXT NOT NULL,
    code       TEXT NOT NULL,
    tries_left BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

-- An operator who looks at a company's portal from one browser, until expires_at.
CREATE TABLE portal_visit (
    session_id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    expires_at BIGINT NOT NULL
);

-- What new widgets of a company begin with.
CREATE TABLE portal_company (
    account_id  TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    phone       TEXT NOT NULL,
    website     TEXT NOT NULL,
    -- What the portal and its mails show in place of ours. Empty: ours.
    brand_name  TEXT NOT NULL DEFAULT '',
    brand_color TEXT NOT NULL DEFAULT '',
    -- Below the storage's root.
    brand_logo  TEXT NOT NULL DEFAULT ''
);

-- The host name under which a company's people and homeowners see this installation.
CREATE TABLE own_domain (
    host        TEXT NOT NULL PRIMARY KEY,
    account_id  TEXT NOT NULL UNIQUE REFERENCES account (id),
    -- NULL while no check has found this installation there.
    works_since BIGINT,
    checked_at  BIGINT,
    -- What the last check met instead; empty where it works.
    fault       TEXT NOT NULL
);

-- Who the emails of a company to homeowners are from.
CREATE TABLE company_sender (
    account_id  TEXT   NOT NULL PRIMARY KEY REFERENCES account (id),
    -- Proved by a code. Empty: there is none.
    name        TEXT   NOT NULL DEFAULT '',
    email       TEXT   NOT NULL DEFAULT '',
    -- What a code was mailed to.
    asked_name  TEXT   NOT NULL DEFAULT '',
    asked_email TEXT   NOT NULL DEFAULT '',
    code        TEXT   NOT NULL DEFAULT '',
    tries_left  BIGINT NOT NULL DEFAULT 0,
    asked_at    BIGINT NOT NULL DEFAULT 0
);

-- Widgets -------------------------------------------------------------------------------------------------------------

CREATE TABLE widget (
    -- What its links contain. Unique across all accounts.
    id           TEXT   NOT NULL PRIMARY KEY,
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    -- The caller's own id, unique in its account and environment.
    reference_id TEXT   NOT NULL,
    version      BIGINT NOT NULL,
    config       TEXT   NOT NULL,
    -- What a contractor sets beside the widget's record, as JSON. NULL: nothing yet.
    settings     TEXT,
    -- Names that the company had recently, as JSON: pages that are still open, and leads that wait on a device, show them.
    former_names TEXT,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);
CREATE INDEX widget_tenant ON widget (account_id, environment, created_at, id);
CREATE UNIQUE INDEX widget_reference ON widget (account_id, environment, reference_id);

-- A row to lock: every submission of a lead updates its widget's row first, so that two submissions of the same person
-- are stored one after the other.
CREATE TABLE widget_lock (
    widget_id    TEXT   NOT NULL PRIMARY KEY REFERENCES widget (id),
    acquisitions BIGINT NOT NULL
);

-- Every state of a widget that visitors have seen: who made it and when.
CREATE TABLE widget_version (
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    version    BIGINT NOT NULL,
    account_id TEXT   NOT NULL REFERENCES account (id),
    config     TEXT   NOT NULL,
    settings   TEXT,
    author     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (widget_id, version)
);

-- What somebody has changed and not published.
CREATE TABLE widget_draft (
    widget_id  TEXT   NOT NULL PRIMARY KEY REFERENCES widget (id),
    account_id TEXT   NOT NULL REFERENCES account (id),
    -- Another one after each save.
    mark       BIGINT NOT NULL,
    config     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    author     TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);

-- What one user sees in the preview now, under an address that nobody can guess.
CREATE TABLE widget_preview (
    id         TEXT   NOT NULL PRIMARY KEY,
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    user_id    TEXT   NOT NULL REFERENCES portal_user (id),
    mark       BIGINT NOT NULL,
    config     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX widget_preview_user ON widget_preview (widget_id, user_id);
CREATE INDEX widget_preview_end ON widget_preview (ends_at);

-- Where a widget's script was last loaded: the host of the page and when, nothing about the visitor.
CREATE TABLE widget_sighting (
    widget_id TEXT   NOT NULL REFERENCES widget (id),
    host      TEXT   NOT NULL,
    seen_at   BIGINT NOT NULL,
    PRIMARY KEY (widget_id, host)
);

-- Checks whether a page shows the widget, and what they found.
CREATE TABLE widget_check (
    id         TEXT   NOT NULL PRIMARY KEY,
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    page       TEXT   NOT NULL,
    verdict    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX widget_check_widget ON widget_check (widget_id, id);

-- How far visitors came: sums by day (the company's own), widget, page and source. No row names a visitor or a visit.
CREATE TABLE visit_count (
    account_id  TEXT NOT NULL,
    environment TEXT NOT NULL,
    widget_id   TEXT NOT NULL,
    day         TEXT NOT NULL,
    page        TEXT NOT NULL,
    source      TEXT NOT NULL,
    seen        BIGINT NOT NULL,
    opened      BIGINT NOT NULL,
    address     BIGINT NOT NULL,
    roof        BIGINT NOT NULL,
    details     BIGINT NOT NULL,
    lead        BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, widget_id, day, page, source)
);
CREATE INDEX visit_count_day ON visit_count (day);

-- Towns of addresses that visitors entered and no import covers. Never the address.
CREATE TABLE town_asked (
    account_id  TEXT NOT NULL,
    environment TEXT NOT NULL,
    widget_id   TEXT NOT NULL,
    day         TEXT NOT NULL,
    town        TEXT NOT NULL,
    asked       BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, widget_id, day, town)
);
CREATE INDEX town_asked_day ON town_asked (day);

-- Leads ---------------------------------------------------------------------------------------------------------------

-- An erased lead keeps its row, without record and hashes.
CREATE TABLE lead (
    id              TEXT   NOT NULL PRIMARY KEY,
    account_id      TEXT   NOT NULL REFERENCES account (id),
    environment     TEXT   NOT NULL,
    widget_id       TEXT   NOT NULL REFERENCES widget (id),
    status          TEXT   NOT NULL,
    -- The lead as JSON; sealed.
    record          TEXT,
    -- The drawing that was shown with the lead, as JSON; sealed.
    drawing         TEXT,
    -- What the estimate step showed, as JSON: the figures and the roof with the chosen buildings; sealed.
    shown           TEXT,
    -- They find the same person and address again.
    address_hash    TEXT,
    email_hash      TEXT,
    phone_hash      TEXT,
    -- A link to the estimate is signed with this number: a new number revokes the old links.
    link_version    BIGINT NOT NULL DEFAULT 1,
    -- When an inspection was last requested; the rest is in the record.
    inspection_at   BIGINT,
    -- Why the lead was taken for spam. NULL: it was not, or nobody said.
    spam_reason     TEXT,
    -- What a won lead was worth. It names nobody, so it stays when the lead is erased.
    won_value_cents BIGINT,
    -- When its search tokens were made. NULL: they are still to be made.
    tokens_at       BIGINT,
    -- The lead that stays, where this one was merged: never a merged one itself.
    merged_into     TEXT,
    created_at      BIGINT NOT NULL,
    updated_at      BIGINT NOT NULL,
    erased_at       BIGINT
);
CREATE INDEX lead_tenant ON lead (account_id, environment, created_at, id);
CREATE INDEX lead_address ON lead (widget_id, address_hash, created_at);
-- Leads of one person.
CREATE INDEX lead_email ON lead (account_id, environment, email_hash);
CREATE INDEX lead_phone ON lead (account_id, environment, phone_hash);
-- Every page shows the number of new leads in its menu.
CREATE INDEX lead_new ON lead (account_id, environment)
    WHERE status = 'new' AND record IS NOT NULL AND merged_into IS NULL;
CREATE INDEX lead_merged ON lead (merged_into, account_id, environment) WHERE merged_into IS NOT NULL;
-- Read once a minute: leads held as spam that nobody was notified of.
CREATE INDEX lead_held ON lead (created_at) WHERE status = 'spam' AND record IS NOT NULL;
CREATE INDEX lead_age ON lead (account_id, created_at) WHERE record IS NOT NULL;
-- With tokens_at in it, SQLite takes this index, and not the one over all leads of the account.
CREATE INDEX lead_without_tokens ON lead (account_id, tokens_at, id) WHERE tokens_at IS NULL AND record IS NOT NULL;

-- Idempotency keys of submissions.
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
CREATE INDEX idempotency_lead ON idempotency (lead_id);

-- What the portal lists and counts leads by: short columns beside the encrypted record, made when a lead is made
-- searchable. A price names nobody; a town is a keyed hash, and its name is sealed in lead_town.
CREATE TABLE lead_facet (
    -- Names the lead in lead_token, in a few bytes.
    number          {row_number} PRIMARY KEY,
    lead_id         TEXT    NOT NULL UNIQUE REFERENCES lead (id),
    account_id      TEXT    NOT NULL,
    environment     TEXT    NOT NULL,
    created_at      BIGINT  NOT NULL,
    touched_at      BIGINT  NOT NULL,
    status          TEXT    NOT NULL,
    widget_id       TEXT    NOT NULL,
    price_cents     BIGINT,
    town            TEXT,
    origin          TEXT    NOT NULL,
    -- How far the inspection is.
    visit           TEXT,
    -- What the homeowner answered, a bit each.
    wants           BIGINT  NOT NULL DEFAULT 0,
    assignee_id     TEXT,
    due_day         TEXT,
    due_time        TEXT,
    -- Why it was lost.
    loss            TEXT,
    -- The tags, with a blank between two.
    tags            TEXT,
    -- Its lead is gone, or merged into another: no list has it.
    erased          BOOLEAN NOT NULL,
    -- What a company's results add up without opening a record: when somebody first worked on the lead, the page and the
    -- source it is counted under, and what it was worth.
    first_touch_at  BIGINT,
    page            TEXT,
    source          TEXT,
    won_value_cents BIGINT
);
CREATE INDEX lead_facet_touched ON lead_facet (account_id, environment, touched_at);

CREATE TABLE lead_town (
    account_id TEXT NOT NULL REFERENCES account (id),
    town       TEXT NOT NULL PRIMARY KEY,
    name       TEXT NOT NULL
);
CREATE INDEX lead_town_account ON lead_town (account_id);

-- Search finds leads by keyed hashes, because their records are encrypted. A token is the first 64 bits of the hash of
-- account, environment and a word, the beginning of one, an e-mail address or a telephone number.
CREATE TABLE lead_token (
    token      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    lead       BIGINT NOT NULL REFERENCES lead_facet (number),
    PRIMARY KEY (token, created_at, lead)
) {without_rowid};
CREATE INDEX lead_token_lead ON lead_token (lead);

CREATE TABLE lead_photo (
    id         TEXT   NOT NULL PRIMARY KEY,
    lead_id    TEXT   NOT NULL REFERENCES lead (id),
    -- The blob's name, which nobody can guess and only this row knows.
    path       TEXT   NOT NULL,
    -- arriving: its blob is being written. stored. removed: its blob is still to be deleted.
    state      TEXT   NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX lead_photo_lead ON lead_photo (lead_id, created_at, id);
CREATE INDEX lead_photo_cleanup ON lead_photo (state, created_at);

-- Files that a company keeps with a lead.
CREATE TABLE lead_file (
    id         TEXT   NOT NULL PRIMARY KEY,
    lead_id    TEXT   NOT NULL REFERENCES lead (id),
    account_id TEXT   NOT NULL REFERENCES account (id),
    author     TEXT   NOT NULL,
    author_id  TEXT,
    -- Sealed.
    name       TEXT   NOT NULL,
    -- jpg or pdf.
    kind       TEXT   NOT NULL,
    -- The blob's name, which nobody can guess and only this row knows.
    path       TEXT   NOT NULL,
    -- As of a photograph.
    state      TEXT   NOT NULL,
    bytes      BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX lead_file_lead ON lead_file (lead_id, account_id);
CREATE INDEX lead_file_account ON lead_file (account_id);
CREATE INDEX lead_file_cleanup ON lead_file (state, created_at);

-- Who gets new leads.
CREATE TABLE lead_rules (
    account_id      TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    -- The rules, as JSON.
    record          TEXT NOT NULL,
    -- Who got the last one in turn.
    last_production TEXT,
    last_sandbox    TEXT
);

-- Merges that can be undone.
CREATE TABLE lead_merge (
    lead_id    TEXT   NOT NULL PRIMARY KEY REFERENCES lead (id),
    account_id TEXT   NOT NULL REFERENCES account (id),
    -- The lead that stayed, which may be merged by now.
    into_id    TEXT   NOT NULL,
    -- Which kinds of things and which tags that lead took over, as JSON.
    taken      TEXT   NOT NULL,
    merged_at  BIGINT NOT NULL,
    -- What that lead had before where it took the other's value, as JSON; sealed.
    kept       TEXT
);
CREATE INDEX lead_merge_account ON lead_merge (account_id);
CREATE INDEX lead_merge_into ON lead_merge (into_id);

-- Who in the company works on a lead, and what comes next.
CREATE TABLE lead_work (
    lead_id     TEXT NOT NULL PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES account (id),
    assignee_id TEXT,
    -- Sealed.
    next_step   TEXT,
    due_day     TEXT,
    -- Where the company is, and the moment that it means. NULL: until the day ends.
    due_time    TEXT,
    due_at      BIGINT,
    -- When somebody is reminded of it. NULL: nobody is any more.
    remind_at   BIGINT,
    -- Why it was lost, while it is.
    loss        TEXT,
    -- Sealed.
    loss_more   TEXT
);
CREATE INDEX lead_work_assignee ON lead_work (assignee_id);
-- Read once a minute.
CREATE INDEX lead_work_remind ON lead_work (remind_at, lead_id) WHERE remind_at IS NOT NULL;

-- Words that a company puts on its leads. A tag is a keyed hash of its word.
CREATE TABLE tag (
    tag        TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    -- Sealed.
    name       TEXT NOT NULL
);
CREATE INDEX tag_account ON tag (account_id);

CREATE TABLE lead_tag (
    lead_id    TEXT NOT NULL REFERENCES lead (id),
    tag        TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (lead_id, tag)
);
CREATE INDEX lead_tag_tag ON lead_tag (tag, lead_id);
CREATE INDEX lead_tag_account ON lead_tag (account_id);

-- Ready-made replies of a company.
CREATE TABLE reply_template (
    id         TEXT   NOT NULL PRIMARY KEY,
    account_id TEXT   NOT NULL REFERENCES account (id),
    -- All of it, as JSON; sealed.
    record     TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX reply_template_account ON reply_template (account_id, id);

-- Files of leads that a company brings in.
CREATE TABLE lead_import (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    stage       TEXT   NOT NULL,
    -- Names, the match of its columns and the choices, as JSON; sealed.
    record      TEXT   NOT NULL,
    -- Its rows until it is done, then those that were left out; sealed. NULL: they are gone.
    content     TEXT,
    row_count   BIGINT NOT NULL,
    -- How many rows are worked on, and what became of them.
    done        BIGINT NOT NULL,
    created     BIGINT NOT NULL,
    filled      BIGINT NOT NULL,
    skipped     BIGINT NOT NULL,
    left_out    BIGINT NOT NULL,
    priced      BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    -- Also the sign of life of the server that works on it.
    updated_at  BIGINT NOT NULL,
    -- When it was done or stopped. What is newer is a person's work.
    finished_at BIGINT
);
CREATE INDEX lead_import_account ON lead_import (account_id, environment, created_at);
CREATE INDEX lead_import_work ON lead_import (updated_at) WHERE stage IN ('running', 'undoing');

-- The leads that a file has made: so that it can be undone.
CREATE TABLE lead_import_lead (
    lead_id   TEXT NOT NULL PRIMARY KEY,
    import_id TEXT NOT NULL REFERENCES lead_import (id)
);
CREATE INDEX lead_import_lead_import ON lead_import_lead (import_id, lead_id);

-- What was done and noted about a lead, and by whom.
CREATE TABLE lead_entry (
    id         TEXT NOT NULL PRIMARY KEY,
    lead_id    TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (id),
    author     TEXT NOT NULL,
    -- Who may change it. NULL: nobody.
    author_id  TEXT,
    kind       TEXT NOT NULL,
    -- Sealed.
    text       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    -- When a note was last edited, or deleted.
    changed_at BIGINT
);
CREATE INDEX lead_entry_lead ON lead_entry (lead_id, id);

-- Emails from homeowners, by a keyed hash of what names each: one that comes twice is stored once.
CREATE TABLE lead_answer (
    lead_id    TEXT   NOT NULL,
    message    TEXT   NOT NULL,
    account_id TEXT   NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (lead_id, message)
);

-- Homeowners who asked a company for no more emails, or no more texts. A contact is a keyed hash.
CREATE TABLE contact_stop (
    account_id TEXT   NOT NULL REFERENCES account (id),
    contact    TEXT   NOT NULL,
    stopped_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, contact)
);

-- The inspection that is booked for a lead, or was the last one.
CREATE TABLE lead_appointment (
    lead_id     TEXT   NOT NULL PRIMARY KEY REFERENCES lead (id),
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    -- NULL: who goes does not sign in here.
    person_id   TEXT,
    -- Whether calendars have it.
    stands      BOOLEAN NOT NULL,
    starts_at   BIGINT NOT NULL,
    ends_at     BIGINT NOT NULL,
    -- All of it, as JSON; sealed.
    record      TEXT   NOT NULL
);
CREATE INDEX lead_appointment_time ON lead_appointment (account_id, environment, starts_at);

-- Quotes to homeowners, in all revisions. An erased lead keeps numbers, states and amounts.
CREATE TABLE quote (
    id           TEXT   NOT NULL PRIMARY KEY,
    lead_id      TEXT   NOT NULL REFERENCES lead (id),
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    -- NULL: it was not sent. A revision has the number of the quote that it replaces.
    number       BIGINT,
    revision     BIGINT NOT NULL,
    -- draft, sent, accepted, declined, withdrawn, replaced.
    state        TEXT   NOT NULL,
    -- All that is written in it, as JSON; sealed.
    record       TEXT,
    -- Who answered, as JSON; sealed.
    answer       TEXT,
    -- The choice that was accepted, from 0 on.
    chosen       BIGINT,
    -- Over all that was sent.
    digest       TEXT   NOT NULL,
    -- The quote that it replaces once it is sent.
    replaces     TEXT,
    -- What its choices cost before tax, in cents, with a blank between two.
    amounts      TEXT   NOT NULL,
    -- What the accepted choice costs.
    amount_cents BIGINT,
    expires_at   BIGINT,
    author       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    sent_at      BIGINT,
    answered_at  BIGINT
);
CREATE INDEX quote_lead ON quote (lead_id, id);
CREATE UNIQUE INDEX quote_number ON quote (account_id, environment, number, revision) WHERE number IS NOT NULL;

-- What a company's next quote begins with, and the numbers that were given last.
CREATE TABLE quote_settings (
    account_id      TEXT   NOT NULL PRIMARY KEY REFERENCES account (id),
    -- As JSON; sealed.
    record          TEXT,
    last_production BIGINT NOT NULL,
    last_sandbox    BIGINT NOT NULL
);

-- Which leads a user has opened.
CREATE TABLE portal_lead_view (
    user_id TEXT   NOT NULL,
    lead_id TEXT   NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, lead_id)
);
CREATE INDEX portal_lead_view_lead ON portal_lead_view (lead_id);
CREATE INDEX portal_lead_view_seen ON portal_lead_view (user_id, seen_at);

-- Lists of leads that a user has named.
CREATE TABLE portal_view (
    id         TEXT NOT NULL PRIMARY KEY,
    user_id    TEXT NOT NULL REFERENCES portal_user (id),
    account_id TEXT NOT NULL REFERENCES account (id),
    -- Sealed.
    name       TEXT NOT NULL,
    -- Sealed: it contains words that were searched for.
    query      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX portal_view_user ON portal_view (user_id, id);

-- Consents ------------------------------------------------------------------------------------------------------------

-- Evidence of consent: one row for every submission. Rows are added and, with their lead, erased; never changed. The
-- consents of an account form a chain: each link stands for all consents before it, so none is changed or removed unseen.
CREATE TABLE consent (
    id          TEXT    NOT NULL PRIMARY KEY,
    account_id  TEXT    NOT NULL REFERENCES account (id),
    environment TEXT    NOT NULL,
    lead_id     TEXT    NOT NULL REFERENCES lead (id),
    given       BOOLEAN NOT NULL,
    -- Empty once the lead is erased, as text_hash is.
    text        TEXT    NOT NULL,
    text_hash   TEXT    NOT NULL,
    at          BIGINT  NOT NULL,
    -- Who agreed to what and where, with the salt of the digest; sealed. NULL once the lead is erased: digest and link
    -- stay.
    evidence    TEXT,
    digest      TEXT    NOT NULL,
    -- The place in the chain of the account, from 1 on.
    sequence    BIGINT  NOT NULL,
    link        TEXT    NOT NULL,
    erased_at   BIGINT
);
CREATE UNIQUE INDEX consent_chain_place ON consent (account_id, sequence);
-- With lead_id alone, SQLite would take an index over all consents of the account.
CREATE INDEX consent_lead ON consent (lead_id, account_id, environment);

-- The end of each account's chain.
CREATE TABLE consent_chain (
    account_id TEXT   NOT NULL PRIMARY KEY REFERENCES account (id),
    sequence   BIGINT NOT NULL,
    link       TEXT   NOT NULL
);

-- How many people were asked with each text, and how many agreed. first_at and last_at belong to the text: they stay when
-- a lead is erased.
CREATE TABLE consent_text (
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    text_hash   TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    asked       BIGINT NOT NULL,
    agreed      BIGINT NOT NULL,
    first_at    BIGINT NOT NULL,
    last_at     BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, text_hash)
);

-- Events, destinations and deliveries ---------------------------------------------------------------------------------

-- The outbox: events to deliver.
CREATE TABLE event (
    id          TEXT   NOT NULL PRIMARY KEY,
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    resource_id TEXT   NOT NULL,
    sequence    BIGINT NOT NULL,
    -- The whole body; sealed. NULL once its lead is erased.
    payload     TEXT,
    created_at  BIGINT NOT NULL
);
CREATE INDEX event_tenant ON event (account_id, environment, created_at, id);
-- Two accounts may have widgets with the same reference_id.
CREATE UNIQUE INDEX event_resource ON event (resource_id, account_id, environment, sequence);

-- A webhook, a mailbox, the homeowner's mailbox, a browser that gets push messages, or a connector.
CREATE TABLE destination (
    id                TEXT    NOT NULL PRIMARY KEY,
    account_id        TEXT    NOT NULL REFERENCES account (id),
    environment       TEXT    NOT NULL,
    kind              TEXT    NOT NULL,
    name              TEXT    NOT NULL,
    address           TEXT    NOT NULL,
    -- Kinds, separated by spaces.
    events            TEXT    NOT NULL,
    -- Ids, separated by spaces. Empty: all widgets.
    widgets           TEXT    NOT NULL,
    active            BOOLEAN NOT NULL,
    inactive_reason   TEXT,
    ordered           BOOLEAN NOT NULL,
    timeout_seconds   BIGINT  NOT NULL,
    config            TEXT    NOT NULL,
    -- Encrypted with the installation's key.
    secrets           TEXT,
    success_count     BIGINT  NOT NULL,
    failure_count     BIGINT  NOT NULL,
    last_success_at   BIGINT,
    last_failure_at   BIGINT,
    -- Failed attempts since the last success, and when the first of them was.
    failures_in_a_row BIGINT  NOT NULL,
    failing_since     BIGINT,
    -- Nothing is sent before: the circuit is open, or the receiver asked for a pause.
    blocked_until     BIGINT  NOT NULL,
    created_at        BIGINT  NOT NULL,
    updated_at        BIGINT  NOT NULL
);
CREATE INDEX destination_tenant ON destination (account_id, environment, created_at, id);

-- One event to one destination.
CREATE TABLE delivery (
    id               TEXT   NOT NULL PRIMARY KEY,
    account_id       TEXT   NOT NULL REFERENCES account (id),
    environment      TEXT   NOT NULL,
    event_id         TEXT   NOT NULL REFERENCES event (id),
    destination_id   TEXT   NOT NULL REFERENCES destination (id),
    kind             TEXT   NOT NULL,
    resource_id      TEXT   NOT NULL,
    sequence         BIGINT NOT NULL,
    -- Minutes after the event; a notice has several.
    step             BIGINT NOT NULL,
    -- pending, waiting (for the delivery before it), delivered, failed, skipped.
    state            TEXT   NOT NULL,
    -- Why it failed or was skipped: what a receiver said is sealed, words of our own are in the clear.
    reason           TEXT,
    attempts         BIGINT NOT NULL,
    due_at           BIGINT NOT NULL,
    -- Who works on it. due_at is then the end of the lease.
    claim            TEXT   NOT NULL,
    -- What a connector has done so far; sealed.
    progress         TEXT,
    created_at       BIGINT NOT NULL,
    first_attempt_at BIGINT,
    completed_at     BIGINT
);
CREATE INDEX delivery_due ON delivery (due_at, id) WHERE state = 'pending';
CREATE INDEX delivery_log ON delivery (destination_id, created_at, id);
CREATE INDEX delivery_resource ON delivery (resource_id);
CREATE INDEX delivery_event ON delivery (event_id);
CREATE INDEX delivery_age ON delivery (created_at);
CREATE INDEX delivery_order ON delivery (destination_id, resource_id, sequence) WHERE state IN ('pending', 'waiting');

CREATE TABLE attempt (
    id              TEXT   NOT NULL PRIMARY KEY,
    delivery_id     TEXT   NOT NULL REFERENCES delivery (id),
    number          BIGINT NOT NULL,
    started_at      BIGINT NOT NULL,
    duration_micros BIGINT NOT NULL,
    outcome         TEXT   NOT NULL,
    status          BIGINT,
    -- Why it failed; sealed. `erased`, in the clear, once its lead is erased.
    cause           TEXT,
    -- What was sent and what came back, as JSON without secrets; sealed. Removed with its lead.
    exchange        TEXT
);
CREATE INDEX attempt_delivery ON attempt (delivery_id, number);

-- An account's choices about notices.
CREATE TABLE notice_settings (
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    settings    TEXT   NOT NULL,
    -- The day up to which digests were made.
    digest_day  TEXT,
    -- The month up to which reports were made.
    report_month TEXT,
    updated_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment)
);

-- A homeowner's address gets one copy a day.
CREATE TABLE homeowner_copy (
    email_hash  TEXT   NOT NULL PRIMARY KEY,
    delivery_id TEXT   NOT NULL,
    sent_at     BIGINT NOT NULL
);

-- Browsers of users that get a push message for each new lead, by a destination in each environment. One ends with the
-- session in which it subscribed.
CREATE TABLE push_device (
    id            TEXT NOT NULL PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES account (id),
    user_id       TEXT NOT NULL REFERENCES portal_user (id),
    session_id    TEXT NOT NULL,
    -- A keyed hash of its address at the push service; the address itself is sealed in the destination.
    endpoint      TEXT NOT NULL,
    production_id TEXT NOT NULL UNIQUE REFERENCES destination (id),
    sandbox_id    TEXT NOT NULL UNIQUE REFERENCES destination (id),
    created_at    BIGINT NOT NULL,
    UNIQUE (endpoint, account_id)
);
CREATE INDEX push_device_user ON push_device (user_id);
CREATE INDEX push_device_session ON push_device (session_id);

-- Nodes ---------------------------------------------------------------------------------------------------------------

-- Only PostgreSQL has rows here: a file of SQLite has one server. All times are by the clock of the database.

-- A server that runs on this database.
CREATE TABLE node (
    id      TEXT   NOT NULL PRIMARY KEY,
    -- The name of its machine.
    host    TEXT   NOT NULL,
    version TEXT   NOT NULL,
    -- A hash of the list of its homes' files.
    homes   TEXT   NOT NULL,
    seen_at BIGINT NOT NULL
);

-- What a node let visitors and keys do since its last row, sealed: the others count it too. Kept for some minutes.
CREATE TABLE limit_use (
    id       TEXT   NOT NULL PRIMARY KEY,
    node_id  TEXT   NOT NULL,
    uses     TEXT   NOT NULL,
    noted_at BIGINT NOT NULL
);
CREATE INDEX limit_use_time ON limit_use (noted_at);

-- A challenge whose solution has counted, until it expires.
CREATE TABLE spent_challenge (
    challenge  TEXT   NOT NULL PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

-- Imports and areas whose files lie on one node, and what is known of them, sealed: the others list them.
CREATE TABLE homes_place (
    id       TEXT   NOT NULL PRIMARY KEY,
    node_id  TEXT   NOT NULL,
    host     TEXT   NOT NULL,
    record   TEXT   NOT NULL,
    shown_at BIGINT NOT NULL
);

-- A request to a page of such files, and the answer, both sealed. For seconds.
CREATE TABLE homes_question (
    id       TEXT   NOT NULL PRIMARY KEY,
    -- Who answers.
    node_id  TEXT   NOT NULL,
    question TEXT   NOT NULL,
    is_taken BOOLEAN NOT NULL DEFAULT FALSE,
    answer   TEXT,
    asked_at BIGINT NOT NULL
);
CREATE INDEX homes_question_node ON homes_question (node_id, is_taken);

-- Work that only one node may do at a time.
CREATE TABLE work_lease (
    work    TEXT   NOT NULL PRIMARY KEY,
    node_id TEXT   NOT NULL,
    ends_at BIGINT NOT NULL
);

-- Homes that no photograph from the air may show, sealed: the address, and the ground that is painted over.
CREATE TABLE hidden_home (
    id         TEXT   NOT NULL PRIMARY KEY,
    record     TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

-- Audit log -----------------------------------------------------------------------------------------------------------

-- Who changed what, when. Rows are added and, after two years, deleted; none is changed. No name, address or text of a
-- person: ids, whose names are looked up when the log is shown.
CREATE TABLE audit_entry (
    id         TEXT NOT NULL PRIMARY KEY,
    -- NULL: a change of the installation.
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
