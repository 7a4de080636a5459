//! Who is notified of leads: as JSON, and as two people change it at once.

use shingle_domain::notice::{NoticeSettings, Recipient};
use shingle_domain::{Rule, Violations};
use shingle_notice::is_time_zone;

/// Every broken rule of settings as JSON.
pub fn parse(body: &[u8]) -> Result<NoticeSettings, Violations> {
    // A list would be read as the settings in their order: an empty one as all defaults.
    let listed = body.trim_ascii_start().starts_with(b"[");
    let read = if listed { Err(serde::de::Error::custom("a list is no object")) } else { serde_json::from_slice(body) };
    // serde's message names the field, or repeats what was sent.
    let settings: NoticeSettings = read.map_err(|error: serde_json::Error| {
        let why: String = error.to_string().chars().take(200).collect();
        Violations::one("", Rule::UnreadableSettings { why })
    })?;
    let mut problems = settings.problems();
    if !is_time_zone(&settings.time_zone) {
        problems.push("timeZone", Rule::TimeZone);
    }
    problems.or(settings)
}

/// A part of the settings that two people have changed differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contested {
    Recipients,
    Escalation,
    TimeZone,
    WorkingHours,
    QuietHours,
    Digest,
}

/// What two people wanted, who both began with `base`. Where they contradict each other, `mine` stays and is named.
pub fn merge(
    base: &NoticeSettings,
    mine: &NoticeSettings,
    theirs: &NoticeSettings,
) -> (NoticeSettings, Vec<Contested>) {
    let mut contested = Vec::new();
    let mut note = |part, is_contested: bool| {
        if is_contested {
            contested.push(part);
        }
    };
    let (recipients, both) = merge_recipients(&base.recipients, &mine.recipients, &theirs.recipients);
    note(Contested::Recipients, both);
    let (escalate_after_minutes, both) =
        one(&base.escalate_after_minutes, &mine.escalate_after_minutes, &theirs.escalate_after_minutes);
    note(Contested::Escalation, both);
    let (time_zone, both) = one(&base.time_zone, &mine.time_zone, &theirs.time_zone);
    note(Contested::TimeZone, both);
    let (working_hours, both) = one(&base.working_hours, &mine.working_hours, &theirs.working_hours);
    note(Contested::WorkingHours, both);
    let (quiet_hours, both) = one(&base.quiet_hours, &mine.quiet_hours, &theirs.quiet_hours);
    note(Contested::QuietHours, both);
    let (digest_at, both) = one(&base.digest_at, &mine.digest_at, &theirs.digest_at);
    note(Contested::Digest, both);
    // Of two answers to yes or no, two who changed it chose the same. A widget is muted or not, too.
    let (homeowner_copy, _) = one(&base.homeowner_copy, &mine.homeowner_copy, &theirs.homeowner_copy);
    let is_muted = |id| {
        let [base, mine, theirs] = [base, mine, theirs].map(|settings| settings.muted_widgets.contains(id));
        one(&base, &mine, &theirs).0
    };
    let known = mine.muted_widgets.iter().chain(&theirs.muted_widgets);
    let mut muted_widgets = Vec::new();
    for id in known.filter(|id| is_muted(id)) {
        if !muted_widgets.contains(id) {
            muted_widgets.push(*id);
        }
    }
    let merged = NoticeSettings {
        recipients,
        escalate_after_minutes,
        time_zone,
        working_hours,
        quiet_hours,
        digest_at,
        homeowner_copy,
        muted_widgets,
    };
    (merged, contested)
}

/// What stays of three, and whether two contradict each other.
fn one<T: PartialEq + Clone>(base: &T, mine: &T, theirs: &T) -> (T, bool) {
    if mine == base { (theirs.clone(), false) } else { (mine.clone(), theirs != base && theirs != mine) }
}

