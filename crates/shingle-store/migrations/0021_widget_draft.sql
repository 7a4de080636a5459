-- Every state of a widget that visitors have seen: who made it and when. Those of older releases begin with what is there now.
CREATE TABLE widget_version (
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    version    BIGINT NOT NULL,
    account_id TEXT   NOT NULL REFERENCES account (id),
    config     TEXT   NOT NULL,
    settings   TEXT,
    author     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (widget_id, version)
);
INSERT INTO widget_version (widget_id, version, account_id, config, settings, author, created_at)
    SELECT id, version, account_id, config, settings, '', updated_at FROM widget;

-- What somebody has changed and not published. `mark` is another one after each save.
CREATE TABLE widget_draft (
    widget_id  TEXT   NOT NULL PRIMARY KEY REFERENCES widget (id),
    account_id TEXT   NOT NULL REFERENCES account (id),
    mark       BIGINT NOT NULL,
    config     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    author     TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);

-- What one user has in the preview now, under an address of its own that nobody can guess.
CREATE TABLE widget_preview (
    id         TEXT   NOT NULL PRIMARY KEY,
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    user_id    TEXT   NOT NULL REFERENCES portal_user (id),
    mark       BIGINT NOT NULL,
    config     TEXT   NOT NULL,
    settings   TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    ends_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX widget_preview_user ON widget_preview (widget_id, user_id);
CREATE INDEX widget_preview_end ON widget_preview (ends_at);
