//! What a bucket refuses, in words.

use core::error::Error;

use object_store::client::{HttpError, HttpErrorKind};
use shingle_domain::messages;

use crate::object_address::ObjectAddress;
use crate::operator_error::OperatorError;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BucketFault {
        WrongKey => "The server of the bucket does not know this key, or not with this secret",
        NoBucket => "There is no bucket of that name",
        NoObject => "The bucket holds no backup of that name",
        ObjectExists => "The bucket holds a backup of that name already",
        NoRight => "The key has no right to do this in the bucket",
        Full => "The bucket stores no more: it is full, or a quota is used up",
        Clock => "The clock of this machine is wrong, so the server of the bucket refuses its requests",
        Region => "The bucket is in another region, or the region's name is wrong",
        Silent => "The server of the bucket does not answer",
        NotReached { why: String } => "The server of the bucket is not reached: {why}",
        Busy => "The server of the bucket is busy",
        Lost => "The connection to the server of the bucket broke",
        NotS3 => "What answers there is not a server of buckets",
        Refused { why: String } => "The server of the bucket refuses: {why}",
        Stopped => "The backup was stopped; nothing of it was kept",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BucketFix {
        CheckKey => "Check s3_key and s3_secret, and that s3_endpoint names the server that gave them.",
        Bucket => "Create the bucket, or correct its name; check s3_endpoint and s3_path_style.",
        OtherObject => "List the bucket, and name one of its backups.",
        OtherName => "Choose another name.",
        Rights =>
            "Give the key the rights s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload.",
        Room => "Raise the quota, delete what is old, or set backups_kept to fewer.",
        Ntp => "Set the clock, and enable time synchronization (NTP).",
        Region => "Set s3_region to the region of the bucket; its provider shows it.",
        Later => "Try again later.",
        Reach => "Check s3_endpoint, the network and the firewall; then try again.",
        Provider => "Look this up in the documentation of the bucket's provider.",
        Endpoint => "Check s3_endpoint: it is the address of the S3 interface, not of a console or a website.",
    }
}

/// What stands in this element of an answer.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

/// A server's own words: one line, and not a book.
fn short(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(200).collect()
}

fn fault_of(error: &object_store::Error) -> (BucketFault, BucketFix) {
    let outermost: &(dyn Error + 'static) = error;
    let chain: Vec<_> = std::iter::successors(Some(outermost), |&error| error.source()).collect();
    let text = chain.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let http = chain.iter().find_map(|error| error.downcast_ref::<HttpError>());
    let innermost = || chain.last().map(ToString::to_string).unwrap_or_default();
    match element(&text, "Code") {
        Some("InvalidAccessKeyId" | "SignatureDoesNotMatch" | "NotSignedUp" | "InvalidToken" | "Unauthorized") => {
            (BucketFault::WrongKey, BucketFix::CheckKey)
        }
        Some("NoSuchBucket") => (BucketFault::NoBucket, BucketFix::Bucket),
        Some("NoSuchKey") => (BucketFault::NoObject, BucketFix::OtherObject),
        Some("AccessDenied" | "AllAccessDisabled" | "AccountProblem") => (BucketFault::NoRight, BucketFix::Rights),
        Some(
            "QuotaExceeded"
            | "XMinioStorageFull"
            | "XMinioAdminBucketQuotaExceeded"
            | "InsufficientStorage"
            | "InsufficientCapacity",
        ) => (BucketFault::Full, BucketFix::Room),
        Some("RequestTimeTooSkewed" | "RequestExpired") => (BucketFault::Clock, BucketFix::Ntp),
        Some(
            "AuthorizationHeaderMalformed"
            | "PermanentRedirect"
            | "TemporaryRedirect"
            | "IllegalLocationConstraintException",
        ) => (BucketFault::Region, BucketFix::Region),
        Some("SlowDown" | "ServiceUnavailable" | "InternalError" | "RequestTimeout") => {
            (BucketFault::Busy, BucketFix::Later)
        }
        Some(other) => {
            let why = match element(&text, "Message") {
                Some(message) => short(&format!("{other}: {message}")),
                None => short(other),
            };
            (BucketFault::Refused { why }, BucketFix::Provider)
        }
        None => match (http.map(HttpError::kind), error) {
            (Some(HttpErrorKind::Timeout), _) => (BucketFault::Silent, BucketFix::Reach),
            (Some(HttpErrorKind::Connect), _) => (BucketFault::NotReached { why: innermost() }, BucketFix::Reach),
            (Some(_), _) => (BucketFault::Lost, BucketFix::Reach),
            (None, _) if text.contains("status code: 507") => (BucketFault::Full, BucketFix::Room),
            (None, _) if text.contains("redirect without LOCATION") => (BucketFault::Region, BucketFix::Region),
            (None, object_store::Error::Unauthenticated { .. }) => (BucketFault::WrongKey, BucketFix::CheckKey),
            (None, object_store::Error::PermissionDenied { .. }) => (BucketFault::NoRight, BucketFix::Rights),
            // The server of a website or of a console.
            (None, _)
                if ["<html", "<!DOCTYPE", "<!doctype", "invalid list response"]
                    .iter()
                    .any(|sign| text.contains(sign)) =>
            {
                (BucketFault::NotS3, BucketFix::Endpoint)
            }
            (None, object_store::Error::NotFound { .. }) => (BucketFault::NoObject, BucketFix::OtherObject),
            (None, _) => (BucketFault::Refused { why: short(&innermost()) }, BucketFix::Reach),
        },
    }
}

/// Of a request about this place.
pub(crate) fn refused(place: &ObjectAddress) -> impl Fn(object_store::Error) -> OperatorError + use<> {
    let place = place.to_string();
    move |error| {
        let (fault, fix) = fault_of(&error);
        OperatorError::new(fault).at(&place).fix(fix)
    }
}

/// Whether what was asked for is gone.
pub(crate) fn is_gone(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(body: &str) -> object_store::Error {
        object_store::Error::Generic { store: "S3", source: format!("Server returned: {body}").into() }
    }

    #[test]
    fn what_a_server_answers_is_told_in_words() {
        for (body, expected) in [
            ("<Error><Code>RequestTimeTooSkewed</Code></Error>", BucketFault::Clock),
            ("<Error><Code>XMinioStorageFull</Code></Error>", BucketFault::Full),
            ("status code: 507 Insufficient Storage", BucketFault::Full),
            ("<Error><Code>AuthorizationHeaderMalformed</Code></Error>", BucketFault::Region),
            ("Received redirect without LOCATION, this normally indicates", BucketFault::Region),
            ("<Error><Code>AccessDenied</Code></Error>", BucketFault::NoRight),
            ("<!DOCTYPE html><title>Console</title>", BucketFault::NotS3),
            ("<Error><Code>SlowDown</Code></Error>", BucketFault::Busy),
            (
                "<Error><Code>InvalidRequest</Code><Message>Content-MD5 is required\nfor locks</Message></Error>",
                BucketFault::Refused { why: "InvalidRequest: Content-MD5 is required".to_owned() },
            ),
        ] {
            assert_eq!(fault_of(&answered(body)).0, expected, "{body}");
        }
    }

    #[test]
    fn a_long_answer_is_cut() {
        let long = format!("<Error><Code>{}</Code></Error>", "x".repeat(10_000));
        let BucketFault::Refused { why } = fault_of(&answered(&long)).0 else { panic!("another fault") };
        assert_eq!(why.chars().count(), 200);
    }
}
