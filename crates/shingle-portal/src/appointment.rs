//! The inspection of a lead: booked here, moved, canceled, and what became of it. Everything works without script.

use shingle_domain::Language;
use shingle_domain::appointment::{Appointment, AppointmentState, CancelReason, Nearness, Outcome, Side};
use shingle_domain::inspection::{InspectionState, Wish};
use shingle_domain::lead::Lead;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::rules::BookingProblem;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{TypedFields, field, input};
use crate::counted::{Counted, counted};
use crate::days::{clock, date_and_hours, date_and_time, day_of_week};
use crate::element::{Tone, button, card, div, el, hidden, link, note, p, pill, soft};
use crate::inbox_choices::options;
use crate::phrase::{phrase, translated};
use crate::visit_words::part_in_words;

/// What the page of a lead shows of its inspection.
pub struct AppointmentView<'v> {
    pub now: Option<&'v Appointment>,
    /// Whether its time has come.
    pub is_begun: bool,
    /// Whether who goes is not of the company any more.
    pub has_left: bool,
    /// The zone of the times, by its IANA name.
    pub zone: &'v str,
    /// The id of who goes, as the form proposes it.
    pub who: &'v str,
    pub wishes: &'v [WishStarts],
    /// Who knows of it and who does not.
    pub told: &'v [ToldLine],
    /// A text to send from the reader's own phone.
    pub text: Option<ReadyText>,
    /// The page that the homeowner has.
    pub page: Option<&'v str>,
    /// Other inspections of the same person around it.
    pub near: &'v [NearInspection],
    /// Whether homeowner and team are told by mail.
    pub mails: [bool; 2],
}

/// One of the times that the homeowner asked for.
pub struct WishStarts {
    pub wish: Wish,
    /// With whether the proposed person is busy then.
    pub starts: Vec<(TimeOfDay, bool)>,
    pub is_past: bool,
}

pub struct ToldLine {
    /// `well`, `broken`, `look`, or nothing.
    pub class: &'static str,
    pub said: String,
    pub at: Option<String>,
}

pub struct ReadyText {
    /// `sms:` with number and words.
    pub href: String,
    pub body: String,
    pub is_sent: bool,
}

pub struct NearInspection {
    pub nearness: Nearness,
    /// Whose roof it is.
    pub name: String,
    pub appointment: Appointment,
}

/// Where clocks go back over the hour that was typed.
pub(crate) fn which_hour(name: &'static str, chosen: &str) -> Node {
    let choice = |value: &'static str, said: &'static str| {
        let radio = el("input").set("type", "radio").set("name", name).set("value", value);
        let radio = if chosen == value { radio.set("checked", "") } else { radio };
        el("label").child(radio).child(el("span").text(said))
    };
    el("fieldset").set("class", "which").child(el("legend").text("Which hour")).children([
        choice("first", "The first, before clocks go back"),
        choice("second", "The second, after clocks go back"),
    ])
}

const MINUTES: [u16; 7] = [15, 30, 45, 60, 90, 120, 240];
const USUAL_MINUTES: u16 = 45;

/// Why a field of the form was refused: two sentences, what is so and what to do.
pub fn booking_problem(language: Language, problem: BookingProblem) -> Text {
    let sentence = match problem {
        BookingProblem::NoDay => "Please choose a day.",
        BookingProblem::NoTime => "Please choose a start time.",
        BookingProblem::Past => "That time has passed. Pick a later one.",
        BookingProblem::TooFar => "That’s more than a year ahead. Pick an earlier day.",
        BookingProblem::Twice => "Clocks go back that night, so this hour comes twice. Choose which one you mean.",
        BookingProblem::TooShort => "Please choose how long.",
        BookingProblem::TooLong => "An inspection lasts a day at most. Choose a shorter time.",
        BookingProblem::NoPerson => "Please choose who goes.",
        BookingProblem::NoPlace => "Please type where to meet.",
        BookingProblem::Long => "That’s too long. Please shorten it.",
        BookingProblem::Unclean => "It contains an invisible character. Please remove it.",
        BookingProblem::Skipped { next } => {
            let said = "That time doesn’t exist: clocks go forward that night. Pick {time}.";
            return phrase(language, said, &[("time", &clock(language, next))]).into();
        }
    };
    sentence.into()
}

