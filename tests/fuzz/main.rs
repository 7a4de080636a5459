//! Random hostile input: the program accepts or refuses whatever comes in from outside and never panics, and what it
//! accepts is valid. `cargo xtask test --only fuzz` runs more cases than the few of a plain run.

mod addresses;
mod corpus;
mod domain_types;
mod imports;

use proptest::prelude::*;

/// Text as attackers, phones and copy-and-paste write it.
fn text() -> impl Strategy<Value = String> {
    let tricky = prop::sample::select(vec![
        "<script>alert(1)</script>",
        "javascript:alert(1)",
        "\"><img src=x onerror=alert(1)>",
        "' OR 1=1 --",
        "\0",
        "\u{202e}gpj.exe",
        "{{7*7}}",
        "%00%0d%0a",
        "=HYPERLINK(\"http://x\")",
        "//evil.example",
        "https://user:pw@host.example",
        "ÅÄÖ ß ﬁ Ⅷ 👩‍👩‍👧‍👦",
        "é\u{301}\u{301}\u{301}",
        "-0",
        "1e999",
        "NaN",
        "99999999999999999999",
    ]);
    let ordinary = prop::sample::select(vec![
        "14 Alder Ct, Portland, ME 04103",
        "https://quillback.example/a?b=c#d",
        "#8c3b24",
        "(207) 555-0143",
        "dana@example.com",
        "true",
        "650.00",
        "bottom_right",
        "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11",
    ]);
    prop_oneof![
        3 => any::<String>(),
        2 => tricky.prop_map(str::to_owned),
        2 => ordinary.clone().prop_map(str::to_owned),
        3 => (ordinary, any::<prop::sample::Index>(), any::<char>()).prop_map(|(text, at, with)| {
            let mut letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len());
            letters[at] = with;
            letters.into_iter().collect()
        }),
        1 => (any::<char>(), 1_usize..6_000).prop_map(|(letter, times)| letter.to_string().repeat(times)),
    ]
}
