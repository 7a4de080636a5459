//! The form that asks for a visit: wishes, how to answer, a note, photographs.

use shingle_domain::answers::ContactBy;
use shingle_domain::inspection::{Inspection, MAX_NOTE, MAX_WISHES, VisitCalendar, VisitDay, Wish};
use shingle_domain::public::{Part, PublicWidget};

use super::dates::{common_hours, hours_text, month_and_day, weekday, wish_text};
use super::part;
use crate::ssr::node::Node;
use crate::view::block::{heading, hint, lead, small, title};
use crate::view::frame::say;
use crate::view::{Markup, Text};
use crate::words::{Words, w};

/// Days that are shown, in two tables of a week.
const SHOWN_DAYS: usize = 14;

/// Whom the form is for.
#[derive(Debug, Clone, Copy)]
pub struct BookingForm<'a> {
    pub email: &'a str,
    pub phone: Option<&'a str>,
    pub calendar: &'a VisitCalendar<'a>,
    /// Times that can be booked at once.
    pub free: Option<&'a FreeOffer>,
    /// What was asked before.
    pub asked: Option<&'a Inspection>,
    /// Photographs that have arrived already.
    pub photos: usize,
    /// The lead's URL and token, where a script sends the form's photographs.
    pub script: Option<(&'a str, &'a str)>,
}

/// The first free times, as links to the page that books them; in words.
#[derive(Debug)]
pub struct FreeOffer {
    pub title: &'static str,
    pub lead: &'static str,
    /// Days, each with its times and their addresses.
    pub days: Vec<(String, Vec<[String; 2]>)>,
    pub all: [String; 2],
    /// The title of what can be asked for instead.
    pub or: &'static str,
}

/// Empty where nothing can be asked for: the company visits on none of the days, or has confirmed.
pub fn booking_part(words: Words, widget: &PublicWidget, of: &BookingForm<'_>) -> Part {
    part(booking_nodes(words, widget, of), words)
}

pub(crate) fn booking_nodes(words: Words, widget: &PublicWidget, of: &BookingForm<'_>) -> Vec<Node> {
    let days: Vec<VisitDay> = of.calendar.all().into_iter().take(SHOWN_DAYS).collect();
    let confirmed = of.asked.is_some_and(Inspection::is_confirmed);
    if confirmed || (of.free.is_none() && days.iter().all(|day| day.parts.iter().all(Option::is_none))) {
        return Vec::new();
    }
    let status = || small::<Node>("").set("role", "status");
    let (first, later) = days.split_at(days.len().min(7));
    let more = Node::new("details").child(Node::new("summary").text(w::WISH_MORE));
    let times = Node::classed("fieldset", "sh-times")
        .child(Node::classed("legend", "sh-vh").text(w::WISH_CAPTION))
        .child(table(words, first, of))
        .child(status())
        .child(more.child(table(words, later, of)));
    let mut root = Node::classed("div", "sh-booking");
    if let Some((lead, token)) = of.script {
        root = root.set("data-lead", lead.to_owned()).set("data-token", token.to_owned());
    }
    let root = match of.free {
        None => root.child(title::<Node>(w::WISH_TITLE).set("tabindex", "-1")),
        Some(free) => root
            .child(title::<Node>(free.title).set("tabindex", "-1"))
            .child(lead(free.lead))
            .children(free_times(free))
            .child(Node::classed("h2", "sh-h2").text(free.or)),
    };
    let root = root
        .child(lead(say(words, widget, w::WISH_LEAD, &[])))
        .child(times)
        .child(answer_by(words, widget, of))
        .child(note(of))
        .child(photos(words, of));
    vec![root]
}

/// In a tab of its own: the page around stays as it is.
fn free_times(of: &FreeOffer) -> Vec<Node> {
    let link = |class: &'static str, [label, href]: &[String; 2]| {
        Node::classed("a", class)
            .set("href", href.clone())
            .set("target", "_blank")
            .set("rel", "noopener noreferrer")
            .text(label.clone())
    };
    let day = |(name, times): &(String, Vec<[String; 2]>)| {
        let times = times.iter().map(|[label, href]| {
            let said = [name, ", ", label].concat();
            link("sh-chip", &[label.clone(), href.clone()]).set("aria-label", said)
        });
        Node::new("div")
            .child(Node::classed("p", "sh-h2").text(name.clone()))
            .child(Node::classed("div", "sh-chips").children(times))
    };
    let mut nodes: Vec<Node> = of.days.iter().map(day).collect();
    nodes.push(link("sh-link", &of.all));
    nodes
}

