//! The sign-in pages. They look the same for known and unknown addresses.

use shingle_domain::Role;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::companies::{KnownPerson, known};
use crate::counted::{Counted, counted};
use crate::element::{Field, Tone, button, copied, div, el, hidden, link, note, p, post, soft};
use crate::frame::{Guest, lone};
use crate::passkey::{failed_to_sign_in, go, join, with_passkey};
use crate::phrase::{phrase, translated};

/// The first page.
#[derive(Debug, Clone, Copy, Default)]
pub struct SignInView<'v> {
    pub email: &'v str,
    pub wrong: Option<&'static str>,
    /// Whether a mail could go out.
    pub has_mail: bool,
    /// Whether devices make passkeys for this server.
    pub has_passkeys: bool,
    /// Other names of this server, for which there are passkeys.
    pub other_hosts: &'v [String],
    /// What is wrong with the passkey that was used.
    pub refused: Option<&'static str>,
    /// Nobody has an account here yet.
    pub is_new: bool,
}

const NO_PASSKEYS_HERE: &str = "Passkeys don’t work at this address: they need a name and an encrypted connection (https). Your passkeys for {hosts} work there.";

pub fn sign_in_page(guest: Guest<'_>, view: SignInView<'_>) -> String {
    let language = guest.language;
    let mut inside = vec![el("h1").text("Sign in")];
    inside.extend(view.refused.map(|said| note(Tone::Wrong, said)));
    if view.is_new {
        inside.push(note(
            Tone::Look,
            "Nobody has an account here yet. Open the link that the server printed when it started.",
        ));
        inside.push(link("/setup", "I have the setup key").set("class", "btn"));
    }
    // The button is under the email field, in whose form Enter asks for a mail.
    let passkey = || {
        div("with")
            .set("data-with", "")
            .set("hidden", "")
            .child(go("Continue with a passkey").set("form", "with-passkey"))
            .child(soft("Your fingerprint, face or PIN. Nothing to remember."))
            .child(failed_to_sign_in(language, view.other_hosts))
    };
    if view.has_passkeys {
        let form = post("/portal/sign-in/passkey").set("id", "with-passkey").set("data-autofill", "");
        inside.push(with_passkey(form, "/portal/sign-in/passkey/options"));
    } else if !view.other_hosts.is_empty() {
        let hosts = view.other_hosts.join(", ");
        inside.push(note(Tone::Look, phrase(language, NO_PASSKEYS_HERE, &[("hosts", &hosts)])));
    }
    if view.has_mail {
        let ways = view.has_passkeys.then(|| passkey().child(Node::classed("hr", "or")));
        let email = Field {
            label: "Email",
            name: "email",
            kind: "email",
            autocomplete: "username webauthn",
            value: view.email,
            hint: None,
            wrong: view.wrong,
        };
        inside.push(
            post("/portal/sign-in")
                .set("novalidate", "")
                .child(email.node())
                .children(ways)
                .child(button("btn ink big", "Email me a link and a code")),
        );
        inside.push(soft("No password needed. The link and code expire in 15 minutes."));
    } else {
        inside.extend(view.has_passkeys.then(passkey));
        inside.push(note(
            Tone::Look,
            "Email is not set up on this server, so we can’t send you a link. Ask your administrator for a sign-in link; this command prints one: shingle user reset EMAIL",
        ));
    }
    inside.push(p("").child(link("/portal/sign-in/recovery", "Use a recovery code")));
    lone(guest, "Sign in", inside)
}

fn email(value: &str, wrong: Option<&'static str>, hint: Option<&'static str>) -> Node {
    Field { label: "Email", name: "email", kind: "email", autocomplete: "username", value, hint, wrong }.node()
}

#[derive(Debug, Clone, Copy, Default)]
pub struct CodeView {
    /// Of a wrong code: how many more may be tried.
    pub tries_left: Option<u32>,
}

