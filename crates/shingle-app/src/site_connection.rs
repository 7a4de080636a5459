//! Connecting a website, such as WordPress with our plugin, with widgets of a company.
//!
//! # Decision
//!
//! A website gets a list of widgets and no key: their scripts are public. It sends an owner's browser here with the hash of a
//! secret (PKCE, RFC 7636); the owner chooses; the code that goes back is good once, for five minutes, with that secret and
//! return address alone. It is stored as a device's challenge is: hashed, and gone when it is spent. A newer list takes another
//! visit. Turned down: an API key, which could read leads; clients registered beforehand, as each website would be one.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use shingle_domain::host::parse_host;
use shingle_domain::widget::{ElementType, Widget};
use shingle_domain::{AccountId, Environment, LinkId, Tenant, UserId};
use shingle_portal::widget_names;
use shingle_store::{CeremonyKind, StoreError, StoredWidget};
use url::{Host, Url};

use crate::app::App;

/// Bytes of an address in a request.
const MAX_ADDRESS: usize = 500;
/// Characters of a SHA-256 in base64url.
const CHALLENGE_CHARS: usize = 43;

/// What a website asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteRequest {
    /// Where the owner is sent with the code.
    return_to: Url,
    /// Given back as it is: the website knows its own request by it.
    state: String,
    /// SHA-256 of a secret that the website keeps.
    challenge: String,
    /// Of its pages, as it says.
    hosts: Vec<String>,
}

impl SiteRequest {
    /// `field` reads the parameters `return`, `state`, `challenge` and `site`. `None` for anything that is not exactly such a
    /// request: the browser is then sent nowhere.
    pub fn parse<'f>(field: impl Fn(&str) -> &'f str) -> Option<Self> {
        let return_to = address(field("return"))?;
        // What this server adds must be there once.
        if return_to.query_pairs().any(|(name, _)| ["code", "state", "error"].contains(&&*name)) {
            return None;
        }
        let (state, challenge) = (field("state"), field("challenge"));
        if !(16..=128).contains(&state.len()) || !is_token(state) {
            return None;
        }
        if challenge.len() != CHALLENGE_CHARS || !is_token(challenge) {
            return None;
        }
        let pages = match field("site") {
            "" => None,
            site => Some(address(site)?),
        };
        let mut hosts = Vec::new();
        for url in pages.iter().chain([&return_to]) {
            for host in names(url)? {
                if !hosts.contains(&host) {
                    hosts.push(host);
                }
            }
        }
        Some(Self { return_to, state: state.to_owned(), challenge: challenge.to_owned(), hosts })
    }

    /// Who gets the code, as an owner reads it.
    pub fn host(&self) -> &str {
        self.return_to.host_str().unwrap_or_default()
    }

    /// Its origin, for the policy of a page that leads there.
    pub fn origin(&self) -> String {
        self.return_to.origin().ascii_serialization()
    }

    /// Of the website's pages: those on which a widget of it would be.
    pub fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Hosts that a widget does not allow.
    pub fn missing(&self, widget: &Widget) -> Vec<&str> {
        let is_missing = |host: &&String| !widget.allows_page(host, Environment::Production);
        self.hosts.iter().filter(is_missing).map(String::as_str).collect()
    }

    /// Its parameters again, for a form.
    pub fn fields(&self) -> [(&'static str, String); 4] {
        let site = self.hosts.first().map(|host| format!("{}://{host}", self.return_to.scheme()));
        [
            ("return", self.return_to.to_string()),
            ("state", self.state.clone()),
            ("challenge", self.challenge.clone()),
            ("site", site.unwrap_or_default()),
        ]
    }

    /// The way back of an owner who chose nothing.
    pub fn denied(&self) -> Url {
        self.back("error", "denied")
    }

    fn back(&self, name: &str, value: &str) -> Url {
        let mut url = self.return_to.clone();
        url.query_pairs_mut().append_pair(name, value).append_pair("state", &self.state);
        url
    }
}

/// An address that nobody reads along: https, or this very machine.
fn address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok().filter(|_| text.len() <= MAX_ADDRESS)?;
    let is_private = match url.scheme() {
        "https" => true,
        "http" => is_this_machine(&url),
        _ => false,
    };
    let is_plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    (is_private && is_plain).then_some(url)
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

