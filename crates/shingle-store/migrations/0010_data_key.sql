-- The keys of an account's personal data, encrypted by a key of the installation: whoever has the database alone reads
-- none of it. wrapping: the number of that key. The newest number encrypts, the others still open what they encrypted.
CREATE TABLE data_key (
    account_id TEXT   NOT NULL REFERENCES account (id),
    number     BIGINT NOT NULL,
    wrapping   BIGINT NOT NULL,
    wrapped    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, number)
);
