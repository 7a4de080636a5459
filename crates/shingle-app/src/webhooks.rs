//! Webhooks: made, changed, given a new secret. One set of rules for the API and the portal.

use shingle_deliver::EgressError;
use shingle_deliver::webhook::{WebhookConfig, WebhookSecrets};
use shingle_domain::message::ToMessage;
use shingle_domain::rules::{Fields, OptionsPatch, WebhookDraft, WebhookPatch};
use shingle_domain::{DestinationId, Rule, Tenant, Violations};
use shingle_store::{Destination, DestinationDraft, DestinationKind, RequestKey};

use crate::app::App;
use crate::failure::Failure;
use crate::webhook_record::{read_config, read_secrets, to_json};

/// A new webhook, if it keeps the rules and its URL leads where events may go.
pub async fn read_draft(app: &App, sent: &Fields<'_>) -> Result<WebhookDraft, Failure> {
    let draft = WebhookDraft::parse(sent, url_rule(app))?;
    check_url(app, &draft.url).await?;
    Ok(draft)
}

/// Changes of a webhook, by the same rules.
pub async fn read_patch(app: &App, sent: &Fields<'_>) -> Result<WebhookPatch, Failure> {
    let patch = WebhookPatch::parse(sent, url_rule(app))?;
    if let Some(url) = &patch.url {
        check_url(app, url).await?;
    }
    Ok(patch)
}

/// Makes a webhook; with its secret, which is shown once.
pub async fn make(
    app: &App,
    tenant: &Tenant,
    draft: WebhookDraft,
    key: Option<&RequestKey>,
) -> Result<(Destination, String), Failure> {
    let mut secrets = WebhookSecrets::generate()?;
    let mut config = WebhookConfig::default();
    let mut new = DestinationDraft {
        kind: DestinationKind::Webhook,
        name: draft.name,
        address: draft.url,
        events: draft.events,
        widgets: Vec::new(),
        active: draft.active,
        ordered: false,
        timeout_seconds: draft.timeout_seconds,
        config: String::new(),
        secrets: None,
    };
    apply_options(&draft.options, &mut new, &mut config, &mut secrets)?;
    let made = app.store.destinations().create(tenant, &new, key).await?;
    let secret = read_secrets(&made.draft)?.secret;
    Ok((made, secret))
}

pub async fn change(
    app: &App,
    tenant: &Tenant,
    id: DestinationId,
    patch: &WebhookPatch,
) -> Result<Destination, Failure> {
    let apply = |draft: &mut DestinationDraft| {
        let mut config = read_config(&draft.config)?;
        let mut secrets = read_secrets(draft)?;
        replace(&mut draft.name, patch.name.as_ref());
        replace(&mut draft.address, patch.url.as_ref());
        replace(&mut draft.events, patch.events.as_ref());
        draft.active = patch.active.unwrap_or(draft.active);
        draft.timeout_seconds = patch.timeout_seconds.unwrap_or(draft.timeout_seconds);
        apply_options(&patch.options, draft, &mut config, &mut secrets)
    };
    app.store.destinations().change(tenant, id, apply).await
}

/// A new secret, shown this once. The old one signs beside it for a day.
pub async fn renew_secret(app: &App, tenant: &Tenant, id: DestinationId) -> Result<(Destination, String), Failure> {
    // Under its lock: of two at once, each has its own secret.
    let renew = |draft: &mut DestinationDraft| {
        let mut secrets = read_secrets(draft)?;
        secrets.rotate(app.clock.now())?;
        draft.secrets = Some(to_json(&secrets)?);
        Ok::<_, Failure>(())
    };
    let changed = app.store.destinations().change(tenant, id, renew).await?;
    let secret = read_secrets(&changed.draft)?.secret;
    Ok((changed, secret))
}

fn url_rule(app: &App) -> fn(&str) -> Option<String> {
    fn https(text: &str) -> Option<String> {
        any(text).filter(|text| text.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://")))
    }
    fn any(text: &str) -> Option<String> {
        let app =
            ["http://", "https://"].iter().any(|s| text.get(..s.len()).is_some_and(|t| t.eq_ignore_ascii_case(s)));
        let clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
        (app && clean && url::Url::parse(text).is_ok_and(|url| url.has_host())).then(|| text.to_owned())
    }
    if app.egress.policy().allow_http { any } else { https }
}

/// Judges where a URL leads, and says which setting would allow it.
async fn check_url(app: &App, url: &str) -> Result<(), Failure> {
    let judged = async {
        let target = app.egress.target(url)?;
        app.egress.check_host(&target).await
    };
    judged.await.map_err(|error: EgressError| {
        let mut broken = Violations::one("url", Rule::Url);
        broken.push("url", Rule::UrlNotAllowed { why: error.to_message() });
        broken.into()
    })
}

fn apply_options(
    options: &OptionsPatch,
    draft: &mut DestinationDraft,
    config: &mut WebhookConfig,
    secrets: &mut WebhookSecrets,
) -> Result<(), Failure> {
    replace(&mut draft.widgets, options.widgets.as_ref());
    replace(&mut secrets.headers, options.headers.as_ref());
    draft.ordered = options.ordered.unwrap_or(draft.ordered);
    config.payload = options.payload.unwrap_or(config.payload);
    draft.config = to_json(config)?;
    draft.secrets = Some(to_json(secrets)?);
    Ok(())
}

/// Replaces a value by one that was sent.
fn replace<T: Clone>(value: &mut T, sent: Option<&T>) {
    if let Some(sent) = sent {
        value.clone_from(sent);
    }
}
