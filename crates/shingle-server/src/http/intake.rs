//! A lead is taken in: from the widget as JSON, from the hosted page as a form, by the same rules.

use shingle_domain::public::{AddressChoice, EstimateSheet, LeadReceipt, LeadSubmission};
use shingle_domain::rules::NewLead;
use shingle_domain::{LeadId, Violations};
use shingle_estimate::roof::{PriceTerms, estimate_summary, measure, shown_estimate};
use shingle_store::{ConsentDraft, LeadDraft, SubmissionOutcome};

use super::error::{Answer, Failure};
use super::public::Visit;
use crate::app::App;
use crate::ground::{Chosen, choose};
use crate::session::hex;

/// No person fills the form in faster.
const FASTEST_PERSON_MS: u32 = 1_500;
const MAX_USER_AGENT: usize = 500;

/// A lead that is on disk.
pub struct Taken {
    pub outcome: SubmissionOutcome,
    pub receipt: LeadReceipt,
}

/// The visitor was let in and counted before.
pub async fn take(app: &App, visit: &Visit, sent: &LeadSubmission, user_agent: Option<&str>) -> Answer<Taken> {
    let new = NewLead::parse(sent)?;
    let request = what_was_asked(sent)?;
    let key = match &new.idempotency_key {
        Some(key) => key.clone(),
        None => once()?,
    };
    let suspect = !sent.website.is_empty() || sent.elapsed_ms < FASTEST_PERSON_MS;
    let (draft, sheet) = draft(app, visit, new, user_agent, suspect)?;
    let accepted = app.store.accept_lead(&visit.tenant, visit.id(), &draft, &key, &request).await?;
    let id = accepted.lead.id;
    let lead_token = app.tokens.lead(visit.id(), id, app.clock.now())?;
    let receipt = LeadReceipt { id, reference: reference(id), lead_token, estimate: sheet };
    Ok(Taken { outcome: accepted.outcome, receipt })
}

/// The lead as it is stored. The estimate is worked out here, from the address and the building alone:
/// nothing a browser says about money or size is believed.
fn draft(
    app: &App,
    visit: &Visit,
    new: NewLead,
    user_agent: Option<&str>,
    suspect: bool,
) -> Answer<(LeadDraft, Option<EstimateSheet>)> {
    let index = app.ground.of(visit.tenant.environment);
    let (address, sheet, confidence) = match choose(index, &new.address).map_err(Failure::internal)? {
        Chosen::Place { evidence, .. } => {
            let terms = PriceTerms { table: app.prices(), asphalt_override: visit.widget.installed_price };
            let building = usize::try_from(new.building).unwrap_or(usize::MAX);
            let sheet = estimate_summary(&evidence, building, &terms);
            if sheet.is_none() && building > 0 {
                return Err(Violations(vec!["building names no building".into()]).into());
            }
            let confidence = measure(&evidence, Some(building)).map_or(50, |m| m.confidence);
            (evidence.place.address.to_string(), sheet, confidence)
        }
        Chosen::Unknown { .. } if matches!(new.address, AddressChoice::Key(_)) => {
            return Err(Violations(vec!["address.key names no address".into()]).into());
        }
        Chosen::Unknown { typed, .. } => (typed, None, 50),
    };
    let draft = LeadDraft {
        address,
        first_name: new.first_name,
        last_name: new.last_name,
        email: new.email,
        phone: new.phone,
        preferred_contact_time: new.preferred_contact_time,
        roof_material: sheet.as_ref().and_then(|s| s.prices.first()).map(|p| p.material),
        message: new.message,
        estimate: sheet.as_ref().map(|s| shown_estimate(s, confidence)),
        consent: ConsentDraft {
            given: new.consent_given,
            text: new.consent_text,
            page_url: new.source.page_url.clone(),
            ip: Some(visit.ip.to_string()),
            user_agent: user_agent.map(|t| t.chars().take(MAX_USER_AGENT).collect()),
        },
        source: new.source,
        suspected_spam: suspect,
    };
    Ok((draft, sheet))
}

/// Equal for a request and its retries, which may carry another session and another time.
pub fn what_was_asked(sent: &LeadSubmission) -> Answer<Vec<u8>> {
    let lasting = LeadSubmission { token: String::new(), idempotency_key: None, elapsed_ms: 0, ..sent.clone() };
    serde_json::to_vec(&lasting).map_err(Failure::internal)
}

/// A key for a request that came without one: such a request is never taken for another.
fn once() -> Answer<String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)?;
    Ok(hex(&random))
}

/// Six characters that are hard to mishear, from the random end of the id: `7K3-Q9F`.
pub fn reference(id: LeadId) -> String {
    const LETTERS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let letter = |place: u32| char::from(LETTERS[(id.0.as_u128() >> (5 * place)) as usize & 31]);
    format!("{}{}{}-{}{}{}", letter(5), letter(4), letter(3), letter(2), letter(1), letter(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_can_be_read_out() {
        let id: LeadId = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap();
        let text = reference(id);
        assert_eq!(text.len(), 7);
        assert!(text.chars().all(|c| c == '-' || (c.is_ascii_alphanumeric() && !"ILOU".contains(c))), "{text}");
    }
}
