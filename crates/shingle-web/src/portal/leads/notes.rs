//! Notes on a lead's page.

use shingle_domain::lead::Lead;
use shingle_domain::text::is_clean_block;
use shingle_domain::{EntryId, Tenant, Timestamp};
use shingle_portal::{MAX_NOTE, TypedFields, note_field, phrase, translated};
use shingle_store::NoteChange;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

pub async fn add(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let text = lines(form.text("note"));
    if let Some(wrong) = wrong(signed, &text) {
        return Ok(Answer::refused("note", &text, wrong));
    }
    web.store.leads().add_note(tenant, lead.id, &signed.user, &text).await?;
    Ok(Answer::Back("saved"))
}

pub async fn edit(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let (id, seen) = named(form)?;
    let field = note_field(id);
    let text = lines(form.text(&field));
    if let Some(wrong) = wrong(signed, &text) {
        return Ok(Answer::refused(&field, &text, wrong));
    }
    Ok(match web.store.leads().edit_note(tenant, lead.id, &signed.user, (id, seen), &text).await? {
        NoteChange::Done => Answer::Back("saved"),
        NoteChange::Outdated(now) => {
            let said = "You changed this note in another window. It now says: “{text}”. Save again to replace that.";
            Answer::refused(&field, &text, phrase(signed.language, said, &[("text", &now.text)]))
        }
        NoteChange::Gone => {
            let said = "You deleted that note in another window. Save this as a new note, or leave it.";
            Answer::refused("note", &text, said)
        }
    })
}

pub async fn delete(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let (id, seen) = named(form)?;
    Ok(match web.store.leads().delete_note(tenant, lead.id, &signed.user, (id, seen)).await? {
        NoteChange::Done | NoteChange::Gone => Answer::Back("noteDeleted"),
        NoteChange::Outdated(now) => {
            let mut typed = TypedFields::default();
            typed.set(&note_field(id), now.text);
            typed.refuse(
                &note_field(id),
                "You changed this note in another window, so we didn’t delete it. Look again.",
            );
            Answer::of(typed)
        }
    })
}

/// Which note, and when it was last edited as it was shown.
fn named(form: &PortalForm) -> ApiResult<(EntryId, Option<Timestamp>)> {
    let id = form.text("entry").parse().map_err(|_| ApiError::NotFound)?;
    Ok((id, form.text("seen").parse().ok().map(Timestamp::from_micros)))
}

/// Browsers send both signs of a line's end.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

fn wrong(signed: &Signed, text: &str) -> Option<String> {
    let say = |english: &str| translated(signed.language, english).to_owned();
    match text.chars().count() {
        0 => Some(say("Please write something.")),
        1..=MAX_NOTE if is_clean_block(text) => None,
        1..=MAX_NOTE => Some(say("It contains an invisible character. Please remove it.")),
        more => Some(phrase(
            signed.language,
            "A note has 4,000 characters at most; this one has {count}.",
            &[("count", &more.to_string())],
        )),
    }
}
