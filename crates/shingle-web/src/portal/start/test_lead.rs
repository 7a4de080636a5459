//! Sends the signed-in user a test lead.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_app::leads::test_lead::{self, TestSender};
use shingle_store::StoredWidget;
use url::Url;

use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn send(web: &Arc<Web>, signed: &Signed, stored: StoredWidget, ip: IpAddr) -> ApiResult<()> {
    let host = Url::parse(&web.base_url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    let sender = TestSender { email: signed.user.email.clone(), ip, host };
    test_lead::send(web.app(), Arc::new(stored), sender).await?;
    Ok(())
}
