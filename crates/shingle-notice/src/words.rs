//! The sentences of the notices in every language, side by side. `{name}`s are filled in by
//! [`shingle_widget::words::fill`]. What the flow says too (materials, alerts) comes from its own words.

use shingle_domain::Language;

macro_rules! words {
    ($($name:ident: $english:literal, $spanish:literal;)*) => {
        /// One language's sentences.
        #[derive(Debug)]
        pub struct Words {
            $(pub $name: &'static str,)*
        }

        static ENGLISH: Words = Words { $($name: $english,)* };
        static SPANISH: Words = Words { $($name: $spanish,)* };

        /// Name, English, Spanish.
        #[cfg(test)]
        const ALL: &[(&str, &str, &str)] = &[$((stringify!($name), $english, $spanish),)*];
    };
}

pub fn words(language: Language) -> &'static Words {
    match language {
        Language::English => &ENGLISH,
        Language::Spanish => &SPANISH,
    }
}

words! {
    // A new lead.
    lead_new: "New lead", "Nueva solicitud";
    lead_test: "Test lead", "Solicitud de prueba";
    visit: "Inspection request", "Solicitud de inspección";
    visit_test: "Test: inspection request", "Prueba: solicitud de inspección";
    visit_why: "No time is set yet. Reply with one of the times below.",
        "Aún no hay hora. Responda con uno de los horarios de abajo.";
    visit_times: "Good times", "Buenos horarios";
    visit_note: "Note on the inspection", "Nota sobre la inspección";
    visit_photo: "Photo {n}", "Foto {n}";
    estimate: "Estimate", "Presupuesto";
    estimate_page: "Open it as the homeowner does", "Abrirlo como lo ve el propietario";
    estimate_pdf: "PDF", "PDF";
    photos: "Photos", "Fotos";
    answer: "Prefers", "Prefiere";
    answer_call: "Call", "Llamada";
    answer_text: "Text message", "Mensaje de texto";
    answer_email: "Email", "Correo electrónico";
    answered: "New answers", "Respuestas nuevas";
    answered_test: "Test: new answers", "Prueba: respuestas nuevas";
    answered_why: "Sent after the estimate.", "Enviadas después del presupuesto.";
    lead_waiting: "Still waiting, {time}", "Sin atender, {time}";
    lead_waiting_test: "Test lead, still waiting, {time}", "Solicitud de prueba, sin atender, {time}";
    lead_waiting_why: "Nobody has said “I’m on it” in {time}. The lead came in {at}.",
        "Nadie ha dicho “Yo me encargo” en {time}. La solicitud llegó {at}.";
    lead_test_why: "Made with a sandbox key: a test, not a homeowner.",
        "Hecha con una clave de pruebas: no es una persona real.";
    subject_no_price: "no price yet", "aún sin precio";
    no_price: "No price shown", "Sin precio mostrado";
    no_price_why: "We can’t price this roof from here. Someone needs to look at it.",
        "Desde aquí no podemos dar precio a este techo. Alguien tiene que verlo.";
    sum_line: "{low} to {high} · {squares} squares × {price}, {material}",
        "{low} a {high} · {squares} cuadros × {price}, {material}";
    parts_line: "{low} to {high} · {parts}",
        "{low} a {high} · {parts}";
    minimum_line: "Minimum for a job · {squares} squares, {material}",
        "Mínimo por trabajo · {squares} cuadros, {material}";
    call: "Call {phone}", "Llamar al {phone}";
    reply: "Reply by email", "Responder por correo";
    reply_subject: "Your roof estimate from {company}", "Su presupuesto de techo de {company}";
    directions: "Directions", "Cómo llegar";
    on_it: "I’m on it", "Yo me encargo";
    on_it_why: "Tap “I’m on it” to take this lead and stop reminders.",
        "Toque “Yo me encargo” para tomar esta solicitud y detener los recordatorios.";
    asked_by: "What {first} asked for", "Lo que pidió {first}";
    asked: "What was asked for", "Lo que se pidió";
    may_contact: "May contact", "Permiso";
    agreed: "Calls and texts: agreed, {at}", "Llamadas y mensajes: aceptó, {at}";
    agreed_no_phone: "Calls and texts: agreed, {at} (no phone given)",
        "Llamadas y mensajes: aceptó, {at} (no dejó teléfono)";
    not_agreed: "Calls and texts: not agreed. Reply by email.",
        "Llamadas y mensajes: no aceptó. Responda por correo.";
    told_by: "What {first} told you", "Lo que le dijo {first}";
    told: "What the homeowner told you", "Lo que le dijo el propietario";
    note: "Note", "Mensaje";
    quoted: "“{text}”", "“{text}”";
    material: "Material", "Material";
    measured: "Measured", "Medido";
    squares_area: "{squares} squares, {area} sq ft", "{squares} cuadros, {area} pies cuadrados";
    pitch: "pitch {rise}/12", "inclinación {rise}/12";
    pitch_assumed: "pitch assumed, {rise}/12", "inclinación supuesta, {rise}/12";
    facets_one: "1 facet", "1 plano";
    facets: "{n} facets", "{n} planos";
    confidence: "{n}% sure it’s this building", "{n}% de seguridad de que es este edificio";
    check: "Check", "Revisar";
    also_shown: "Also shown", "También vio";
    phone: "Phone", "Teléfono";
    email: "Email", "Correo";
    speaks: "Language", "Idioma";
    english: "English", "Inglés";
    spanish: "Spanish", "Español";
    came_from: "Came from", "Origen";
    via_embed: "The estimate on your website", "El presupuesto en su sitio web";
    via_hosted: "Your estimate page", "Su página de presupuestos";
    via_link: "A link to the estimate", "Un enlace al presupuesto";
    via_qr: "A QR code", "Un código QR";
    via_hand: "Added by your team", "Agregado por su equipo";
    via_import: "From a file", "De un archivo";
    page: "Page: {url}", "Página: {url}";
    referrer: "Linked from: {url}", "Enlazado desde: {url}";
    campaign: "Campaign: {text}", "Campaña: {text}";
    ad_click: "Ad click: {text}", "Clic en anuncio: {text}";
    reference: "Reference {reference}.", "Referencia {reference}.";
    open_in_portal: "Open in the portal", "Abrir en el portal";
    change_notices: "Change who gets these", "Cambiar quién recibe estos correos";
    lead_why: "Sent to {to} because new leads go there.", "Enviado a {to} porque ahí llegan las solicitudes nuevas.";
    plan: "Plan of the roof at {street}: {a} by {b} feet, {shape}, north up",
        "Plano del techo en {street}: {a} por {b} pies, {shape}, con el norte arriba";
    days: "{n} days", "{n} días";

    // The homeowner's copy.
    copy_subject_test: "Test: your roof estimate from {company}", "Prueba: su presupuesto de techo de {company}";
    copy_title_for: "Your roof estimate, {first}", "Su presupuesto de techo, {first}";
    copy_title: "Your roof estimate", "Su presupuesto de techo";
    range: "Between {low} and {high}", "Entre {low} y {high}";
    one_square: "1 square = 10 × 10 ft.", "1 cuadro = 10 × 10 pies.";
    open: "Open my estimate", "Abrir mi presupuesto";
    pick_time: "Pick a time for a visit", "Elegir la hora de una visita";
    open_why: "A page to print. The link works for 90 days; anyone who has it sees the address, drawing and price.",
        "Una página para imprimir. El enlace funciona 90 días; quien lo tenga ve la dirección, el plano y el precio.";
    price: "The price", "El precio";
    includes: "Includes", "Incluye";
    includes_line: "Includes: {list}.", "Incluye: {list}.";
    others: "Other materials", "Otros materiales";
    next: "What happens next", "Qué sigue";
    next_sees: "{company} has your details", "{company} tiene sus datos";
    next_sees_why: "Your address, this estimate and what you wrote.", "Su dirección, este presupuesto y lo que escribió.";
    next_call: "They may call or text you", "Pueden llamarle o escribirle";
    next_call_why: "You agreed to that for {to}.", "Usted lo aceptó para el {to}.";
    next_mail: "They may write to you", "Pueden escribirle";
    next_mail_why: "At {at}. You have not agreed to calls or texts.", "A {at}. Usted no aceptó llamadas ni mensajes.";
    next_nothing: "Nothing is booked", "No hay nada reservado";
    next_nothing_why: "You haven’t booked or bought anything. Call or write to {company} when it suits you.",
        "No ha reservado ni comprado nada. Llame o escriba a {company} cuando guste.";
    next_asked: "You asked for a visit", "Usted pidió una visita";
    next_asked_why: "You have no appointment until {company} confirms a time.",
        "No hay cita hasta que {company} confirme un horario.";
    next_confirmed: "Your visit is confirmed", "Su visita está confirmada";
    next_confirmed_why: "{company} confirmed one of the times you picked.",
        "{company} confirmó uno de los horarios que usted eligió.";
    next_declined_why: "{company} can’t come at the times you picked. Call or write to agree on another.",
        "{company} no puede ir en los horarios que usted eligió. Llame o escriba para acordar otro.";
    copy_why: "You get this email because someone asked for an estimate with this address at {host} on {date}. If it wasn’t you, let {company} know.",
        "Recibe este correo porque alguien pidió un presupuesto con esta dirección en {host} el {date}. Si no fue usted, avise a {company}.";
    page_title: "Roof estimate", "Presupuesto de techo";
    page_title_test: "Roof estimate (test)", "Presupuesto de techo (prueba)";
    file_name: "roof-estimate", "presupuesto-techo";

    // An inspection: to the homeowner.
    inspection_subject: "Your inspection: {time}", "Su inspección: {time}";
    inspection_moved_subject: "New time for your inspection: {time}", "Nueva hora de su inspección: {time}";
    inspection_changed_subject: "Your inspection has changed: {time}", "Cambios en su inspección: {time}";
    inspection_canceled_subject: "Canceled: your inspection, {time}", "Cancelada: su inspección, {time}";
    inspection_tomorrow_subject: "Tomorrow: your inspection, {time}", "Mañana: su inspección, {time}";
    inspection_title_for: "Your inspection is booked, {first}", "Su inspección está reservada, {first}";
    inspection_title: "Your inspection is booked", "Su inspección está reservada";
    inspection_moved_title_for: "Your inspection has moved, {first}", "Su inspección cambió de hora, {first}";
    inspection_moved_title: "Your inspection has moved", "Su inspección cambió de hora";
    inspection_changed_title_for: "Your inspection has changed, {first}", "Su inspección ha cambiado, {first}";
    inspection_changed_title: "Your inspection has changed", "Su inspección ha cambiado";
    inspection_canceled_title_for: "Your inspection is canceled, {first}", "Su inspección está cancelada, {first}";
    inspection_canceled_title: "Your inspection is canceled", "Su inspección está cancelada";
    inspection_tomorrow_title: "Tomorrow at {time}", "Mañana, {time}";
    inspection_hours: "{from} to {to}", "{from} a {to}";
    inspection_before: "Before: {time}", "Antes: {time}";
    inspection_wish: "Asks for: {time}", "Pide: {time}";
    inspection_who: "Who", "Quién";
    inspection_where: "Where", "Dónde";
    inspection_from: "{name} from {company}", "{name}, de {company}";
    inspection_change: "Move or cancel", "Cambiar o cancelar";
    inspection_answer: "Agree, or pick another time", "Aceptar o elegir otra hora";
    inspection_hint: "The calendar file is attached. You can move or cancel online until two hours before; after that, call {phone}.",
        "El archivo de calendario está adjunto. Puede cambiar o cancelar en línea hasta dos horas antes; después, llame al {phone}.";
    inspection_canceled_hint: "The attached file removes it from your calendar. Call {phone} to agree on another time.",
        "El archivo adjunto la quita de su calendario. Llame al {phone} para acordar otra hora.";
    inspection_tomorrow_hint: "If something came up, use the button or call {phone}.",
        "Si surgió algo, use el botón o llame al {phone}.";
    inspection_why: "You get this email because {company} booked an inspection with you.",
        "Recibe este correo porque {company} reservó una inspección con usted.";
    inspection_entry: "Roof inspection, {company}", "Inspección del techo, {company}";

    // Calendars that read inspections.
    feed_company: "Inspections, {company}", "Inspecciones, {company}";
    feed_person: "Inspections of {name}, {company}", "Inspecciones de {name}, {company}";

    // An inspection: to the team.
    inspection_team_booked: "Inspection booked: {name}, {time}", "Inspección reservada: {name}, {time}";
    inspection_team_moved: "Inspection moved: {name}, {time}", "Inspección cambiada: {name}, {time}";
    inspection_team_changed: "Inspection changed: {name}, {time}", "Inspección con cambios: {name}, {time}";
    inspection_team_handed: "{person} now goes to the inspection: {name}, {time}",
        "{person} va ahora a la inspección: {name}, {time}";
    inspection_team_handed_hint: "You no longer go. The attached file removes it from your calendar.",
        "Usted ya no va. El archivo adjunto la quita de su calendario.";
    inspection_team_canceled: "Inspection canceled: {name}, {time}", "Inspección cancelada: {name}, {time}";
    inspection_team_canceled_by: "{name} canceled the inspection: {time}", "{name} canceló la inspección: {time}";
    inspection_team_tomorrow: "Tomorrow, inspection: {name}, {time}", "Mañana, inspección: {name}, {time}";
    inspection_team_agreed: "{name} agreed to the new time: {time}", "{name} aceptó la nueva hora: {time}";
    inspection_team_other: "{name} asks for another time", "{name} pide otra hora";
    inspection_bad_time: "The time doesn’t work", "La hora no me sirve";
    inspection_someone_else: "I found someone else", "Encontré a otra persona";
    inspection_not_ready: "I’m not ready yet", "Todavía no estoy listo";
    inspection_test: "Test: {subject}", "Prueba: {subject}";
    inspection_homeowner: "Homeowner", "Propietario";
    inspection_team_why: "You get this email because the inspection is yours or your team’s.",
        "Recibe este correo porque la inspección es suya o de su equipo.";
    inspection_other_entry: "{name}, inspection: {person} goes", "{name}, inspección: va {person}";
    inspection_team_entry: "{name}, inspection", "{name}, inspección";

    // Something does not work.
    off: "Switched off", "Desactivado";
    off_subject: "Switched off: {name}", "Desactivado: {name}";
    off_webhook: "This webhook gets no more events, because deliveries to it kept failing.",
        "Este webhook ya no recibe eventos, porque las entregas fallaron una y otra vez.";
    off_connector: "This connector sends nothing more, because the other service kept refusing it.",
        "Este conector ya no envía nada, porque el otro servicio lo rechazó una y otra vez.";
    off_chat: "This chat gets no more messages, because deliveries to it kept failing.",
        "Este chat ya no recibe mensajes, porque las entregas fallaron una y otra vez.";
    off_mail: "This address gets no more notices, because emails to it bounced.",
        "Esta dirección ya no recibe avisos, porque los correos fueron devueltos.";
    kind: "Kind", "Tipo";
    kind_webhook: "Webhook", "Webhook";
    kind_connector: "Connector", "Conector";
    kind_chat: "Chat", "Chat";
    kind_mail: "Email address", "Dirección de correo";
    known: "What we know", "Lo que sabemos";
    reason: "Reason", "Motivo";
    failing_since: "Failing since", "Falla desde";
    failed: "Failed", "Fallidas";
    failed_one: "1 delivery", "1 entrega";
    failed_many: "{n} deliveries", "{n} entregas";
    to_do: "What to do", "Qué hacer";
    mend_webhook: "Look at the receiver", "Revise el receptor";
    mend_webhook_why: "It has to answer each delivery with a status from 200 to 299, before its timeout.",
        "Debe responder a cada entrega con un estado de 200 a 299, antes del límite de tiempo.";
    mend_service: "Look at the other service", "Revise el otro servicio";
    mend_service_why: "Often its key has expired, or someone changed or removed it there.",
        "A menudo su clave venció, o alguien la cambió o la eliminó allá.";
    mend_mail: "Look at the address", "Revise la dirección";
    mend_mail_why: "The mailbox may be full, renamed or gone.", "El buzón puede estar lleno, renombrado o eliminado.";
    switch_on: "Switch it on again", "Actívelo de nuevo";
    switch_on_how: "With the command below.", "Con el comando de abajo.";
    switch_on_link: "With the button below.", "Con el botón de abajo.";
    send_again: "Resend what failed", "Reenvíe lo que falló";
    send_again_why: "The failed deliveries are in the log.", "Las entregas fallidas están en el registro.";
    leads_kept: "Read the leads that came in meanwhile", "Lea las solicitudes que llegaron mientras tanto";
    leads_kept_why: "They are stored, whether a notice arrived or not.", "Están guardadas, haya llegado el aviso o no.";
    problem_why: "Sent to {to} because problems of this account go there.",
        "Enviado a {to} porque ahí llegan los problemas de esta cuenta.";
    bounced: "Email bounced", "Correo devuelto";
    bounced_subject: "Email to {name} bounced", "El correo a {name} fue devuelto";
    bounced_call: "Your email to {email} bounced. Call instead.", "Su correo a {email} fue devuelto. Mejor llame.";
    bounced_what: "Your email to {email} bounced, so the estimate did not arrive.",
        "Su correo a {email} fue devuelto, así que el presupuesto no llegó.";
    bounced_reply: "Server’s reply", "Respuesta";
    address: "Address", "Dirección";
    no_phone: "None given", "No dejó";

    // A next step is due.
    step: "Next step", "Siguiente paso";
    // The homeowner has answered an email.
    wrote: "Answer by email", "Respuesta por correo";
    wrote_subject: "{name} answered your email", "{name} respondió a su correo";
    wrote_other: "It didn’t come from the address of {name}. Don’t follow links in it unless you know who wrote it.",
        "No vino de la dirección de {name}. No siga sus enlaces si no sabe quién lo escribió.";
    wrote_open: "Read and answer", "Leer y responder";
    wrote_files: "Attachments, which we don’t keep: {files}", "Archivos adjuntos, que no guardamos: {files}";
    wrote_why: "Sent to {to} because you get notices of this lead, or wrote to the homeowner.",
        "Enviado a {to} porque recibe avisos de esta solicitud o escribió al propietario.";
    step_subject: "Next step: {step} ({name})", "Siguiente paso: {step} ({name})";
    step_due: "Due", "Fecha";
    step_why_own: "Sent to {to} because this lead is assigned to you.",
        "Enviado a {to} porque esta solicitud está asignada a usted.";
    step_why: "Sent to {to} because nobody is assigned to this lead.",
        "Enviado a {to} porque nadie tiene asignada esta solicitud.";

    // Yesterday.
    digest: "Daily digest", "Resumen diario";
    digest_none: "No new leads", "Ninguna solicitud nueva";
    digest_one: "1 new lead", "1 solicitud nueva";
    digest_many: "{n} new leads", "{n} solicitudes nuevas";
    digest_subject: "{count}, {day}", "{count}, {day}";
    count_taken: "Taken", "Atendidas";
    count_waiting: "Still waiting", "Sin atender";
    waiting_longest: "{n}, the longest for {time}", "{n}, la más antigua hace {time}";
    first_touch: "First response", "Primera respuesta";
    first_touch_median: "after {time} (median)", "a los {time} (mediana)";
    digest_counts: "In figures", "En cifras";
    digest_leads: "New leads", "Solicitudes nuevas";
    digest_spam: "Suspected spam", "Posible spam";
    digest_spam_why: "We sent no notices for these. If one is a real person, set its status to “new”.",
        "No enviamos avisos de estas. Si alguna es de una persona real, cambie su estado a “new”.";
    touch_taken: "taken after {time}", "atendida a los {time}";
    touch_taken_by: "taken by {name} after {time}", "atendida por {name} a los {time}";
    touch_waiting: "nobody is on it, {time}", "nadie la atiende, {time}";
    status_contacted: "contacted", "contactada";
    status_qualified: "qualified", "calificada";
    status_won: "won", "ganada";
    status_lost: "lost", "perdida";
    and_more: "and {n} more", "y {n} más";
    digest_why: "Sent to {to} once a day.", "Enviado a {to} una vez al día.";
    // A month.
    report: "Monthly report", "Informe mensual";
    report_title: "Your month: {month}", "Su mes: {month}";
    report_subject: "{company}: {month}", "{company}: {month}";
    report_made: "Monthly report, made on {date}.", "Informe mensual, hecho el {date}.";
    report_all: "All together", "En total";
    report_compared: "{now} ({month}: {before})", "{now} ({month}: {before})";
    report_leads: "Leads", "Solicitudes";
    report_won: "Won", "Ganadas";
    report_worth: "Worth of the won ones", "Valor de las ganadas";
    report_estimated: "Estimates of all leads", "Presupuestos de todas";
    report_wait: "Median time to the first answer", "Tiempo mediano hasta la primera respuesta";
    report_no_wait: "none yet", "aún ninguna";
    report_sources: "Where they came from", "De dónde vinieron";
    report_source: "Leads: {n} · Won: {won}", "Solicitudes: {n} · Ganadas: {won}";
    report_none: "No leads came in {month}.", "En {month} no llegó ninguna solicitud.";
    report_open: "Open the results", "Abrir los resultados";
    report_attached: "The attached PDF has every widget and where its leads came from.",
        "El PDF adjunto tiene cada widget y de dónde vinieron sus solicitudes.";
    report_why: "Sent to {to} once a month.", "Enviado a {to} una vez al mes.";
    report_stop: "Stop these summaries", "Dejar de recibir estos resúmenes";
    unsubscribe: "Stop this digest", "Dejar de recibir este resumen";

    // What is held as spam, where no digest is sent.
    held_one: "1 lead held as spam", "1 solicitud retenida como spam";
    held_many: "{n} leads held as spam", "{n} solicitudes retenidas como spam";
    held_list: "See all that are held", "Ver todas las retenidas";
    held_why: "Sent to {to} at most once a day, when a lead is held as spam.",
        "Enviado a {to} como máximo una vez al día, cuando una solicitud se retiene como spam.";

    // A quote: its page, its PDF and its emails.
    quote: "Quote {number}", "Cotización {number}";
    quote_draft: "Draft of a quote", "Borrador de una cotización";
    quote_test: "Test: {title}", "Prueba: {title}";
    quote_for: "For {name}", "Para {name}";
    quote_dates: "{date}. Valid through {until}.", "{date}. Válida hasta el {until}.";
    quote_includes: "Included", "Incluido";
    quote_price: "Price", "Precio";
    quote_tax: "Tax, {percent}%", "Impuesto, {percent} %";
    quote_total: "Total", "Total";
    quote_deposit: "Deposit to start", "Anticipo para comenzar";
    quote_terms: "Terms", "Condiciones";
    quote_page: "Page {n}", "Página {n}";
    quote_accepted: "Accepted", "Aceptada";
    quote_accepted_line: "{name} accepted “{choice}” for {sum} on this page, {time}.",
        "{name} aceptó “{choice}” por {sum} en esta página, {time}.";
    quote_accepted_paper: "{name} accepted “{choice}” for {sum} online, {time}.",
        "{name} aceptó “{choice}” por {sum} en línea, {time}.";
    quote_accepted_elsewhere: "“{choice}” for {sum}, entered by {company}, {time}.",
        "“{choice}” por {sum}, registrada por {company}, {time}.";
    quote_digest: "Fingerprint of this quote: {digest}", "Huella digital de esta cotización: {digest}";
    quote_subject: "Your quote from {company}", "Su cotización de {company}";
    quote_title_for: "{first}, here is your quote", "{first}, aquí está su cotización";
    quote_title: "Here is your quote", "Aquí está su cotización";
    quote_open: "See the quote and answer", "Ver la cotización y responder";
    quote_open_why: "Opening the page accepts nothing. You choose and sign there. The PDF is attached.",
        "Abrir la página no acepta nada. Allí elige y firma. El PDF va adjunto.";
    quote_hint: "Questions? Call {phone} or reply to this email.",
        "¿Preguntas? Llame al {phone} o responda a este correo.";
    quote_why: "You get this email because {company} made you a quote.",
        "Recibe este correo porque {company} le hizo una cotización.";
    quote_done_subject: "You accepted the quote from {company}", "Aceptó la cotización de {company}";
    quote_done_title: "You accepted “{choice}”", "Aceptó “{choice}”";
    quote_done_line: "{company} has been notified. Your copy is attached.",
        "{company} ya lo sabe. Su copia va adjunta.";
    quote_see: "See the quote", "Ver la cotización";
    quote_file: "quote", "cotizacion";
    quote_kicker: "Quote", "Cotización";
    quote_team_accepted: "{name} accepted quote {number}", "{name} aceptó la cotización {number}";
    quote_team_declined: "{name} declined quote {number}", "{name} rechazó la cotización {number}";
    quote_team_choice: "Accepted", "Aceptada";
    quote_team_signed: "Signed by", "Firmada por";
    quote_team_reason: "Reason", "Motivo";
    quote_team_no_reason: "None given", "No dio ninguno";
    quote_team_won: "The lead is marked as won. Change the status if that is too early.",
        "El prospecto quedó como ganado. Cambie el estado si es pronto.";
    quote_team_why: "Sent to {to}, which gets notices of leads.", "Enviado a {to}, que recibe avisos de prospectos.";
    quote_choose: "Choose one", "Elija una opción";
    quote_your_choice: "Your choice", "Su opción";
    quote_name: "Your full name", "Su nombre completo";
    quote_name_hint: "Your typed name is your signature.", "Su nombre escrito es su firma.";
    quote_agree: "I accept this quote and its terms.", "Acepto esta cotización y sus condiciones.";
    quote_accept: "Accept the quote", "Aceptar la cotización";
    quote_decline_title: "Not what you want?", "¿No es lo que busca?";
    quote_decline_why: "Reason, if you like", "Motivo, si quiere";
    quote_decline: "Decline the quote", "Rechazar la cotización";
    quote_pdf: "Quote as PDF", "Cotización en PDF";
    quote_newer: "See the newer quote", "Ver la cotización nueva";
    quote_expired: "This quote has expired", "Esta cotización venció";
    quote_expired_line: "It was valid through {until}. For a new one, call {company} at {phone}.",
        "Era válida hasta el {until}. Para una nueva, llame a {company} al {phone}.";
    quote_replaced: "There is a newer quote", "Hay una cotización más nueva";
    quote_replaced_line: "{company} replaced this one, so it can’t be accepted.",
        "{company} reemplazó esta, así que ya no se puede aceptar.";
    quote_withdrawn: "This quote was withdrawn", "Esta cotización fue retirada";
    quote_withdrawn_line: "It can’t be accepted any more. Call {company} at {phone} with questions.",
        "Ya no se puede aceptar. Llame a {company} al {phone} si tiene preguntas.";
    quote_is_accepted: "This quote is accepted", "Esta cotización está aceptada";
    quote_is_accepted_next: "{company} has been notified. For changes, call {phone}.",
        "{company} ya lo sabe. Para cambios, llame al {phone}.";
    quote_is_declined: "You declined this quote", "Rechazó esta cotización";
    quote_is_declined_line: "{company} has been notified. If you change your mind, call {phone}.",
        "{company} ya lo sabe. Si cambia de opinión, llame al {phone}.";
    quote_no_choice: "Choose one of the offers.", "Elija una de las opciones.";
    quote_no_name: "Type your first and last name.", "Escriba su nombre y apellido.";
    quote_no_tick: "Tick this box to accept.", "Marque esta casilla para aceptar.";
    quote_bad_reason: "Use at most 1,000 characters.", "Use como máximo 1,000 caracteres.";
    quote_nothing_sent: "Nothing was sent. Check what is marked below.",
        "No se envió nada. Revise lo que está marcado abajo.";
    quote_changed: "The quote changed while your page was open. Nothing was sent.",
        "La cotización cambió mientras su página estaba abierta. No se envió nada.";
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `{name}`s in a sentence, sorted.
    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<_> = text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_sentence_has_the_same_placeholders_in_every_language() {
        for (name, english, spanish) in ALL {
            assert_eq!(placeholders(english), placeholders(spanish), "{name}");
            for text in [english, spanish] {
                assert!(!text.is_empty() && text.trim() == *text, "{name}: \"{text}\"");
            }
        }
    }

    #[test]
    fn a_number_of_things_has_its_own_sentence_for_one() {
        let apart = [
            ("facets", "facets_one"),
            ("failed_many", "failed_one"),
            ("digest_many", "digest_one"),
            ("held_many", "held_one"),
            // Less than two days are hours.
            ("days", "days"),
        ];
        for (name, english, _) in ALL {
            let things = english.split_once("{n} ").and_then(|(_, rest)| rest.split([' ', ',', '.']).next());
            if things.is_some_and(|things| things.ends_with('s')) {
                let one = apart.iter().find(|(many, _)| many == name).map(|(_, one)| one);
                let one = one.unwrap_or_else(|| panic!("{name} has no sentence for one: {english}"));
                assert!(ALL.iter().any(|(name, ..)| name == one), "{one}");
            }
        }
    }

    #[test]
    fn no_sentence_promises_what_a_contractor_may_not_do() {
        let banned = ["free", "gratis", "gratuit", "working day", "día hábil", "!", "¡", "please", "por favor"];
        for (name, english, spanish) in ALL {
            for word in banned {
                let said = [*english, *spanish].map(str::to_lowercase);
                assert!(said.iter().all(|text| !text.contains(word)), "{name}: {word}");
            }
        }
    }
}
