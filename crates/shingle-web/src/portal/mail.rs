//! Mails of the portal: links to sign in, invites. They go out after the answer, so that nobody learns from its time whether
//! an address is known.

use std::sync::Arc;

use shingle_deliver::mail::{Mailer, MessageId, OutgoingMail};
use shingle_domain::Email;
use shingle_domain::lead::Lead;
use shingle_domain::mail::MailContent;
use shingle_domain::widget::Widget;
use shingle_portal::{Language, phrase, translated};
use shingle_store::{SignInMail, User};
use shingle_widget::words::{flow_words, wants};

use crate::state::Web;

/// In the language of the user, else of the browser that asked. The link leads where the browser is, which has a cookie
/// for that name alone.
pub fn sign_in(web: &Arc<Web>, asked_in: Language, base: String, mail: SignInMail) {
    let language = mail.user.language.as_deref().map_or(asked_in, Language::of_tag);
    let web = web.clone();
    // With what it is called, read after the answer too.
    tokio::spawn(async move {
        let brand = brand_of(&web, &mail.user).await;
        let link = format!("{base}/portal/sign-in/link?token={}", mail.link);
        let code = format!("{} {}", &mail.code[..3], &mail.code[3..]);
        let text = phrase(
            language,
            "Hello {name},\n\nYour code is {code}\n\nOr open this link in the browser where you asked for it:\n{link}\n\nThe code and link work once and expire in 15 minutes. If you didn’t ask for them, ignore this email: nobody can sign in without them.\n",
            &[("name", mail.user.name.as_str()), ("code", &code), ("link", &link)],
        );
        let words = [("code", code.as_str()), ("product", product(&brand))];
        let subject = phrase(language, "{code} is your code for {product}", &words);
        send_from(&web, language, &brand, mail.user.email, subject, text);
    });
}

/// Empty: ours. A person in several companies sees the one that they chose last.
async fn brand_of(web: &Web, user: &User) -> String {
    let Some(account) = user.account else { return String::new() };
    match web.store.accounts().brand(account).await {
        Ok(brand) => brand.name,
        Err(error) => {
            tracing::warn!(%error, "the name for a mail could not be read");
            String::new()
        }
    }
}

/// Where this person finds their company.
fn base_of(web: &Web, user: &User) -> Arc<str> {
    user.account.map_or_else(|| web.own_domains.base_url.clone(), |account| web.own_domains.base_of(account))
}

/// What the product is called in mails of a company with this brand.
fn product(brand: &str) -> &str {
    if brand.is_empty() { "Shingle" } else { brand }
}

/// In the inviter's language: nothing is known yet about the recipient.
pub fn invite(web: &Arc<Web>, language: Language, to: Email, (company, brand): (&str, &str), by: &str, link: &str) {
    let text = phrase(
        language,
        "Hello,\n\n{by} invited you to join {company} on {product}. This link works once, within 7 days:\n{link}\n\nIf you don’t know {by}, ignore this email.\n",
        &[("by", by), ("company", company), ("product", product(brand)), ("link", link)],
    );
    let subject = phrase(language, "{by} invited you to join {company}", &[("by", by), ("company", company)]);
    send_from(web, language, brand, to, subject, text);
}

/// To an address that somebody wants to sign in with.
pub fn new_address(web: &Arc<Web>, language: Language, to: Email, (name, brand): (&str, &str), code: &str) {
    let code = format!("{} {}", &code[..3], &code[3..]);
    let text = phrase(
        language,
        "Hello {name},\n\nYour code is {code}\n\nType it in your settings to sign in with this email from now on. It expires in 15 minutes. If you didn’t ask for it, ignore this email.\n",
        &[("name", name), ("code", &code)],
    );
    let subject =
        phrase(language, "{code} is your code for {product}", &[("code", &code), ("product", product(brand))]);
    send_from(web, language, brand, to, subject, text);
}

/// To an address that emails of a company will be from.
pub fn sender_code(web: &Arc<Web>, language: Language, to: Email, (company, brand): (&str, &str), code: &str) {
    let code = format!("{} {}", &code[..3], &code[3..]);
    let text = phrase(
        language,
        "Hello,\n\n{company} would like to send emails to homeowners from this address.\n\nYour code is {code}\n\nIt expires in 15 minutes. If you don’t know {company}, ignore this email.\n",
        &[("company", company), ("code", &code)],
    );
    let subject =
        phrase(language, "{code} is your code for {product}", &[("code", &code), ("product", product(brand))]);
    send_from(web, language, brand, to, subject, text);
}

/// To the previous address.
pub fn address_changed(web: &Arc<Web>, language: Language, user: &User) {
    let text = phrase(
        language,
        "Hello {name},\n\nYou now sign in with another email. If you didn’t change it, ask an owner of your company or your administrator for help right away.\n",
        &[("name", user.name.as_str())],
    );
    let subject = translated(language, "Your email address was changed").to_owned();
    send_to(web, language, user, subject, text);
}

/// The owner of the address learns of a change somebody else made.
pub fn passkey_added(web: &Arc<Web>, language: Language, user: &User, name: &str) {
    let text = phrase(
        language,
        "Hello {name},\n\nA passkey was added to your sign-in: {passkey}\n\nIf that was not you, remove it and sign out everywhere \
         else, under Settings:\n{link}\n",
        &[
            ("name", user.name.as_str()),
            ("passkey", name),
            ("link", &format!("{}/portal/settings", base_of(web, user))),
        ],
    );
    let subject = translated(language, "A passkey was added to your sign-in").to_owned();
    send_to(web, language, user, subject, text);
}

