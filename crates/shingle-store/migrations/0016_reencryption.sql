-- Every row of the account is encrypted by the data key of this number or a later one. 0: rows of older versions are not.
ALTER TABLE account ADD COLUMN encrypted_with BIGINT NOT NULL DEFAULT 0;
