-- The look-ups of a key and product in a day (UTC, by its first instant), billed or not: what is told to the customer and
-- adds up to the balance. paid_cents: what was taken from the balance. It takes the place of the rows of usage, which
-- earlier versions wrote for every group of calls; those are still read.
CREATE TABLE usage_day (
    account_id   TEXT   NOT NULL REFERENCES account (id),
    environment  TEXT   NOT NULL,
    day          BIGINT NOT NULL,
    key_id       TEXT   NOT NULL,
    product      TEXT   NOT NULL,
    calls        BIGINT NOT NULL,
    billed       BIGINT NOT NULL,
    amount_cents BIGINT NOT NULL,
    paid_cents   BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, day, key_id, product)
);
