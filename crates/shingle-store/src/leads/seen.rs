//! What a reader who does not see every widget finds of leads, in SQL.

/// Whether the column of a lead's widget is seen: of this account, with the text of the scope
/// ([`crate::audit::actor::seen_now`]), which is NULL for all. Ids have one length, so none is part of another.
macro_rules! is_seen {
    ($widget:literal, $account:literal, $seen:literal) => {
        concat!(
            "(",
            $seen,
            " IS NULL OR ",
            $widget,
            " IN (SELECT id FROM widget WHERE account_id = ",
            $account,
            " AND ",
            $seen,
            " LIKE '%' || reference_id || '%'))"
        )
    };
}
pub(crate) use is_seen;
