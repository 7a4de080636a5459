//! Inspections as a calendar reads them, again and again, by a link that holds its right.
//!
//! # Decision
//!
//! A feed has real inspections only, of the last month and of all that is ahead. What was canceled is not in it, so it
//! leaves the calendar with the next reading. Turned down: entries that say `CANCELLED`, which some calendars show struck
//! out for good.

use std::collections::HashMap;
use std::time::Duration;

use shingle_domain::mail::CalendarMethod;
use shingle_domain::{Email, Environment, Tenant};
use shingle_notice::{InspectionNews, InspectionNotice, InspectionReader, Language, calendar_file, feed_name};
use shingle_store::{CalendarOwner, see_only};

use crate::app::App;
use crate::failure::Failure;
use crate::lead_reference::reference;
use crate::notices::lead_path;

const BEFORE: Duration = Duration::from_secs(30 * 86_400);
/// Further than an inspection can be booked.
const AHEAD: Duration = Duration::from_secs(400 * 86_400);

/// Whose calendar it is.
struct Reader {
    name: String,
    email: Option<Email>,
    language: Language,
}

/// The file of a feed; `None`: the link is no link, was replaced or turned off, or its owner is gone.
pub async fn feed(app: &App, link: &str) -> Result<Option<String>, Failure> {
    let Some((account, of, version)) = app.tokens.calendar_owner(link) else { return Ok(None) };
    let accounts = app.store.accounts();
    if accounts.calendar_link(account, of).await? != Some(version) || accounts.is_closed(account).await? {
        return Ok(None);
    }
    let (person, reader) = match of {
        CalendarOwner::Company => (None, Reader { name: String::new(), email: None, language: Language::English }),
        CalendarOwner::Person(user) => {
            let found = app.store.people().find_user(user).await?.filter(|found| found.account == Some(account));
            let Some(found) = found else { return Ok(None) };
            // What they see now, whatever they saw when they took the link.
            see_only(found.sees.clone());
            let language = found.language.as_deref().map_or(Language::English, Language::of_tag);
            (Some(user), Reader { name: found.name.as_str().to_owned(), email: Some(found.email), language })
        }
    };
    let Some(company) = accounts.find(account).await? else { return Ok(None) };
    let tenant = Tenant { account, environment: Environment::Production };
    let now = app.clock.now();
    let all = app.store.leads().appointments_of_calendar(&tenant, person, (now - BEFORE, now + AHEAD)).await?;
    let ids: Vec<_> = all.iter().map(|(lead, _)| *lead).collect();
    let leads: HashMap<_, _> =
        app.store.leads().by_id(&tenant, &ids).await?.into_iter().map(|lead| (lead.id, lead)).collect();
    let mut widgets = HashMap::new();
    for lead in leads.values() {
        if !widgets.contains_key(&lead.widget_id)
            && let Some(found) = app.store.widgets().find_of_lead(&tenant, lead.widget_id).await?
        {
            widgets.insert(lead.widget_id, found);
        }
    }
    let shown: Vec<_> = all
        .iter()
        .filter_map(|(id, appointment)| {
            let lead = leads.get(id)?;
            let widget = widgets.get(&lead.widget_id)?;
            let page = format!("{}{}", app.own_domains.base_of(tenant.account), lead_path(*id, tenant.environment));
            Some((appointment, lead, widget, page, reference(*id)))
        })
        .collect();
    let notices: Vec<_> = shown
        .iter()
        .map(|(appointment, lead, widget, page, reference)| InspectionNotice {
            news: InspectionNews::Booked,
            reader: InspectionReader::Team {
                name: &reader.name,
                to: reader.email.as_ref().unwrap_or(&widget.widget.company_email),
                lead: page,
                goes: person.is_some(),
            },
            lead,
            appointment,
            keeps_time: false,
            widget: &widget.widget,
            reference,
            sandbox: false,
            language: reader.language,
            base_url: &app.base_url,
        })
        .collect();
    let entries: Vec<_> = notices.iter().map(InspectionNotice::entry).collect();
    let name = feed_name(reader.language, &company.name, &reader.name);
    Ok(Some(calendar_file(&entries, CalendarMethod::Publish, Some(&name))))
}
