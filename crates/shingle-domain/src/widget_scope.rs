//! Which of a company's widgets a person or an API key may see.

use std::sync::Arc;

use crate::WidgetId;

/// Leads and results of other widgets do not exist for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum WidgetScope {
    #[default]
    All,
    Only(Arc<[WidgetId]>),
}

impl WidgetScope {
    /// In the order given, each once.
    pub fn only(ids: impl IntoIterator<Item = WidgetId>) -> Self {
        let mut found: Vec<WidgetId> = Vec::new();
        for id in ids {
            if !found.contains(&id) {
                found.push(id);
            }
        }
        Self::Only(found.into())
    }

    pub fn is_all(&self) -> bool {
        *self == Self::All
    }

    pub fn sees(&self, id: WidgetId) -> bool {
        self.ids().is_none_or(|ids| ids.contains(&id))
    }

    /// `None`: every widget.
    pub fn ids(&self) -> Option<&[WidgetId]> {
        match self {
            Self::All => None,
            Self::Only(ids) => Some(ids),
        }
    }

    /// Whether the two have a widget in common.
    pub fn meets(&self, other: &Self) -> bool {
        match (self.ids(), other.ids()) {
            (Some(own), Some(others)) => own.iter().any(|id| others.contains(id)),
            _ => true,
        }
    }

    /// As a database holds it: ids separated by spaces; `None` for all.
    pub fn text(&self) -> Option<String> {
        let words = |ids: &[WidgetId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        self.ids().map(words)
    }

    /// # Errors
    /// The word that is not an id. Text that cannot be read never means every widget.
    pub fn read(text: Option<&str>) -> Result<Self, &str> {
        let Some(text) = text else { return Ok(Self::All) };
        let ids = text.split_whitespace().map(|word| word.parse::<WidgetId>().map_err(|_| word));
        Ok(Self::only(ids.collect::<Result<Vec<_>, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";
    const TWO: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6b";

    #[test]
    fn a_scope_is_kept_as_text_and_nothing_unreadable_means_all() {
        assert_eq!(WidgetScope::read(None), Ok(WidgetScope::All));
        let both = format!("{ONE} {TWO} {ONE}");
        let scope = WidgetScope::read(Some(&both)).unwrap();
        assert_eq!(scope.text(), Some(format!("{ONE} {TWO}")));
        assert_eq!(WidgetScope::read(Some("all")), Err("all"));
        let nothing = WidgetScope::read(Some("")).unwrap();
        assert!(!nothing.sees(ONE.parse().unwrap()) && !nothing.is_all());
    }

    #[test]
    fn only_named_widgets_are_seen() {
        let [one, two] = [ONE, TWO].map(|id| id.parse::<WidgetId>().unwrap());
        let scope = WidgetScope::only([one]);
        assert!(scope.sees(one) && !scope.sees(two) && WidgetScope::All.sees(two));
        assert!(scope.meets(&WidgetScope::All) && WidgetScope::All.meets(&scope));
        assert!(scope.meets(&WidgetScope::only([two, one])) && !scope.meets(&WidgetScope::only([two])));
    }
}
