//! `/portal/leads/{id}`: one lead.
//!
//! # Decision
//!
//! When two people change one lead, each form holds what it showed of the fields it changes; the store compares in
//! its transaction, and the second person sees both values and chooses. Changes of different fields do not conflict.
//! Turned down: the lead's last change time, with which a colleague's note made a status stale.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_app::aerial;
use shingle_app::lead_materials::materials_of;
use shingle_domain::aerial::AerialPhoto;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::{Lead, LeadStatus, Same};
use shingle_domain::next_step::{Due, DueForm, DueProblem};
use shingle_domain::public::ShownStep;
use shingle_domain::rules::BookingProblem;
use shingle_domain::settings::AerialPhotos;
use shingle_domain::text::is_clean;
use shingle_domain::{LeadId, Tenant, Usd};
use shingle_notice::{PhotoUnder, zone_of};
use shingle_portal::{
    AgreedFor, Conflict, Hours, Language, LeadDelivery, LeadView, MAX_STEP, Notice, OpenedFrom, TypedFields, WorkView,
    booking_problem, lead_page,
};
use shingle_store::{DestinationKind, EntryKind, OwnerChange, PlannedStep, StoreError};
use shingle_widget::view::Text;

use crate::api::consents::POLICY;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::given_lead::tell_released;
use crate::portal::leads::answer::Answer as LeadAnswer;
use crate::portal::leads::appointment::{self, Answer};
use crate::portal::leads::clash::{self, Clash};
use crate::portal::leads::list::people_for;
use crate::portal::leads::query::{environment, opened_from, own_path, with_said};
use crate::portal::leads::{contact, controls, files, loss, merge, notes, quotes, reply, tags};
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::settings::page::{frame, said, zone};
use crate::state::Web;
use crate::visitor::photos;
use crate::web::calendar_headers::calendar_headers;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::consent_page::consent_page;
use shingle_app::lead_reference::reference;
use shingle_app::tokens::{MAX_LINK_AGE, estimate_path};

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    or_not_there(shown(&web, &signed, &id, &PortalForm::of_query(query.as_deref())).await)
}

async fn shown(web: &Web, signed: &Signed, id: &str, query: &PortalForm) -> ApiResult<Response> {
    let (tenant, lead) = find(web, signed, id, query).await?;
    if let Some(stays) = web.store.leads().merged_into(&tenant, lead.id).await? {
        let there = opened_from(query, &zone(web, signed).await?, signed.user.id).shown.lead_at(stays);
        return Ok(to(&match query.text("said") {
            "" => there,
            said => with_said(&there, said),
        }));
    }
    let only_deliveries = query.text("timeline") == "deliveries";
    let shown = Shown { too_late: query.text("said") == "faster", only_deliveries, ..Shown::default() };
    let notice = if shown.too_late { None } else { said(query) };
    one(web, signed, &tenant, &lead, query, Shown { notice, ..shown }).await
}

/// What is in the page beside the lead.
#[derive(Default)]
struct Shown {
    notice: Option<Notice>,
    /// What was not saved, with why.
    typed: TypedFields,
    /// What was sent, and meanwhile changed by somebody else.
    conflict: Option<Clash>,
    too_late: bool,
    only_deliveries: bool,
    /// What the answer is, where that does not follow from the rest.
    status: Option<StatusCode>,
}

impl Shown {
    fn refused(name: &str, typed: &str, why: impl Into<Text>) -> Self {
        let mut fields = TypedFields::default();
        fields.set(name, typed);
        fields.refuse(name, why);
        Self { typed: fields, ..Self::default() }
    }
}

