//! The digest of a day: when it is due, and what is in it.

use serde::{Deserialize, Serialize};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::{Lead, LeadChannel, LeadStatus};
use shingle_domain::mail::MailContent;
use shingle_domain::widget::Widget;
use shingle_domain::{Tenant, Timestamp, WidgetId};
use shingle_notice::{Digest, DigestCounts, DigestLead, Language, NoticeTiming, Touch};
use shingle_store::{LeadFilter, Store, StoreError};

use super::links::NoticeLinks;
use crate::lead_pages::LeadPages;
use crate::lead_reference::reference;

/// `data` of the event `digest`.
#[derive(Debug, Serialize, Deserialize)]
pub struct DigestPayload {
    pub date: String,
    pub from: Timestamp,
    pub until: Timestamp,
    /// Only of what is held as spam.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub held: bool,
}

/// Waiting leads older than this are not counted any more: they are forgotten, not waiting.
const WAITING_DAYS: u64 = 14;

/// `data` of the event `report`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReportPayload {
    /// `2026-11`
    pub month: String,
}

/// Makes the digests and reports whose hour has come. Any number of nodes may ask: each is made once.
pub async fn make_due_digests(store: &Store) -> Result<usize, StoreError> {
    let now = store.now();
    let mut made = 0;
    for (tenant, settings) in store.destinations().list_digest_settings().await? {
        let timing = NoticeTiming::of(&settings);
        let month = timing.report_due(now).filter(|_| settings.recipients.iter().any(|recipient| recipient.report));
        if let Some(month) = month.map(|month| month.to_string()) {
            let payload = serde_json::to_value(ReportPayload { month: month.clone() })?;
            made += usize::from(store.destinations().make_report(&tenant, &month, &payload).await?);
        }
        let Some(day) = timing.digest_due(now) else { continue };
        let payload = DigestPayload { date: day.date.clone(), from: day.from, until: day.until, held: false };
        if store.destinations().make_digest(&tenant, &day.date, &serde_json::to_value(&payload)?).await? {
            made += 1;
        }
    }
    made += store.leads().make_held_notices().await?;
    Ok(made)
}

/// Who reads a digest.
pub struct DigestReader<'a> {
    pub to: &'a str,
    pub language: Language,
    pub time_zone: &'a str,
    /// Whose colors and name it has.
    pub widget: &'a Widget,
    pub unsubscribe: Option<&'a str>,
    /// Where the leads that are held are listed.
    pub held_list: &'a str,
    /// The only widgets whose leads this reader gets; all if empty.
    pub widgets: &'a [WidgetId],
    pub links: &'a NoticeLinks,
}

/// The content of a day's digest as of now; nothing if it would only report held leads and none are left.
pub async fn digest_content(
    store: &Store,
    tenant: &Tenant,
    day: &DigestPayload,
    reader: &DigestReader<'_>,
) -> Result<Option<MailContent>, StoreError> {
    let now = store.now();
    let of = |from, until| LeadFilter {
        from: Some(from),
        until: Some(until),
        without_merged: true,
        ..LeadFilter::default()
    };
    let status = day.held.then_some(LeadStatus::Spam);
    let mut leads = all_leads(store, tenant, LeadFilter { status, ..of(day.from, day.until) }).await?;
    let since = day.until - std::time::Duration::from_secs(WAITING_DAYS * 24 * 3_600);
    let open = LeadFilter { status: Some(LeadStatus::New), ..of(since, day.until) };
    let mut waiting = if day.held { Vec::new() } else { all_leads(store, tenant, open).await? };
    for list in [&mut leads, &mut waiting] {
        // What the company brought in itself is no news.
        list.retain(|lead| lead.source.via != LeadChannel::Import);
        list.retain(|lead| reader.widgets.is_empty() || reader.widgets.contains(&lead.widget_id));
    }
    let (spam, real): (Vec<&Lead>, Vec<&Lead>) = leads.iter().partition(|lead| lead.status == LeadStatus::Spam);
    let mut touches: Vec<u64> =
        real.iter().filter_map(|lead| Some(minutes(lead.created_at, lead.first_touch_at?))).collect();
    touches.cold_sort();
    let waits = waiting.iter().filter(|lead| lead.first_touch_at.is_none()).map(|lead| minutes(lead.created_at, now));
    let counts = DigestCounts {
        new: real.len() as u64,
        taken: touches.len() as u64,
        waiting: waits.clone().count() as u64,
        longest_wait_minutes: waits.max(),
        median_first_touch_minutes: touches.get(touches.len() / 2).copied(),
    };
    let references: Vec<String> = real.iter().chain(&spam).map(|lead| reference(lead.id)).collect();
    let link = |lead: &&Lead| reader.links.in_portal(lead.id, tenant.environment);
    let links: Vec<String> = real.iter().chain(&spam).map(link).collect();
    let all = real.iter().chain(&spam).zip(references.iter().zip(&links));
    let mut rows: Vec<DigestLead<'_>> =
        all.map(|(lead, (reference, link))| DigestLead { lead, reference, touch: touch_of(lead, now), link }).collect();
    let spam_rows = rows.split_off(real.len());
    if day.held && spam.is_empty() {
        return Ok(None);
    }
    let content = Digest {
        company: &reader.widget.company_name,
        day: day.from,
        counts,
        leads: &rows,
        spam: &spam_rows,
        widget: Some(reader.widget),
        held: day.held.then_some(reader.held_list),
        unsubscribe: reader.unsubscribe,
        to: reader.to,
        language: reader.language,
        time_zone: reader.time_zone,
    };
    Ok(Some(content.content()))
}

/// At most as many as the caps of a day and of the days that are looked back let in.
async fn all_leads(store: &Store, tenant: &Tenant, filter: LeadFilter) -> Result<Vec<Lead>, StoreError> {
    let mut pages = LeadPages::new(store.clone(), *tenant, filter, None);
    let mut leads = Vec::new();
    loop {
        let page = pages.next().await?;
        if page.is_empty() {
            return Ok(leads);
        }
        leads.extend(page);
    }
}

fn touch_of(lead: &Lead, now: Timestamp) -> Touch<'_> {
    match lead.first_touch_at {
        Some(at) => Touch::Taken { minutes: minutes(lead.created_at, at), by: lead.taken_by.as_deref() },
        None => Touch::Waiting { minutes: minutes(lead.created_at, now) },
    }
}

fn minutes(from: Timestamp, until: Timestamp) -> u64 {
    u64::try_from((until.micros() - from.micros()) / 60_000_000).unwrap_or_default()
}