pub fn code_page(guest: Guest<'_>, view: CodeView) -> String {
    let language = guest.language;
    let mut input = el("input")
        .set("id", "code")
        .set("name", "code")
        .set("class", "in six")
        .set("type", "text")
        .set("inputmode", "numeric")
        .set("autocomplete", "one-time-code")
        .set("maxlength", "9")
        .set("autofocus", "");
    if view.tries_left.is_some() {
        input = input.set("aria-describedby", "code-said").set("aria-invalid", "true");
    }
    let field = div("field").child(el("label").set("for", "code").text("Code")).child(input);
    let wrong = view.tries_left.map(|left| counted(language, Counted::CODE_TRIES, left.into()));
    let said = wrong.map(|wrong| Node::classed("p", "wrong").set("role", "alert").set("id", "code-said").text(wrong));
    let form = post("/portal/sign-in/code")
        .set("novalidate", "")
        .child(field.children(said))
        .child(button("btn ink big", "Sign in"));
    lone(
        guest,
        "Check your email",
        vec![
            el("h1").text("Check your email"),
            soft("If someone here uses that email, we’ve sent a link and a six-digit code. They expire in 15 minutes."),
            form,
            soft("The link works in this browser only. On another device, type the code here."),
            p("").child(link("/portal/sign-in", "Send a new one")),
        ],
    )
}

/// A mailed link in the browser that asked for it: nothing is spent until the button is pressed.
pub fn link_page(guest: Guest<'_>, name: &str, token: &str) -> String {
    let language = guest.language;
    lone(
        guest,
        "Sign in",
        vec![
            el("h1").text(phrase(language, "Sign in as {name}?", &[("name", name)])),
            soft(
                "You opened the link from your email. Press the button to sign in. (A program that scans your email can’t use up the link.)",
            ),
            post("/portal/sign-in/link")
                .child(hidden("token", token.to_owned()))
                .child(button("btn ink big", "Sign in")),
        ],
    )
}

pub fn other_browser_page(guest: Guest<'_>, code: &str) -> String {
    lone(
        guest,
        "Another browser",
        vec![
            el("h1").text("This is another browser"),
            soft("The link signs in only where it was asked for. Type this code there:"),
            Node::classed("p", "code").text(format!("{} {}", &code[..code.len() / 2], &code[code.len() / 2..])),
            soft("Didn’t ask for it? Ignore it: nobody can sign in without it."),
            p("").child(link("/portal/sign-in", "Sign in here instead")),
        ],
    )
}

/// What does nothing any more, and what to do instead.
/// Who is not signed in is asked to from there.
pub fn ended_page(guest: Guest<'_>, title: &'static str, said: impl Into<Text>) -> String {
    let on = link("/portal", "Go to the portal").set("class", "btn big");
    lone(guest, title, vec![el("h1").text(title), soft(said), on])
}

/// For a browser that came over plain HTTP from another machine, as happens to somebody who sets a server up.
pub fn https_only_page(guest: Guest<'_>) -> String {
    let settings = [
        "On the machine that it runs on: open 127.0.0.1 with the same port.",
        "From other machines: set acme_domains, or tls_cert and tls_key.",
        "Behind a proxy that ends TLS: set trusted_proxy to its network, and base_url to the address of your site.",
    ];
    lone(
        guest,
        "HTTPS only",
        vec![
            el("h1").text("HTTPS only"),
            soft(
                "This server does not send names, addresses and passwords over plain HTTP. If it is yours, open it in one of these ways:",
            ),
            el("ul").children(settings.map(|said| el("li").text(said))),
        ],
    )
}

pub fn offline_page(guest: Guest<'_>) -> String {
    let said = "What you typed is still there when you go back.";
    let again = link("/portal", "Try again").set("class", "btn big");
    lone(guest, "No connection", vec![el("h1").text("No connection"), soft(said), again])
}

/// For somebody who is signed in and may not see this.
pub fn refused_page(guest: Guest<'_>, said: &'static str) -> String {
    lone(
        guest,
        "You don’t have access",
        vec![
            el("h1").text("You don’t have access"),
            soft(said),
            link("/portal", "Go to the portal").set("class", "btn big"),
            post("/portal/sign-out").child(button("plain", "Sign out")),
        ],
    )
}

