//! A connector at work: its requests in order, each with what the ones before it have captured.

use serde_json::{Map, Value};
use shingle_domain::Timestamp;
use shingle_domain::message::ToMessage;
use url::Url;

use crate::connector::context::ConnectorContext;
use crate::connector::error::Mistake;
use crate::connector::messages::{LeftOut, RunMessage};
use crate::connector::report::{
    ConnectorOutcome, ConnectorProgress, ConnectorRecord, ConnectorReport, Hider, ShownRequest, StepReport,
};
use crate::connector::request::{BuiltRequest, build};
use crate::connector::response::{Verdict, as_json, judge};
use crate::connector::settings::ConnectorSettings;
use crate::connector::template::{ConnectorTemplate, RequestTemplate};
use crate::egress::Egress;
use crate::exchange::OutgoingRequest;

/// Characters of the id of a record.
const MAX_RECORD_ID: usize = 200;

/// A connector, its settings and the event it is about.
#[derive(Debug, Clone)]
pub struct ConnectorRun<'a> {
    pub template: &'a ConnectorTemplate,
    pub settings: &'a ConnectorSettings,
    pub context: &'a ConnectorContext,
    /// For a `Retry-After` that is a date.
    pub now: Timestamp,
    /// A server in place of the target's, for tests and trials.
    pub instead: Option<Url>,
}

/// A request that would be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    pub name: String,
    pub plan: Plan,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Plan {
    /// Values that only a response will show stand there as `~request.capture~`.
    Send(ShownRequest),
    /// Sent only if this holds, which a response will show.
    Perhaps {
        when: String,
        /// Why it is left out where it does not.
        why: Option<LeftOut>,
        request: ShownRequest,
    },
    Skip {
        why: Option<LeftOut>,
    },
    Unbuildable(Mistake),
}

impl ConnectorRun<'_> {
    /// What would be sent, without sending it.
    pub fn plan(&self) -> Vec<PlannedRequest> {
        let hider = Hider::new(self.settings);
        let mut steps = Map::new();
        let mut planned = Vec::new();
        for request in &self.template.requests {
            planned.push(PlannedRequest { name: request.name.clone(), plan: self.plan_one(request, &steps, &hider) });
            let unknown = request
                .captures
                .iter()
                .map(|(capture, _)| (capture.clone(), Value::from(format!("~{}.{capture}~", request.name))));
            steps.insert(request.name.clone(), Value::Object(unknown.collect()));
        }
        planned
    }

    fn plan_one(&self, request: &RequestTemplate, steps: &Map<String, Value>, hider: &Hider) -> Plan {
        let context = self.context.with(self.settings, Value::Object(steps.clone()));
        let depends = request.when.as_ref().filter(|when| when.reads_steps());
        if depends.is_none() {
            match self.is_wanted(request, &context) {
                Ok(true) => {}
                Ok(false) => return Plan::Skip { why: request.why },
                Err(e) => return Plan::Unbuildable(e),
            }
        }
        match build(request, self.settings, &context, self.instead.as_ref()) {
            Ok(built) => {
                let shown = hider.request(request.method.as_str(), &built);
                match depends {
                    Some(when) => Plan::Perhaps { when: when.source().to_owned(), why: request.why, request: shown },
                    None => Plan::Send(shown),
                }
            }
            Err(mistake) => Plan::Unbuildable(mistake),
        }
    }

    fn is_wanted(&self, request: &RequestTemplate, context: &minijinja::Value) -> Result<bool, Mistake> {
        let Some(when) = &request.when else { return Ok(true) };
        let place = format!("request.{}.when", request.name);
        when.is_true(context).map_err(|problem| Mistake::new(place, problem))
    }

    /// Sends what `progress` does not hold yet.
    pub async fn run(&self, egress: &Egress, progress: ConnectorProgress) -> ConnectorReport {
        let mut work = Work {
            run: self,
            egress,
            hider: Hider::new(self.settings),
            steps: Vec::new(),
            values: Map::new(),
            progress,
            sent: false,
            skipped: None,
        };
        let mut outcome = None;
        for request in &self.template.requests {
            if let Err(end) = work.step(request).await {
                outcome = Some(end);
                break;
            }
        }
        let outcome = outcome.unwrap_or_else(|| work.end());
        ConnectorReport { outcome, steps: work.steps, progress: work.progress }
    }
}

struct Work<'a> {
    run: &'a ConnectorRun<'a>,
    egress: &'a Egress,
    hider: Hider,
    steps: Vec<StepReport>,
    /// By request, what it captured.
    values: Map<String, Value>,
    progress: ConnectorProgress,
    sent: bool,
    skipped: Option<LeftOut>,
}

