-- An address that a user wants to sign in with, until the code mailed to it is typed.
CREATE TABLE portal_email_change (
    user_id    TEXT NOT NULL PRIMARY KEY REFERENCES portal_user (id),
    email      TEXT NOT NULL,
    code       TEXT NOT NULL,
    tries_left BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

-- What new widgets of a company begin with.
CREATE TABLE portal_company (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
    phone      TEXT NOT NULL,
    website    TEXT NOT NULL
);
