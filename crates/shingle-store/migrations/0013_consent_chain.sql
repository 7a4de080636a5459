-- Consents are linked: each link stands for all consents of the account before it, so none is changed or removed unseen.
-- evidence: who agreed to what, with the salt of the digest, encrypted; with it text, page, network address and browser of
-- their own columns, which only rows of older versions fill. NULL once the lead is erased: digest and link stay.
-- link: NULL for rows of older versions until they get their place.
ALTER TABLE consent ADD COLUMN evidence TEXT;
ALTER TABLE consent ADD COLUMN digest TEXT;
ALTER TABLE consent ADD COLUMN sequence BIGINT;
ALTER TABLE consent ADD COLUMN link TEXT;
ALTER TABLE consent ADD COLUMN erased_at BIGINT;
CREATE UNIQUE INDEX consent_chain_place ON consent (account_id, sequence);
CREATE INDEX consent_without_place ON consent (account_id) WHERE link IS NULL;

-- The end of each account's chain.
CREATE TABLE consent_chain (
    account_id TEXT   NOT NULL PRIMARY KEY REFERENCES account (id),
    sequence   BIGINT NOT NULL,
    link       TEXT   NOT NULL
);
