//! Two people changed the same thing of a lead: what each of them wants, for the second to choose from.

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::next_step::DueForm;
use shingle_domain::{LeadId, Tenant, UserId};
use shingle_portal::{Both, contact_field, status_in_words, translated};
use shingle_store::{EntryKind, SeenContact};

use crate::portal::gate::Signed;
use crate::portal::leads::list::people;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

pub struct Clash {
    pub action: &'static str,
    pub kind: EntryKind,
    /// What the entry of the change says; one that says something else is of an older change.
    pub told: String,
    pub both: Vec<Both>,
    pub fields: Vec<(&'static str, String)>,
}

/// With the status as it is now.
pub async fn of_status(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    id: LeadId,
    mine: LeadStatus,
) -> ApiResult<(Clash, LeadStatus)> {
    let lead = web.store.leads().find(tenant, id).await?.ok_or(ApiError::NotFound)?;
    let name = |status: LeadStatus| translated(signed.language, status_in_words(status)).to_owned();
    let clash = Clash {
        action: "status",
        kind: EntryKind::Status,
        told: lead.status.as_str().to_owned(),
        both: vec![Both { what: "Status", yours: name(mine), theirs: name(lead.status) }],
        fields: vec![("status", mine.as_str().to_owned()), ("seen", lead.status.as_str().to_owned())],
    };
    Ok((clash, lead.status))
}

/// With the id of the assignee as it is now; empty: nobody.
pub async fn of_assignee(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    id: LeadId,
    mine: Option<UserId>,
) -> ApiResult<(Clash, String)> {
    let now = web.store.leads().work(tenant, id).await?.assignee;
    let people = people(web, signed).await?;
    let mine = mine.map(|id| id.to_string()).unwrap_or_default();
    let name = people.iter().find(|(id, _)| *id == mine).map(|(_, name)| name.clone()).unwrap_or_default();
    let (seen, theirs) = now.map(|(id, name)| (id.to_string(), name)).unwrap_or_default();
    let clash = Clash {
        action: "assign",
        kind: EntryKind::Assigned,
        told: theirs.clone(),
        both: vec![Both { what: "Assignee", yours: name, theirs }],
        fields: vec![("assignee", mine), ("seen", seen.clone())],
    };
    Ok((clash, seen))
}

pub async fn of_step(web: &Web, tenant: &Tenant, id: LeadId, (step, due): (&str, &DueForm<'_>)) -> ApiResult<Clash> {
    let now = web.store.leads().work(tenant, id).await?;
    let (now_step, now_due) =
        (now.next_step.unwrap_or_default(), now.due.map(|due| due.to_string()).unwrap_or_default());
    let typed_due = [due.day, due.time].join(" ").trim().to_owned();
    Ok(Clash {
        action: "plan",
        kind: EntryKind::NextStep,
        told: if now_due.is_empty() { now_step.clone() } else { format!("{now_step}, {now_due}") },
        both: vec![
            Both { what: "Next step", yours: step.to_owned(), theirs: now_step.clone() },
            Both { what: "Due", yours: typed_due, theirs: now_due.clone() },
        ],
        fields: vec![
            ("step", step.to_owned()),
            ("due", due.day.to_owned()),
            ("due-time", due.time.to_owned()),
            ("due-which", due.which.to_owned()),
            ("seen-step", now_step),
            ("seen-due", now_due),
        ],
    })
}

/// `typed` is what somebody wants, `seen` what the form showed.
pub async fn of_contact(
    web: &Web,
    tenant: &Tenant,
    lead: &Lead,
    typed: &SeenContact,
    seen: &SeenContact,
) -> ApiResult<Clash> {
    let now = SeenContact::of(lead);
    let (mut both, mut fields, mut told) = (Vec::new(), Vec::new(), String::new());
    let entries = web.store.leads().entries(tenant, lead.id).await?;
    let all = typed.fields().into_iter().zip(seen.fields()).zip(now.fields());
    for (((name, typed), (_, seen)), (_, now)) in all {
        let of = contact_field(name);
        // What somebody left as it was is not put back over the change.
        let mine = if typed == seen { now } else { typed };
        if mine != now && seen != now {
            both.push(Both { what: of.label, yours: mine.to_owned(), theirs: now.to_owned() });
            let made = entries.iter().find(|entry| {
                let mut lines = entry.text.lines();
                entry.kind == EntryKind::Edited && lines.next() == Some(name) && lines.next_back() == Some(now)
            });
            told = made.map(|entry| entry.text.clone()).unwrap_or_default();
        }
        fields.push((of.name, mine.to_owned()));
        fields.push((of.seen, now.to_owned()));
    }
    Ok(Clash { action: "edit", kind: EntryKind::Edited, told, both, fields })
}
