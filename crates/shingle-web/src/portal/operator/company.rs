//! Creating a company as an operator: its name, and the link its owner joins with.

use std::sync::Arc;

use shingle_domain::text::is_clean;
use shingle_domain::{AccountId, Email, Role, WidgetScope};
use shingle_store::{INVITE_LIFETIME, InviteDraft};

use crate::portal::gate::Operating;
use crate::portal::mail;
use crate::state::Web;
use crate::web::error::ApiResult;

const MAX_NAME: usize = 100;
pub const NAME: &str = "Please type the company’s name, 100 characters at most, on one line.";
pub const ADDRESS: &str = "Please type an email address, like maya@example.com, or leave it blank.";

/// A company's name as it was typed.
pub fn company(text: &str) -> Option<&str> {
    (!text.is_empty() && text.chars().count() <= MAX_NAME && is_clean(text)).then_some(text)
}

pub async fn invite_owner(
    web: &Arc<Web>,
    operating: &Operating,
    account: AccountId,
    company: &str,
    email: Option<Email>,
) -> ApiResult<String> {
    let by = Some(operating.user.id);
    let draft = InviteDraft {
        account: Some(account),
        role: Role::Owner,
        sees: WidgetScope::All,
        email: email.clone(),
        by,
        lifetime: INVITE_LIFETIME,
    };
    let (_, token) = web.store.people().invite(&draft).await?;
    let link = format!("{}/portal/invite?token={token}", web.own_domains.base_of(account));
    if let Some(email) = email {
        let mailed = format!("{link}&mailed={}", web.store.people().mailed_mark(&token));
        mail::invite(web, operating.language, email, (company, ""), operating.user.name.as_str(), &mailed);
    }
    Ok(link)
}
