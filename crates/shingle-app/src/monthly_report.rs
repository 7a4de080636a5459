//! The month of a company in figures: what the email and the file of the portal show.

use jiff::tz::TimeZone;
use shingle_domain::lead::LeadStatus;
use shingle_domain::widget::Widget;
use shingle_domain::{Environment, Language, Tenant, WidgetId};
use shingle_notice::{Month, MonthlyReport, ReportSection, ReportSums};
use shingle_portal::source_name;
use shingle_store::{LeadOutcome, OutcomeFilter, Store, StoreError, StoredWidget};

/// Sources of one section.
const MAX_SOURCES: usize = 8;

/// Everything that a report says, but for its language's words.
pub struct MonthFigures {
    company: String,
    month: Month,
    sections: Vec<ReportSection>,
    widget: Widget,
    time_zone: String,
    sandbox: bool,
    made: shingle_domain::Timestamp,
    language: Language,
}

impl MonthFigures {
    /// Of these widgets, or of all if there are none named. `None`: there is no widget to speak of.
    pub async fn read(
        store: &Store,
        tenant: &Tenant,
        (month, time_zone): (Month, &str),
        only: &[WidgetId],
        language: Language,
    ) -> Result<Option<Self>, StoreError> {
        let mut widgets = store.widgets().list(tenant).await?;
        widgets.retain(|stored| only.is_empty() || only.contains(&stored.widget.reference_id));
        let Some(first) = widgets.first() else { return Ok(None) };
        let zone = shingle_notice::zone_of(time_zone);
        let months = [month, month.before()];
        let mut each = Vec::new();
        for stored in &widgets {
            let id = Some(stored.widget.reference_id);
            each.push([
                outcomes(store, tenant, months[0], &zone, id).await?,
                outcomes(store, tenant, months[1], &zone, id).await?,
            ]);
        }
        // Those of widgets that are deleted, too.
        let all = match only.is_empty() {
            true => [
                outcomes(store, tenant, months[0], &zone, None).await?,
                outcomes(store, tenant, months[1], &zone, None).await?,
            ],
            false => [0, 1].map(|at| each.iter().flat_map(|of| of[at].iter().cloned()).collect()),
        };
        let mut sections = vec![section(None, &all, language)];
        if widgets.len() > 1 {
            let named = widgets.iter().zip(titles(&widgets)).zip(&each);
            let named = named.filter(|(_, of)| of.iter().any(|leads| !leads.is_empty()));
            sections.extend(named.map(|((_, title), of)| section(Some(title), of, language)));
        }
        let brand = store.accounts().brand(tenant.account).await?;
        let company = &first.widget.company_name;
        let is_one = widgets.iter().all(|stored| stored.widget.company_name == *company);
        let company = match (brand.name.is_empty(), is_one) {
            (false, _) => brand.name,
            (true, true) => company.clone(),
            (true, false) => store.accounts().find(tenant.account).await?.map(|of| of.name).unwrap_or_default(),
        };
        let mut widget = first.widget.clone();
        if let Some(color) = brand.color {
            widget.primary_color = color;
        }
        Ok(Some(Self {
            company,
            month,
            sections,
            widget,
            time_zone: time_zone.to_owned(),
            sandbox: tenant.environment == Environment::Sandbox,
            made: store.now(),
            language,
        }))
    }

    pub fn report(&self) -> MonthlyReport<'_> {
        MonthlyReport {
            company: &self.company,
            month: self.month,
            sections: &self.sections,
            widget: &self.widget,
            language: self.language,
            made: self.made,
            time_zone: &self.time_zone,
            sandbox: self.sandbox,
        }
    }

    /// Whose widget its links name.
    pub fn widget(&self) -> &Widget {
        &self.widget
    }
}

