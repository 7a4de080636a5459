-- Where a widget's script was loaded last: the host of the page and when, nothing of who looked at it.
CREATE TABLE widget_sighting (
    widget_id TEXT   NOT NULL REFERENCES widget (id),
    host      TEXT   NOT NULL,
    seen_at   BIGINT NOT NULL,
    PRIMARY KEY (widget_id, host)
);

-- What somebody found who asked whether a page shows the widget.
CREATE TABLE widget_check (
    id         TEXT   NOT NULL PRIMARY KEY,
    widget_id  TEXT   NOT NULL REFERENCES widget (id),
    page       TEXT   NOT NULL,
    verdict    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX widget_check_widget ON widget_check (widget_id, id);
