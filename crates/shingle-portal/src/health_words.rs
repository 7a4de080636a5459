//! What a check means to the person who runs the company. Its own name and finding are details.

/// A check's sentence while it is well, and the one for when it needs someone.
pub(crate) struct CheckWords {
    pub well: &'static str,
    pub wrong: &'static str,
}

/// `None`: a check that this page does not know. It shows its own name.
pub(crate) fn check_in_words(check: &str) -> Option<CheckWords> {
    let (well, wrong) = match check {
        "configuration" => ("The settings are valid", "A setting is wrong"),
        "secret" => ("The secret file is safe", "The secret file isn’t safe"),
        "database" => ("The database works", "The database doesn’t work"),
        "newest leads" => ("The newest leads are here", "The newest leads may be missing"),
        "storage" => ("Photos and logos are safe", "Photos and logos can’t be saved"),
        "file owners" => ("The server can write its files", "The server can’t write some of its files"),
        "property index" => ("Visitors can find addresses", "Visitors can’t find addresses"),
        "sample town" => ("The demo town works", "The demo town doesn’t work"),
        "reference tables" => ("Prices and rates by area are current", "Prices and rates by area need an update"),
        "prices" => ("Widgets have a price", "Widgets have no price"),
        "clock" => ("The clock is right", "The clock is wrong"),
        "open files" => ("The server has room for many visitors", "The server has room for only a few visitors"),
        "disk space" => ("The disk has room", "The disk is almost full"),
        "browser runtime" => ("The widget is complete", "The widget is incomplete"),
        "https" => ("The connection is encrypted", "The connection isn’t encrypted"),
        "base url" => ("Visitors can reach this server", "Visitors may not reach this server"),
        "outgoing requests" => ("Connections can go out", "Connections can’t go out"),
        "map sources" => ("Homes can be loaded by ZIP code", "Homes can’t be loaded by ZIP code"),
        "areas" => ("Loaded areas are up to date", "A loaded area needs a look"),
        "backups" => ("Backups are made", "Backups need a look"),
        "email" => ("Emails go out", "Emails don’t go out"),
        _ => return None,
    };
    Some(CheckWords { well, wrong })
}
