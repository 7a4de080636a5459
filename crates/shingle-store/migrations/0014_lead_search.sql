-- Leads are found by keyed hashes of words, because their records are encrypted. token: of a word, the beginning of one, an
-- e-mail address or a telephone number. Made for a lead after it has come in, before the next search.
CREATE TABLE lead_token (
    account_id  TEXT   NOT NULL,
    environment TEXT   NOT NULL,
    token       TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    lead_id     TEXT   NOT NULL REFERENCES lead (id),
    PRIMARY KEY (account_id, environment, token, created_at, lead_id)
);
CREATE INDEX lead_token_lead ON lead_token (lead_id);

-- When the tokens were made; NULL: they are still to be made.
ALTER TABLE lead ADD COLUMN tokens_at BIGINT;
CREATE INDEX lead_without_tokens ON lead (account_id) WHERE tokens_at IS NULL AND record IS NOT NULL;
