//! The texts of the pages behind links in mails.

use shingle_domain::Language;

pub struct MailLinkWords {
    pub about: &'static str,
    pub ask: &'static str,
    pub ask_line: &'static str,
    pub ask_button: &'static str,
    pub mine: &'static str,
    pub mine_line: &'static str,
    pub taken: &'static str,
    pub taken_line: &'static str,
    pub call: &'static str,
    pub text: &'static str,
    pub email: &'static str,
    pub directions: &'static str,
    pub open: &'static str,
    pub stop: &'static str,
    pub stop_line: &'static str,
    pub stop_button: &'static str,
    pub stopped: &'static str,
    pub stopped_line: &'static str,
    pub still_told: &'static str,
    pub ended: &'static str,
    pub ended_line: &'static str,
    pub ended_lead: &'static str,
}

pub fn words(language: Language) -> &'static MailLinkWords {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    }
}

const ENGLISH: MailLinkWords = MailLinkWords {
    about: "{name}, {address}. Reference {reference}.",
    ask: "Are you on it?",
    ask_line: "Tap to take this lead as {by} and stop reminders.",
    ask_button: "I’m on it",
    mine: "You are on it",
    mine_line: "Reminders have stopped.",
    taken: "It is taken",
    taken_line: "{by} is on it. Reminders have stopped.",
    call: "Call {phone}",
    text: "Text",
    email: "Email",
    directions: "Directions",
    open: "Open the lead",
    stop: "Stop the summaries?",
    stop_line: "{to} gets the daily summary, the monthly report, or both.",
    stop_button: "Stop it",
    stopped: "The summaries have stopped",
    stopped_line: "{to} gets no more summaries.",
    still_told: "New leads are still mailed there.",
    ended: "This link has ended",
    ended_line: "It is too old, was changed, or is no longer yours.",
    ended_lead: "The lead is in your account, unless it was erased.",
};

const SPANISH: MailLinkWords = MailLinkWords {
    about: "{name}, {address}. Referencia {reference}.",
    ask: "¿Se encarga usted?",
    ask_line: "La solicitud queda a cargo de {by} y cesan los recordatorios.",
    ask_button: "Yo me encargo",
    mine: "Usted se encarga",
    mine_line: "Ya no habrá recordatorios.",
    taken: "Ya tiene quien la atienda",
    taken_line: "{by} se encarga. Ya no habrá recordatorios.",
    call: "Llamar al {phone}",
    text: "Mensaje de texto",
    email: "Correo",
    directions: "Cómo llegar",
    open: "Abrir la solicitud",
    stop: "¿Dejar de recibir los resúmenes?",
    stop_line: "{to} recibe el resumen diario, el informe mensual o los dos.",
    stop_button: "Dejar de recibirlo",
    stopped: "Ya no llegarán los resúmenes",
    stopped_line: "{to} ya no recibirá resúmenes.",
    still_told: "Las solicitudes nuevas se siguen avisando ahí.",
    ended: "Este enlace ya no funciona",
    ended_line: "Es demasiado antiguo, fue cambiado o ya no le corresponde.",
    ended_lead: "La solicitud está en su cuenta, salvo que se haya borrado.",
};
