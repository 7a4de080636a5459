-- What a key is called, until when it is good, which look-ups it is for (their names with spaces between; NULL: everything)
-- and from which networks it may be used (NULL: from everywhere); and the key that took its place.
ALTER TABLE api_key ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE api_key ADD COLUMN expires_at BIGINT;
ALTER TABLE api_key ADD COLUMN products TEXT;
ALTER TABLE api_key ADD COLUMN networks TEXT;
ALTER TABLE api_key ADD COLUMN successor TEXT;
