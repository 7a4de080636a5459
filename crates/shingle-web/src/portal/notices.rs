//! `/portal/notices`: who is notified of leads by mail, when, and what would happen at a given time.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use shingle_app::notice_settings::{Contested, merge};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::notice::{
    Hours as QuietHours, MAX_RECIPIENTS, NoticeSettings, Recipient, TimeOfDay, Weekday, WorkingHours,
};
use shingle_domain::{Email, Environment, Rule, Timestamp, WidgetId};
use shingle_notice::{NoticeTiming, is_time_zone};
use shingle_portal::{
    Foreseen, Hours, Language, Notice, NoticesView, TypedFields, notices_page, say, translated, widget_names,
};
use shingle_store::{DestinationDraft, DestinationKind, StoreError};

use crate::portal::access::OWNER;
use crate::portal::connections::page::find_own;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::route::Page;
use crate::portal::settings::page::frame;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Those of the United States; any other that is set stays to choose.
const ZONES: [&str; 9] = [
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Phoenix",
    "America/Los_Angeles",
    "America/Anchorage",
    "Pacific/Honolulu",
    "America/Puerto_Rico",
    "UTC",
];

/// What became of the form before this page.
fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "saved" => ("Saved. It applies from the next lead on.", false),
        "merged" => ("Saved. Someone else changed other notices meanwhile; we kept both.", false),
        "conflict" => ("We couldn’t read what you sent. These are the current notices; nothing was saved.", true),
        "on" => ("We’ll try again with the next lead. Send a test to see right away.", false),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}