fn table(words: Words, days: &[VisitDay], of: &BookingForm<'_>) -> Node {
    let mut head = Node::new("tr").child(Node::new("th").child(Node::classed("span", "sh-vh").text(w::WISH_DAY)));
    for at in 0..3 {
        let mut cell = Node::new("th").set("scope", "col").text(w::DAY_PARTS.at(at));
        if let Some(hours) = common_hours(days.iter().filter_map(|day| day.parts[at].as_ref())) {
            cell = cell.child(Node::new("small").text(hours_text(words, hours)));
        }
        head = head.child(cell);
    }
    let rows = days.iter().map(|day| {
        let name = Node::new("th").set("scope", "row").text(weekday(words, day.date));
        let row = Node::new("tr").child(name.child(Node::new("small").text(month_and_day(words, day.date))));
        if day.parts.iter().all(Option::is_none) {
            return row.child(Node::classed("td", "none").set("colspan", "3").text(w::WISH_CLOSED));
        }
        day.parts.iter().fold(row, |row, offer| {
            let cell = Node::new("td");
            row.child(match offer {
                Some(offer) => cell.child(wish_box(words, Wish { date: day.date, part: offer.part }, of)),
                None => cell,
            })
        })
    });
    Node::classed("table", "wish")
        .set("data-order", w::WISH_ORDER)
        .set("data-some", w::WISH_SOME)
        .set("data-full", w::WISH_FULL)
        .child(Node::new("thead").child(head))
        .child(Node::new("tbody").children(rows))
}

fn wish_box(words: Words, wish: Wish, of: &BookingForm<'_>) -> Node {
    let mut input = Node::new("input")
        .set("type", "checkbox")
        .set("name", "wish")
        .set("value", [&wish.date.to_string(), " ", wish.part.as_str()].concat())
        .set("aria-label", wish_text(words, wish));
    let known = of.asked.and_then(|asked| asked.wishes.iter().position(|known| *known == wish));
    let mut mark: Text = "+".into();
    if let Some(at) = known {
        // Before any tap, in their order.
        let order = words.text(w::WISH_ORDER).split('|').nth(at).unwrap_or_default();
        input = input.set("checked", "").set("data-at", format!("-{}", MAX_WISHES.saturating_sub(at)));
        mark = order.into();
    }
    Node::new("label").child(input).child(Node::new("span").set("aria-hidden", "true").text(mark))
}

/// Calls and texts are offered to somebody who left a number.
fn answer_by(words: Words, widget: &PublicWidget, of: &BookingForm<'_>) -> Node {
    let mut chips = Node::classed("div", "sh-chips");
    let offered = [ContactBy::Call, ContactBy::Text, ContactBy::Email];
    let chosen = of.asked.map_or(ContactBy::Email, |asked| asked.contact_by);
    for (at, by) in offered.into_iter().enumerate() {
        if of.phone.is_none() && by != ContactBy::Email {
            continue;
        }
        let mut input = Node::new("input").set("type", "radio").set("name", "contactBy").set("value", by.as_str());
        if by == chosen || of.phone.is_none() {
            input = input.set("checked", "");
        }
        let label = Node::new("span").text(w::CONTACT_BY.at(at));
        chips = chips.child(Node::classed("label", "sh-chip").child(input).child(label));
    }
    let to = match of.phone {
        Some(phone) => words.fill(w::CONTACT_TO, &[("phone", phone), ("email", of.email)]),
        None => words.fill(w::CONTACT_MAIL, &[("email", of.email)]),
    };
    Node::new("fieldset")
        .child(Node::classed("legend", "sh-h2").text(say(words, widget, w::CONFIRM_HOW, &[])))
        .child(chips)
        .child(small(to))
}