/// By address: whom only one of the two has added, changed or removed is added, changed or removed.
fn merge_recipients(base: &[Recipient], mine: &[Recipient], theirs: &[Recipient]) -> (Vec<Recipient>, bool) {
    let find = |all: &[Recipient], who: &Recipient| {
        all.iter().find(|one| one.email.as_str().eq_ignore_ascii_case(who.email.as_str())).cloned()
    };
    if mine == base || theirs == base {
        return (one(&base, &mine, &theirs).0.to_vec(), false);
    }
    let (mut merged, mut contested) = (Vec::new(), false);
    let added = theirs.iter().filter(|who| find(mine, who).is_none());
    for who in mine.iter().chain(added) {
        let (stays, both) = one(&find(base, who), &find(mine, who), &find(theirs, who));
        contested |= both;
        merged.extend(stays);
    }
    (merged, contested)
}

#[cfg(test)]
mod tests {
    use shingle_domain::Email;
    use shingle_domain::notice::TimeOfDay;

    use super::*;

    fn settings(emails: &[&str]) -> NoticeSettings {
        let recipient = |email: &&str| Recipient {
            email: Email::parse(email).unwrap(),
            name: None,
            language: Default::default(),
            widgets: Vec::new(),
            leads: true,
            digest: true,
            report: false,
        };
        NoticeSettings { recipients: emails.iter().map(recipient).collect(), ..NoticeSettings::default() }
    }

    fn emails(settings: &NoticeSettings) -> Vec<&str> {
        settings.recipients.iter().map(|who| who.email.as_str()).collect()
    }

    #[test]
    fn of_two_who_change_different_parts_both_are_heard() {
        let base = settings(&["a@x.example", "b@x.example", "c@x.example"]);
        let mut mine = settings(&["c@x.example", "b@x.example", "d@x.example"]);
        mine.digest_at = TimeOfDay::parse("07:30");
        let mut theirs = settings(&["a@x.example", "b@x.example", "c@x.example", "e@x.example"]);
        theirs.recipients[1].digest = false;
        theirs.homeowner_copy = true;
        let (merged, contested) = merge(&base, &mine, &theirs);
        assert_eq!(emails(&merged), ["c@x.example", "b@x.example", "d@x.example", "e@x.example"]);
        assert!(!merged.recipients[1].digest && merged.homeowner_copy && merged.digest_at.is_some());
        assert_eq!(contested, []);
    }

    #[test]
    fn where_two_contradict_each_other_it_is_named() {
        let base = settings(&["a@x.example", "b@x.example"]);
        let with = |zone: &str, minutes| NoticeSettings {
            time_zone: zone.to_owned(),
            escalate_after_minutes: minutes,
            ..base.clone()
        };
        let (merged, contested) = merge(&base, &with("America/Denver", Some(5)), &with("America/Chicago", Some(5)));
        assert_eq!((merged.time_zone.as_str(), merged.escalate_after_minutes), ("America/Denver", Some(5)));
        assert_eq!(contested, [Contested::TimeZone]);

        // One removes whom the other changes.
        let mut changed = base.clone();
        changed.recipients[0].name = Some("Ann".to_owned());
        let removed = settings(&["b@x.example"]);
        let (merged, contested) = merge(&base, &changed, &removed);
        assert_eq!((emails(&merged).len(), contested), (2, vec![Contested::Recipients]));
        let (merged, contested) = merge(&base, &removed, &changed);
        assert_eq!((emails(&merged), contested), (vec!["b@x.example"], vec![Contested::Recipients]));
    }

    #[test]
    fn muting_is_by_widget() {
        let id = |n: u8| format!("7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c1{n}").parse().unwrap();
        let with = |ids: &[u8]| NoticeSettings {
            muted_widgets: ids.iter().map(|n| id(*n)).collect(),
            ..NoticeSettings::default()
        };
        let (merged, contested) = merge(&with(&[1, 2]), &with(&[2, 3]), &with(&[1, 2, 4]));
        assert_eq!((merged.muted_widgets, contested), (with(&[2, 3, 4]).muted_widgets, vec![]));
    }
}
