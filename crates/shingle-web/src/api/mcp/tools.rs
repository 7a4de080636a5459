//! The tools: each calls what the API's handlers call.

use std::sync::Arc;

use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use shingle_app::lead_results::LeadResults;
use shingle_domain::lookup::{LookupQuery, Product};
use shingle_domain::rules::{Fields, LeadListQuery, LeadPatch};
use shingle_domain::{Environment, LeadId, Rule, Tenant, Violations, WidgetId};
use shingle_mcp::{NOTE, Tool, ToolResult, lead_summary, whole_lead};
use shingle_store::{Caller, Cursor, LeadFilter, OutcomeFilter, StoreError};

use crate::api::mcp::arguments::{begin, day_of, end, fields, in_order};
use crate::api::{leads, lookup};
use crate::state::Web;
use crate::web::error::ApiError;

/// Leads of a page: a model reads each.
const USUAL_LEADS: u32 = 20;
const MAX_LEADS: u32 = 50;
const MAX_WIDGETS: usize = 200;

enum Failed {
    Said(String),
    Api(ApiError),
}

impl From<String> for Failed {
    fn from(said: String) -> Self {
        Self::Said(said)
    }
}

impl From<ApiError> for Failed {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Api(error.into())
    }
}

impl From<Violations> for Failed {
    fn from(broken: Violations) -> Self {
        Self::Api(broken.into())
    }
}

/// A tool that the caller may use.
pub async fn run(web: &Arc<Web>, caller: &Caller, tool: Tool, arguments: &Map<String, Value>) -> ToolResult {
    let result = async {
        let fields = fields(arguments)?;
        match tool {
            Tool::LookUpAddress => look_up(web, caller, fields).await,
            Tool::ListLeads => list_leads(web, &caller.tenant, &fields).await,
            Tool::GetLead => get_lead(web, &caller.tenant, &fields).await,
            Tool::ListWidgets => list_widgets(web, &caller.tenant).await,
            Tool::Results => results(web, &caller.tenant, &fields).await,
            Tool::UpdateLead => update_lead(web, &caller.tenant, &fields).await,
        }
    };
    result.await.map_err(|failed| match failed {
        Failed::Said(said) => said,
        Failed::Api(error) => advice(error),
    })
}

/// What a model and its user can do about it. A fault of ours goes to the log.
pub fn advice(error: ApiError) -> String {
    let said = words(&error);
    if let ApiError::Unavailable(cause) | ApiError::Internal(cause) = &error {
        tracing::error!(%cause, "a tool failed");
    }
    said
}

pub fn words(error: &ApiError) -> String {
    match error {
        ApiError::InvalidFields(broken) => format!("The arguments are not right: {}.", broken.messages().join("; ")),
        ApiError::BadRequest(message) => message.to_string(),
        ApiError::InvalidKey => "The API key is missing, not valid, expired, or not for this network. The person who set this \
             connection up sends one in the header `token`, or as `Authorization: Bearer`; `shingle key issue` makes it."
            .to_owned(),
        ApiError::NotFound => "There is no such record for this key.".to_owned(),
        ApiError::LeadMerged => "This lead was merged into another one: change that one.".to_owned(),
        ApiError::RateLimited { retry_after, .. } => {
            format!("Too many requests with this key. Wait {retry_after} seconds, then try again.")
        }
        ApiError::Unavailable(_) => "The service is not available for the moment. Try again in 5 seconds.".to_owned(),
        ApiError::SessionEnded | ApiError::Forbidden(_) | ApiError::Internal(_) => {
            "The server failed. Try again later; its log says why.".to_owned()
        }
    }
}

async fn look_up(web: &Web, caller: &Caller, sent: Fields<'_>) -> Result<Value, Failed> {
    let may = |product: &Product| caller.may_look_up(*product).is_ok();
    let Some(product) = sent.text("product").and_then(Product::parse).filter(may) else {
        let words: Vec<&str> = Product::ALL.iter().filter(|p| may(p)).map(|p| p.as_str()).collect();
        return Err(format!("`product` must be one that this key is for: {}.", words.join(", ")).into());
    };
    if !sent.has("address") {
        return Err(Violations::one("address", Rule::NotEmpty).into());
    }
    let mut wanted = Fields::default();
    for name in ["address", "lastName", "leadIntegrityScoreOn", "salesHacksOn", "roofMaterial", "installedPrice"] {
        if let Some(text) = sent.text(name) {
            wanted.push(name, text.to_owned());
        }
    }
    wanted.push("include", format!("{},match", sent.text("include").unwrap_or_default()));
    let query = LookupQuery::parse(product, &wanted)?;
    let response = lookup::metered(web, caller, product, &query).await?;
    let record = serde_json::to_value(&response).map_err(ApiError::internal)?;
    if record["match"]["level"].is_null() {
        return Err(not_found(&record["match"]).into());
    }
    Ok(json!({ "product": product.as_str(), "record": record }))
}

/// It was not billed.
fn not_found(matched: &Value) -> String {
    if let Some(why) = matched["why"].as_str() {
        return format!("No home has this address. {why}");
    }
    let close = matched["close"].as_array().into_iter().flatten();
    let close: Vec<String> =
        close.filter_map(|near| Some(format!("{}, {}", near["street"].as_str()?, near["city"].as_str()?))).collect();
    match close.is_empty() {
        true => "No home is known at this address. Check the spelling, and give street, town, state and ZIP. It may also lie \
                 outside of the area whose homes were imported."
            .to_owned(),
        false => format!("No home is known at exactly this address. Ask which is meant: {}.", close.join("; ")),
    }
}

