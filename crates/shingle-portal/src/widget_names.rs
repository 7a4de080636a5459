//! What widgets are called where one is chosen.

use std::collections::HashMap;

/// The titles of their first pages, oldest first. One that is there again gets a number, which stays when others come.
pub fn widget_names<'t>(titles: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut times: HashMap<&str, usize> = HashMap::new();
    let named = |title: &'t str| {
        let nth = times.entry(title).and_modify(|times| *times += 1).or_insert(1);
        if *nth == 1 { title.to_owned() } else { format!("{title} ({nth})") }
    };
    titles.into_iter().map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widgets_with_one_title_are_told_apart() {
        assert_eq!(widget_names(["Roof?", "Metal?", "Roof?", "Roof?"]), ["Roof?", "Metal?", "Roof? (2)", "Roof? (3)"]);
        assert_eq!(widget_names([]), Vec::<String>::new());
    }
}
