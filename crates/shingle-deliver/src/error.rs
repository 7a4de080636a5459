//! Why a target was not reached, in words its owner understands.

use std::net::IpAddr;
use std::time::Duration;

/// What is wrong with a server's certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Certificate {
    #[error("it has expired")]
    Expired,
    #[error("it is not valid yet")]
    TooEarly,
    #[error("it is for another name")]
    OtherName,
    #[error("no known authority has issued it, or the server does not send the certificates in between")]
    UnknownIssuer,
    #[error("it was withdrawn")]
    Revoked,
    #[error("it cannot be used")]
    Unusable,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EgressError {
    #[error("`{0}` is not a web address")]
    NotAnAddress(String),
    #[error("only https:// addresses are reached (the setting egress_http allows http:// too)")]
    NotHttps,
    #[error("the address must not carry a user name or password")]
    Credentials,
    #[error("port {0} is not one web servers use")]
    Port(u16),
    /// The address itself is left out on purpose for names: it would tell strangers about the network.
    #[error("{host} is not on the public internet (the setting egress_allow opens private networks)")]
    NotPublic { host: String },
    #[error("there is no server under the name {host}")]
    UnknownName { host: String },
    #[error("nothing answers at {host}: the connection is refused")]
    Refused { host: String },
    #[error("{host} cannot be reached")]
    Unreachable { host: String },
    #[error("{host} does not speak TLS as expected")]
    Tls { host: String },
    #[error("the certificate of {host} is not accepted: {fault}")]
    BadCertificate { host: String, fault: Certificate },
    #[error("{host} did not finish its answer within {} seconds", .after.as_secs())]
    TooSlow { host: String, after: Duration },
    #[error("{host} broke off its answer")]
    BrokenOff { host: String },
    #[error("{host} sends visitors on more than {most} times")]
    TooManyRedirects { host: String, most: u8 },
    #[error("the page sends visitors on to `{0}`, which is not a web address")]
    BadRedirect(String),
    /// Whoever asked had set bounds, and a redirect led out of them.
    #[error("the page sends visitors on to {0}")]
    LeadsElsewhere(String),
    #[error("the client cannot be set up: {0}")]
    Setup(String),
}

impl EgressError {
    pub(crate) fn not_public(host: &str) -> Self {
        Self::NotPublic { host: host.to_owned() }
    }

    /// From what the client says, however deep the cause lies.
    pub(crate) fn of(error: &reqwest::Error, host: &str, after: Duration) -> Self {
        let host = host.to_owned();
        let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(cause) = next {
            if let Some(ours) = cause.downcast_ref::<Self>() {
                return ours.clone();
            }
            if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
                return match tls {
                    rustls::Error::InvalidCertificate(fault) => {
                        Self::BadCertificate { host, fault: Certificate::of(fault) }
                    }
                    _ => Self::Tls { host },
                };
            }
            if let Some(io) = cause.downcast_ref::<std::io::Error>() {
                match io.kind() {
                    std::io::ErrorKind::ConnectionRefused => return Self::Refused { host },
                    std::io::ErrorKind::TimedOut => return Self::TooSlow { host, after },
                    std::io::ErrorKind::NetworkUnreachable | std::io::ErrorKind::HostUnreachable => {
                        return Self::Unreachable { host };
                    }
                    _ => {}
                }
            }
            // What an I/O error wraps is not among its sources.
            let wrapped = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
            next = wrapped.map_or_else(|| cause.source(), |inner| Some(inner));
        }
        match () {
            () if error.is_timeout() => Self::TooSlow { host, after },
            () if error.is_connect() => Self::Unreachable { host },
            () => Self::BrokenOff { host },
        }
    }
}

impl Certificate {
    fn of(fault: &rustls::CertificateError) -> Self {
        use rustls::CertificateError as E;
        match fault {
            E::Expired | E::ExpiredContext { .. } => Self::Expired,
            E::NotValidYet | E::NotValidYetContext { .. } => Self::TooEarly,
            E::NotValidForName | E::NotValidForNameContext { .. } => Self::OtherName,
            E::UnknownIssuer => Self::UnknownIssuer,
            E::Revoked => Self::Revoked,
            // What signs itself is told so, as a certificate that is no server's own.
            E::Other(_) => Self::UnknownIssuer,
            _ => Self::Unusable,
        }
    }
}

/// A literal address says everything itself.
pub(crate) fn shown(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}
