//! Answers what other servers are asked of imports and areas that lie here (`portal/homes_relay.rs`).

use std::sync::Arc;
use std::time::Duration;

use shingle_store::HomesQuestion;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

use crate::portal::homes_places::own_places;
use crate::portal::homes_relay::{Answer, Question};
use crate::site::Site;
use crate::state::Web;

/// How often a server looks for questions.
const LOOKS_EACH: Duration = Duration::from_millis(500);
/// Its own files are looked at with each so many looks.
const LOOKS_TO_SHOW: u32 = 2;
/// What lies here is shown anew when it has changed, and so often anyway.
const SHOWS_EACH: Duration = Duration::from_secs(3_600);

/// Shows what lies here, and answers what the other servers are asked of it. Until it is aborted.
pub async fn keep_answering(web: Arc<Web>, site: Site) {
    let nodes = web.store.nodes();
    if !nodes.may_be_several() {
        return;
    }
    let (mut shown, mut shown_at) = (None::<Vec<_>>, Instant::now());
    let mut answering = JoinSet::new();
    let mut ticks = tokio::time::interval(LOOKS_EACH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for look in 0_u32.. {
        ticks.tick().await;
        while answering.try_join_next().is_some() {}
        if !web.node.has_others() {
            shown = None;
            continue;
        }
        if look.is_multiple_of(LOOKS_TO_SHOW) {
            let context = web.clone();
            let Ok(places) = tokio::task::spawn_blocking(move || own_places(&context)).await else { continue };
            if shown.as_ref() != Some(&places) || shown_at.elapsed() > SHOWS_EACH {
                match nodes.show_homes(&web.node.id, web.node.host(), &places).await {
                    Ok(()) => (shown, shown_at) = (Some(places), Instant::now()),
                    Err(error) => tracing::debug!(%error, "the other servers could not be shown which files lie here"),
                }
            }
        }
        if shown.as_ref().is_none_or(Vec::is_empty) {
            continue;
        }
        match nodes.take_questions(&web.node.id).await {
            Ok(questions) => {
                for question in questions {
                    answering.spawn(answer(web.clone(), site.clone(), question));
                }
            }
            Err(error) => tracing::debug!(%error, "the questions of the other servers could not be read"),
        }
    }
}

async fn answer(web: Arc<Web>, site: Site, HomesQuestion { id, question }: HomesQuestion) {
    let asked = serde_json::from_str::<Question>(&question).ok().and_then(Question::request);
    let Some(request) = asked else { return };
    let answer = Answer::of(site.answer(request).await).await;
    let told = match serde_json::to_string(&answer) {
        Ok(text) => web.store.nodes().answer_question(&id, &text).await,
        Err(error) => Err(error.into()),
    };
    if let Err(error) = told {
        tracing::warn!(%error, "another server could not be answered");
    }
}
