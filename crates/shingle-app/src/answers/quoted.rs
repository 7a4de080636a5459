//! What of an email's text is new: without the email it answers, which programs put below it.

/// Ends what is new, at the beginning of a line, in lower case.
const DIVIDERS: [&str; 6] = [
    "-----original message-----",
    "----- original message -----",
    "-----mensaje original-----",
    "________________________________",
    "sent from my iphone",
    "enviado desde mi iphone",
];
/// How the line above a quotation begins, and how it ends. Programs fold it to three lines at most.
const ATTRIBUTIONS: [(&str, &[&str]); 3] =
    [("on ", &["wrote:", "writes:"]), ("el ", &["escribió:", "escribio:"]), ("le ", &["écrit :", "écrit:"])];
const MAX_ATTRIBUTION_LINES: usize = 4;
const MAX_ATTRIBUTION: usize = 400;
/// Outlook begins the email below with its head.
const HEAD: [(&str, &str); 2] = [("from:", "sent:"), ("de:", "enviado:")];

/// The new part. Where nothing is new above, answers stand between the lines that are quoted; where that is nothing either, all
/// of it.
pub(super) fn without_quotation(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // Lines that are quoted in the middle belong to an answer that goes on below them.
    let last = lines.iter().rposition(|line| !line.is_empty() && !line.starts_with('>'));
    let is_end = |at: usize| is_end(&lines, at, last);
    let end = (0..lines.len()).find(|at| is_end(*at)).unwrap_or(lines.len());
    let above = joined(lines[..end].iter().copied());
    if !above.is_empty() {
        return above;
    }
    let own = lines.iter().enumerate().filter(|(at, line)| !line.starts_with('>') && !is_end(*at));
    let between = joined(own.map(|(_, line)| *line).filter(|line| !ends_attribution(&line.to_lowercase())));
    if between.is_empty() { joined(lines.iter().copied()) } else { between }
}

fn ends_attribution(line: &str) -> bool {
    ATTRIBUTIONS.iter().any(|(_, ends)| ends.iter().any(|end| line.ends_with(end)))
}

/// `last`: the last line that is neither quoted nor empty.
fn is_end(lines: &[&str], at: usize, last: Option<usize>) -> bool {
    let Some(line) = lines.get(at) else { return false };
    if *line == "--" || line.starts_with('>') {
        return *line == "--" || last.is_none_or(|last| at > last);
    }
    let low = line.trim_start().trim_matches('*').to_lowercase();
    if DIVIDERS.iter().any(|divider| low.starts_with(divider)) {
        return true;
    }
    let below = |count: usize| lines[at + 1..].iter().take(count);
    if HEAD.iter().any(|(from, sent)| {
        low.starts_with(from)
            && below(4).any(|line| line.trim_start().trim_matches('*').to_lowercase().starts_with(sent))
    }) {
        return true;
    }
    let Some((_, ends)) = ATTRIBUTIONS.iter().find(|(begin, _)| low.starts_with(begin)) else { return false };
    let mut whole = String::new();
    for line in lines[at..].iter().take(MAX_ATTRIBUTION_LINES).take_while(|line| !line.is_empty()) {
        whole.push(' ');
        whole.push_str(&line.to_lowercase());
        if ends.iter().any(|end| whole.ends_with(end)) {
            // A date or an address: a sentence may begin and end like this too.
            return whole.len() < MAX_ATTRIBUTION && whole.contains(|c: char| c.is_ascii_digit() || c == '@');
        }
    }
    false
}

/// Without empty lines at both ends, and with one in a row between.
fn joined<'l>(lines: impl Iterator<Item = &'l str>) -> String {
    let mut text = String::new();
    let mut was_empty = true;
    for line in lines {
        if line.trim().is_empty() {
            was_empty = true;
            continue;
        }
        if !text.is_empty() {
            text.push_str(if was_empty { "\n\n" } else { "\n" });
        }
        text.push_str(line);
        was_empty = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_email_below_is_left_out_as_programs_write_it() {
        for (text, new) in [
            (
                "Thursday works.\n\nOn Mon, Dec 1, 2026 at 9:12 AM Oak Roofing <r@in.example> wrote:\n> Hi Ann",
                "Thursday works.",
            ),
            ("Yes!\n\nOn Dec 1, 2026, at 9:12, Oak Roofing\n<reply+abc@in.example.com>\nwrote:\n\n> Hi\n> Ann", "Yes!"),
            ("Sí\n\nEl lun, 1 dic 2026 a las 9:12, Oak (<r@in.example>) escribió:\n> Hola", "Sí"),
            ("Fine\n\nFrom: Oak <r@in.example>\nSent: Monday\nTo: Ann\nSubject: Roof\n\nHi Ann", "Fine"),
            ("Fine\n\n*From:* Oak <r@in.example>\n*Sent:* Monday\n\nHi Ann", "Fine"),
            ("Fine\n\n-----Original Message-----\nFrom: Oak\n\nHi", "Fine"),
            ("Fine\n\nSent from my iPhone\n\n> Hi", "Fine"),
            ("Fine\n--\nAnn Weaver\n(207) 555-0100", "Fine"),
            ("Fine\n\n> Hi Ann\n> See you", "Fine"),
        ] {
            assert_eq!(without_quotation(text), new, "{text}");
        }
    }

    #[test]
    fn answers_between_quoted_lines_and_sentences_like_attributions_stay() {
        // FreeScout #3235: the answer stands where only a quotation was expected.
        let between = "On 2026-12-01 12:12, Oak wrote:\n> When?\nThursday\n> Which door?\nThe blue one";
        assert_eq!(without_quotation(between), "Thursday\nThe blue one");
        let all_quoted = "On 2026-12-01 12:12, Oak wrote:\n> Thursday, the blue door";
        assert_eq!(without_quotation(all_quoted), all_quoted);
        let sentence = "On the roof there is what my neighbor wrote:\nfix me";
        assert_eq!(without_quotation(sentence), sentence);
        let inline = "> When?\nThursday";
        assert_eq!(without_quotation(inline), "> When?\nThursday");
        let forwarded =
            "See below\n\n---------- Forwarded message ---------\nFrom: Insurer <a@b.example>\nDate: Mon\n\nApproved";
        assert_eq!(without_quotation(forwarded), forwarded);
        assert_eq!(without_quotation("\n\n"), "");
        // However much is quoted, each line is looked at a few times.
        let long = format!("{}end", ">\n".repeat(200_000));
        assert!(without_quotation(&long).ends_with("\nend"));
    }
}
