//! Why a mail was not sent.

use std::time::Duration;

use shingle_domain::messages;

use crate::error::CertificateFault;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum MailProblem {
        Server { host: String, what: ServerFault } => "the mail server {host} {what}",
        MayHaveArrived { host: String, what: ServerFault } =>
            "the mail server {host} {what}; the email was sent and may have arrived",
        Recipient => "the recipient's address has letters before the @ that mail servers do not take",
        /// As the library says it.
        Unwritable { why: String } => "the email cannot be written: {why}",
        NotText => "the email cannot be written",
        UnsubscribeLink => "the unsubscribe link cannot be part of an email header",
        Language => "the email's language is not a language tag",
        ContentId => "a picture's Content-ID is not of ASCII letters, digits, dots and hyphens",
        MediaType => "an attachment has no media type",
        Stopped => "the program no longer sends emails",
    }
}

messages! {
    /// How "the mail server …" goes on.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ServerFault {
        // It refuses.
        NoMail { said: String } => "does not accept emails from us: {said}",
        NoEncryption { said: String } => "refuses encryption (STARTTLS): {said}",
        NoLogin { said: String } => "refuses user and password: {said}",
        NoSender { said: String } => "refuses our sender address: {said}",
        NoRecipient { said: String } => "refuses the recipient: {said}",
        NoContent { said: String } => "refuses the email: {said}",
        // Nothing comes.
        LateAnswer { after: Duration } => "did not answer within {after} {after|second|seconds}",
        LateEncryption { after: Duration } => "did not finish encryption within {after} {after|second|seconds}",
        LateLogin { after: Duration } => "did not check user and password within {after} {after|second|seconds}",
        Late { after: Duration } => "did not go on within {after} {after|second|seconds}",
        LateConfirmation { after: Duration } => "did not confirm the email within {after} {after|second|seconds}",
        LateConnection => "cannot be reached in time",
        // There is no usable connection.
        NoAddress => "cannot be found: no address has this name",
        Refused => "refuses the connection: nothing listens there",
        Unreachable => "cannot be reached",
        Closed => "closed the connection",
        Silent => "says nothing: a port that is encrypted from the start needs smtps://",
        NotSmtp => "does not speak SMTP as expected",
        NotTls =>
            "does not speak TLS as expected (smtps:// is encrypted from the start, smtp+starttls:// is not)",
        Certificate { fault: CertificateFault } => "shows a certificate that is not accepted: {fault}",
        Unusable { why: Unusable } => "cannot be used: {why}",
    }
}

messages! {
    /// Why a server cannot be used with our settings.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Unusable {
        NotPrivate =>
            "smtp:// is not encrypted, and this server is not in a private network; write smtps:// or \
             smtp+starttls://",
        NoStartTls => "it does not offer encryption (STARTTLS), and nothing is sent without",
        NoMechanism => "it does not accept a user and password by PLAIN or LOGIN",
    }
}

messages! {
    /// What a server answers that takes mail from us.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum MailAnswer {
        Ready { server: String, encryption: Encrypted, login: LoggedIn } => "{server} answers, {encryption}, {login}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Encrypted {
        Yes => "encrypted",
        No => "not encrypted",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LoggedIn {
        Yes => "user and password accepted",
        No => "no login",
    }
}
