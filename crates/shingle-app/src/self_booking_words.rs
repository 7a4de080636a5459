//! What homeowners read who pick a time themselves.

use shingle_domain::Language;

pub struct PickWords {
    /// The page, the link to it, and the start of the flow's part.
    pub title: &'static str,
    pub link: &'static str,
    pub again: &'static str,
    pub lead: &'static str,
    pub zone: &'static str,
    pub now: &'static str,
    pub book: &'static str,
    pub move_there: &'static str,
    pub later: &'static str,
    pub earliest: &'static str,
    pub other: &'static str,
    pub taken: &'static str,
    pub missing: &'static str,
    pub none: &'static str,
    /// In the flow.
    pub part_lead: &'static str,
    pub part_all: &'static str,
    pub part_or: &'static str,
}

pub fn pick_words(language: Language) -> &'static PickWords {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    }
}

const ENGLISH: PickWords = PickWords {
    title: "Pick a time",
    link: "Pick a time for a visit",
    again: "Pick a new time",
    lead: "{company} comes to {street}. A visit takes about {minutes} minutes.",
    zone: "All times are {zone} time.",
    now: "Now: {time}. It stays booked until you pick another time.",
    book: "Book this time",
    move_there: "Move it to this time",
    later: "Later days",
    earliest: "Earliest days",
    other: "Ask for a time that isn’t listed",
    taken: "That time is no longer free. These still are.",
    missing: "Please pick a time first.",
    none: "No time can be picked online right now. Call {phone}.",
    part_lead: "Pick a free time and it’s booked at once. It opens in a new tab.",
    part_all: "See all free times",
    part_or: "Or say what suits you",
};

const SPANISH: PickWords = PickWords {
    title: "Elija una hora",
    link: "Elegir la hora de una visita",
    again: "Elegir otra hora",
    lead: "{company} va a {street}. Una visita dura unos {minutes} minutos.",
    zone: "Todas las horas son las de {zone}.",
    now: "Ahora: {time}. Sigue reservada hasta que elija otra hora.",
    book: "Reservar esta hora",
    move_there: "Cambiar a esta hora",
    later: "Días siguientes",
    earliest: "Primeros días",
    other: "Pedir una hora que no está en la lista",
    taken: "Esa hora ya no está libre. Estas todavía lo están.",
    missing: "Primero elija una hora.",
    none: "Ahora no se pueden elegir horas en línea. Llame al {phone}.",
    part_lead: "Elija una hora libre y queda reservada al momento. Se abre en otra pestaña.",
    part_all: "Ver todas las horas libres",
    part_or: "O diga qué le queda bien",
};
