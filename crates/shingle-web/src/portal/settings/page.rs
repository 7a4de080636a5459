//! `/portal/settings`: the user's own name, browsers, recovery codes; and what every page has around it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::{Email, Environment, Role, SessionId, UserName};
use shingle_portal::{
    CompanyView, Hours, KEPT_DAYS, Notice, PasskeysView, ProfileView, SettingsView, WouldErase, browser, settings_page,
};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::sign_in::relying_party::RelyingParty;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

pub fn frame(signed: &Signed, notice: Option<Notice>) -> shingle_portal::Signed<'_> {
    signed.frame(notice)
}

/// What became of the form before this page. The address names it by a word, so nobody can write a sentence into our pages.
pub fn said(query: &PortalForm) -> Option<Notice> {
    let (text, is_wrong) = match query.text("said") {
        "saved" => ("Saved.", false),
        "joined" => ("You joined this company. Switch between your companies on top of the menu.", false),
        "booked" => ("The inspection is booked.", false),
        "moved" => ("The inspection is moved.", false),
        "canceled" => ("The inspection is canceled.", false),
        "made" => ("Your widget is ready. Try it here, change what you like, then put it on your site.", false),
        "unread" => ("Your widget is ready. We couldn’t read your website, so please check the logo and colors.", true),
        "widgetConflict" => {
            ("Someone changed this widget after you opened it. This is the current version; nothing was saved.", true)
        }
        "none" => ("You selected nothing.", true),
        "kept" => ("View saved.", false),
        "many" => ("You have 20 saved views already. Delete one first.", true),
        "taken" => ("You’re on it.", false),
        "faster" => ("Someone else got to it first.", true),
        "conflict" => {
            ("Someone changed this lead after you opened it. This is the current version; nothing was saved.", true)
        }
        "erased" => ("Lead erased.", false),
        "mailed" => ("On its way. The timeline says what becomes of it.", false),
        "senderSet" => ("Confirmed. Emails to homeowners follow it from now on.", false),
        "prepared" => ("Ready. Open it below and send it.", false),
        "replyDeleted" => ("Reply deleted.", false),
        "added" => ("Lead added.", false),
        "noteDeleted" => ("Note deleted.", false),
        "homeHidden" => ("No photo from the air shows this home any more.", false),
        "homeUnknown" => ("This home isn’t in the data any more, so nothing changed.", true),
        "merged" => ("Merged. You can undo this in the timeline.", false),
        "mergedBefore" => ("A teammate merged these leads before you did. This is the one that stays.", true),
        "unmerged" => ("The merge is undone. Both leads are back.", false),
        "fileDeleted" => ("File deleted.", false),
        "notLost" => ("This lead is no longer lost, so we kept no reason.", true),
        "unknown" => ("That isn’t one of the choices. Nothing was saved.", true),
        "ended" => ("Invite withdrawn.", false),
        "removed" => ("They no longer have access.", false),
        "role" => ("Their role is changed, from the next page they open.", false),
        "sees" => ("Saved. It counts from the next page they open.", false),
        "unclear" => ("Choose every widget and tick none, or choose only some and tick them.", true),
        "ownRole" => ("You can’t change your own role. Ask another owner.", true),
        "self" => ("You can’t remove yourself. Ask another owner.", true),
        "above" => ("Only an administrator can remove an administrator.", true),
        "lastOwner" => ("Your company would have no owner. Invite another one first.", true),
        "passkeyAdded" => ("Your passkey is added. Sign in with it from now on.", false),
        "passkeyRemoved" => {
            ("That passkey no longer works. Delete it on your device too, which still offers it.", false)
        }
        "passkeyRefused" => ("We couldn’t check that passkey. Nothing was added.", true),
        "passkeyMany" => ("You have 20 passkeys already. Remove one first.", true),
        "passkeyName" => ("The name is too long: 60 characters at most.", true),
        "lastWayIn" => (
            "It’s your only way to sign in: email is not set up here, and you have no recovery codes. Create new codes first.",
            true,
        ),
        "signedOut" => ("Signed out on that device.", false),
        "emailCode" => ("We’ve emailed a code to the new address. Type it below.", false),
        "emailWrong" => ("That isn’t the code. Nothing was changed.", true),
        "emailEnded" => ("The code has expired, or was wrong five times. Ask for a new one.", true),
        "emailTaken" => ("Someone already signs in with that email. Nothing was changed.", true),
        "emailDone" => ("Your email is changed. Sign in with the new one from now on.", false),
        "quoteSent" => ("The quote is on its way by email.", false),
        "quoteLink" => ("The quote is ready. No email can be sent, so give the homeowner the link below.", false),
        "quoteWithdrawn" => ("The quote is withdrawn.", false),
        "quoteAccepted" => ("The acceptance is entered, and the lead is won.", false),
        "quoteDeleted" => ("Draft deleted.", false),
        "quoteChanged" => {
            ("This quote was answered or changed meanwhile. This is the current version; nothing was saved.", true)
        }
        "reopened" => ("The account is open again.", false),
        _ => return None,
    };
    Some(Notice { text: text.into(), is_wrong })
}