/// When a step is due, where the company is. A day that is typed without a step would be lost.
fn step_due(
    language: Language,
    (step, due): (&str, &DueForm<'_>),
    seen_due: &str,
    zone: &str,
    typed: &mut TypedFields,
) -> Option<Due> {
    typed.set("step", step);
    typed.set("due", due.day);
    typed.set("due-time", due.time);
    let read = Due::parse(due, (zone, &zone_of(zone)));
    let is_left = [due.day, due.time].join(" ").trim() == seen_due;
    if step.is_empty() && !(due.day.is_empty() && due.time.is_empty()) && !is_left {
        typed.refuse("step", "Please type the next step.");
    }
    if step.chars().count() > MAX_STEP {
        typed.refuse("step", "A step has 200 characters at most.");
    }
    if !is_clean(step) {
        typed.refuse("step", "It contains an invisible character. Please remove it.");
    }
    match read {
        Ok(due) => return due,
        // What is removed is due at no time.
        Err(_) if step.is_empty() && is_left => {}
        Err(DueProblem::NoDay) => typed.refuse("due", "Please choose a day."),
        Err(DueProblem::NoTime) => typed.refuse("due-time", "Please choose a time, or leave it empty."),
        Err(DueProblem::Skipped { next }) => {
            typed.refuse("due-time", booking_problem(language, BookingProblem::Skipped { next }));
        }
        Err(DueProblem::Twice) => {
            typed.set("due-which", "");
            typed.refuse("due-time", booking_problem(language, BookingProblem::Twice));
        }
    }
    None
}

/// `form` names the list that it was opened from.
async fn one(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
    shown: Shown,
) -> ApiResult<Response> {
    web.store.leads().note_read(signed.user.id, lead.id).await?;
    let zone = zone(web, signed).await?;
    let hours = Hours::new(&zone, web.clock.now(), signed.language);
    let list = opened_from(form, &zone, signed.user.id);
    let beside = web.store.leads().beside(tenant, &list.query, lead.id).await?;
    let work = web.store.leads().work(tenant, lead.id).await?;
    let entries = web.store.leads().entries(tenant, lead.id).await?;
    let step = if lead.estimate.is_some() { web.store.leads().shown(tenant, lead.id).await? } else { None };
    let status = match (&shown.conflict, shown.typed.is_refused()) {
        (Some(_), _) => StatusCode::CONFLICT,
        (None, true) => StatusCode::UNPROCESSABLE_ENTITY,
        (None, false) => StatusCode::OK,
    };
    let status = shown.status.unwrap_or(status);
    let conflict = shown.conflict.map(|clash| {
        // An edit has an entry for each field.
        let first = entries
            .iter()
            .find(|entry| entry.kind == clash.kind && (entry.kind != EntryKind::Edited || entry.text == clash.told));
        let by =
            first.filter(|entry| entry.text == clash.told).map(|entry| (entry.author.as_str(), hours.age(entry.at)));
        Conflict { action: clash.action, by, both: clash.both, fields: clash.fields }
    });
    let drawing = match &lead.estimate {
        Some(_) => web.store.leads().drawing(tenant, lead.id).await?,
        None => None,
    };
    let merged = web.store.leads().merged_with(tenant, lead.id).await?;
    let inspected = merge::inspected(web, tenant, lead, &merged).await?;
    let mut of_all = deliveries(web, tenant, lead).await?;
    for other in &merged {
        of_all.extend(deliveries(web, tenant, &other.lead).await?);
    }
    of_all.cold_sort_by_key(|of| of.delivery.created_at);
    let (deliveries, people) = (of_all, people_for(web, signed, lead.widget_id).await?);
    let around =
        appointment::Around { work: &work, entries: &entries, deliveries: &deliveries, people: &people, hours: &hours };
    let inspection = appointment::Inspection::read(web, signed, tenant, &inspected, &around).await?;
    let written = reply::Reply::read(web, signed, tenant, lead, (&entries, form)).await?;
    let own_tags = web.store.leads().tags_of(tenant, &[lead.id]).await?.remove(&lead.id).unwrap_or_default();
    let photo = photo_under(web, step.as_ref()).await?.map(|(photo, _)| photo);
    let view = LeadView {
        lead,
        environment: tenant.environment,
        reference: &reference(lead.id),
        sheet: sheet(web, tenant, lead).await?,
        hours: &hours,
        work: WorkView {
            work: &work,
            entries: &entries,
            deliveries: &deliveries,
            people: &people,
            typed: &shown.typed,
            reader: signed.user.id,
            hours: &hours,
        },
        drawing: drawing.as_ref().and_then(|drawing| shingle_notice::drawing_size(drawing, signed.language)),
        shown: step.as_ref(),
        photo: photo.as_ref(),
        materials: &materials_of(lead, drawing.as_ref()),
        worth: web.store.leads().won_value(tenant, lead.id).await?,
        loss: web.store.leads().loss(tenant, lead.id).await?,
        reply: written.view(),
        tags: &own_tags,
        known_tags: &web.store.leads().tags(tenant).await?,
        agreed_for: agreed_for(web, tenant, lead).await?,
        linked: &linked(web, tenant, lead).await?,
        merged: &merged,
        inspected: &inspected,
        files: &web.store.leads().files(tenant, lead.id).await?,
        quotes: &quotes::of_lead(web, tenant, lead.id).await?,
        conflict,
        too_late: shown.too_late,
        from: OpenedFrom { list: &list.shown, beside },
        only_deliveries: shown.only_deliveries,
        appointment: inspection.view(),
    };
    Ok(page_with(status, lead_page(&frame(signed, shown.notice), &view)))
}

/// What the homeowner agreed for, where it is not the lead's any more.
async fn agreed_for(web: &Web, tenant: &Tenant, lead: &Lead) -> ApiResult<Option<AgreedFor>> {
    if lead.consent.given {
        return Ok(None);
    }
    let evidence = web.store.consents().list_evidence(tenant, lead.id).await?;
    let Some(agreed) = evidence.into_iter().rfind(|consent| consent.given) else { return Ok(None) };
    Ok(match (agreed.phone, agreed.email) {
        // Of its own number, the homeowner took it back.
        (Some(phone), _) if lead.phone.as_ref().is_some_and(|now| now.as_str() == phone) => None,
        (Some(phone), _) => Some(AgreedFor::Phone(phone)),
        (None, email) => email.map(AgreedFor::Email),
    })
}

async fn linked(web: &Web, tenant: &Tenant, lead: &Lead) -> ApiResult<Vec<(Lead, Same)>> {
    let linked = web.store.leads().linked(tenant, lead).await?;
    let ids: Vec<LeadId> = linked.iter().map(|(id, _)| *id).collect();
    let leads = web.store.leads().by_id(tenant, &ids).await?;
    let same = |lead: &Lead| linked.iter().find(|(id, _)| *id == lead.id).map_or(Same::Home, |(_, same)| *same);
    Ok(leads.into_iter().map(|lead| (same(&lead), lead)).map(|(same, lead)| (lead, same)).collect())
}

/// A photograph that the homeowner added.
pub async fn photo(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, photo)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let found = async {
        let (tenant, lead) = find(&web, &signed, &id, &PortalForm::of_query(query.as_deref())).await?;
        photos::picture(&web, &tenant, lead.id, photo.parse().map_err(|_| ApiError::NotFound)?).await
    };
    or_not_there(found.await)
}