pub fn recovery_page(guest: Guest<'_>, address: &str, wrong: Option<&'static str>) -> String {
    let code = Field {
        label: "Recovery code",
        name: "code",
        kind: "text",
        autocomplete: "off",
        value: "",
        hint: Some("Ten letters and digits, as printed on your sheet."),
        wrong,
    };
    lone(
        guest,
        "Recovery code",
        vec![
            el("h1").text("Recovery code"),
            soft("One of the eight codes you saved. Each works once."),
            post("/portal/sign-in/recovery")
                .set("novalidate", "")
                .child(email(address, None, None))
                .child(code.node())
                .child(button("btn ink big", "Sign in")),
            soft(
                "No codes left? Ask an owner of your company to remove and invite you again, or ask your administrator for a link: shingle user reset EMAIL",
            ),
        ],
    )
}

#[derive(Debug, Clone, Copy)]
pub struct InviteView<'v> {
    pub token: &'v str,
    /// `None`: the installation.
    pub company: Option<&'v str>,
    pub role: Role,
    /// An invite for one address is for nobody else.
    pub bound: Option<&'v str>,
    pub until: &'v str,
    pub email: &'v str,
    pub name: &'v str,
    pub has_passkeys: bool,
    /// In the mail's link alone.
    pub mailed: &'v str,
    /// Somebody who uses Shingle already.
    pub known: Option<KnownPerson<'v>>,
    pub wrong: Option<(&'static str, &'static str)>,
}

pub(crate) fn role_in_words(role: Role) -> &'static str {
    match role {
        Role::Member => "Member: leads only",
        Role::Owner => "Owner: everything in the company",
        Role::Operator => "Administrator: the whole installation",
    }
}

pub fn invite_page(guest: Guest<'_>, view: InviteView<'_>) -> String {
    let language = guest.language;
    let wrong = |name: &str| view.wrong.filter(|(field, _)| *field == name).map(|(_, said)| said);
    let title = match view.company {
        Some(company) => phrase(language, "Join {company}", &[("company", company)]),
        None => translated(language, "Join this installation").to_owned(),
    };
    let role = translated(language, role_in_words(view.role));
    let address = match view.bound {
        Some(bound) => div("field")
            .child(Node::classed("p", "label").text("Email"))
            .child(p(bound.to_owned()))
            .child(Node::classed("p", "hint").text("The invite is for this address.")),
        None => email(view.email, wrong("email"), Some("You sign in with it.")),
    };
    let form = || {
        with_passkey(post("/portal/invite").set("novalidate", ""), "/portal/invite/passkey")
            .child(hidden("token", view.token.to_owned()))
            .child(hidden("mailed", view.mailed.to_owned()))
            .child(address.clone())
            .child(name(view.name, wrong("name")))
            .children(passkey_refused(wrong("passkey")))
            .children(join(view.has_passkeys, "Join with a passkey", "Join without a passkey", "Join"))
    };
    let company = view.company.unwrap_or_default();
    let mut inside =
        vec![el("h1").text(title.clone()), soft(phrase(language, "You’re invited. {role}.", &[("role", role)]))];
    match view.known {
        Some(person) => inside.extend(known(language, view.token, company, person)),
        None => inside.push(form()),
    }
    // An invite for nobody in particular is also for another address of theirs.
    if view.known.is_some() && view.bound.is_none() {
        let summary = el("summary").text("Join with another email");
        inside.push(Node::classed("details", "ask").child(summary).child(form()));
    }
    inside.push(soft(phrase(language, "Works once, until {time}.", &[("time", view.until)])));
    lone(guest, title, inside)
}

fn passkey_refused(said: Option<&'static str>) -> Option<Node> {
    said.map(|said| Node::classed("p", "wrong").set("role", "alert").text(said))
}

fn name(value: &str, wrong: Option<&'static str>) -> Node {
    Field { label: "Your name", name: "name", kind: "text", autocomplete: "name", value, hint: None, wrong }.node()
}

/// The page that claims a new installation.
#[derive(Debug, Clone, Copy, Default)]
pub struct SetupView<'v> {
    /// From the form; the link has it behind `#`, which only a script reads.
    pub token: &'v str,
    pub company: &'v str,
    pub email: &'v str,
    pub name: &'v str,
    /// Where browsers make none, and why.
    pub no_passkeys: Option<NoPasskeys<'v>>,
    pub wrong: Option<(&'static str, &'static str)>,
}

/// A server for which browsers make no passkeys.
#[derive(Debug, Clone, Copy)]
pub struct NoPasskeys<'v> {
    /// By which it is reached.
    pub base_url: &'v str,
    /// With what it would be started to be reached by a name on the same machine; `None`: it is on another.
    pub here: Option<&'v str>,
}