fn time_text(time: TimeOfDay) -> String {
    // A form's time ends at 23:59.
    let minutes = time.minutes().min(24 * 60 - 1);
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// The hours of each day, where each has at most one part.
fn by_day(hours: &[WorkingHours]) -> Option<Vec<(Weekday, &WorkingHours)>> {
    let mut days = Vec::new();
    for part in hours {
        for day in &part.days {
            if days.iter().any(|(known, _)| known == day) || part.to.minutes() == 24 * 60 {
                return None;
            }
            days.push((*day, part));
        }
    }
    Some(days)
}

fn shown(settings: &NoticeSettings) -> TypedFields {
    let mut typed = TypedFields::default();
    for (row, recipient) in settings.recipients.iter().enumerate() {
        typed.set(&format!("email.{row}"), recipient.email.as_str());
        typed.set(&format!("name.{row}"), recipient.name.as_deref().unwrap_or_default());
        let language = if recipient.language == Language::Spanish { "es" } else { "en" };
        typed.set(&format!("language.{row}"), language);
        typed.set(&format!("leads.{row}"), if recipient.leads { "yes" } else { "" });
        typed.set(&format!("digest.{row}"), if recipient.digest { "yes" } else { "" });
        typed.set(&format!("report.{row}"), if recipient.report { "yes" } else { "" });
        for widget in &recipient.widgets {
            typed.set(&format!("widget.{row} {widget}"), "on");
        }
    }
    for row in settings.recipients.len()..=MAX_RECIPIENTS {
        typed.set(&format!("leads.{row}"), "yes");
        typed.set(&format!("digest.{row}"), "yes");
    }
    typed.set("escalate", settings.escalate_after_minutes.map(|minutes| minutes.to_string()).unwrap_or_default());
    typed.set("zone", settings.time_zone.as_str());
    for (day, hours) in by_day(&settings.working_hours).unwrap_or_default() {
        typed.set(&format!("from.{}", day.as_str()), time_text(hours.from));
        typed.set(&format!("to.{}", day.as_str()), time_text(hours.to));
    }
    if let Some(quiet) = settings.quiet_hours {
        typed.set("quiet.from", time_text(quiet.from));
        typed.set("quiet.to", time_text(quiet.to));
    }
    typed.set("digest-at", settings.digest_at.map(time_text).unwrap_or_default());
    typed.set("copy", if settings.homeowner_copy { "yes" } else { "" });
    for widget in &settings.muted_widgets {
        typed.set(&format!("mute {widget}"), "on");
    }
    typed
}

fn seen(settings: &NoticeSettings) -> ApiResult<String> {
    serde_json::to_string(settings).map_err(ApiError::internal)
}

async fn stored(web: &Web, signed: &Signed) -> ApiResult<NoticeSettings> {
    Ok(web.store.destinations().notice_settings(&signed.tenant(Environment::Production)).await?.unwrap_or_default())
}

async fn one(
    web: &Web,
    signed: &Signed,
    status: StatusCode,
    query: &PortalForm,
    typed: Option<(TypedFields, usize)>,
    base: Option<NoticeSettings>,
) -> ApiResult<Response> {
    let tenant = signed.tenant(Environment::Production);
    let settings = stored(web, signed).await?;
    let mut mailboxes = web.store.destinations().list(&tenant, DestinationKind::Mail).await?;
    mailboxes.extend(web.store.destinations().list(&tenant, DestinationKind::Homeowner).await?);
    let widgets: Vec<_> = web.store.widgets().list(&tenant).await?;
    let names = widget_names(widgets.iter().map(|stored| stored.widget.first_page_title.as_str()));
    let names: Vec<_> = widgets.iter().map(|stored| stored.widget.reference_id.to_string()).zip(names).collect();
    let mut recipient_widgets = names.clone();
    for id in settings.recipients.iter().flat_map(|recipient| &recipient.widgets).map(ToString::to_string) {
        if !recipient_widgets.iter().any(|(known, _)| *known == id) {
            recipient_widgets.push((id.clone(), id));
        }
    }
    let hears = |recipient: &Recipient, id: WidgetId| {
        recipient.leads && (recipient.widgets.is_empty() || recipient.widgets.contains(&id))
    };
    let is_unheard = |id: WidgetId| {
        let named = !settings.recipients.is_empty() && !settings.muted_widgets.contains(&id);
        named && !settings.recipients.iter().any(|recipient| hears(recipient, id))
    };
    let unheard: Vec<String> = widgets
        .iter()
        .zip(&names)
        .filter(|(stored, _)| is_unheard(stored.widget.reference_id))
        .map(|(_, (_, name))| name.clone())
        .collect();
    let zone = TimeZone::get(&settings.time_zone).unwrap_or(TimeZone::UTC);
    let now = web.clock.now();
    let local = jiff::Timestamp::from_microsecond(now.micros()).unwrap_or_default().to_zoned(zone.clone()).datetime();
    let at = query.text("at").parse::<DateTime>().unwrap_or(local);
    let instant = at.to_zoned(zone).map_or(now, |at| Timestamp::from_micros(at.timestamp().as_microsecond()));
    let widget = widgets.iter().find(|stored| stored.widget.reference_id.to_string() == query.text("widget"));
    let hours = Hours::new(&settings.time_zone, now, signed.language);
    let company = match (widget, widgets.as_slice()) {
        (Some(widget), _) => Some(widget.widget.company_email.to_string()),
        // Each widget has its own.
        (None, [only]) => Some(only.widget.company_email.to_string()),
        (None, _) => None,
    };
    let of = widget.map(|stored| stored.widget.reference_id);
    let foreseen = foreseen(&settings, of, company, !widgets.is_empty(), instant, (signed.language, &hours));
    let mut zones: Vec<String> = ZONES.map(str::to_owned).to_vec();
    if !zones.contains(&settings.time_zone) {
        zones.push(settings.time_zone.clone());
    }
    // What was typed stays, however many rows the page had.
    let (typed, rows) = typed.unwrap_or_else(|| (shown(&settings), 0));
    let view = NoticesView {
        typed: &typed,
        rows: rows.max(settings.recipients.len() + 1).min(MAX_RECIPIENTS),
        seen: &seen(base.as_ref().unwrap_or(&settings))?,
        mail_is_set: web.mail.is_some(),
        mailboxes: &mailboxes,
        widgets: &names,
        recipient_widgets: &recipient_widgets,
        unheard: &unheard,
        zones: &zones,
        hours_are_kept: by_day(&settings.working_hours).is_none(),
        at: &at.strftime("%Y-%m-%dT%H:%M").to_string(),
        widget: &of.map(|id| id.to_string()).unwrap_or_default(),
        foreseen: &foreseen,
        hours: &hours,
    };
    Ok(page_with(status, notices_page(&frame(signed, said(query)), &view)))
}

/// Who is notified of a lead at this moment, and when: by the rules that the mails themselves go by.
fn foreseen(
    settings: &NoticeSettings,
    widget: Option<WidgetId>,
    company: Option<String>,
    has_widgets: bool,
    at: Timestamp,
    (language, hours): (Language, &Hours),
) -> Vec<Foreseen> {
    if widget.is_some_and(|id| settings.muted_widgets.contains(&id)) || !has_widgets {
        return Vec::new();
    }
    let timing = NoticeTiming::of(settings);
    let mut told: Vec<(Timestamp, bool, String)> = Vec::new();
    let mut tell = |steps: &[u32], who: &str| {
        let times = timing.times(at, steps).into_iter();
        told.extend(times.map(|(step, due)| (due, step > 0, who.to_owned())));
    };
    if settings.recipients.is_empty() {
        let who = company.unwrap_or_else(|| translated(language, "The widget’s company email").to_owned());
        tell(&settings.steps(0), &who);
    }
    for (position, recipient) in settings.recipients.iter().enumerate().filter(|(_, recipient)| recipient.leads) {
        if !recipient.widgets.is_empty() && widget.is_some_and(|id| !recipient.widgets.contains(&id)) {
            continue;
        }
        let who = recipient.name.clone().unwrap_or_else(|| recipient.email.to_string());
        tell(&settings.steps(position), &who);
    }
    told.cold_sort();
    let mut foreseen: Vec<(Timestamp, bool, Vec<String>)> = Vec::new();
    for (due, is_reminder, who) in told {
        match foreseen.last_mut() {
            Some(last) if last.0 == due && last.1 == is_reminder => last.2.push(who),
            _ => foreseen.push((due, is_reminder, vec![who])),
        }
    }
    let said = |(due, is_reminder, who): (Timestamp, bool, Vec<String>)| Foreseen {
        at: hours.full(due),
        who: who.join(", "),
        is_reminder,
    };
    foreseen.into_iter().map(said).collect()
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    one(&web, &signed, StatusCode::OK, &PortalForm::of_query(query.as_deref()), None, None).await
}

pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = without_removed(PortalForm::parse(&body));
    let Ok(base) = serde_json::from_str::<NoticeSettings>(form.text("seen")) else {
        return Ok(to("/portal/notices?said=conflict"));
    };
    let mut typed = TypedFields::default();
    for (name, value) in form.pairs().filter(|(name, _)| *name != "seen") {
        if name == "mute" || name.starts_with("widget.") {
            typed.set(&format!("{name} {value}"), "on");
        } else {
            typed.set(name, value);
        }
    }
    let Some(mine) = read(signed.language, &form, &base, &mut typed) else {
        let rows =
            (0..MAX_RECIPIENTS).rfind(|row| !form.text(&format!("email.{row}")).is_empty()).map_or(0, |row| row + 1);
        return refused(&web, &signed, StatusCode::UNPROCESSABLE_ENTITY, typed, rows, Some(base)).await;
    };
    let change = |now: &mut NoticeSettings| {
        let (merged, contested) = merge(&base, &mine, now);
        if !contested.is_empty() || !merged.problems().0.is_empty() {
            return Err(NotSaved::Contested(Box::new(merged), contested));
        }
        *now = merged;
        Ok(())
    };
    let tenant = signed.tenant(Environment::Production);
    let before = stored(&web, &signed).await?;
    match web.store.destinations().change_notice_settings(&tenant, change).await {
        Ok(()) if before == base => Ok(to("/portal/notices?said=saved")),
        Ok(()) => Ok(to("/portal/notices?said=merged")),
        Err(NotSaved::Contested(merged, contested)) => {
            let mut typed = shown(&merged);
            for part in contested {
                typed.refuse(
                    field_of(part),
                    "Someone else changed this too, after you opened the page. Save again to keep yours.",
                );
            }
            if !typed.is_refused() {
                typed.refuse("", "Someone else changed the notices after you opened the page, and both together don’t fit. Please check them and save again.");
            }
            refused(&web, &signed, StatusCode::CONFLICT, typed, merged.recipients.len(), None).await
        }
        Err(NotSaved::Store(error)) => Err(error.into()),
    }
}

