//! The layout of operator pages.

use shingle_domain::Role;
use shingle_portal::Notice;

use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;

/// Times on these pages are the installation's, which is in no company's zone.
pub const ZONE: &str = "UTC";

pub fn frame(operating: &Operating, notice: Option<Notice>) -> shingle_portal::Signed<'_> {
    shingle_portal::Signed {
        name: operating.user.name.as_str(),
        company: operating.company.as_deref(),
        role: Role::Operator,
        language: operating.language,
        notice,
        visiting: operating.visiting(),
        new_leads: 0,
        once: &operating.once,
        trouble: None,
        asks_zone: false,
    }
}

/// What became of the form before this page.
pub fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "renamed" => ("The account is renamed.", false),
        "paused" => ("The account is paused.", false),
        "resumed" => ("The account is active again.", false),
        "closed" => ("The account is closed.", false),
        "reopened" => ("The account is open again.", false),
        "late" => ("It is too late: the account is being erased.", true),
        "limited" => ("The limit is set.", false),
        "credited" => ("The balance is changed.", false),
        "products" => ("The products are set.", false),
        "revoked" => ("The key is revoked: it is refused from now on.", false),
        "left" => ("You have left the company.", false),
        "begun" => ("The import has begun.", false),
        "stopped" => ("The import is stopped. Nothing of it was taken.", false),
        "undone" => ("The import is taken back: look-ups use what was there before it.", false),
        "forgotten" => ("The upload is deleted.", false),
        "saved" => ("Saved.", false),
        "busy" => ("Another import is running. One at a time: wait for it, or stop it.", true),
        "unfound" => ("Too few of its rows are found as people write them, so it was not imported.", true),
        "changed" => ("Another import has changed the index since, so this one cannot be taken back alone.", true),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}
