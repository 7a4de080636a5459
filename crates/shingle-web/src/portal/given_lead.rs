//! Tells a teammate of a new lead that a rule of the company gave them, as if somebody had assigned it.

use std::sync::Arc;

use shingle_domain::lead::Lead;
use shingle_domain::{Tenant, UserId};
use shingle_portal::{Language, translated};

use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::state::Web;
use shingle_app::leads::intake::GivenLead;
use shingle_app::notices::lead_path;

/// A lead that is spam no more, by the rules; who took it out knows already.
pub async fn tell_released(web: &Arc<Web>, signed: &Signed, tenant: Tenant, (lead, to): (Lead, Option<UserId>)) {
    let to = to.filter(|to| *to != signed.user.id);
    tell(web, to.map(|to| GivenLead { tenant, lead, to })).await;
}

/// The lead is stored: what fails here is logged, and the visitor has an answer.
pub async fn tell(web: &Arc<Web>, given: Option<GivenLead>) {
    let Some(GivenLead { tenant, lead, to }) = given else { return };
    let path = lead_path(lead.id, tenant.environment);
    let user = match web.store.people().find_user(to).await {
        Ok(Some(user)) => user,
        Ok(None) => return,
        Err(error) => return tracing::error!(%error, "who got a lead could not be told"),
    };
    let language = user.language.as_deref().map_or(Language::English, Language::of_tag);
    let by = translated(language, "A rule").to_owned();
    let leads = vec![lead];
    mail::assigned(web, language, &user, &by, &leads, &format!("{}{path}", web.own_domains.base_of(tenant.account)));
    let Some(pusher) = web.pusher.clone() else { return };
    // Without waiting for push services.
    tokio::spawn(async move {
        if let Err(error) = pusher.assigned(&tenant, to, &by, &leads, &path).await {
            tracing::error!(%error, "an assignment could not be pushed");
        }
    });
}