impl Work<'_> {
    async fn step(&mut self, request: &RequestTemplate) -> Result<(), ConnectorOutcome> {
        if let Some(captures) = self.progress.0.get(&request.name).cloned() {
            self.note(request, Some(LeftOut::Done), captures);
            self.sent = true;
            return Ok(());
        }
        let steps = Value::Object(self.values.clone());
        let context = self.run.context.with(self.run.settings, steps.clone());
        if !self.run.is_wanted(request, &context).map_err(ConnectorOutcome::Unbuildable)? {
            self.skipped = self.skipped.or(request.why);
            let nothing = request.captures.iter().map(|(name, _)| (name.clone(), Value::Null)).collect();
            self.note(request, request.why, nothing);
            return Ok(());
        }
        let built = build(request, self.run.settings, &context, self.run.instead.as_ref())
            .map_err(ConnectorOutcome::Unbuildable)?;
        let captures = self.send(request, built, &steps).await?;
        if !request.fresh {
            self.progress.0.insert(request.name.clone(), captures.clone());
            self.sent = true;
        }
        self.values.insert(request.name.clone(), Value::Object(captures));
        Ok(())
    }

    fn note(&mut self, request: &RequestTemplate, skipped: Option<LeftOut>, captures: Map<String, Value>) {
        self.values.insert(request.name.clone(), Value::Object(captures.clone()));
        let name = request.name.clone();
        self.steps.push(StepReport { name, skipped, request: None, response: None, captures });
    }

    async fn send(
        &mut self,
        request: &RequestTemplate,
        built: BuiltRequest,
        steps: &Value,
    ) -> Result<Map<String, Value>, ConnectorOutcome> {
        let shown = self.hider.request(request.method.as_str(), &built);
        let at = self.steps.len();
        self.steps.push(StepReport {
            name: request.name.clone(),
            skipped: None,
            request: Some(shown),
            response: None,
            captures: Map::new(),
        });
        let target = self.egress.target(built.url.as_str()).map_err(ConnectorOutcome::Unreachable)?;
        let outgoing =
            OutgoingRequest { method: request.method.clone(), target, headers: built.headers, body: built.body };
        let response =
            self.egress.exchange(outgoing, self.run.template.limits).await.map_err(ConnectorOutcome::Unreachable)?;
        self.steps[at].response = Some(self.hider.response(&response));
        let seen = as_json(&response);
        let context = self.run.context.with_response(self.run.settings, steps.clone(), &seen);
        match judge(request, &response, &context, self.run.now) {
            Verdict::Done => {}
            Verdict::Retry { retry_after, cause } => {
                return Err(ConnectorOutcome::Retry { retry_after, cause: self.hider.hidden_in(cause) });
            }
            Verdict::Refused { cause } => {
                return Err(ConnectorOutcome::Refused { cause: self.hider.hidden_in(cause) });
            }
        }
        let mut captures = Map::new();
        for (name, expression) in &request.captures {
            // The target has done its work: sending it again would do it twice.
            let value = expression.found(&context).map_err(|problem| ConnectorOutcome::Refused {
                cause: RunMessage::NoCapture {
                    request: request.name.clone(),
                    name: name.clone(),
                    problem: problem.to_message(),
                }
                .to_message(),
            })?;
            captures.insert(name.clone(), serde_json::to_value(&value).unwrap_or(Value::Null));
        }
        if request.fresh {
            captures.values().filter_map(Value::as_str).for_each(|secret| self.hider.add(secret));
            self.steps[at].response = Some(self.hider.response(&response));
        } else {
            self.steps[at].captures.clone_from(&captures);
        }
        Ok(captures)
    }

    fn end(&self) -> ConnectorOutcome {
        if !self.sent {
            let why =
                self.skipped.as_ref().map_or_else(|| RunMessage::SendsNothing.to_message(), ToMessage::to_message);
            return ConnectorOutcome::Skipped { why };
        }
        let context = self.run.context.with(self.run.settings, Value::Object(self.values.clone()));
        let record = self.run.template.record.as_ref().and_then(|record| {
            let id = record.id.lenient(&context)?.to_string();
            let id: String = id.chars().filter(|c| !c.is_control()).take(MAX_RECORD_ID).collect();
            let link = record.link.as_ref().and_then(|link| link.text(&context, |value, _| value).ok());
            (!id.is_empty()).then_some(ConnectorRecord { id, link: link.filter(|link| !link.is_empty()) })
        });
        ConnectorOutcome::Delivered { record }
    }
}