async fn zone(web: &Web, tenant: &Tenant) -> Result<(String, TimeZone), Failed> {
    let production = Tenant { environment: Environment::Production, ..*tenant };
    let settings = web.store.destinations().cached_notice_settings(&production).await?;
    let name = Option::as_ref(&settings).map_or("UTC", |settings| settings.time_zone.as_str()).to_owned();
    let zone = TimeZone::get(&name).unwrap_or(TimeZone::UTC);
    Ok((name, zone))
}

async fn list_leads(web: &Web, tenant: &Tenant, sent: &Fields<'_>) -> Result<Value, Failed> {
    let query = LeadListQuery::parse(sent)?;
    if query.limit > MAX_LEADS && sent.has("limit") {
        return Err(Violations::one("limit", Rule::Max { max: MAX_LEADS.into() }).into());
    }
    let limit = if sent.has("limit") { query.limit } else { USUAL_LEADS };
    let with_contact = match sent.text("withContact") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(Violations::one("withContact", Rule::Boolean).into()),
    };
    let (_, zone) = zone(web, tenant).await?;
    let filter = LeadFilter {
        widget: query.widget_id,
        status: query.status,
        from: day_of(sent, "from")?.and_then(|day| begin(day, &zone)),
        until: day_of(sent, "to")?.and_then(|day| end(day, &zone)),
        ..LeadFilter::default()
    };
    let after = query.cursor.as_deref().map(str::parse::<Cursor>).transpose()?;
    let page = match &query.search {
        Some(text) => web.store.leads().search(tenant, &filter, text, after, limit).await?,
        None => web.store.leads().list(tenant, &filter, after, limit).await?,
    };
    let leads: Vec<Value> = page.leads.iter().map(|lead| lead_summary(lead, with_contact)).collect();
    Ok(json!({ "note": NOTE, "leads": leads, "nextCursor": page.next.map(|cursor| cursor.to_string()) }))
}

fn id(sent: &Fields<'_>) -> Result<LeadId, Failed> {
    let id = sent.text("id").and_then(|id| id.parse().ok());
    id.ok_or_else(|| "`id` must be the id of a lead, from list_leads.".to_owned().into())
}

async fn get_lead(web: &Web, tenant: &Tenant, sent: &Fields<'_>) -> Result<Value, Failed> {
    let found = web.store.leads().find(tenant, id(sent)?).await?;
    let lead = found.ok_or_else(|| "This key reads no lead of this id. Take ids from list_leads.".to_owned())?;
    Ok(json!({ "note": NOTE, "lead": whole_lead(&lead) }))
}

async fn list_widgets(web: &Web, tenant: &Tenant) -> Result<Value, Failed> {
    let widgets = web.store.widgets().list(tenant).await?;
    let links = web.links(tenant.account);
    let shown = widgets.iter().take(MAX_WIDGETS).map(|stored| {
        let widget = &stored.widget;
        json!({
            "id": widget.reference_id,
            "title": widget.first_page_title,
            "company": widget.company_name,
            "active": widget.is_active(),
            "hostedPage": links.hosted_page(widget.link_id()).to_string(),
        })
    });
    Ok(json!({ "widgets": shown.collect::<Vec<_>>() }))
}

/// Days without others: the last thirty.
const USUAL_DAYS: i64 = 30;

async fn results(web: &Web, tenant: &Tenant, sent: &Fields<'_>) -> Result<Value, Failed> {
    let (name, zone) = zone(web, tenant).await?;
    let now = jiff::Timestamp::from_microsecond(web.clock.now().micros()).map_err(ApiError::internal)?;
    let last = day_of(sent, "to")?.unwrap_or_else(|| now.to_zoned(zone.clone()).date());
    let usual = || last.checked_sub((USUAL_DAYS - 1).days()).unwrap_or(last);
    let first = day_of(sent, "from")?.unwrap_or_else(usual);
    in_order(first, last)?;
    let widget =
        sent.text("widgetId").map(|id| WidgetId::parse(id).ok_or_else(|| Violations::one("widgetId", Rule::Uuid)));
    let filter = OutcomeFilter {
        from: begin(first, &zone),
        until: end(last, &zone),
        widget: widget.transpose()?,
        page: None,
        source: None,
    };
    let outcomes = web.store.leads().outcomes(tenant, &filter).await?;
    let results = LeadResults::of(&outcomes, (first, last), &zone);
    let mut value = json!({ "note": NOTE, "from": first.to_string(), "to": last.to_string(), "timeZone": name });
    if let (Value::Object(value), Value::Object(results)) =
        (&mut value, serde_json::to_value(&results).map_err(ApiError::internal)?)
    {
        value.extend(results);
    }
    Ok(value)
}

async fn update_lead(web: &Arc<Web>, tenant: &Tenant, sent: &Fields<'_>) -> Result<Value, Failed> {
    let id = id(sent)?;
    let Some(status) = sent.text("status") else { return Err(Violations::one("status", Rule::NotEmpty).into()) };
    let patch = LeadPatch::parse(&Fields::from_pairs([("status", status.to_owned())]))?;
    let lead = leads::change(web, tenant, id, patch).await?;
    Ok(json!({ "note": NOTE, "lead": lead_summary(&lead, false) }))
}
