-- An account that its owner closed. closed_at: since when; NULL again when it was reopened. erased_at: when its erasure began.
-- It is over when the last data key is gone.
ALTER TABLE account ADD COLUMN closed_at BIGINT;
ALTER TABLE account ADD COLUMN erased_at BIGINT;
CREATE INDEX account_closed ON account (closed_at) WHERE closed_at IS NOT NULL;

-- What is deleted with an account is looked for by what it hangs on.
CREATE INDEX idempotency_lead ON idempotency (lead_id);
CREATE INDEX delivery_event ON delivery (event_id);