async fn deliveries(web: &Web, tenant: &Tenant, lead: &Lead) -> ApiResult<Vec<LeadDelivery>> {
    let mut all = Vec::new();
    for delivery in web.store.deliveries().list_of(tenant, lead.id.0).await? {
        let Some(destination) = web.store.destinations().find(tenant, delivery.destination).await? else { continue };
        let draft = destination.draft;
        let to = match draft.kind {
            DestinationKind::Webhook => url::Url::parse(&draft.address)
                .ok()
                .and_then(|url| url.host_str().map(str::to_owned))
                .unwrap_or(draft.name),
            DestinationKind::Connector | DestinationKind::Push => draft.name,
            DestinationKind::Mail | DestinationKind::Homeowner | DestinationKind::Appointment => draft.address,
        };
        all.push(LeadDelivery { delivery, kind: draft.kind, to });
    }
    Ok(all)
}

/// The drawing that the homeowner saw, as a picture.
pub async fn drawing(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let drawn = async {
        let (tenant, lead) = find(&web, &signed, &id, &query).await?;
        let drawing = web.store.leads().drawing(&tenant, lead.id).await?.ok_or(ApiError::NotFound)?;
        let widget = web.store.widgets().find_of_lead(&tenant, lead.widget_id).await?.ok_or(ApiError::NotFound)?;
        let drawer = match query.text("on") {
            "dark" => shingle_notice::drawing_image_on_dark,
            _ => shingle_notice::drawing_image,
        };
        let shown = web.store.leads().shown(&tenant, lead.id).await?;
        let under = photo_under(&web, shown.as_ref()).await?.map(|(_, under)| under);
        let language = signed.language;
        let draw = move || drawer(&drawing, under.as_ref(), &lead.address, &widget.widget, language);
        let image = web.heavy_work.run(draw).await?.map_err(ApiError::internal)?.ok_or(ApiError::NotFound)?;
        let headers = [(header::CONTENT_TYPE, image.media_type), (header::CACHE_CONTROL, "private, max-age=600")];
        Ok((headers, image.bytes).into_response())
    };
    or_not_there(drawn.await)
}

