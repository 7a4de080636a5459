-- What the homeowner adds after the estimate, and the link to it.

-- state: arriving (its blob is being written), stored, removed (its blob is still to be deleted).
-- path: the blob's name, which nobody can guess and nothing but this row knows.
CREATE TABLE lead_photo (
    id         TEXT   NOT NULL PRIMARY KEY,
    lead_id    TEXT   NOT NULL REFERENCES lead (id),
    path       TEXT   NOT NULL,
    state      TEXT   NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX lead_photo_lead ON lead_photo (lead_id, created_at, id);
CREATE INDEX lead_photo_cleanup ON lead_photo (state, created_at);

-- When a visit was last asked for; the rest is in the record.
ALTER TABLE lead ADD COLUMN inspection_at BIGINT;

-- A link to the estimate is signed with this number: to revoke it is to count on.
ALTER TABLE lead ADD COLUMN link_version BIGINT NOT NULL DEFAULT 1;
