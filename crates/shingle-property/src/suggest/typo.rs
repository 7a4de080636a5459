//! Distance between what was typed and the beginning of a text.

/// Typing errors that lie between `typed` and some beginning of `text` (a letter too many, too few, wrong, or
/// two swapped), if they are at most `most`.
pub(super) fn within(typed: &str, text: &str, most: usize) -> Option<usize> {
    last_row(typed, text, most)?.into_iter().min().filter(|d| *d <= most)
}

/// Typing errors between two whole texts, if they are at most `most`.
pub(super) fn between(typed: &str, text: &str, most: usize) -> Option<usize> {
    if typed.chars().count().abs_diff(text.chars().count()) > most {
        return None;
    }
    last_row(typed, text, most)?.pop().filter(|d| *d <= most)
}

/// The last row of the optimal string alignment distance: of `typed` to every beginning of `text`, up to its length and
/// `most` more. `None` where all are further.
fn last_row(typed: &str, text: &str, most: usize) -> Option<Vec<usize>> {
    let a: Vec<char> = typed.chars().collect();
    let b: Vec<char> = text.chars().take(a.len() + most).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = substituted.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        if next.iter().min().is_some_and(|m| *m > most) {
            return None;
        }
        before = std::mem::replace(&mut row, next);
    }
    Some(row)
}

/// Whether two texts have the same numbers: `ROUTE 31` is not `ROUTE 13` misspelled. The last number may go on where more may
/// be typed.
pub(super) fn same_numbers(typed: &str, text: &str, is_complete: bool) -> bool {
    let numbers = |text: &str| -> Vec<String> {
        let words = text.split(' ').map(|word| word.chars().filter(char::is_ascii_digit).collect::<String>());
        words.filter(|digits| !digits.is_empty()).collect()
    };
    let (typed_numbers, numbers) = (numbers(typed), numbers(text));
    let ends_open = !is_complete && typed.ends_with(|c: char| c.is_ascii_digit());
    typed_numbers.len() <= numbers.len()
        && typed_numbers.iter().zip(&numbers).enumerate().all(|(at, (typed, number))| {
            typed == number || ends_open && at + 1 == typed_numbers.len() && number.starts_with(typed.as_str())
        })
}

/// How many errors are allowed in a text of this length.
pub(super) fn forgiven(length: usize) -> usize {
    match length {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_counted_against_the_best_beginning() {
        assert_eq!(within("ALDER CO", "ALDER COURT", 1), Some(0));
        assert_eq!(within("ADLER", "ALDER COURT", 1), Some(1), "two letters swapped");
        assert_eq!(within("ALDR CO", "ALDER COURT", 1), Some(1), "a letter missing");
        assert_eq!(within("ALLDER", "ALDER COURT", 1), Some(1), "a letter too many");
        assert_eq!(within("ALTER", "ALDER COURT", 1), Some(1), "a wrong letter");
        assert_eq!(within("ELTER", "ALDER COURT", 1), None);
        assert_eq!(within("", "X", 0), Some(0));
    }

    #[test]
    fn another_number_in_a_name_is_another_road() {
        assert!(same_numbers("ROUTE 31", "ROUTE 31", true) && !same_numbers("ROUTE 31", "ROUTE 13", true));
        assert!(!same_numbers("ROUTE 3", "ROUTE 31", true) && same_numbers("ROUTE 3", "ROUTE 31", false));
        assert!(same_numbers("ALDR", "ALDER COURT", false) && !same_numbers("5TH STRET", "6TH STREET", true));
        assert!(same_numbers("5TH STRET", "5TH STREET", true));
    }

    #[test]
    fn whole_texts_are_counted_to_their_ends() {
        assert_eq!(between("PORTLAND", "PORTLAND", 2), Some(0));
        assert_eq!(between("PORTLNAD", "PORTLAND", 2), Some(1));
        assert_eq!(between("PORTLAND", "PORT", 2), None);
        assert_eq!(between("PORT", "PORTLAND", 2), None);
        assert_eq!(between("BATH", "BATHS", 1), Some(1));
        assert_eq!(between("BATH", "BETHS", 1), None);
    }
}
