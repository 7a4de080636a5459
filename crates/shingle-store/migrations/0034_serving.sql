-- 1 while a server runs on the database; 0 after it has stopped and its log is in the file. A file that says 1 and has no log
-- beside it was copied from a running server, without its newest rows.
ALTER TABLE installation ADD COLUMN serving BIGINT NOT NULL DEFAULT 0;
