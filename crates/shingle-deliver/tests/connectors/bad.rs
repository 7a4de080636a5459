//! Files that are not connectors, and settings that are not theirs.

use std::collections::BTreeMap;

use shingle_deliver::connector::{ConnectorSettings, ConnectorTemplate, SettingDeclaration, find};

const GOOD: &str = r#"
name = "oak"
title = "Oak"
kind = "crm"
about = "Writes leads into Oak."
documentation = "https://oak.example.com/docs"
tried = "documentation"
base = "https://api.oak.example.com/v1"

[[setting]]
name = "key"
label = "Key"
kind = "id"
secret = true

[[request]]
name = "contact"
method = "POST"
path = "/contacts"
headers = { Authorization = "Bearer {{ settings.key }}" }
json = '''{ "name": "{{ summary.name }}" }'''
captures = { id = "response.json.id" }

[record]
id = "steps.contact.id"
"#;

/// What is said about the good file with this change.
fn said(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD.contains(from), "{from}");
    match ConnectorTemplate::parse(&GOOD.replacen(from, to, 1)) {
        Ok(_) => Vec::new(),
        Err(e) => e.iter().map(ToString::to_string).collect(),
    }
}

fn name_is(expression: &str) -> Vec<String> {
    said("{{ summary.name }}", expression)
}

#[test]
fn the_file_that_the_others_are_made_of_is_good() {
    assert_eq!(said("oak", "oak"), Vec::<String>::new());
}

#[test]
fn an_expression_that_names_what_is_not_there_is_found_when_the_file_is_read() {
    for (expression, problem) in [
        ("{{ lead.phon }}", "lead.phon is not a field"),
        ("{{ lead.phon|default('x') }}", "lead.phon is not a field"),
        ("{{ settings.kee }}", "settings.kee is not declared as a setting"),
        ("{{ steps.contact.id }}", "steps.contact is not a request before this one"),
        ("{{ response.json.id }}", "there is no response yet"),
        ("{{ env.HOME }}", "env is not a name that is known here"),
        ("{{ lead.phone|fone }}", "there is no filter `fone`"),
        ("{{ lead.phone|default('')|upper|shout }}", "there is no filter `shout`"),
        ("{{ lead.phone is odd }}", "there is no test `odd`"),
        ("{{ lead.phone is not odd }}", "there is no test `odd`"),
        ("{{ range(100000) }}", "range is not a name that is known here"),
        ("{{ lead.phone.format('x') }}", "there is no function `format`"),
    ] {
        let said = name_is(expression);
        assert!(said.contains(&format!("request.contact.json.name: {problem}")), "{expression}: {said:?}");
    }
}

#[test]
fn there_are_no_statements_so_nothing_can_loop_or_be_assigned() {
    for source in [
        "{% for i in lead.estimate.prices %}{{ i }}{% endfor %}",
        "{% set x = 'a' %}{{ x }}",
        "{{ summary.name }}{%- if true %}x{% endif %}",
        "{# comment #}",
        "{% include 'x' %}",
    ] {
        let said = name_is(source);
        assert!(said.iter().any(|s| s.contains("no statements")), "{source}: {said:?}");
    }
    assert!(name_is("{{ summary.name ").iter().any(|s| s.contains("never closed")));
    assert!(name_is("{{ summary. }}").iter().any(|s| s.contains("is not an expression")));
    assert!(name_is(&"x".repeat(4_001)).iter().any(|s| s.contains("longer than 4,000")));
    assert_eq!(name_is("{ {x} }"), Vec::<String>::new(), "braces that are no expression");
}

#[test]
fn every_mistake_is_said_with_its_place() {
    let said = ConnectorTemplate::parse(
        &GOOD
            .replace("path = \"/contacts\"", "path = \"contacts/{{ lead.nme }}\"")
            .replace("Bearer {{ settings.key }}", "Bearer {{ settings.token }}")
            .replace("\"{{ summary.name }}\"", "\"{{ summary.nam }}\"")
            .replace("name = \"oak\"", "name = \"Oak!\""),
    );
    let said: Vec<String> = said.unwrap_err().iter().map(ToString::to_string).collect();
    for place in
        ["name: ", "request.contact.path: ", "request.contact.headers.Authorization: ", "request.contact.json.name: "]
    {
        assert!(said.iter().any(|s| s.starts_with(place)), "{place}: {said:?}");
    }
}

