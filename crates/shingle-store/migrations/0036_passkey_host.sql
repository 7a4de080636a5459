-- By which name devices knew the server when a passkey was made: it works at no other. NULL: made before this was kept, and
-- not used since.
ALTER TABLE portal_passkey ADD COLUMN host TEXT;
CREATE INDEX portal_passkey_host ON portal_passkey (host);
