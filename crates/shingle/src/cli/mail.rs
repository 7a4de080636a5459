//! `shingle mail …`

use std::io::Read as _;
use std::process::ExitCode;

use clap::Subcommand;
use serde::Serialize;
use shingle_deliver::mail::{Mailer, OutgoingMail};
use shingle_domain::contact::Email;
use shingle_domain::mail::MailContent;

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use shingle_app::answers::{MAX_MESSAGE_BYTES, Received, Receiver};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::mail_failure::mail_failed;
use shingle_app::operator_error::OperatorError;
use shingle_app::tokens::Tokens;

#[derive(Debug, Subcommand)]
pub enum Mail {
    /// Send a short test email, and print what the mail server says
    Test {
        #[arg(long, value_name = "ADDRESS", value_parser = recipient)]
        to: Email,
    },
    /// Print the address to which a mail provider posts the emails that homeowners write back
    Inbound,
    /// Read one email from standard input, as a mail server pipes it, and store it with its lead. Exits with 0 when it is
    /// stored, 65 when it answers nothing we sent, and 75 when the mail server shall try again
    Receive {
        /// Whom the envelope names; without it, the head of the email is read
        #[arg(long, value_name = "ADDRESS", default_value = "")]
        to: String,
    },
}

/// As `sysexits.h` names them; mail servers know them.
const DATA_ERROR: u8 = 65;
const TRY_AGAIN: u8 = 75;

#[derive(Debug, Serialize)]
struct InboundUrl {
    url: String,
}

/// The exit code says the mail server what to do.
pub fn receive(global: &GlobalArgs, output: Output, to: &str) -> ExitCode {
    let mut raw = Vec::new();
    let mut input = std::io::stdin().lock();
    let read = input.by_ref().take(MAX_MESSAGE_BYTES as u64).read_to_end(&mut raw);
    // What is left is read too: a mail server whose pipe breaks takes that for a failure.
    let read = read.and_then(|_| std::io::copy(&mut input, &mut std::io::sink()));
    if read.is_err() {
        return ExitCode::from(TRY_AGAIN);
    }
    match block_on(received(global, &raw, to)) {
        Ok(Received::Unknown | Received::Unreadable) => ExitCode::from(DATA_ERROR),
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            output.print_error(&error);
            ExitCode::from(TRY_AGAIN)
        }
    }
}

async fn received(global: &GlobalArgs, raw: &[u8], to: &str) -> Result<Received, OperatorError> {
    let context = global.installation(SettingFlags::default())?;
    let address = context.settings.answers()?.ok_or_else(no_reply_address)?;
    let tokens = Tokens::of(&context.secret()?);
    let own = context.settings.own_sender();
    let store = context.store().await?;
    let mails = context.settings.mail()?.is_some();
    let receiver = Receiver { store: &store, tokens: &tokens, address: &address, own: own.as_ref(), mails };
    let received = receiver.receive(raw, to).await?;
    store.close().await?;
    Ok(received)
}

fn no_reply_address() -> OperatorError {
    OperatorError::new("No address for answers is set")
        .at("reply_address")
        .fix("Set reply_address (SHINGLE_REPLY_ADDRESS), like reply@in.example.com.")
}

fn recipient(text: &str) -> Result<Email, &'static str> {
    Email::parse(text).ok_or("not an email address")
}

#[derive(Debug, Serialize)]
struct Sent {
    to: Email,
    /// What the server said.
    response: String,
}

impl Mail {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let to = match self {
            Self::Test { to } => to,
            Self::Inbound | Self::Receive { .. } => return inbound(global, output),
        };
        let context = global.installation(SettingFlags::default())?;
        let sent = block_on(async {
            let mailer = context.mailer()?.ok_or_else(no_server)?;
            let mail = test_mail(&context, &mailer, to.clone())?;
            let receipt = mailer.send(&mail).await.map_err(|failure| mail_failed(&failure))?;
            mailer.close().await;
            Ok(Sent { to, response: receipt.response })
        })?;
        output.print(&sent, |sent| {
            format!(
                "The mail server accepted the test email to {}. It said: {}\nCheck the inbox, and its spam folder.",
                sent.to, sent.response
            )
        })
    }
}

fn inbound(global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
    let context = global.installation(SettingFlags::default())?;
    context.settings.answers()?.ok_or_else(no_reply_address)?;
    let base = context.settings.base_url(context.settings.listen);
    let url = format!("{base}/inbound/mail/{}", Tokens::of(&context.secret()?).inbound());
    output.print(&InboundUrl { url }, |inbound| {
        format!("{}\nWho knows this address can post emails. Give it to your mail provider alone.", inbound.url)
    })
}

