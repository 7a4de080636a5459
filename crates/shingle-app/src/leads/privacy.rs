//! What a widget's privacy page may say.

use shingle_store::{DestinationKind, StoredWidget};
use shingle_widget::ssr::page::PrivacyFacts;

use crate::app::App;
use crate::failure::Failure;
use crate::leads::estimate_copy::mails_homeowners;

/// What this server does now with the leads of a widget.
pub async fn privacy_facts(app: &App, stored: &StoredWidget) -> Result<PrivacyFacts, Failure> {
    let mut is_passed_on = false;
    for kind in [DestinationKind::Webhook, DestinationKind::Connector] {
        let destinations = app.store.destinations().list(&stored.tenant, kind).await?;
        let of_widget = |widgets: &[_]| widgets.is_empty() || widgets.contains(&stored.widget.reference_id);
        is_passed_on |= destinations.iter().any(|to| to.draft.active && of_widget(&to.draft.widgets));
    }
    Ok(PrivacyFacts {
        days_kept: app.store.accounts().retention(stored.tenant.account).await?.days,
        is_passed_on,
        is_mailed: mails_homeowners(app, &stored.tenant, &stored.settings).await?,
    })
}
