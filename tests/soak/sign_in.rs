//! Strangers who try to get in with an owner's address, and the owner who signs in meanwhile.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crate::client::plain_client;
use crate::ledger::Ledger;
use crate::server::Installation;

const EMAIL: &str = "owner@oak.example.com";
/// Each from a network of its own: more than an address may be asked for from everywhere.
const STRANGERS: u8 = 40;
const PATIENCE: Duration = Duration::from_secs(180);
const PAUSE: Duration = Duration::from_millis(100);

/// The owner of the first company.
pub struct Owner {
    /// What the browser keeps in which the owner has signed in once.
    mark: String,
    networks: AtomicU8,
}

fn client(network: u8) -> reqwest::Client {
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, network, 1));
    plain_client().local_address(from).timeout(PATIENCE).build().unwrap()
}

async fn post(
    client: &reqwest::Client,
    at: &str,
    path: &str,
    form: &[(&str, &str)],
    cookie: &str,
) -> reqwest::Result<reqwest::Response> {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = client.post(format!("http://{at}{path}")).header("sec-fetch-site", "same-origin");
    let request = request.header("content-type", "application/x-www-form-urlencoded").header("cookie", cookie);
    request.body(body).send().await
}

/// What follows a link's `token=`.
fn token(link: &serde_json::Value) -> &str {
    link["link"].as_str().and_then(|link| link.split_once("token=")).unwrap().1
}

impl Owner {
    /// Invited, and let in once by a link.
    pub async fn settle(installation: &Installation, account: &str) -> Self {
        let (client, at) = (client(0), installation.at.to_string());
        let invite = installation.ask(&["invite", "--account", account]);
        let form = [("token", token(&invite)), ("email", EMAIL), ("name", "Maya Lindqvist")];
        let welcome = post(&client, &at, "/portal/invite", &form, "").await.unwrap();
        assert_eq!(welcome.status(), 200, "{}", welcome.text().await.unwrap());
        let link = installation.ask(&["user", "reset", EMAIL]);
        let entered = post(&client, &at, "/portal/sign-in/link", &[("token", token(&link))], "").await.unwrap();
        let cookies = entered.headers().get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
        let mark = cookies.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.contains("known"));
        Self { mark: mark.expect("a mark of the browser").to_owned(), networks: AtomicU8::new(100) }
    }

    /// Strangers use up what the address may be asked for, and the owner is let through, wherever they are.
    pub async fn signs_in_among_strangers(&self, installation: &Installation, ledger: &Ledger) {
        let at = installation.at.to_string();
        for stranger in 1..=STRANGERS {
            let since = ledger.moment();
            match post(&client(stranger), &at, "/portal/sign-in", &[("email", EMAIL)], "").await {
                Ok(answer) => match answer.status().as_u16() {
                    303 => ledger.count("strangers' tries at the sign-in"),
                    429 => ledger.count("strangers' tries held"),
                    status @ 500.. => ledger.no_answer(since, "a stranger's try", &status.to_string()),
                    status => ledger.wrong(format!("a stranger's try: {status}")),
                },
                Err(error) => ledger.no_answer(since, "a stranger's try", &format!("{error:?}")),
            }
        }
        loop {
            let since = ledger.moment();
            // A new one for each try: what one network may ask is not what is tried here.
            let network = self.networks.fetch_add(1, Ordering::Relaxed).max(100);
            match post(&client(network), &at, "/portal/sign-in", &[("email", EMAIL)], &self.mark).await {
                Ok(answer) if answer.status() == 303 => return ledger.count("owner's tries let through"),
                Ok(answer) if answer.status().as_u16() < 500 => {
                    return ledger.wrong(format!("the owner is kept out: {}", answer.status()));
                }
                Ok(answer) => ledger.no_answer(since, "the owner's try", &answer.status().to_string()),
                Err(error) => ledger.no_answer(since, "the owner's try", &format!("{error:?}")),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