#[test]
fn keys_that_do_not_exist_are_refused_all_at_once() {
    let said = ConnectorTemplate::parse(
        &GOOD
            .replace("tried =", "colour = 1\ntried =")
            .replace("secret = true", "secrt = true")
            .replace("path =", "retries = 3\npath ="),
    );
    let said: Vec<String> = said.unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "colour: there is no such key",
            "setting.key.secrt: there is no such key",
            "request.contact.retries: there is no such key",
        ]
    );
}

#[test]
fn a_file_of_the_wrong_form_is_refused_with_its_line() {
    for (from, to, line) in [
        ("kind = \"crm\"", "kind = \"crn\"", "line 4"),
        ("kind = \"crm\"", "kind = 7", "line 4"),
        ("secret = true", "secret = \"yes\"", "line 14"),
        ("title = \"Oak\"", "title = \"Oak", "line 3"),
        ("name = \"contact\"\n", "", "line 16"),
    ] {
        let said = said(from, to);
        assert!(said.iter().any(|s| s.starts_with(line)), "{to}: {said:?}");
    }
    assert!(ConnectorTemplate::parse("").is_err());
}

#[test]
fn what_a_request_may_not_be_is_refused() {
    for (from, to, problem) in [
        ("method = \"POST\"", "method = \"DELETE\"", "GET, POST, PUT or PATCH"),
        ("method = \"POST\"", "method = \"GET\"", "GET has no body"),
        ("json = '''{", "text = \"x\"\njson = '''{", "more than one of json, form and text"),
        ("json = '''{ ", "json = '''{ ,", "this is not JSON"),
        ("base = \"https://api.oak.example.com/v1\"", "", "it has no base"),
        ("base = \"https://api.", "base = \"http://api.", "https:// address"),
        ("base = \"https://api.", "base = \"https://{{ settings.key }}.", "without expressions"),
        ("base = \"https", "base_setting = \"key\"\nbase = \"https", "base_setting already"),
        ("base = \"https://api.oak.example.com/v1\"", "base_setting = \"key\"", "not a setting that is a URL"),
        ("Authorization =", "Host =", "set by the client"),
        ("Authorization =", "\"X Y\" =", "not the name of a header"),
        ("captures =", "when = \"lead.phone\"\ncaptures =", "says why it is skipped"),
        ("captures =", "success = { status = [404] }\ncaptures =", "not a status of success"),
        ("[[setting]]", "limits = { timeout_seconds = 31 }\n[[setting]]", "1 to 30"),
        ("[[setting]]", "limits = { max_bytes = 9999999 }\n[[setting]]", "1024 to 262144"),
        ("kind = \"crm\"", "kind = \"hook\"", "a hook sends nothing"),
        ("kind = \"id\"", "kind = \"choice\"", "has options"),
        ("secret = true", "default = \"a b\"", "letters, digits"),
        ("id = \"steps.contact.id\"", "id = \"steps.contact.jnid\"", "does not capture jnid"),
    ] {
        let said = said(from, to);
        assert!(said.iter().any(|s| s.contains(problem)), "{to}: {said:?}");
    }
    let twice = GOOD[GOOD.find("[[request]]").unwrap()..GOOD.find("[record]").unwrap()].to_owned();
    let said = said("[record]", &format!("{twice}{twice}{twice}{twice}[record]"));
    assert!(said.iter().any(|s| s.contains("two requests of this name")), "{said:?}");
    assert!(said.iter().any(|s| s.contains("at most four")), "{said:?}");
}

fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn refused(declared: &[SettingDeclaration], pairs: &[(&str, &str)]) -> Vec<String> {
    match ConnectorSettings::parse(declared, &given(pairs)) {
        Ok(_) => Vec::new(),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn every_mistake_of_the_settings_is_said() {
    let declared = &find("twilio-sms").unwrap().settings;
    let said = refused(declared, &[("account_sid", "AC/../x"), ("secret", "abc"), ("to", "555"), ("colour", "red")]);
    assert_eq!(
        said,
        [
            "colour: there is no such setting",
            "account_sid: this may have letters, digits and -_.:@ only",
            "secret: this is too short: it must have at least 6 characters",
            "from: Sending number, or SID of the messaging service is missing",
            "to: this must be a phone number with its country code, such as +12075550163",
        ]
    );
}

#[test]
fn an_address_given_as_a_setting_is_of_the_target_and_of_nobody_else() {
    let declared = &find("slack").unwrap().settings;
    for url in [
        "https://evil.example.org/services/T/B/X",
        "https://hooks.slack.com.evil.example.org/services/T/B/X",
        "https://evil.example.org/?hooks.slack.com/services",
        "https://hooks.slack.com@evil.example.org/services/T/B/X",
        "http://hooks.slack.com/services/T/B/X",
        "https://user:pass@hooks.slack.com/services/T/B/X",
        "hooks.slack.com/services/T/B/X",
        "https://hooks.slack.com/services/T/B/X\r\nX-Evil: 1",
        "",
    ] {
        assert_ne!(refused(declared, &[("webhook_url", url)]), Vec::<String>::new(), "{url}");
    }
    let pipedrive = &find("pipedrive").unwrap().settings;
    let token = ("api_token", "0a1b2c3d4e5f");
    for url in ["https://pipedrive.com/", "https://evilpipedrive.com/", "https://a.pipedrive.com.example.org/"] {
        assert_ne!(refused(pipedrive, &[("company_url", url), token]), Vec::<String>::new(), "{url}");
    }
    assert_eq!(refused(pipedrive, &[("company_url", "https://oak.pipedrive.com"), token]), Vec::<String>::new());
}

#[test]
fn settings_are_shown_without_their_secrets() {
    let settings = ConnectorSettings::parse(
        &find("slack").unwrap().settings,
        &given(&[("webhook_url", "https://hooks.slack.com/services/T0/B0/Secret")]),
    )
    .unwrap();
    assert_eq!(settings.shown()["webhook_url"], "[secret]");
    assert!(!format!("{settings:?}").contains("Secret"), "{settings:?}");
}

#[test]
fn a_file_with_any_line_missing_or_cut_is_read_or_refused_with_places() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/connectors");
    let mut refused = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for n in 0..lines.len() {
            let without: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != n).map(|(_, line)| *line).collect();
            for changed in [without.join("\n"), lines[..n].join("\n")] {
                if let Err(e) = ConnectorTemplate::parse(&changed) {
                    refused += 1;
                    assert!(!e.is_empty(), "line {n}: {changed}");
                    assert!(e.iter().all(|m| !m.place.is_empty() && !m.problem.to_string().is_empty()), "{e:?}");
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn what_is_nested_deeply_is_refused_or_read_and_never_a_fault() {
    for (open, inside, close) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("{'a':", "1", "}"),
        ("not ", "lead.phone", ""),
        ("-", "1", ""),
        ("1 if lead.phone else ", "2", ""),
        ("", "lead.phone", "|upper"),
        ("", "lead.source", ".a"),
        ("", "lead.source", "[0]"),
        ("'a' ~ ", "'b'", ""),
    ] {
        for times in [10, 100, 390] {
            let said = name_is(&format!("{{{{ {}{inside}{} }}}}", open.repeat(times), close.repeat(times)));
            assert!(times > 10 || said.is_empty(), "{open}: {said:?}");
        }
    }
    for times in [100, 1_000, 100_000] {
        let deep = format!("{}1{}", "[".repeat(times), "]".repeat(times));
        let said = said("{ \"name\": \"{{ summary.name }}\" }", &deep);
        assert!(times == 100 || said.iter().any(|s| s.contains("this is not JSON")), "{times}");
    }
}
