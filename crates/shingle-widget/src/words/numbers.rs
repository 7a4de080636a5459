//! Numbers as people write them.

/// `1234567` as `1,234,567`.
pub fn thousands(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + 4);
    if n < 0 {
        text.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Tenths, without a nought behind the point: `248` is `24.8`, `560` is `56`.
pub fn tenths(n: i64) -> String {
    let mut text = thousands(n / 10);
    if n % 10 != 0 {
        text.push('.');
        text.push_str(&(n % 10).unsigned_abs().to_string());
    }
    text
}

/// Square feet as squares, without noughts behind the point: `2480` is `24.8`, `2199` is `21.99`.
pub fn squares(area: i64) -> String {
    let (whole, rest) = (area / 100, area % 100);
    match rest % 10 {
        0 => tenths(area / 10),
        last => [&thousands(whole), ".", &(rest / 10).to_string(), &last.to_string()].concat(),
    }
}

/// Whole dollars.
pub fn dollars(amount: shingle_domain::Usd) -> String {
    let mut text = String::from("$");
    text.push_str(&thousands((amount.cents() + 50) / 100));
    text
}

/// Dollars and cents.
#[cfg(any(feature = "ssr", test))]
pub fn cents(amount: shingle_domain::Usd) -> String {
    let cents = amount.cents();
    format!("${}.{:02}", thousands(cents / 100), cents % 100)
}

/// As a contract says it: whole dollars without cents; a discount with a minus.
#[cfg(any(feature = "ssr", test))]
pub fn money(amount: shingle_domain::Usd) -> String {
    let whole = shingle_domain::Usd::from_cents(amount.cents().abs());
    let text = if whole.cents() % 100 == 0 { dollars(whole) } else { cents(whole) };
    if amount.cents() < 0 { ["\u{2212}", &text].concat() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_tenths_drop_a_nought() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(tenths(248), "24.8");
        assert_eq!(tenths(560), "56");
        let written = [2_480, 2_400, 2_199, 2_109, 9, 123_456_701].map(squares);
        assert_eq!(written, ["24.8", "24", "21.99", "21.09", "0.09", "1,234,567.01"]);
        assert_eq!(dollars(shingle_domain::Usd::from_cents(1_611_950)), "$16,120");
        assert_eq!(cents(shingle_domain::Usd::from_cents(2_449_320)), "$24,493.20");
        let written = [1_420_000, 1_420_005, -50_000, 0].map(|cents| money(shingle_domain::Usd::from_cents(cents)));
        assert_eq!(written, ["$14,200", "$14,200.05", "\u{2212}$500", "$0"]);
    }
}
