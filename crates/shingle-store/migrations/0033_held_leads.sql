-- Whether leads are held as spam of which nobody was told is asked once a minute.
CREATE INDEX lead_held ON lead (created_at) WHERE status = 'spam' AND record IS NOT NULL;