/// The hosts that a widget would allow for these pages: with and without `www.`, as for a company's own website. `None` for a
/// host that no widget can allow.
fn names(url: &Url) -> Option<Vec<String>> {
    let host = parse_host(url.host_str()?)?;
    if is_this_machine(url) {
        return Some(vec![host]);
    }
    let bare = host.strip_prefix("www.").filter(|rest| rest.contains('.')).unwrap_or(&host);
    Some(vec![bare.to_owned(), format!("www.{bare}")])
}

fn is_token(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// What a code stands for, as it is stored.
#[derive(Serialize, Deserialize)]
struct Grant {
    account: AccountId,
    widgets: Vec<LinkId>,
    return_to: String,
    challenge: String,
}

/// Where the owner goes with the code. `None`: none of these is a widget of the company. `allows_hosts`: the widgets will also
/// run on the website's hosts.
///
/// # Errors
/// Those of the store.
pub async fn grant(
    app: &App,
    tenant: &Tenant,
    by: UserId,
    request: &SiteRequest,
    chosen: &[LinkId],
    allows_hosts: bool,
) -> Result<Option<Url>, StoreError> {
    let mut widgets = app.store.widgets().list(tenant).await?;
    widgets.retain(|stored| chosen.contains(&stored.widget.link_id()));
    if widgets.is_empty() {
        return Ok(None);
    }
    for stored in widgets.iter().filter(|stored| allows_hosts && !request.missing(&stored.widget).is_empty()) {
        allow(app, tenant, request, stored).await?;
    }
    let grant = Grant {
        account: tenant.account,
        widgets: widgets.iter().map(|stored| stored.widget.link_id()).collect(),
        return_to: request.return_to.to_string(),
        challenge: request.challenge.clone(),
    };
    let grant = serde_json::to_string(&grant).map_err(StoreError::Json)?;
    let begun = app.store.people().begin_ceremony(CeremonyKind::ConnectSite, None, Some(by), &grant).await?;
    Ok(Some(request.back("code", &format!("{}.{}", begun.id, begun.browser))))
}

async fn allow(app: &App, tenant: &Tenant, request: &SiteRequest, stored: &StoredWidget) -> Result<(), StoreError> {
    let change = |old: &Widget| {
        let mut new = old.clone();
        // An empty list means the company's own website, which stays allowed.
        if new.domains.is_empty() {
            new.domains = old.allowed_hosts();
        }
        new.domains.extend(request.missing(old).into_iter().map(str::to_owned));
        let record = app.record(tenant.account, &new);
        Ok::<_, StoreError>((new, record))
    };
    app.store.widgets().update(tenant, stored.widget.reference_id, change).await?;
    Ok(())
}

/// What a website gets for its code.
#[derive(Debug, Serialize)]
pub struct ConnectedSite {
    pub company: String,
    pub widgets: Vec<ConnectedWidget>,
}

#[derive(Debug, Serialize)]
pub struct ConnectedWidget {
    pub id: LinkId,
    pub name: String,
    pub kind: ElementType,
    /// Addresses of the script and of the page that works without a site.
    pub script: String,
    pub page: String,
}

/// Spends a code. `None`: it is wrong, used, late, or for another website.
///
/// # Errors
/// Those of the store.
pub async fn exchange(
    app: &App,
    code: &str,
    verifier: &str,
    return_to: &str,
) -> Result<Option<ConnectedSite>, StoreError> {
    let Some((id, token)) = code.split_once('.') else { return Ok(None) };
    let Ok(id) = id.parse() else { return Ok(None) };
    let Some(taken) = app.store.people().take_ceremony(CeremonyKind::ConnectSite, id, token).await? else {
        return Ok(None);
    };
    // A code of another version's node ends like one that is late.
    let Ok(grant) = serde_json::from_str::<Grant>(&taken.state) else { return Ok(None) };
    let digest = ring::digest::digest(&ring::digest::SHA256, verifier.as_bytes());
    let is_for_them = (43..=128).contains(&verifier.len())
        && URL_SAFE_NO_PAD.encode(digest) == grant.challenge
        && Url::parse(return_to).is_ok_and(|url| url.as_str() == grant.return_to);
    if !is_for_them {
        return Ok(None);
    }
    let Some(account) = app.store.accounts().find(grant.account).await?.filter(|found| found.closing.is_none()) else {
        return Ok(None);
    };
    let tenant = Tenant { account: account.id, environment: Environment::Production };
    let all = app.store.widgets().list(&tenant).await?;
    let names = widget_names(all.iter().map(|stored| stored.widget.first_page_title.as_str()));
    let links = app.links(account.id);
    let connected = |(stored, name): (&StoredWidget, String)| {
        let id = stored.widget.link_id();
        let page = links.hosted_page(id);
        let widget =
            ConnectedWidget { id, name, kind: stored.widget.element_type(), script: format!("{page}.js"), page };
        grant.widgets.contains(&id).then_some(widget)
    };
    let widgets = all.iter().zip(names).filter_map(connected).collect();
    Ok(Some(ConnectedSite { company: account.name, widgets }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: &str = "0123456789abcdef";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn parse(return_to: &str, state: &str, challenge: &str, site: &str) -> Option<SiteRequest> {
        let fields = [("return", return_to), ("state", state), ("challenge", challenge), ("site", site)];
        SiteRequest::parse(|name| fields.iter().find(|(found, _)| *found == name).map_or("", |(_, value)| value))
    }

    fn hosts(return_to: &str, site: &str) -> Option<Vec<String>> {
        parse(return_to, STATE, CHALLENGE, site).map(|request| request.hosts)
    }

    #[test]
    fn a_website_is_known_by_its_hosts_with_and_without_www() {
        let both = |bare: &str| Some(vec![bare.to_owned(), format!("www.{bare}")]);
        assert_eq!(hosts("https://www.oak.example.com/wp-admin/x.php?action=y", ""), both("oak.example.com"));
        assert_eq!(hosts("https://oak.example.com:8443/", "https://www.oak.example.com/blog"), both("oak.example.com"));
        assert_eq!(hosts("http://127.0.0.1:8080/", ""), Some(vec!["127.0.0.1".to_owned()]));
        assert_eq!(hosts("http://localhost/wp/", "http://localhost/"), Some(vec!["localhost".to_owned()]));
        assert_eq!(hosts("http://[::1]:81/", ""), Some(vec!["[::1]".to_owned()]));
        let two = hosts("https://admin.oak.example/x", "https://elm.example").unwrap();
        assert_eq!(two, ["elm.example", "www.elm.example", "admin.oak.example", "www.admin.oak.example"]);
        assert_eq!(hosts("https://www.com/", ""), Some(vec!["www.com".to_owned(), "www.www.com".to_owned()]));
    }

    #[test]
    fn a_browser_is_sent_to_no_other_address() {
        let long = format!("https://oak.example/{}", "x".repeat(MAX_ADDRESS));
        for bad in [
            "",
            "oak.example",
            "//oak.example/x",
            "http://oak.example/",
            "http://localhost.oak.example/",
            "http://10.0.0.1/",
            "https://10.0.0.1/",
            "https://intranet/",
            "https://maya:secret@oak.example/",
            "https://oak.example/#part",
            "https://oak.example/?code=1",
            "https://oak.example/?x=1&state=2",
            "https://oak.example/?%65rror=2",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            &long,
        ] {
            assert_eq!(parse(bad, STATE, CHALLENGE, ""), None, "{bad}");
        }
        let good = "https://oak.example/";
        for site in ["http://oak.example", "x", "https://10.0.0.1", "https://a:b@oak.example"] {
            assert_eq!(parse(good, STATE, CHALLENGE, site), None, "{site}");
        }
        for state in ["", "short", &"x".repeat(129), "0123456789abcde&", "0123456789abcdeé"] {
            assert_eq!(parse(good, state, CHALLENGE, ""), None, "{state}");
        }
        for challenge in ["", &CHALLENGE[1..], &format!("{CHALLENGE}="), &CHALLENGE.replace('-', "+")] {
            assert_eq!(parse(good, STATE, challenge, ""), None, "{challenge}");
        }
    }

    #[test]
    fn the_way_back_keeps_the_address_and_adds_the_answer() {
        let request = parse("https://oak.example/wp-admin/x.php?action=a%26b", STATE, CHALLENGE, "").unwrap();
        let denied = "https://oak.example/wp-admin/x.php?action=a%26b&error=denied&state=0123456789abcdef";
        assert_eq!(request.denied().as_str(), denied);
        assert_eq!(request.origin(), "https://oak.example");
        let fields = request.fields();
        let again = SiteRequest::parse(|name| fields.iter().find(|(n, _)| *n == name).map_or("", |(_, v)| v.as_str()));
        assert_eq!(again, Some(request), "a form gives back the same request");
    }
}