fn test_mail(context: &Installation, mailer: &Mailer, to: Email) -> Result<OutgoingMail, OperatorError> {
    let random = getrandom::u64().map_err(|e| OperatorError::new(format!("There are no random numbers: {e}")))?;
    let message_id = mailer
        .message_id(&format!("test.{random:016x}"))
        .ok_or_else(|| OperatorError::new("The domain of mail_from is too long for a Message-ID"))?;
    let text = "This is a test email from Shingle.\n\nIf you can read it, new leads can reach this address.\n";
    Ok(OutgoingMail {
        to,
        from_name: None,
        from: None,
        bounces_to: None,
        reply_to: None,
        message_id,
        references: Vec::new(),
        list_unsubscribe: None,
        auto_submitted: true,
        date: context.clock.now(),
        language: "en",
        content: MailContent { subject: "Test email from Shingle".into(), text: text.into(), ..MailContent::default() },
    })
}

fn no_server() -> OperatorError {
    OperatorError::new("No mail server is set, so no email can be sent")
        .at("smtp_url")
        .fix("Set smtp_url (SHINGLE_SMTP_URL) and mail_from (SHINGLE_MAIL_FROM).")
}

#[cfg(test)]
mod tests {
    use shingle_testing::smtp::{Behavior, SmtpServer, Step};

    use super::*;

    fn run(settings: &str) -> Result<(), OperatorError> {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("shingle.toml");
        std::fs::write(&config, settings).unwrap();
        let global = GlobalArgs { config: Some(config), ..GlobalArgs::default() };
        Mail::Test { to: Email::parse("ann@example.org").unwrap() }.run(&global, Output::new(true))
    }

    fn with(server: &SmtpServer) -> String {
        format!("smtp_url = 'smtp://127.0.0.1:{}'\nmail_from = 'Oak <leads@example.com>'", server.port())
    }

    #[test]
    fn a_test_mail_arrives_and_each_has_its_own_id() {
        let server = SmtpServer::start();
        let ids = [(); 2].map(|()| {
            run(&with(&server)).unwrap();
            let mail = server.next_mail();
            assert_eq!((mail.from.as_str(), mail.to[0].as_str()), ("leads@example.com", "ann@example.org"));
            let text = String::from_utf8(mail.bytes).unwrap();
            assert!(text.contains("\r\nSubject: Test email from Shingle\r\n"), "{text}");
            text.lines().find(|line| line.starts_with("Message-ID: <test.")).unwrap().to_owned()
        });
        assert_ne!(ids[0], ids[1]);
        assert_eq!(server.commands().last().map(String::as_str), Some("QUIT"));
    }

    #[test]
    fn a_failure_says_what_the_server_said_and_what_to_do() {
        for (line, fix) in [
            ("550 5.1.1 No such user", "address"),
            ("554 5.7.1 Relay access denied", "mail_from"),
            ("451 4.3.0 Try later", "again"),
        ] {
            let server = SmtpServer::start();
            server.once(Step::Recipient, Behavior::reply(line));
            let failed = run(&with(&server)).unwrap_err().to_string();
            assert!(failed.contains(line) && failed.contains(fix), "{failed}");
            assert!(server.mails().is_empty());
        }
    }

    #[test]
    fn an_email_that_answers_nothing_is_refused_and_one_that_cannot_be_stored_is_kept_by_the_mail_server() {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("shingle.toml");
        let global = GlobalArgs { config: Some(config.clone()), ..GlobalArgs::default() };
        let receive = |raw: &str| block_on(received(&global, raw.as_bytes(), ""));
        std::fs::write(&config, format!("data = '{}'", folder.path().display())).unwrap();
        let failed = receive("From: ann@example.com\n\nHi").unwrap_err().to_string();
        assert!(failed.contains("SHINGLE_REPLY_ADDRESS"), "{failed}");
        let set = format!("data = '{}'\nreply_address = 'reply@in.example.com'\n", folder.path().display());
        std::fs::write(&config, &set).unwrap();
        let tokens = Tokens::of(&global.installation(SettingFlags::default()).unwrap().secret().unwrap());
        let token = tokens.reply(shingle_domain::EntryId(uuid::Uuid::from_u128(7)));
        for to in ["ann@example.com", "reply+abc@in.example.com", &format!("reply+{token}@in.example.com")] {
            let raw = format!("From: ann@example.com\nTo: {to}\n\nHi");
            assert_eq!(receive(&raw).unwrap(), Received::Unknown, "{to}");
        }
        // A file is no folder.
        let database = format!("{set}database = 'sqlite://{}/shingle.db'", config.display());
        std::fs::write(&config, database).unwrap();
        assert!(receive(&format!("To: reply+{token}@in.example.com\n\nHi")).is_err());
    }

    #[test]
    fn without_a_server_it_says_which_settings_to_make() {
        let failed = run("").unwrap_err().to_string();
        assert!(failed.contains("SHINGLE_SMTP_URL") && failed.contains("SHINGLE_MAIL_FROM"), "{failed}");
    }
}
