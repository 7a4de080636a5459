//! Creating a company as an operator: its name, and the link its owner joins with.

use std::sync::Arc;

use shingle_domain::text::is_clean;
use shingle_domain::{AccountId, Email, Role};
use shingle_store::{INVITE_LIFETIME, InviteDraft};

use crate::app::App;
use crate::http::error::ApiResult;
use crate::portal::gate::Operating;
use crate::portal::mail;

const MAX_NAME: usize = 100;
pub const NAME: &str = "Please type the company’s name, 100 characters at most, on one line.";
pub const ADDRESS: &str = "Please type an email address, like maya@example.com, or leave it empty.";

/// A company's name as it was typed.
pub fn company(text: &str) -> Option<&str> {
    (!text.is_empty() && text.chars().count() <= MAX_NAME && is_clean(text)).then_some(text)
}

pub async fn invite_owner(
    app: &Arc<App>,
    operating: &Operating,
    account: AccountId,
    company: &str,
    email: Option<Email>,
) -> ApiResult<String> {
    let by = Some(operating.user.id);
    let draft =
        InviteDraft { account: Some(account), role: Role::Owner, email: email.clone(), by, lifetime: INVITE_LIFETIME };
    let (_, token) = app.store.invite(&draft).await?;
    let link = format!("{}/portal/invite?token={token}", app.base_url);
    if let Some(email) = email {
        mail::invite(app, operating.language, email, company, operating.user.name.as_str(), &link);
    }
    Ok(link)
}
