-- How far visitors came: sums of a day (the company's own), widget, page and source. No row names a visitor or a visit.
CREATE TABLE visit_count (
    account_id  TEXT NOT NULL,
    environment TEXT NOT NULL,
    widget_id   TEXT NOT NULL,
    day         TEXT NOT NULL,
    page        TEXT NOT NULL,
    source      TEXT NOT NULL,
    seen        BIGINT NOT NULL,
    opened      BIGINT NOT NULL,
    address     BIGINT NOT NULL,
    roof        BIGINT NOT NULL,
    details     BIGINT NOT NULL,
    lead        BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, widget_id, day, page, source)
);
CREATE INDEX visit_count_day ON visit_count (day);

-- Towns of addresses that visitors asked for and no import covers. Never the address.
CREATE TABLE town_asked (
    account_id  TEXT NOT NULL,
    environment TEXT NOT NULL,
    widget_id   TEXT NOT NULL,
    day         TEXT NOT NULL,
    town        TEXT NOT NULL,
    asked       BIGINT NOT NULL,
    PRIMARY KEY (account_id, environment, widget_id, day, town)
);
CREATE INDEX town_asked_day ON town_asked (day);
