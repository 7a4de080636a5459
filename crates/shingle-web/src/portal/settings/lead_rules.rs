//! `/portal/settings/leads`: who gets new leads.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::{Role, UserId};
use shingle_portal::{LeadRulesView, Notice, RuleLine, TypedFields, lead_rules_page, place_problem};
use shingle_store::{LeadRules, PlaceRule, StoreError, StoredLeadRules};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::list::people;
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::settings::page::{frame, said};
use crate::state::Web;
use crate::web::error::ApiResult;

const PAGE: &str = "/portal/settings/leads";

/// What the form shows.
struct Shown {
    lines: Vec<RuleLine>,
    new_line: Option<usize>,
    in_turn: Vec<String>,
    mark: String,
    typed: TypedFields,
}

impl Shown {
    fn stored(StoredLeadRules { rules, mark }: StoredLeadRules) -> Self {
        let line = |rule: PlaceRule| RuleLine { places: rule.places.join(", "), to: rule.to.to_string() };
        let mut lines: Vec<RuleLine> = rules.places.into_iter().map(line).collect();
        let new_line = (lines.len() < LeadRules::MAX_RULES).then_some(lines.len());
        lines.extend(new_line.map(|_| RuleLine::default()));
        let in_turn = rules.in_turn.iter().map(UserId::to_string).collect();
        Self { lines, new_line, in_turn, mark, typed: TypedFields::default() }
    }
}

async fn page(
    web: &Web,
    signed: &Signed,
    status: StatusCode,
    shown: Shown,
    notice: Option<Notice>,
) -> ApiResult<Response> {
    let view = LeadRulesView {
        lines: &shown.lines,
        new_line: shown.new_line,
        in_turn: &shown.in_turn,
        people: &people(web, signed).await?,
        mark: &shown.mark,
        typed: &shown.typed,
        may_change: signed.user.role >= Role::Owner,
    };
    Ok(page_with(status, lead_rules_page(&frame(signed, notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let rules = web.store.leads().rules(signed.account).await?;
    let notice = said(&PortalForm::of_query(query.as_deref()));
    page(&web, &signed, StatusCode::OK, Shown::stored(rules), notice).await
}

pub async fn save(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>, body: Bytes) -> Response {
    or_not_there(saved(&web, &signed, &PortalForm::parse(&body)).await)
}

async fn saved(web: &Web, signed: &Signed, form: &PortalForm) -> ApiResult<Response> {
    let count = form.text("lines").parse::<usize>().unwrap_or_default().min(LeadRules::MAX_RULES);
    let lines: Vec<RuleLine> = (0..count)
        .map(|number| RuleLine {
            places: form.text(&format!("places-{number}")).to_owned(),
            to: form.text(&format!("to-{number}")).to_owned(),
        })
        .collect();
    let known = people(web, signed).await?;
    let is_known = |id: &str| known.iter().any(|(person, _)| person == id);
    let mut typed = TypedFields::default();
    let mut rules = LeadRules::default();
    for (number, line) in lines.iter().enumerate() {
        let (places, to) = (format!("places-{number}"), format!("to-{number}"));
        // A rule whose places are cleared is removed.
        let is_new = form.text("new") == number.to_string();
        if line.places.trim().is_empty() && (line.to.is_empty() || !is_new) {
            continue;
        }
        let person = line.to.parse::<UserId>().ok().filter(|_| is_known(&line.to));
        if person.is_none() {
            typed.refuse(&to, "Please choose who gets these leads.");
        }
        match (PlaceRule::parse_places(&line.places), person) {
            (Ok(places), Some(to)) => rules.places.push(PlaceRule { places, to }),
            (Err(problem), _) => typed.refuse(&places, place_problem(signed.language, &problem)),
            (Ok(_), None) => {}
        }
    }
    // Who has left since is left out.
    let in_turn: Vec<String> = form.all("turn").filter(|id| is_known(id)).map(str::to_owned).collect();
    rules.in_turn = in_turn.iter().filter_map(|id| id.parse().ok()).collect();
    let new_line = form.text("new").parse().ok();
    let shown = |typed, mark: &str| Shown {
        lines: lines.clone(),
        new_line,
        in_turn: in_turn.clone(),
        mark: mark.to_owned(),
        typed,
    };
    let seen = form.text("seen");
    if typed.is_refused() {
        return page(web, signed, StatusCode::UNPROCESSABLE_ENTITY, shown(typed, seen), None).await;
    }
    match web.store.leads().set_rules(signed.account, &rules, seen).await {
        Ok(()) => Ok(to(&format!("{PAGE}?said=saved"))),
        Err(StoreError::Outdated) => {
            let mark = web.store.leads().rules(signed.account).await?.mark;
            let text = "Someone changed these rules after you opened this page. Yours are below; save again to replace theirs.";
            let notice = Some(Notice { text: text.into(), is_wrong: true });
            page(web, signed, StatusCode::CONFLICT, shown(typed, &mark), notice).await
        }
        Err(other) => Err(other.into()),
    }
}