/// To every owner, each in their language, so another owner can undo it.
pub fn account_closed(web: &Arc<Web>, language: Language, owner: &User, company: &str, by: &str) {
    let language = owner.language.as_deref().map_or(language, Language::of_tag);
    let text = phrase(
        language,
        "Hello {name},\n\n{by} closed {company}’s account. Its widgets and keys have stopped working. We erase everything in 7 days. Until then an owner can reopen it:\n{link}\n",
        &[
            ("name", owner.name.as_str()),
            ("by", by),
            ("company", company),
            ("link", &format!("{}/portal/closed", base_of(web, owner))),
        ],
    );
    let subject = phrase(language, "{company}’s account is closed", &[("company", company)]);
    send_to(web, language, owner, subject, text);
}

/// To whom leads were given by somebody else. `link` leads to the one, or to all that are theirs.
pub fn assigned(web: &Arc<Web>, language: Language, to: &User, by: &str, leads: &[Lead], link: &str) {
    let language = to.language.as_deref().map_or(language, Language::of_tag);
    let name = |lead: &Lead| format!("{} {}", lead.first_name, lead.last_name).trim().to_owned();
    let about: Vec<String> = leads
        .iter()
        .take(MAX_NAMED)
        .map(|lead| {
            let phone = lead.phone.as_ref().map(|phone| format!(", {}", phone.as_str())).unwrap_or_default();
            let wants: Vec<String> = wants(flow_words(language), lead).into_iter().map(|want| want.text).collect();
            let wants = if wants.is_empty() { String::new() } else { format!(". {}", wants.join(", ")) };
            format!("{}, {}{phone}{wants}", name(lead), lead.address)
        })
        .collect();
    let count = leads.len().to_string();
    let subject = match leads {
        [one] => phrase(language, "{by} assigned {lead} to you", &[("by", by), ("lead", &name(one))]),
        _ => phrase(language, "{by} assigned {count} leads to you", &[("by", by), ("count", &count)]),
    };
    send_to(web, language, to, subject, format!("{}\n\n{link}\n", about.join("\n")));
}

/// To somebody who runs the installation: a company needs its homes.
pub fn homes_asked(web: &Arc<Web>, language: Language, to: &User, by: &User, widget: &Widget) {
    let language = to.language.as_deref().map_or(language, Language::of_tag);
    let place = if widget.company_address.is_empty() { widget.company_phone.as_str() } else { &widget.company_address };
    let text = phrase(
        language,
        "Hello {name},\n\n{by} at {company} would like you to load the homes in their area: {place}\n\nUntil then \
         their visitors can only ask for a call. Imports:\n{link}\n\nAnswer {by} at {email}.\n",
        &[
            ("name", to.name.as_str()),
            ("by", by.name.as_str()),
            ("company", &widget.company_name),
            ("place", place),
            ("link", &format!("{}/portal/operator/imports", web.base_url)),
            ("email", by.email.as_str()),
        ],
    );
    let subject = phrase(language, "{company} would like more homes", &[("company", &widget.company_name)]);
    send(web, language, to.email.clone(), subject, text);
}

/// Leads that a mail names.
const MAX_NAMED: usize = 20;

fn send(web: &Arc<Web>, language: Language, to: Email, subject: String, text: String) {
    send_from(web, language, "", to, subject, text);
}

/// From what the company of the reader calls itself.
fn send_to(web: &Arc<Web>, language: Language, to: &User, subject: String, text: String) {
    let (web, to) = (web.clone(), to.clone());
    tokio::spawn(async move {
        let brand = brand_of(&web, &to).await;
        send_from(&web, language, &brand, to.email, subject, text);
    });
}

fn send_from(web: &Arc<Web>, language: Language, brand: &str, to: Email, subject: String, text: String) {
    let from_name = Some(brand.to_owned()).filter(|name| !name.is_empty());
    let content = MailContent { subject, text, ..MailContent::default() };
    let Some(mailer) = web.mail.as_ref().map(|mail| mail.mailer()) else { return };
    let web = web.clone();
    tokio::spawn(async move {
        if let Err(reason) = deliver(&web, &mailer, (language, from_name), to, content).await {
            // Without the address: the log names nobody.
            tracing::error!(reason, "a mail of the portal could not be sent");
        }
    });
}

async fn deliver(
    web: &Web,
    mailer: &Mailer,
    (language, from_name): (Language, Option<String>),
    to: Email,
    content: MailContent,
) -> Result<(), String> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|e| e.to_string())?;
    let host = url::Url::parse(&web.base_url).ok().and_then(|url| url.domain().map(str::to_owned));
    let name: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    let id = format!("portal.{name}@{}", host.as_deref().unwrap_or("localhost"));
    let mail = OutgoingMail {
        to,
        from_name,
        from: None,
        bounces_to: None,
        reply_to: None,
        message_id: MessageId::parse(&id).ok_or("the base URL gives no name for mails")?,
        references: Vec::new(),
        list_unsubscribe: None,
        auto_submitted: true,
        date: web.clock.now(),
        language: language.tag(),
        content,
    };
    mailer.send(&mail).await.map(drop).map_err(|failure| failure.to_string())
}