/// Why settings that can be read were not stored.
enum NotSaved {
    Contested(Box<NoticeSettings>, Vec<Contested>),
    Store(StoreError),
}

impl From<StoreError> for NotSaved {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The field that shows it; the list of recipients is larger than one.
fn field_of(part: Contested) -> &'static str {
    match part {
        Contested::Recipients => "",
        Contested::Escalation => "escalate",
        Contested::TimeZone => "zone",
        Contested::WorkingHours => "hours",
        Contested::QuietHours => "quiet.to",
        Contested::Digest => "digest-at",
    }
}

/// The page with what was typed. The next attempt begins with `base`, or with what is stored now.
async fn refused(
    web: &Web,
    signed: &Signed,
    status: StatusCode,
    typed: TypedFields,
    rows: usize,
    base: Option<NoticeSettings>,
) -> ApiResult<Response> {
    one(web, signed, status, &PortalForm::of_query(None), Some((typed, rows)), base).await
}

/// Without the recipient whose Remove button was pressed: those after it move up.
fn without_removed(form: PortalForm) -> PortalForm {
    let Ok(removed) = form.text("remove").parse::<usize>() else { return form };
    form.renamed(|name| {
        let row = |name: &str| {
            let (part, row) = name.rsplit_once('.')?;
            let is_recipient = matches!(part, "email" | "name" | "language" | "leads" | "digest" | "report" | "widget");
            is_recipient.then_some((part.to_owned(), row.parse::<usize>().ok()?))
        };
        match row(&name) {
            Some((_, row)) if row == removed => None,
            Some((part, row)) if row > removed => Some(format!("{part}.{}", row - 1)),
            _ if name == "remove" => None,
            _ => Some(name),
        }
    })
}