/// The photograph from the air for the drawing of a lead, whatever its widget shows to homeowners.
async fn photo_under(web: &Web, shown: Option<&ShownStep>) -> ApiResult<Option<(AerialPhoto, PhotoUnder)>> {
    let view = web.aerial.view(&web.store, AerialPhotos::default(), web.clock.now()).await?;
    match view {
        Some(view) => Ok(view.under(&web.store, shown).await?),
        None => Ok(None),
    }
}

async fn find(web: &Web, signed: &Signed, id: &str, form: &PortalForm) -> ApiResult<(Tenant, Lead)> {
    let id: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    let tenant = signed.tenant(environment(form));
    let lead = web.store.leads().find(&tenant, id).await?.ok_or(ApiError::NotFound)?;
    Ok((tenant, lead))
}

/// The page of the estimate, as the homeowner's link shows it.
async fn sheet(web: &Web, tenant: &Tenant, lead: &Lead) -> ApiResult<Option<String>> {
    if lead.estimate.is_none() || lead.created_at + MAX_LINK_AGE <= web.clock.now() {
        return Ok(None);
    }
    let Some(version) = web.store.leads().link_version(tenant, lead.id).await? else { return Ok(None) };
    let Some(widget) = web.store.widgets().find_of_lead(tenant, lead.widget_id).await? else { return Ok(None) };
    Ok(Some(estimate_path(widget.widget.link_id(), &web.tokens.link(lead.id, version))))
}

pub async fn consent(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let certificate = async {
        let (tenant, lead) = find(&web, &signed, &id, &query).await?;
        let back = format!("/portal/leads/{}?data={}", lead.id, tenant.environment.as_str());
        let certificate = web.store.consents().certificate(&tenant, lead.id).await?;
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
        Ok((headers, consent_page(&certificate, Some(back))).into_response())
    };
    or_not_there(certificate.await)
}

/// The inspection for the calendar of the one who asks.
pub async fn calendar_file(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let file = async {
        let (tenant, lead) = find(&web, &signed, &id, &query).await?;
        let file = appointment::file(&web, &signed, &tenant, &lead).await?.ok_or(ApiError::NotFound)?;
        Ok((calendar_headers(), file).into_response())
    };
    or_not_there(file.await)
}

/// `take`, `status`, `inspection`, `book`, `note`, `assign`, `plan`, `erase` and so on.
pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, action)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let at_once = accepts.starts_with("application/json");
    let form = PortalForm::parse(&body);
    or_not_there(match changed(&web, &signed, (&id, &action), &form, at_once).await {
        Err(ApiError::LeadMerged) => merged_meanwhile(&web, &signed, &id, &form, at_once).await,
        other => other,
    })
}