fn note(of: &BookingForm<'_>) -> Node {
    let label = Node::new("label").set("for", "sh-visit-note").text(w::WISH_NOTE).text(" ");
    let text = of.asked.and_then(|asked| asked.note.clone()).unwrap_or_default();
    let area = Node::classed("textarea", "sh-area")
        .set("id", "sh-visit-note")
        .set("name", "note")
        .set("rows", "3")
        .set("maxlength", MAX_NOTE.to_string())
        .set("aria-describedby", "sh-visit-hint")
        .text(text);
    Node::classed("div", "sh-field")
        .child(label.child(Node::new("i").text(w::OPTIONAL)))
        .child(area)
        .child(hint::<Node>(w::WISH_NOTE_HINT).set("id", "sh-visit-hint"))
}

fn photos(words: Words, of: &BookingForm<'_>) -> Node {
    let [busy, said, failed, refused] = [0, 1, 2, 3].map(|at| w::PHOTOS_STATES.at(at));
    let mut input = Node::classed("input", "sh-file")
        .set("id", "sh-photos")
        .set("type", "file")
        .set("name", "photo")
        .set("accept", "image/jpeg,image/png,image/webp")
        .set("multiple", "")
        .set("aria-describedby", "sh-photos-hint");
    if of.script.is_some() {
        input = input
            .set("data-busy", busy)
            .set("data-said", said)
            .set("data-failed", failed)
            .set("data-refused", refused)
            .set("data-again", w::PHOTOS_AGAIN)
            .set("data-remove", w::PHOTOS_REMOVE);
    }
    let label = Node::new("label").set("for", "sh-photos").text(w::PHOTOS_ADD).text(" ");
    let mut all = Node::classed("div", "sh-field sh-photos")
        .set("data-photos", of.photos.to_string())
        .child(heading(w::PHOTOS))
        .child(label.child(Node::new("i").text(w::OPTIONAL)))
        .child(input)
        .child(hint::<Node>(w::PHOTOS_HINT).set("id", "sh-photos-hint"));
    match of.photos {
        0 => {}
        1 => all = all.child(small(w::PHOTOS_THERE.at(0))),
        n => all = all.child(small(words.number(w::PHOTOS_THERE.at(1), n))),
    }
    if of.script.is_some() {
        all = all
            .child(Node::classed("ul", "photos").child(no_photo()))
            .child(small::<Node>("").set("role", "status"))
            .child(small(w::PHOTOS_LATE));
    }
    all
}

/// What was asked for, row by row.
pub(crate) fn asked_list(words: Words, of: &Inspection, phone: Option<&str>, email: &str) -> Node {
    let row = |name: Text, value: Node| Node::new("div").child(Node::new("dt").text(name)).child(value);
    let times = of.wishes.iter().enumerate().map(|(at, wish)| {
        let number = if of.wishes.len() > 1 { format!("{}. ", at + 1) } else { String::new() };
        Node::new("li").text([number, wish_text(words, *wish)].concat())
    });
    let name = if of.wishes.len() > 1 { w::ASKED_ROWS.at(0) } else { w::ASKED_TIME };
    let by = match of.contact_by {
        ContactBy::Call => w::ASKED_BY.at(0),
        ContactBy::Text => w::ASKED_BY.at(1),
        ContactBy::Email => w::ASKED_BY.at(2),
    };
    let by = words.fill(by, &[("phone", phone.unwrap_or_default()), ("email", email)]);
    let mut list = Node::classed("dl", "asked")
        .child(row(name.into(), Node::new("dd").child(Node::new("ol").children(times))))
        .child(row(w::ASKED_ROWS.at(1).into(), Node::new("dd").text(by)));
    if let Some(note) = &of.note {
        let quoted = words.fill(w::ASKED_QUOTED, &[("text", note)]);
        list = list.child(row(w::ASKED_ROWS.at(2).into(), Node::new("dd").text(quoted)));
    }
    let photos = match of.photos.len() {
        0 => words.text(w::ASKED_PHOTOS.at(0)).to_owned(),
        1 => words.text(w::ASKED_PHOTOS.at(1)).to_owned(),
        n => words.number(w::ASKED_PHOTOS.at(2), n),
    };
    list.child(row(w::ASKED_ROWS.at(3).into(), Node::new("dd").text(photos)))
}
/// What the script copies for each photograph.
fn no_photo() -> Node {
    let remove = Node::classed("button", "sh-link").set("type", "button");
    Node::new("li").set("hidden", "").child(Node::new("span")).text(" ").child(remove)
}