/// The settings that were typed. What this form cannot hold stays as it was. `None`: something is wrong.
fn read(
    language: Language,
    form: &PortalForm,
    old: &NoticeSettings,
    typed: &mut TypedFields,
) -> Option<NoticeSettings> {
    let settings = NoticeSettings {
        recipients: recipients(form, old, typed),
        escalate_after_minutes: match form.text("escalate") {
            "" => None,
            text => {
                let minutes = text.parse().ok().filter(|minutes| (1..=10_080).contains(minutes));
                if minutes.is_none() {
                    typed.refuse("escalate", "Please type a whole number from 1 to 10080, which is a week.");
                }
                minutes
            }
        },
        time_zone: form.text("zone").to_owned(),
        working_hours: match by_day(&old.working_hours) {
            Some(_) => working_hours(form, typed),
            None => old.working_hours.clone(),
        },
        quiet_hours: pair(form, typed, "quiet.from", "quiet.to").map(|(from, to)| QuietHours { from, to }),
        digest_at: time(form, typed, "digest-at"),
        homeowner_copy: form.text("copy") == "yes",
        muted_widgets: form.all("mute").filter_map(|id| id.parse().ok()).collect(),
    };
    if !is_time_zone(&settings.time_zone) {
        typed.refuse("zone", "Please choose a time zone.");
    }
    for violation in &settings.problems().0 {
        match (violation.path.field(), &violation.rule) {
            ("recipients", Rule::MaxElements { .. }) => typed.refuse("", "You can notify at most 20 people."),
            (_, Rule::AllUnique) => typed.refuse("", "One address is listed twice."),
            (_, Rule::OutsideQuietHours) => {
                typed.refuse(
                    "hours",
                    "The working hours are within the quiet hours, so no reminder could ever be sent.",
                );
            }
            (_, Rule::DifferentFromFrom) => typed.refuse("quiet.to", "Please type a different time from the first."),
            (_, Rule::SomeTimeLeft) => typed.refuse("quiet.to", "Quiet hours can’t fill the whole day."),
            (_, Rule::NeedsRecipients) => typed.refuse("digest-at", "Please choose who gets the summary."),
            ("workingHours", _) => {
                typed.refuse("hours", "The end of a day must be later than its beginning.");
            }
            // Its field says so already.
            ("escalateAfterMinutes", _) => {}
            _ => typed.refuse("", format!("{}.", say(language, violation))),
        }
    }
    (!typed.is_refused()).then_some(settings)
}