fn no_passkeys(of: NoPasskeys<'_>) -> Node {
    let code = |text: String| Node::classed("code", "mono").text(text);
    let here = of.here.map(|url| {
        el("li").text("On this computer: start the server with").text(" ").child(code(format!("--base-url {url}")))
    });
    let far = el("li")
        .text("For phones and other computers: give the server a name with https, and start it with")
        .text(" ")
        .child(code("--base-url https://NAME".to_owned()));
    Node::classed("section", "card")
        .child(el("h2").text("Why there is no passkey here"))
        .child(soft("Browsers make passkeys only for pages with https or on localhost. This server is at:"))
        .child(el("p").child(code(of.base_url.to_owned())))
        .child(Node::classed("ol", "steps").children(here).child(far))
        .child(soft("You can go on with recovery codes and add a passkey later."))
}

pub fn setup_page(guest: Guest<'_>, view: SetupView<'_>) -> String {
    let wrong = |name: &str| view.wrong.filter(|(field, _)| *field == name).map(|(_, said)| said);
    let token = Field {
        label: "Setup key",
        name: "token",
        kind: "text",
        autocomplete: "off",
        value: view.token,
        hint: Some("The part after # in the link the server printed. It works once, for 30 minutes."),
        wrong: wrong("token"),
    };
    // The link brings it, so nobody has to see it.
    let token = match view.token.is_empty() || wrong("token").is_some() {
        true => token.node(),
        false => hidden("token", view.token.to_owned()),
    };
    let company = Field {
        label: "Company",
        name: "company",
        kind: "text",
        autocomplete: "organization",
        value: view.company,
        hint: Some("As homeowners know it. You can add others later."),
        wrong: wrong("company"),
    };
    lone(
        guest,
        "Set up Shingle",
        [
            el("h1").text("Set up Shingle"),
            soft("You’ll be the administrator here and the owner of your first company."),
            with_passkey(post("/setup").set("novalidate", ""), "/setup/passkey")
                .set("id", "setup")
                .child(token)
                .child(name(view.name, wrong("name")))
                .child(email(view.email, wrong("email"), Some("You’ll use this to sign in.")))
                .child(company.node())
                .children(passkey_refused(wrong("passkey")))
                .children(join(
                    view.no_passkeys.is_none(),
                    "Create my passkey",
                    "Go on without a passkey",
                    "Create my account",
                )),
        ]
        .into_iter()
        .chain(view.no_passkeys.map(no_passkeys))
        .collect(),
    )
}

/// Three ways to keep the codes above; each needs a script.
pub(crate) fn keep_codes() -> Node {
    let way = |name: &'static str, value: &'static str, text: &'static str| {
        el("button").set("type", "button").set("class", "btn").set("hidden", "").set(name, value).text(text)
    };
    div("pair").children([copied("codes"), way("data-print", "", "Print"), way("data-download", "codes", "Download")])
}

/// After joining: codes for the day on which nothing else works.
pub fn welcome_page(guest: Guest<'_>, name: &str, codes: &[String], makes_widgets: bool) -> String {
    let language = guest.language;
    let list = Node::classed("ol", "codes").children(codes.iter().map(|code| el("li").text(code.clone())));
    let (to, on) = match makes_widgets {
        true => ("/portal/start", "Continue"),
        false => ("/portal/leads", "Go to the leads"),
    };
    // The browser asks for the box before it goes on.
    let kept = el("input").set("type", "checkbox").set("id", "kept").set("required", "");
    let kept = el("label")
        .set("for", "kept")
        .set("class", "box")
        .child(kept)
        .child(el("span").text("I have kept them. You won’t see them again."));
    let on = el("form").set("method", "get").set("action", to).child(kept).child(button("btn ink big", on));
    let mut inside = vec![
        el("h1").text(phrase(language, "Welcome, {name}", &[("name", name)])),
        note(Tone::Well, "You are signed in."),
        el("h2").text("Recovery codes"),
        soft("Use one of these if you lose this device or can’t get your email. Each works once."),
        list.set("id", "codes"),
        keep_codes(),
    ];
    inside.push(on);
    lone(guest, "Welcome", inside)
}
