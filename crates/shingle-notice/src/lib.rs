//! What notices say. Nothing here sends anything: a notice is made from a lead, its drawing and its widget, and is handed
//! back as a [`shingle_domain::mail::MailContent`].
