//! Why a page could not be fetched, in words the site's owner understands.

use std::net::IpAddr;
use std::time::Duration;

use shingle_domain::messages;

messages! {
    /// What is wrong with a server's certificate.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum CertificateFault {
        Expired => "it has expired",
        NotYetValid => "it is not valid yet",
        WrongName => "it is for another name",
        UnknownIssuer =>
            "no known authority has issued it (the setting egress_ca_file names an authority of your own), \
             or the server does not send the certificates in between",
        Revoked => "it was revoked",
        Unusable => "it cannot be used",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum EgressError {
        InvalidUrl { url: String } => "`{url}` is not a web address",
        NotHttps => "only https:// addresses are allowed (the setting egress_http allows http:// too)",
        Credentials => "the address must not contain a user name or password",
        PortNotAllowed { port: u16 } => "port {port} is not a port of a web server",
        /// For a host name, the message leaves out the IP address: it would reveal the network to strangers.
        NotPublic { host: String } =>
            "{host} is not on the public internet (the setting egress_allow opens private networks)",
        UnknownHost { host: String } => "there is no server named {host}",
        ConnectionRefused { host: String } => "nothing answers at {host}: the connection is refused",
        Unreachable { host: String } => "{host} cannot be reached",
        Tls { host: String } => "{host} does not speak TLS as expected",
        BadCertificate { host: String, fault: CertificateFault } =>
            "the certificate of {host} is not accepted: {fault}",
        Timeout { host: String, after: Duration } => "{host} did not finish its response within {after} {after|second|seconds}",
        ConnectionLost { host: String } => "{host} closed the connection before its response was complete",
        TooManyRedirects { host: String, max: u8 } => "{host} sends visitors on more than {max} {max|time|times}",
        InvalidRedirect { to: String } => "the page sends visitors on to `{to}`, which is not a web address",
        /// The caller does not allow this redirect.
        RedirectNotAllowed { to: String } => "the page sends visitors on to {to}",
        Setup { why: String } => "the client cannot be set up: {why}",
    }
}

impl EgressError {
    pub(crate) fn not_public(host: &str) -> Self {
        Self::NotPublic { host: host.to_owned() }
    }

    /// Looks for the cause in the whole chain of sources.
    pub(crate) fn from_reqwest(error: &reqwest::Error, host: &str, after: Duration) -> Self {
        let host = host.to_owned();
        let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(cause) = next {
            if let Some(ours) = cause.downcast_ref::<Self>() {
                return ours.clone();
            }
            if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
                return match tls {
                    rustls::Error::InvalidCertificate(fault) => {
                        Self::BadCertificate { host, fault: CertificateFault::from_rustls(fault) }
                    }
                    _ => Self::Tls { host },
                };
            }
            if let Some(io) = cause.downcast_ref::<std::io::Error>() {
                match io.kind() {
                    std::io::ErrorKind::ConnectionRefused => return Self::ConnectionRefused { host },
                    std::io::ErrorKind::TimedOut => return Self::Timeout { host, after },
                    std::io::ErrorKind::NetworkUnreachable | std::io::ErrorKind::HostUnreachable => {
                        return Self::Unreachable { host };
                    }
                    _ => {}
                }
            }
            // The error inside an I/O error is not one of its sources.
            let wrapped = cause.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
            next = wrapped.map_or_else(|| cause.source(), |inner| Some(inner));
        }
        match () {
            () if error.is_timeout() => Self::Timeout { host, after },
            () if error.is_connect() => Self::Unreachable { host },
            () => Self::ConnectionLost { host },
        }
    }
}

impl CertificateFault {
    pub(crate) fn from_rustls(fault: &rustls::CertificateError) -> Self {
        use rustls::CertificateError as E;
        match fault {
            E::Expired | E::ExpiredContext { .. } => Self::Expired,
            E::NotValidYet | E::NotValidYetContext { .. } => Self::NotYetValid,
            E::NotValidForName | E::NotValidForNameContext { .. } => Self::WrongName,
            E::UnknownIssuer => Self::UnknownIssuer,
            E::Revoked => Self::Revoked,
            // What rustls reports for a self-signed certificate.
            E::Other(_) => Self::UnknownIssuer,
            _ => Self::Unusable,
        }
    }
}

/// As in a URL.
pub(crate) fn display_ip(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}