/// `at_once`: a script asks, and no page is wanted.
async fn changed(
    web: &Arc<Web>,
    signed: &Signed,
    (id, action): (&str, &str),
    form: &PortalForm,
    at_once: bool,
) -> ApiResult<Response> {
    let (tenant, lead) = find(web, signed, id, form).await?;
    let list = opened_from(form, &zone(web, signed).await?, signed.user.id).shown;
    let stays = web.store.leads().merged_into(&tenant, lead.id).await?;
    if stays.is_some()
        && action == "merge"
        && (form.text("stays"), stays) == (form.text("with"), form.text("with").parse().ok())
    {
        // Sent twice.
        return Ok(to(&with_said(&list.lead_at(lead.id), "merged")));
    }
    // The inspection of a merged lead is kept there, and shown on the one that stays.
    let of_inspection = ["book", "cancel-inspection", "inspection-over", "inspection", "texted"];
    if stays.is_some() && !of_inspection.contains(&action) {
        return Err(ApiError::LeadMerged);
    }
    let back = |said: &str| to(&with_said(&list.lead_at(lead.id), said));
    Ok(match action {
        "merge" | "unmerge" => {
            let answer = match action {
                "merge" => merge::save(web, signed, &tenant, &lead, form).await?,
                _ => merge::undo(web, signed, &tenant, &lead, form).await?,
            };
            return follow(web, signed, &tenant, &lead, form, answer).await;
        }
        "take" => {
            let taken = web.store.leads().take_lead_by(&tenant, lead.id, &signed.user).await?;
            let is_own = taken.taken_by.as_deref() == Some(signed.user.name.as_str());
            back(if is_own { "taken" } else { "faster" })
        }
        "hide-home" => {
            let index = web.indexes.of(tenant.environment);
            let hidden = aerial::hide(&web.store, index, &lead.address).await;
            back(if hidden.is_ok() { "homeHidden" } else { "homeUnknown" })
        }
        "status" => {
            let answer = controls::status(web, signed, &tenant, &lead, form, at_once).await?;
            return follow(web, signed, &tenant, &lead, form, answer).await;
        }
        "assign" => {
            let answer = controls::assign(web, signed, &tenant, &lead, form, at_once).await?;
            return follow(web, signed, &tenant, &lead, form, answer).await;
        }
        "note" | "edit-note" | "delete-note" | "delete-file" | "loss" | "tag" | "untag" | "reply" | "replied"
        | "edit" => {
            let answer = match action {
                "note" => notes::add(web, signed, &tenant, &lead, form).await?,
                "edit-note" => notes::edit(web, signed, &tenant, &lead, form).await?,
                "delete-note" => notes::delete(web, signed, &tenant, &lead, form).await?,
                "delete-file" => files::delete(web, signed, &tenant, &lead, form).await?,
                "reply" => reply::prepare(web, signed, &tenant, &lead, form).await?,
                "replied" => reply::sent(web, signed, &tenant, &lead, form).await?,
                "tag" => tags::add(web, signed, &tenant, &lead, form).await?,
                "untag" => tags::remove(web, signed, &tenant, &lead, form).await?,
                "loss" => loss::set(web, signed, &tenant, &lead, form).await?,
                _ => contact::edit(web, signed, &tenant, &lead, form).await?,
            };
            return follow(web, signed, &tenant, &lead, form, answer).await;
        }
        "ham" => {
            let change = OwnerChange { status: Some(LeadStatus::New), ..OwnerChange::default() };
            let changed = web.store.leads().change_given(&tenant, lead.id, &change, Some(&signed.user)).await?;
            tell_released(web, signed, tenant, changed).await;
            to(&with_said(own_path(form.text("back")), "ham"))
        }
        // A lead that is no longer spam is erased only with its reference.
        "erase-spam" if lead.status == LeadStatus::Spam => {
            web.store.leads().erase(&tenant, lead.id).await?;
            shingle_app::photos::delete_removed_soon(web).await;
            to(&with_said(own_path(form.text("back")), "erased"))
        }
        "worth" => {
            let typed: String = form.text("worth").chars().filter(|c| !matches!(c, '$' | ',' | ' ')).collect();
            let worth = Usd::parse_price(&typed);
            if worth.is_none() && !typed.is_empty() {
                let shown =
                    Shown::refused("worth", form.text("worth"), "Please type an amount of dollars, like 14,200.");
                return one(web, signed, &tenant, &lead, form, shown).await;
            }
            web.store.leads().set_won_value(&tenant, lead.id, &signed.user, worth).await?;
            back("saved")
        }
        "inspection" if form.text("state") != "declined" => back("unknown"),
        "book" | "cancel-inspection" | "inspection-over" | "inspection" | "texted" => {
            let answer = match action {
                "inspection" => appointment::decline(web, &tenant, lead.id).await?,
                "texted" => appointment::texted(web, &tenant, lead.id, &signed.user).await?,
                "book" => appointment::book(web, signed, &tenant, &lead, form).await?,
                "cancel-inspection" => appointment::cancel(web, signed, &tenant, &lead, form).await?,
                _ => appointment::end(web, signed, &tenant, &lead, form).await?,
            };
            match answer {
                Answer::Back(said) => back(said),
                Answer::Refused { typed, notice, status } => {
                    let shown = Shown { typed, notice, status: Some(status), ..Shown::default() };
                    let shown_on = stays.unwrap_or(lead.id);
                    let lead = web.store.leads().find(&tenant, shown_on).await?.ok_or(ApiError::NotFound)?;
                    return one(web, signed, &tenant, &lead, form, shown).await;
                }
            }
        }
        "plan" => {
            let step = form.text("step");
            let due = DueForm { day: form.text("due"), time: form.text("due-time"), which: form.text("due-which") };
            let seen = (form.text("seen-step"), form.text("seen-due"));
            let planned = if form.has("done") {
                web.store.leads().finish_step(&tenant, lead.id, &signed.user, Some(seen)).await
            } else {
                let mut typed = TypedFields::default();
                let zone = zone(web, signed).await?;
                let due = step_due(signed.language, (step, &due), seen.1, &zone, &mut typed);
                if typed.is_refused() {
                    let shown = Shown { typed, ..Shown::default() };
                    return one(web, signed, &tenant, &lead, form, shown).await;
                }
                let remind_at = due.and_then(|due| due.remind_at(&zone_of(&zone)));
                let planned = PlannedStep { step, due, remind_at };
                web.store.leads().plan(&tenant, lead.id, &signed.user, planned, Some(seen)).await
            };
            match planned {
                Ok(()) => back("saved"),
                Err(StoreError::Outdated) => {
                    let clash = clash::of_step(web, &tenant, lead.id, (step, &due)).await?;
                    return follow(web, signed, &tenant, &lead, form, LeadAnswer::Clash(clash)).await;
                }
                Err(other) => return Err(other.into()),
            }
        }
        "erase" => {
            if !form.text("reference").eq_ignore_ascii_case(&reference(lead.id)) {
                let notice = Some(Notice { text: "Nothing was erased.".into(), is_wrong: true });
                let shown =
                    Shown::refused("reference", form.text("reference"), "That is not the reference of this lead.");
                return one(web, signed, &tenant, &lead, form, Shown { notice, ..shown }).await;
            }
            web.store.leads().erase(&tenant, lead.id).await?;
            shingle_app::photos::delete_removed_soon(web).await;
            to(&with_said(&list.at("/portal/leads"), "erased"))
        }
        _ => return Err(ApiError::NotFound),
    })
}

