//! Tags on a lead's page.

use shingle_domain::Tenant;
use shingle_domain::lead::Lead;
use shingle_domain::tag::Tag;
use shingle_portal::tag_problem;
use shingle_store::TagChange;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn add(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let typed = form.text("tag");
    let tag = match Tag::parse(typed) {
        Ok(tag) => tag,
        Err(problem) => return Ok(Answer::refused("tag", typed, tag_problem(problem))),
    };
    Ok(match web.store.leads().add_tag(tenant, lead.id, &signed.user, &tag).await? {
        TagChange::Done => Answer::Back("saved"),
        TagChange::TooMany => Answer::refused("tag", typed, "A lead has 10 tags at most. Remove one to add another."),
    })
}

pub async fn remove(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    web.store.leads().remove_tag(tenant, lead.id, &signed.user, form.text("tag")).await?;
    Ok(Answer::Back("saved"))
}
