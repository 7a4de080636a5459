//! Why a check cannot start.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteCheckError {
    #[error("the base URL {0:?} is not a web address")]
    BaseUrl(String),
}
