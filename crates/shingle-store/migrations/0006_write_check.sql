-- Counted by readiness checks: a database that can be read may still refuse to be written.
ALTER TABLE installation ADD COLUMN write_checks BIGINT NOT NULL DEFAULT 0;