fn recipients(form: &PortalForm, old: &NoticeSettings, typed: &mut TypedFields) -> Vec<Recipient> {
    let mut all = Vec::new();
    for row in 0..=MAX_RECIPIENTS {
        let text = |part: &str| form.text(&format!("{part}.{row}")).to_owned();
        let address = text("email");
        if address.is_empty() {
            continue;
        }
        let Some(email) = Email::parse(&address) else {
            typed.refuse(&format!("email.{row}"), "Please type an email address, like tomas@example.com.");
            continue;
        };
        let known = old.recipients.iter().find(|known| known.email.as_str().eq_ignore_ascii_case(email.as_str()));
        let name = Some(text("name")).filter(|name| !name.is_empty());
        if name.as_deref().is_some_and(|name| !shingle_domain::text::is_clean(name) || name.chars().count() > 100) {
            typed.refuse(&format!("name.{row}"), "Please type a name of at most 100 characters.");
            continue;
        }
        all.push(Recipient {
            email,
            name,
            language: if text("language") == "es" { Language::Spanish } else { Language::English },
            // A page without the choice keeps what is set.
            widgets: match form.has("widgets-shown") {
                true => form.all(&format!("widget.{row}")).filter_map(|id| id.parse().ok()).collect(),
                false => known.map(|known| known.widgets.clone()).unwrap_or_default(),
            },
            leads: text("leads") == "yes",
            digest: text("digest") == "yes",
            report: text("report") == "yes",
        });
    }
    all
}

/// `None` where nothing was typed, or something wrong, which is reported.
fn time(form: &PortalForm, typed: &mut TypedFields, name: &str) -> Option<TimeOfDay> {
    let text = form.text(name);
    // Browsers add seconds where a page asks for them.
    let found = TimeOfDay::parse(text.get(..5).unwrap_or(text));
    if found.is_none() && !text.is_empty() {
        typed.refuse(name, "Please type a time, like 08:30.");
    }
    found
}

fn pair(form: &PortalForm, typed: &mut TypedFields, from: &str, to: &str) -> Option<(TimeOfDay, TimeOfDay)> {
    match (time(form, typed, from), time(form, typed, to)) {
        (Some(from), Some(to)) => Some((from, to)),
        (Some(_), None) => {
            typed.refuse(to, "Please type when it ends.");
            None
        }
        (None, Some(_)) => {
            typed.refuse(from, "Please type when it begins.");
            None
        }
        (None, None) => None,
    }
}

/// Days with the same hours stand together.
fn working_hours(form: &PortalForm, typed: &mut TypedFields) -> Vec<WorkingHours> {
    let mut all: Vec<WorkingHours> = Vec::new();
    for day in Weekday::ALL {
        let (from, to) = (format!("from.{}", day.as_str()), format!("to.{}", day.as_str()));
        let Some((from, to)) = pair(form, typed, &from, &to) else { continue };
        match all.iter_mut().find(|hours| hours.from == from && hours.to == to) {
            Some(same) => same.days.push(day),
            None => all.push(WorkingHours { days: vec![day], from, to }),
        }
    }
    all
}

pub async fn act(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
) -> Response {
    let acted = async {
        let found = find_own(&web, &signed, &id).await?;
        match (action.as_str(), found.draft.kind) {
            ("test", DestinationKind::Mail) => {
                let sent = web.store.deliveries().send_ping(&found.tenant, found.id, None).await?;
                Ok(to(&format!("/portal/deliveries/{sent}")))
            }
            ("on", DestinationKind::Mail | DestinationKind::Homeowner) if found.inactive_reason.is_some() => {
                let switch = |draft: &mut DestinationDraft| {
                    draft.active = true;
                    Ok::<_, ApiError>(())
                };
                web.store.destinations().change(&found.tenant, found.id, switch).await?;
                Ok(to("/portal/notices?said=on"))
            }
            _ => Err(ApiError::NotFound),
        }
    };
    or_not_there(acted.await)
}

/// The routes of this feature.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page::get("/portal/notices", OWNER, show).for_support(),
        Page::post("/portal/notices", OWNER, save),
        Page::post("/portal/notices/{id}/{action}", OWNER, act),
    ]
}
