//! Numbers in JSON.

use serde::Serializer;

/// Above it not every whole number is an `f64`.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// `1875` for 1875.0, as other implementations of the contract write it.
pub(crate) fn serialize_number<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
    match *value {
        None => to.serialize_none(),
        Some(n) if n % 1.0 == 0.0 && n.abs() < MAX_WHOLE => to.serialize_i64(n as i64),
        Some(n) => to.serialize_f64(n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Serialize)]
    struct Record(#[serde(serialize_with = "serialize_number")] Option<f64>);

    #[test]
    fn whole_numbers_are_written_without_a_point() {
        for (n, text) in
            [(None, "null"), (Some(1875.0), "1875"), (Some(0.0), "0"), (Some(-3.0), "-3"), (Some(26.57), "26.57")]
        {
            assert_eq!(serde_json::to_string(&Record(n)).unwrap(), text);
        }
    }
}
