-- How many leads wait for somebody is beside the menu of every page.
CREATE INDEX lead_new ON lead (account_id, environment) WHERE status = 'new' AND record IS NOT NULL;