/// Of the company, as its notices have it.
pub async fn zone(web: &Web, signed: &Signed) -> ApiResult<String> {
    let settings = web.store.destinations().cached_notice_settings(&signed.tenant(Environment::Production)).await?;
    Ok(Option::as_ref(&settings).map_or_else(|| "UTC".to_owned(), |settings| settings.time_zone.clone()))
}

/// What a page of the settings shows beside what is stored.
#[derive(Default)]
pub struct Told<'t> {
    pub codes: &'t [String],
    pub name: Option<&'t str>,
    pub wrong: Option<&'static str>,
    pub notice: Option<Notice>,
    /// Days that leads might be kept, as they were asked about.
    pub keep: Option<u32>,
    /// What was typed in place of the company's name.
    pub not_closed: Option<&'t str>,
    /// The company's form, where a field of it was refused: which, and why.
    pub company: Option<(&'t PortalForm, (&'static str, &'static str))>,
    /// A new address that was refused, and why.
    pub email: Option<(&'t str, &'static str)>,
}

/// After a form that was refused.
pub async fn refused(web: &Web, signed: &Signed, told: Told<'_>) -> ApiResult<Response> {
    settings(web, signed, StatusCode::UNPROCESSABLE_ENTITY, told).await
}

async fn settings(web: &Web, signed: &Signed, status: StatusCode, told: Told<'_>) -> ApiResult<Response> {
    let zone = zone(web, signed).await?;
    let hours = Hours::new(&zone, web.clock.now(), signed.language);
    let sessions = web.store.people().list_sessions(signed.user.id).await?;
    let passkeys = web.store.people().list_passkeys(signed.user.id).await?;
    let asked_email = web.store.people().asked_email(signed.user.id).await?;
    let company = web.store.accounts().company(signed.account).await?;
    let typed = |field| told.company.map(|(form, _)| form.text(field));
    let of_company = match signed.user.role >= Role::Owner && signed.visiting.is_none() {
        true => {
            let retention = web.store.accounts().retention(signed.account).await?;
            let would = match told.keep {
                Some(days) => {
                    let leads = web.store.accounts().due_for_erasure(signed.account, days).await?.leads;
                    Some(WouldErase { days, leads })
                }
                None => None,
            };
            Some(CompanyView {
                name: typed("company").unwrap_or(&signed.company),
                phone: typed("phone").unwrap_or(&company.phone),
                website: typed("website").unwrap_or(&company.website),
                zone: typed("zone").unwrap_or(&zone),
                wrong: told.company.map(|(_, wrong)| wrong),
                kept_days: retention.days,
                acts_from: retention.acts_from,
                would,
                not_closed: told.not_closed,
            })
        }
        false => None,
    };
    let party = RelyingParty::of(&signed.asked_base);
    let view = SettingsView {
        passkeys: PasskeysView {
            passkeys: &passkeys,
            host: party.as_ref().map(RelyingParty::name),
            device: &browser(signed.language, &signed.session.user_agent),
        },
        profile: ProfileView {
            email: signed.user.email.as_str(),
            asked_email: asked_email.as_ref().map(Email::as_str),
            has_mail: web.mail.is_some(),
            refused: told.email,
            chosen: signed.user.language.as_deref(),
        },
        company: of_company,
        sessions: &sessions,
        own: signed.session.id,
        codes_left: web.store.people().recovery_codes_left(signed.user.id).await?,
        codes: told.codes,
        hours: &hours,
        name: told.name.unwrap_or(signed.user.name.as_str()),
        wrong: told.wrong,
    };
    Ok(page_with(status, settings_page(&frame(signed, told.notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let keep = query.text("keep").parse().ok().filter(|days| KEPT_DAYS.iter().any(|(known, _)| known == days));
    let told = Told { notice: said(&query), keep, ..Told::default() };
    settings(&web, &signed, StatusCode::OK, told).await
}

pub async fn rename(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    match UserName::parse(form.text("name")) {
        Ok(name) => {
            web.store.people().rename_user(signed.user.id, &name).await?;
            Ok(to("/portal/settings?said=saved"))
        }
        Err(wrong) => {
            let told = Told { name: Some(form.text("name")), wrong: Some(wrong), ..Told::default() };
            refused(&web, &signed, told).await
        }
    }
}

/// Somebody would close the company and has typed another name.
pub async fn not_closed(web: &Web, signed: &Signed, typed: &str) -> ApiResult<Response> {
    let notice = Some(Notice { text: "The account is not closed.".into(), is_wrong: true });
    let told = Told { not_closed: Some(typed), notice, ..Told::default() };
    settings(web, signed, StatusCode::UNPROCESSABLE_ENTITY, told).await
}

/// Shown in the answer itself: they are in no address and no history.
pub async fn make_codes(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    let codes = web.store.people().make_recovery_codes_in(signed.user.id, Some(signed.session.id)).await?;
    settings(&web, &signed, StatusCode::OK, Told { codes: &codes, ..Told::default() }).await
}

pub async fn end_session(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let ended = async {
        let id: SessionId = id.parse().map_err(|_| ApiError::NotFound)?;
        web.store.people().end_session(signed.user.id, id).await?;
        Ok(to("/portal/settings?said=signedOut"))
    };
    or_not_there(ended.await)
}

pub async fn end_others(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    web.store.people().end_other_sessions(signed.user.id, signed.session.id).await?;
    Ok(to("/portal/settings?said=signedOut"))
}
