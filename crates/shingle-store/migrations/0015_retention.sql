-- Leads older than so many days are erased, from retention_from on. NULL: they are kept.
ALTER TABLE account ADD COLUMN retention_days BIGINT;
ALTER TABLE account ADD COLUMN retention_from BIGINT;
CREATE INDEX lead_age ON lead (account_id, created_at) WHERE record IS NOT NULL;
