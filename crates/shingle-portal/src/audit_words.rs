//! The sentence for each kind of change.

use shingle_domain::Language;
use shingle_store::{Actor, AuditEntry, Change};

use crate::counted::{Counted, counted};
use crate::phrase::{phrase, translated};

/// Follows the name of the person who did it.
pub fn change_in_words(change: Change) -> &'static str {
    match change {
        Change::AccountCreated => "created the account",
        Change::AccountRenamed => "renamed the account",
        Change::AccountPaused => "paused the account",
        Change::AccountResumed => "resumed the account",
        Change::AccountClosed => "closed the account",
        Change::AccountReopened => "reopened the account",
        Change::AccountCredited => "changed the balance",
        Change::AccountLimited => "changed the monthly limit",
        Change::ProductOn => "turned a product on",
        Change::ProductOff => "turned a product off",
        Change::RetentionSet => "changed how long we keep leads",
        Change::AccountOpened => "opened this account as an administrator",
        Change::AccountLeft => "left this account",
        Change::VisitRanOut => "ended an administrator’s visit: the hour was over",
        Change::KeyIssued => "created an API key",
        Change::KeyRotated => "replaced an API key",
        Change::KeyRevoked => "revoked an API key",
        Change::UserInvited => "invited someone",
        Change::InviteEnded => "withdrew an invite",
        Change::UserJoined => "joined",
        Change::UserRenamed => "changed their name",
        Change::UserRoleChanged => "changed what someone may do",
        Change::UserSees => "changed which widgets someone sees",
        Change::UserEmailChanged => "changed their email address",
        Change::AccountExported => "exported everything",
        Change::LeadsDownloaded => "downloaded leads",
        Change::SenderSet => "changed who emails to homeowners are from",
        Change::ReplySent => "emailed a homeowner",
        Change::BrandSet => "changed how the portal looks",
        Change::DomainSet => "gave the company its own domain",
        Change::DomainRemoved => "removed the company’s own domain",
        Change::CompanySet => "changed the company’s phone or website",
        Change::UserRemoved => "removed someone",
        Change::UserReset => "signed someone out everywhere, removed their ways to sign in, and created a new link",
        Change::RecoveryCodesMade => "created new recovery codes",
        Change::PasskeyAdded => "added a passkey",
        Change::PasskeyRemoved => "removed a passkey",
        Change::CalendarLinkMade => "made a calendar link",
        Change::CalendarLinkEnded => "turned off a calendar link",
        Change::WidgetCreated => "created a widget",
        Change::WidgetChanged => "changed a widget",
        Change::WidgetSettingsSet => "changed the settings of a widget",
        Change::DestinationCreated => "added a connection",
        Change::DestinationChanged => "changed a connection",
        Change::DestinationDeleted => "deleted a connection",
        Change::NoticesSet => "changed who gets lead notices",
        Change::LeadErased => "erased a lead",
        Change::LeadEdited => "edited a lead’s contact details",
        Change::LeadsImported => "imported leads from a file",
        Change::LeadsImportUndone => "undid an import of leads",
        Change::LeadMerged => "merged a lead into another",
        Change::LeadUnmerged => "undid a merge of leads",
        Change::LeadRulesSet => "changed who gets new leads",
        Change::NoteEdited => "edited a note",
        Change::NoteDeleted => "deleted a note",
        Change::FileDeleted => "deleted a file of a lead",
        Change::ImportBegun => "started an import",
        Change::ImportDone => "imported homes",
        Change::ImportUndone => "undid an import",
    }
}

/// An actor, by name where it has one.
pub fn actor_in_words(language: Language, actor: &Actor, name: Option<&str>) -> String {
    match actor {
        Actor::Server => "Shingle".to_owned(),
        Actor::CommandLine => translated(language, "Server command line").to_owned(),
        Actor::Visitor => translated(language, "Someone with a link").to_owned(),
        Actor::Key(id) => {
            let text = id.to_string();
            let from = text.char_indices().rev().nth(3).map_or(0, |(at, _)| at);
            phrase(language, "API key ending {end}", &[("end", &text[from..])])
        }
        Actor::User(_) => name.map_or_else(|| translated(language, "A former user").to_owned(), str::to_owned),
    }
}

/// Who did it, with an administrator named as one.
pub fn who_in_words(language: Language, entry: &AuditEntry) -> String {
    let name = actor_in_words(language, &entry.actor, entry.name.as_deref());
    if entry.by_operator { phrase(language, "{name}, administrator", &[("name", &name)]) } else { name }
}

/// What was done, with the value that says how much of it.
pub fn what_in_words(language: Language, entry: &AuditEntry) -> String {
    let what = entry.what.map_or("made a change that this version doesn’t know", change_in_words);
    let what = translated(language, what);
    let detail = match entry.what {
        Some(Change::RetentionSet) => days_in_words(language, &entry.detail),
        Some(Change::LeadsDownloaded) => download_in_words(language, &entry.detail),
        _ => translated_detail(language, &entry.detail),
    };
    let about = [entry.target_name.as_deref().unwrap_or_default(), &detail];
    let about = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    if about.is_empty() { what.to_owned() } else { format!("{what}: {about}") }
}

/// `sandbox 25`: which leads, and how many where that was counted.
fn download_in_words(language: Language, detail: &str) -> String {
    let (environment, count) = detail.split_once(' ').unwrap_or((detail, ""));
    let which = translated_detail(language, environment);
    match count.parse() {
        Ok(count) => format!("{}, {which}", counted(language, Counted::LEADS, count)),
        Err(_) => which,
    }
}

/// `365 → 730`: numbers of days, or none.
fn days_in_words(language: Language, detail: &str) -> String {
    let each = detail.split(" → ").map(|part| match part.parse() {
        Ok(days) => counted(language, Counted::DAYS, days),
        Err(_) => translated_detail(language, part),
    });
    each.collect::<Vec<_>>().join(" → ")
}

/// Values of ours that are words.
fn translated_detail(language: Language, detail: &str) -> String {
    let detail = match detail {
        "operator" => translated(language, "administrator"),
        "mail" => translated(language, "email"),
        "sandbox" => translated(language, "test data"),
        "production" => translated(language, "real data"),
        "push" => translated(language, "phone or computer"),
        word @ ("member" | "owner" | "webhook" | "connector") => translated(language, word),
        other => other,
    };
    detail.replace('∞', translated(language, "no limit"))
}

#[cfg(test)]
mod tests {
    use shingle_domain::KeyId;

    use super::*;

    #[test]
    fn every_change_is_said_in_both_languages_and_differently() {
        let mut said = std::collections::BTreeSet::new();
        for change in Change::ALL {
            let english = change_in_words(*change);
            assert!(said.insert(english), "{english}");
            assert_ne!(translated(Language::Spanish, english), english);
        }
    }

    #[test]
    fn a_download_says_how_many_leads_it_had() {
        let said = |detail| download_in_words(Language::English, detail);
        assert_eq!(said("production 1"), "1 lead, real data");
        assert_eq!(said("sandbox 1200"), "1,200 leads, test data");
        // Words that were too common to count.
        assert_eq!(said("sandbox"), "test data");
    }

    #[test]
    fn a_key_is_named_by_its_end() {
        let named = |id: &str| actor_in_words(Language::English, &Actor::Key(KeyId(id.to_owned())), None);
        assert_eq!(named("sk_live_8c1e4f2a"), "API key ending 4f2a");
        assert_eq!(named("ñá"), "API key ending ñá");
    }
}