/// Why the homeowner canceled, in the homeowner's words.
pub(crate) fn cancel_reason(reason: CancelReason) -> &'static str {
    match reason {
        CancelReason::BadTime => "The time doesn’t work",
        CancelReason::SomeoneElse => "I found someone else",
        CancelReason::NotReady => "I’m not ready yet",
    }
}

/// The card, as far as the lead has got.
pub(crate) struct AppointmentCard<'a> {
    pub view: &'a AppointmentView<'a>,
    pub lead: &'a Lead,
    pub people: &'a [(String, String)],
    pub typed: &'a TypedFields,
    pub language: Language,
    /// The homeowner's language, by its name.
    pub spoken: &'static str,
    /// What addresses of a test lead end with.
    pub of_tests: &'static str,
}

impl AppointmentCard<'_> {
    /// `form` makes the form of an action.
    pub fn node(&self, form: &impl Fn(&str) -> Node) -> Node {
        match self.view.now {
            Some(now) if now.state.stands() && self.view.is_begun => self.after(now, form),
            Some(now) if now.state.stands() => self.booked(now, form),
            now => self.not_booked(now, form),
        }
    }

    fn say(&self, english: &str, with: &[(&str, &str)]) -> String {
        phrase(self.language, english, with)
    }

    fn first(&self) -> &str {
        match self.lead.first_name.trim() {
            "" => translated(self.language, "the homeowner"),
            first => first,
        }
    }

    fn not_booked(&self, now: Option<&Appointment>, form: &impl Fn(&str) -> Node) -> Node {
        let asked = self.lead.inspection.as_ref().filter(|asked| asked.state != InspectionState::Declined);
        let is_typed = self.typed.typed("wish").is_some();
        let title = if asked.is_some() { "Book the inspection" } else { "Inspection" };
        let mut whole = card(title).set("id", "inspection").set("tabindex", "-1");
        if asked.is_some() {
            whole = whole.child(p("").child(pill("pill warn", "Requested")));
        }
        whole = whole.children(now.map(|now| self.ended(now)));
        let booking = self.form(None, form);
        if asked.is_none() && !is_typed {
            let summary = el("summary").set("class", "btn").text("Book an inspection");
            return whole.child(Node::classed("details", "booking").child(summary).child(booking));
        }
        let mut whole = whole.child(booking);
        if asked.is_some_and(|asked| asked.state == InspectionState::Asked) && now.is_none() {
            let decline = form("inspection").child(hidden("state", "declined"));
            whole = whole
                .child(decline.child(button("btn", "Mark as declined")))
                .child(soft("We don’t notify the homeowner when you decline. Call or email instead."));
        }
        whole
    }

    /// What became of the last one.
    fn ended(&self, now: &Appointment) -> Node {
        let time = date_and_time(self.language, now.time.date, now.time.time);
        let with = [("time", time.as_str()), ("name", self.first())];
        let said = match &now.state {
            AppointmentState::Canceled { by: Side::Homeowner, .. } => self.say("{name} canceled {time}.", &with),
            AppointmentState::Canceled { by: Side::Company, .. } => self.say("You canceled {time}.", &with),
            AppointmentState::Over { outcome: Outcome::TookPlace } => self.say("It took place: {time}.", &with),
            AppointmentState::Over { outcome: Outcome::NobodyHome } => self.say("Nobody was home: {time}.", &with),
            AppointmentState::Over { outcome: Outcome::NotGone } => self.say("We didn’t go: {time}.", &with),
            _ => time,
        };
        let word = match &now.state {
            AppointmentState::Canceled { word, reason, .. } => {
                let reason = reason.map(|reason| translated(self.language, cancel_reason(reason)).to_owned());
                word.clone().or(reason).map(|said| Node::classed("blockquote", "said").text(said))
            }
            _ => None,
        };
        div("ended").child(p(said)).children(word).child(self.told())
    }

    fn time(&self, now: &Appointment) -> [Node; 2] {
        let by = self.say("{name}, at {place}", &[("name", &now.person.name), ("place", &now.place)]);
        [Node::classed("p", "when").text(date_and_hours(self.language, now)), soft(by)]
    }

    fn booked(&self, now: &Appointment, form: &impl Fn(&str) -> Node) -> Node {
        let state = match &now.state {
            AppointmentState::Moved { .. } => pill("pill warn", "Not answered"),
            AppointmentState::OtherAsked { .. } => pill("pill warn", "Wants another time"),
            _ => pill("pill ok", "Booked"),
        };
        let mut whole = card("Inspection").set("id", "inspection").set("tabindex", "-1").child(p("").child(state));
        whole = whole.children(self.time(now));
        match &now.state {
            AppointmentState::Moved { from } => {
                let before = date_and_time(self.language, from.date, from.time);
                whole = whole
                    .child(p("").child(el("s").text(before)))
                    .child(soft(self.say("{name} hasn’t agreed to the new time yet.", &[("name", self.first())])));
            }
            AppointmentState::OtherAsked { wish } => {
                let day = day_of_week(self.language, wish.date.0);
                let part = translated(self.language, part_in_words(wish.part));
                let with = [("name", self.first()), ("day", &day), ("part", part)];
                let said =
                    self.say("Asked for by {name}: {day}, {part}. This time holds until you pick another.", &with);
                whole = whole.child(note(Tone::Look, said));
            }
            _ => {}
        }
        if self.view.has_left {
            let said =
                self.say("{name} is no longer on the team. Move it to choose who goes.", &[("name", &now.person.name)]);
            whole = whole.child(note(Tone::Look, said));
        }
        whole = whole.children(self.view.near.iter().map(|near| self.near(now, near))).child(self.told());
        whole = whole.children(self.text(form));
        let is_open = self.typed.typed("wish").is_some() || matches!(now.state, AppointmentState::OtherAsked { .. });
        let summary = el("summary").set("class", "btn").text("Move");
        let mut moving = Node::classed("details", "booking").child(summary).child(self.form(Some(now), form));
        if is_open {
            moving = moving.set("open", "");
        }
        whole.child(moving).child(self.cancel(now, form)).child(self.files())
    }

    fn near(&self, now: &Appointment, near: &NearInspection) -> Node {
        let other = &near.appointment;
        let time = date_and_hours(self.language, other);
        let with = [("name", now.person.name.as_str()), ("lead", &near.name), ("time", &time)];
        let said = match near.nearness {
            Nearness::Overlap => self.say("{name} also has {lead} then: {time}.", &with),
            Nearness::Tight(minutes) => {
                let tight = counted(self.language, Counted::TIGHT, minutes);
                format!("{tight} {}", self.say("{name} has {lead}: {time}.", &with))
            }
        };
        note(Tone::Look, said)
    }

    fn told(&self) -> Node {
        let line = |of: &ToldLine| {
            let at = of.at.as_ref().map(|at| Node::classed("span", "soft").text(at.clone()));
            Node::classed("li", of.class).child(el("span").text(of.said.clone())).children(at)
        };
        Node::classed("ul", "told").children(self.view.told.iter().map(line))
    }

    /// Sent from the reader's own phone; whether it was sent, a person says.
    fn text(&self, form: &impl Fn(&str) -> Node) -> Option<Node> {
        let text = self.view.text.as_ref().filter(|text| !text.is_sent)?;
        let sent = form("texted").child(button("btn", "I sent it"));
        let title = self.say("Text for {name}", &[("name", self.first())]);
        Some(
            div("text")
                .child(el("h3").text(title))
                .child(Node::classed("blockquote", "said").text(text.body.clone()))
                .child(div("pair").child(link(text.href.clone(), "Open in Messages").set("class", "btn")).child(sent))
                .child(soft("Sent from your own phone. “I sent it” puts it on the timeline.")),
        )
    }

    fn files(&self) -> Node {
        let page = self.view.page.map(|href| {
            link(href.to_owned(), "The homeowner’s page").set("target", "_blank").set("rel", "noreferrer noopener")
        });
        let file = format!("/portal/leads/{}/inspection.ics{}", self.lead.id, self.of_tests);
        let subscribe = link("/portal/calendar", "Calendar links");
        div("pair").child(link(file, "Calendar file")).children(page).child(subscribe)
    }

    /// A dialog that opens without script, and closes with Escape.
    fn cancel(&self, now: &Appointment, form: &impl Fn(&str) -> Node) -> Node {
        let open = Node::classed("button", "btn").set("type", "button").set("popovertarget", "cancel-inspection");
        let keep = Node::classed("button", "btn").set("type", "button").set("popovertarget", "cancel-inspection");
        let keep = keep.set("popovertargetaction", "hide").set("autofocus", "").text("Keep it");
        let word = input("text", "").set("maxlength", "300");
        let label = self.say("Line for {name}", &[("name", self.first())]);
        let what = self.say(
            "{time}, {name}. It leaves both calendars.",
            &[("time", &date_and_time(self.language, now.time.date, now.time.time)), ("name", &now.person.name)],
        );
        let cancel = form("cancel-inspection")
            .child(hidden("seen", now.mark()))
            .child(field("word".into(), label, word, Some(soft("Leave blank to send none.")), None))
            .child(div("pair").child(keep).child(button("btn bad", "Cancel the inspection")));
        let dialog = Node::classed("div", "dialog")
            .set("id", "cancel-inspection")
            .set("popover", "")
            .set("role", "alertdialog")
            .set("aria-labelledby", "cancel-inspection-title")
            .child(el("h3").set("id", "cancel-inspection-title").text("Cancel the inspection?"))
            .child(soft(what))
            .child(cancel);
        div("pair").child(open.text("Cancel inspection")).child(dialog)
    }

    fn after(&self, now: &Appointment, form: &impl Fn(&str) -> Node) -> Node {
        let choice = |outcome: Outcome, said: &'static str| {
            form("inspection-over")
                .child(hidden("seen", now.mark()))
                .child(hidden("outcome", outcome.as_str()))
                .child(button("btn", said))
        };
        card("Inspection")
            .set("id", "inspection")
            .set("tabindex", "-1")
            .child(p("").child(pill("pill warn", "How did it go?")))
            .children(self.time(now))
            .child(div("outcomes").children([
                choice(Outcome::TookPlace, "It took place"),
                choice(Outcome::NobodyHome, "Nobody was home"),
                choice(Outcome::NotGone, "We didn’t go"),
            ]))
    }

    fn form(&self, now: Option<&Appointment>, form: &impl Fn(&str) -> Node) -> Node {
        let seen = self.view.now.map(Appointment::mark).unwrap_or_default();
        let minutes = now.map_or(USUAL_MINUTES, |now| now.minutes).to_string();
        let minutes = self.typed.typed("minutes").unwrap_or(&minutes);
        let place = now.map_or(self.lead.address.as_str(), |now| now.place.as_str());
        let line = now.and_then(|now| now.line.as_deref()).unwrap_or_default();
        let text = |name: &'static str, value: &str, max: &'static str| {
            input("text", self.typed.typed(name).unwrap_or(value)).set("maxlength", max)
        };
        let line_for = self.say("Add a line for {name}", &[("name", self.first())]);
        let send = match (now.is_some(), self.view.mails[0]) {
            (false, true) => self.say("Book and tell {name}", &[("name", self.first())]),
            (true, true) => self.say("Move and tell {name}", &[("name", self.first())]),
            (false, false) => translated(self.language, "Book").to_owned(),
            (true, false) => translated(self.language, "Move").to_owned(),
        };
        let anyway = self.typed.get("anyway");
        let is_asked = !anyway.is_empty();
        let send = if is_asked { translated(self.language, "Book both").to_owned() } else { send };
        form("book")
            .set("class", "book")
            .child(hidden("seen", seen))
            .children(is_asked.then(|| hidden("anyway", anyway.to_owned())))
            .children(self.typed.whole())
            .child(self.when(now))
            .child(div("step").child(self.who(now)).child(self.how_long(minutes)))
            .child(field("place".into(), "Where", text("place", place, "200"), None, self.typed.wrong("place")))
            .child(field(
                "line".into(),
                line_for,
                text("line", line, "300"),
                Some(soft("Leave blank to send none.")),
                self.typed.wrong("line"),
            ))
            .child(self.what_they_get())
            .child(div("pair").child(button("btn ink", send)))
    }

    /// The homeowner's times, and another one.
    fn when(&self, now: Option<&Appointment>) -> Node {
        let chosen = self.typed.typed("wish").map(str::to_owned);
        let offered = self.view.wishes.iter().position(|of| !of.is_past && !of.starts.is_empty());
        let usual = match (now, offered) {
            (_, None) => "other".to_owned(),
            (Some(now), _) if !matches!(now.state, AppointmentState::OtherAsked { .. }) => "other".to_owned(),
            (_, Some(first)) => first.to_string(),
        };
        let chosen = chosen.unwrap_or(usual);
        let ways = self.view.wishes.iter().enumerate().map(|(n, of)| self.wish(n, of, &chosen));
        el("fieldset")
            .set("class", "when-to")
            .child(el("legend").text("When"))
            .children(ways)
            .child(self.other(now, &chosen))
    }

    fn wish(&self, n: usize, of: &WishStarts, chosen: &str) -> Node {
        let value = n.to_string();
        let mut radio = el("input").set("type", "radio").set("name", "wish").set("value", value.clone());
        if of.is_past || of.starts.is_empty() {
            radio = radio.set("disabled", "");
        } else if chosen == value {
            radio = radio.set("checked", "");
        }
        let label = el("label")
            .child(radio)
            .child(el("b").text(day_of_week(self.language, of.wish.date.0)))
            .child(Node::classed("span", "soft").text(part_in_words(of.wish.part)))
            .children(of.is_past.then(|| Node::classed("span", "soft").text("Already past")));
        let name = format!("start-{n}");
        let typed = self.typed.typed(&name).and_then(TimeOfDay::parse);
        let free = of.starts.iter().find(|(_, busy)| !busy).or(of.starts.first()).map(|(time, _)| *time);
        let checked = typed.or(free);
        let starts = of.starts.iter().map(|(time, busy)| {
            let said = clock(self.language, *time);
            let mut radio = el("input").set("type", "radio").set("name", name.clone()).set("value", time.to_string());
            if Some(*time) == checked {
                radio = radio.set("checked", "");
            }
            if *busy {
                radio = radio.set("aria-label", self.say("{time}, busy", &[("time", &said)]));
            }
            Node::classed("label", if *busy { "busy" } else { "" }).child(radio).child(el("span").text(said))
        });
        let starts = div("starts").set("role", "radiogroup").set("aria-label", "Start").children(starts);
        let day =
            el("input").set("type", "hidden").set("name", format!("day-{n}")).set("value", of.wish.date.to_string());
        div("wish").child(label).child(day).children((!of.is_past).then_some(starts))
    }

    fn other(&self, now: Option<&Appointment>, chosen: &str) -> Node {
        let mut radio = el("input").set("type", "radio").set("name", "wish").set("value", "other");
        if chosen == "other" {
            radio = radio.set("checked", "");
        }
        let (date, start) =
            now.map_or_else(Default::default, |now| (now.time.date.to_string(), now.time.time.to_string()));
        let part = |name: &'static str, kind: &'static str, label: &'static str, value: &str| {
            let input = input(kind, self.typed.typed(name).unwrap_or(value));
            field(name.to_owned(), label, input, None, self.typed.wrong(name))
        };
        let zone = self.say("Time zone: {zone}", &[("zone", self.view.zone)]);
        let fields = div("starts other")
            .child(div("step").child(part("date", "date", "Date", &date)).child(part("start", "time", "Start", &start)))
            .children(self.which())
            .child(soft(zone));
        let label = el("label").child(radio).child(el("b").text("Another time"));
        div("wish").child(label).child(fields)
    }

    fn which(&self) -> Option<Node> {
        let chosen = self.typed.typed("which")?;
        Some(which_hour("which", chosen))
    }

    fn who(&self, now: Option<&Appointment>) -> Node {
        let people = self.people.iter().map(|(id, name)| (id.clone(), Text::from(name.clone())));
        let all: Vec<_> = people.chain([(String::new(), "Someone else".into())]).collect();
        let own = now.and_then(|now| now.person.user).map(|id| id.to_string());
        let other = now.filter(|now| now.person.user.is_none()).map(|now| now.person.name.clone()).unwrap_or_default();
        let usual = match now {
            Some(_) => own.unwrap_or_default(),
            None => self.view.who.to_owned(),
        };
        let chosen = self.typed.typed("person").unwrap_or(&usual);
        let select = options("person", all, chosen);
        let other = input("text", self.typed.typed("other").unwrap_or(&other)).set("maxlength", "80");
        let said = self
            .typed
            .wrong("person")
            .map(|said| Node::classed("p", "wrong").set("role", "alert").set("id", "person-said").text(said.clone()));
        let select = if said.is_some() { select.set("aria-describedby", "person-said") } else { select };
        div("field")
            .child(el("label").set("for", "person").text("Who goes"))
            .child(select)
            .children(said)
            .child(div("someone").child(field("other".into(), "Name of someone else", other, None, None)))
    }

    fn how_long(&self, minutes: &str) -> Node {
        let mut all: Vec<(String, Text)> = MINUTES
            .iter()
            .map(|of| (of.to_string(), self.say("{count} min", &[("count", &of.to_string())]).into()))
            .collect();
        if !all.iter().any(|(value, _)| value == minutes) {
            all.push((minutes.to_owned(), self.say("{count} min", &[("count", minutes)]).into()));
        }
        let said =
            self.typed.wrong("minutes").map(|said| Node::classed("p", "wrong").set("role", "alert").text(said.clone()));
        div("field")
            .child(el("label").set("for", "minutes").text("How long"))
            .child(options("minutes", all, minutes))
            .children(said)
    }

    fn what_they_get(&self) -> Node {
        let language = translated(self.language, self.spoken);
        let [homeowner, team] = self.view.mails;
        let mut lines = Vec::new();
        lines.push(match homeowner {
            true => self.say(
                "Email in {language}, with a calendar file and a link to move or cancel",
                &[("language", language)],
            ),
            false if self.lead.email.is_none() => {
                translated(self.language, "No email address. Call or text.").to_owned()
            }
            false if team => translated(self.language, "No email: it bounced before. Call or text.").to_owned(),
            false => translated(self.language, "No email: this installation sends none. Call or text.").to_owned(),
        });
        if self.lead.phone.is_some() && self.lead.consent.given {
            lines.push(translated(self.language, "We’ll show a text to send from your phone").to_owned());
        }
        if team {
            let reminder = match homeowner {
                true => "Both sides get a reminder the day before at 5 PM, if that’s still ahead",
                false => "Your team gets a reminder the day before at 5 PM, if that’s still ahead",
            };
            lines.push(translated(self.language, reminder).to_owned());
        }
        let title = self.say("For {name}", &[("name", self.first())]);
        let list = el("ul").children(lines.into_iter().map(|line| el("li").text(line)));
        div("gets").child(Node::classed("p", "soft").text(title)).child(list)
    }
}
