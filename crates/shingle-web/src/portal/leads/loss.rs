//! Why a lead was lost, on its page.

use shingle_domain::Tenant;
use shingle_domain::lead::Lead;
use shingle_domain::loss::{Loss, LossProblem};
use shingle_portal::TypedFields;
use shingle_store::StoreError;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn set(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let (reason, more) = (form.text("loss"), form.text("loss-more"));
    let loss = match Loss::parse(reason, more) {
        Ok(loss) => loss,
        Err(problem) => {
            let mut typed = TypedFields::default();
            typed.set("loss", reason);
            typed.set("loss-more", more);
            match problem {
                LossProblem::NoReason => typed.refuse("loss", "Please choose a reason."),
                LossProblem::Long => typed.refuse("loss-more", "That’s too long. Please shorten it."),
                LossProblem::Unclean => {
                    typed.refuse("loss-more", "It contains an invisible character. Please remove it.");
                }
            }
            return Ok(Answer::of(typed));
        }
    };
    match web.store.leads().set_loss(tenant, lead.id, &signed.user, &loss).await {
        Ok(()) => Ok(Answer::Back("saved")),
        Err(StoreError::Outdated) => Ok(Answer::Back("notLost")),
        Err(other) => Err(other.into()),
    }
}
