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
        here: None,
        companies: &operating.companies,
        brand: None,
        client: None,
    }
}

/// What became of the form before this page.
pub fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "renamed" => ("Account renamed.", false),
        "paused" => ("Account paused.", false),
        "resumed" => ("The account is active again.", false),
        "closed" => ("The account is closed.", false),
        "reopened" => ("The account is open again.", false),
        "late" => ("It’s too late: we’re already erasing the account.", true),
        "limited" => ("Limit updated.", false),
        "credited" => ("Balance updated.", false),
        "domain" => ("Saved. Below is whether the name leads here.", false),
        "noDomain" => ("The company has no own domain any more. Links use this installation’s name.", false),
        "products" => ("Products updated.", false),
        "revoked" => ("Key revoked. It no longer works.", false),
        "left" => ("You have left the company.", false),
        "begun" => ("Import started.", false),
        "stopped" => ("Import stopped. Nothing was imported.", false),
        "undone" => ("Import undone. Look-ups use the data from before it.", false),
        "forgotten" => ("Upload deleted.", false),
        "saved" => ("Saved.", false),
        "busy" => ("Another import is running. One at a time: wait for it, or stop it.", true),
        "unfound" => ("Too few of its rows are found as people write them, so it was not imported.", true),
        "changed" => ("Another import changed the index after this one, so you can’t undo it alone.", true),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}