/// Companies, with the title where one has several widgets.
fn titles(widgets: &[StoredWidget]) -> Vec<String> {
    let company = |stored: &StoredWidget| stored.widget.company_name.clone();
    let title = |stored: &StoredWidget| {
        let same = widgets.iter().filter(|other| company(other) == company(stored)).count();
        match same {
            1 => company(stored),
            _ => [&company(stored), ": ", &stored.widget.first_page_title].concat(),
        }
    };
    widgets.iter().map(title).collect()
}

async fn outcomes(
    store: &Store,
    tenant: &Tenant,
    month: Month,
    zone: &TimeZone,
    widget: Option<WidgetId>,
) -> Result<Vec<LeadOutcome>, StoreError> {
    let Some((from, until)) = month.span(zone) else { return Ok(Vec::new()) };
    let filter = OutcomeFilter { from: Some(from), until: Some(until), widget, page: None, source: None };
    store.leads().outcomes(tenant, &filter).await
}

fn sums(leads: &[LeadOutcome]) -> ReportSums {
    let cents = |lead: &&LeadOutcome| lead.price.map_or(0, |price| price.cents());
    let is_won = |lead: &&LeadOutcome| lead.status == LeadStatus::Won;
    let wait = |lead: &LeadOutcome| {
        let at = lead.first_touch_at?;
        u64::try_from((at.seconds() - lead.created_at.seconds()).max(0) / 60).ok()
    };
    // Who waits still waits longest.
    let mut waits: Vec<u64> = leads.iter().map(|lead| wait(lead).unwrap_or(u64::MAX)).collect();
    waits.sort_unstable();
    let middle = waits.get(waits.len().saturating_sub(1) / 2).copied();
    ReportSums {
        leads: leads.len() as u64,
        won: leads.iter().filter(is_won).count() as u64,
        won_cents: leads.iter().filter(is_won).map(|lead| cents(&lead)).sum(),
        estimated_cents: leads.iter().map(|lead| cents(&lead)).sum(),
        middle_wait: middle.filter(|minutes| *minutes < u64::MAX),
    }
}

fn section(title: Option<String>, [now, before]: &[Vec<LeadOutcome>; 2], language: Language) -> ReportSection {
    let mut sources: Vec<(&str, u64, u64)> = Vec::new();
    for lead in now {
        let won = u64::from(lead.status == LeadStatus::Won);
        match sources.iter_mut().find(|(name, ..)| *name == lead.from.source()) {
            Some(source) => {
                source.1 += 1;
                source.2 += won;
            }
            None => sources.push((lead.from.source(), 1, won)),
        }
    }
    sources.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let sources = sources.into_iter().take(MAX_SOURCES);
    let sources = sources.map(|(name, leads, won)| (source_name(name, language), leads, won)).collect();
    ReportSection { title, now: sums(now), before: sums(before), sources }
}

#[cfg(test)]
mod tests {
    use shingle_domain::visit::VisitFrom;
    use shingle_domain::{Timestamp, Usd};

    use super::*;

    fn lead(source: &str, status: LeadStatus, waited: Option<i64>) -> LeadOutcome {
        let came = Timestamp::from_micros(1_000_000_000);
        LeadOutcome {
            created_at: came,
            first_touch_at: waited.map(|minutes| Timestamp::from_micros(came.micros() + minutes * 60_000_000)),
            status,
            from: VisitFrom::counted(String::new(), source.to_owned()),
            widget: None,
            price: Some(Usd::from_dollars(10_000)),
        }
    }

    #[test]
    fn a_month_is_summed_and_its_sources_stand_in_order() {
        let now = vec![
            lead("ads", LeadStatus::Won, Some(10)),
            lead("direct", LeadStatus::New, None),
            lead("direct", LeadStatus::Lost, Some(30)),
        ];
        let of = section(None, &[now, Vec::new()], Language::English);
        let sums =
            ReportSums { leads: 3, won: 1, won_cents: 1_000_000, estimated_cents: 3_000_000, middle_wait: Some(30) };
        assert_eq!((of.now, of.before), (sums, ReportSums::default()));
        assert_eq!(of.sources, [("Direct".to_owned(), 2, 0), ("ads".to_owned(), 1, 1)]);
    }
}
