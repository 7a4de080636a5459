-- The consents of one lead are found by the lead. With the lead alone in the index, SQLite took the one over all consents
-- of the account.
DROP INDEX consent_lead;
CREATE INDEX consent_lead ON consent (lead_id, account_id, environment);

-- What the results of a company add up, so that they open no record: when somebody was first on a lead, the page and the
-- source it is counted under, and what it was worth.
ALTER TABLE lead_facet ADD COLUMN first_touch_at BIGINT;
ALTER TABLE lead_facet ADD COLUMN page TEXT;
ALTER TABLE lead_facet ADD COLUMN source TEXT;
ALTER TABLE lead_facet ADD COLUMN won_value_cents BIGINT;
UPDATE lead SET tokens_at = NULL WHERE record IS NOT NULL;