/// A file for the lead: the one form that is not read as a whole.
pub async fn add_file(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    request: Request,
) -> Response {
    let added = async {
        // Before anything is read.
        let (tenant, lead) = find(&web, &signed, &id, &PortalForm::of_query(query.as_deref())).await?;
        let upload = files::Upload::read(request).await?;
        let form = upload.form.clone();
        match files::add(&web, &signed, &tenant, &lead, upload).await {
            Ok(answer) => follow(&web, &signed, &tenant, &lead, &form, answer).await,
            Err(ApiError::LeadMerged) => merged_meanwhile(&web, &signed, &id, &form, false).await,
            Err(other) => Err(other),
        }
    };
    or_not_there(added.await)
}

/// What was typed is kept, on the page of the lead that stays.
const KEPT: [&str; 7] = ["note", "step", "due", "due-time", "tag", "write-subject", "write-body"];

/// Somebody merged the lead into another after its page was opened.
async fn merged_meanwhile(
    web: &Web,
    signed: &Signed,
    id: &str,
    form: &PortalForm,
    at_once: bool,
) -> ApiResult<Response> {
    let (tenant, lead) = find(web, signed, id, form).await?;
    if at_once {
        return Ok(merge::refused_at_once(signed, form.text("seen")));
    }
    let stays = web.store.leads().merged_into(&tenant, lead.id).await?.ok_or(ApiError::LeadMerged)?;
    let stays = web.store.leads().find(&tenant, stays).await?.ok_or(ApiError::NotFound)?;
    let mut typed = TypedFields::default();
    for name in KEPT.into_iter().filter(|name| !form.text(name).is_empty()) {
        typed.set(name, form.text(name));
    }
    let text = "A teammate merged that lead into this one. Nothing was saved. Check what you typed and save it here.";
    let notice = Some(Notice { text: text.into(), is_wrong: true });
    let shown = Shown { typed, notice, status: Some(StatusCode::CONFLICT), ..Shown::default() };
    one(web, signed, &tenant, &stays, form, shown).await
}

async fn follow(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    lead: &Lead,
    form: &PortalForm,
    answer: LeadAnswer,
) -> ApiResult<Response> {
    let shown = match answer {
        LeadAnswer::Back(said) => {
            let list = opened_from(form, &zone(web, signed).await?, signed.user.id).shown;
            return Ok(to(&with_said(&list.lead_at(lead.id), said)));
        }
        LeadAnswer::Made(response) => return Ok(response),
        LeadAnswer::Refused { typed, notice, status } => {
            Shown { typed, notice, status: Some(status), ..Shown::default() }
        }
        LeadAnswer::Clash(clash) => Shown { conflict: Some(clash), ..Shown::default() },
    };
    let lead = web.store.leads().find(tenant, lead.id).await?.ok_or(ApiError::NotFound)?;
    one(web, signed, tenant, &lead, form, shown).await
}
