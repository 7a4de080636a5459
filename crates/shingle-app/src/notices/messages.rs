//! Why a notice was not sent.

use shingle_domain::messages;

messages! {
    /// There is nothing to send.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NoNotice {
        BadAddress => "the address is not an email address",
        OtherEvents => "this mailbox does not get such events",
        OtherEventsOnDevice => "this device does not get such events",
        Erased => "erased",
        NewerTime => "the inspection was moved or canceled meanwhile",
        NotTheirs => "the inspection is no longer this person’s",
        LateReminder => "the day before is over",
        NewerQuote => "the quote was answered, replaced or withdrawn meanwhile",
        NewerStep => "the next step was done, changed or deleted meanwhile",
        StepNotTheirs => "the lead is nobody’s now",
        Finished => "the lead is lost or spam",
        AccountClosed => "the account is closed",
        LeftCompany => "this person has left the company",
        NoEmail => "the homeowner gave no email address",
        EmailsStopped => "the homeowner asked for no more emails",
        Bounced => "the homeowner’s email bounced before",
        NoVisit => "the homeowner no longer asks for an inspection",
        WidgetGone => "its widget is gone",
        NoId => "the email has no ID",
        CopiesOff => "copies to homeowners are switched off for this widget",
        NoConsent => "the homeowner did not agree to be contacted",
        NoEstimate => "there was no estimate to send",
        CopiedToday => "this address has had a copy within a day",
        NoWidget => "there is no widget",
        NoLeads => "the month had no leads",
        NothingHeld => "nothing is held as spam now",
        Muted => "notices about this widget are switched off",
        Spam => "it is marked as spam",
        Taken { by: String, since: String } => "{by} has been on it since {since}",
        TakenBySomebody { since: String } => "someone has been on it since {since}",
        Old => "it is too old to be news",
        AnswersSent => "the notice of the lead has the answers",
        NoAnswers => "the homeowner took the answers back",
        AtOnce => "another notice of this lead goes there at the same time",
    }
}

messages! {
    /// A browser cannot be notified.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PushFailure {
        UnreadableKeys => "the browser's stored keys cannot be read",
        KeyChanged => "the key of this installation has changed since it subscribed",
        SignedOut => "nobody is signed in there now",
        Unwritable => "the notice cannot be written",
        ServiceNotAllowed => "its push service is not allowed",
        NotEncrypted => "it cannot be encrypted for this browser",
        Headers => "the headers cannot be written",
        Status { status: u16 } => "the push service answered {status}",
    }
}
