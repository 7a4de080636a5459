-- How many were asked by each text and how many agreed: counting the consents of 100,000 leads read them all. first_at and
-- last_at are of the text: they stay when a lead is erased.
CREATE TABLE consent_text (
    account_id  TEXT   NOT NULL REFERENCES account (id),
    environment TEXT   NOT NULL,
    text_hash   TEXT   NOT NULL,
    text        TEXT   NOT NULL,
    asked       BIGINT NOT NULL,
    agreed      BIGINT NOT NULL,
    first_at    BIGINT NOT NULL,
    last_at     BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, text_hash)
);

INSERT INTO consent_text (account_id, environment, text_hash, text, asked, agreed, first_at, last_at)
SELECT account_id, environment, text_hash, MIN(text), COUNT(*), SUM(CASE WHEN given THEN 1 ELSE 0 END), MIN(at), MAX(at)
  FROM consent
 WHERE erased_at IS NULL
 GROUP BY account_id, environment, text_hash;
