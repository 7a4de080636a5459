-- Raised in the transaction of every change to a key, an account's terms or a widget. A node that reads the same value
-- again knows that what it holds of them in memory is still so.
ALTER TABLE installation ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
