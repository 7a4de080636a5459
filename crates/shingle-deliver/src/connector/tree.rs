//! The body of a request as a JSON tree whose texts may hold expressions. Values never change its shape.

use minijinja::Value as Term;
use serde_json::{Map, Value};

use crate::connector::error::Mistake;
use crate::connector::expression::{Expression, Text};
use crate::connector::scope::Scope;

/// Key of an object that is there only when the expression is true.
const WHEN: &str = "$when";

#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// A number, `true`, `false` or `null`, as it stands.
    Fixed(Value),
    Text(Text),
    List(Vec<Tree>),
    Object {
        when: Option<Expression>,
        fields: Vec<(String, Tree)>,
    },
}

impl Tree {
    /// `place` is the way to the value.
    pub fn parse(value: &Value, place: &str, mistakes: &mut Vec<Mistake>) -> Self {
        match value {
            Value::String(source) => match Text::parse(source) {
                Ok(text) => Self::Text(text),
                Err(problem) => {
                    mistakes.push(Mistake::new(place, problem));
                    Self::Fixed(Value::Null)
                }
            },
            Value::Array(items) => {
                let each = items.iter().enumerate();
                Self::List(each.map(|(at, item)| Self::parse(item, &format!("{place}[{at}]"), mistakes)).collect())
            }
            Value::Object(fields) => Self::parse_object(fields, place, mistakes),
            fixed => Self::Fixed(fixed.clone()),
        }
    }

    fn parse_object(fields: &Map<String, Value>, place: &str, mistakes: &mut Vec<Mistake>) -> Self {
        let when = match fields.get(WHEN) {
            Some(Value::String(source)) => Some(Expression::new(source)),
            Some(_) => {
                mistakes.push(Mistake::new(format!("{place}.{WHEN}"), "this must be an expression"));
                None
            }
            None => None,
        };
        let rest = fields.iter().filter(|(name, _)| *name != WHEN);
        let fields = rest.map(|(name, value)| (name.clone(), Self::parse(value, &format!("{place}.{name}"), mistakes)));
        Self::Object { when, fields: fields.collect() }
    }

    pub fn check(&self, scope: &Scope, place: &str, mistakes: &mut Vec<Mistake>) {
        let mut add = |problems: Vec<String>, place: &str| {
            mistakes.extend(problems.into_iter().map(|problem| Mistake::new(place, problem)));
        };
        match self {
            Self::Fixed(_) => {}
            Self::Text(text) => add(text.problems(scope), place),
            Self::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    item.check(scope, &format!("{place}[{at}]"), mistakes);
                }
            }
            Self::Object { when, fields } => {
                if let Some(when) = when {
                    add(when.problems(scope), &format!("{place}.{WHEN}"));
                }
                for (name, value) in fields {
                    value.check(scope, &format!("{place}.{name}"), mistakes);
                }
            }
        }
    }

    /// `None`: there is nothing here. Fields and items that are nothing are left out, and so is a list of nothing else.
    pub fn value(&self, context: &Term, place: &str) -> Result<Option<Value>, Mistake> {
        match self {
            Self::Fixed(value) => Ok(Some(value.clone())),
            Self::Text(text) => {
                let term = text.value(context).map_err(|problem| Mistake::new(place, problem))?;
                let json = serde_json::to_value(&term).map_err(|e| Mistake::new(place, e.to_string()))?;
                Ok((!json.is_null()).then_some(json))
            }
            Self::List(items) => {
                let mut list = Vec::new();
                for (at, item) in items.iter().enumerate() {
                    list.extend(item.value(context, &format!("{place}[{at}]"))?);
                }
                Ok((items.is_empty() || !list.is_empty()).then_some(Value::Array(list)))
            }
            Self::Object { when, fields } => {
                if let Some(when) = when {
                    let met = when.is_true(context).map_err(|p| Mistake::new(format!("{place}.{WHEN}"), p))?;
                    if !met {
                        return Ok(None);
                    }
                }
                let mut object = Map::new();
                for (name, field) in fields {
                    if let Some(value) = field.value(context, &format!("{place}.{name}"))? {
                        object.insert(name.clone(), value);
                    }
                }
                Ok(Some(Value::Object(object)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(tree: Value, context: Value) -> Value {
        let mut mistakes = Vec::new();
        let tree = Tree::parse(&tree, "json", &mut mistakes);
        assert_eq!(mistakes, []);
        tree.value(&Term::from(minijinja::value::Serde(&context)), "json").unwrap().unwrap_or_default()
    }

    #[test]
    fn an_expression_alone_keeps_its_type_and_a_value_cannot_change_the_shape() {
        let lead = serde_json::json!({ "lead": { "message": "\", \"admin\": true, \"x\": \"", "score": 7.5 } });
        let tree = serde_json::json!({ "a": "{{ lead.message }}", "b": "{{ lead.score }}", "c": "n {{ lead.score }}" });
        assert_eq!(
            rendered(tree, lead),
            serde_json::json!({ "a": "\", \"admin\": true, \"x\": \"", "b": 7.5, "c": "n 7.5" })
        );
    }

    #[test]
    fn what_is_nothing_is_left_out() {
        let lead = serde_json::json!({ "lead": { "phone": null, "message": "" } });
        let tree = serde_json::json!({
            "phone": "{{ lead.phone }}", "fixed": null, "message": "{{ lead.message }}",
            "list": [{ "$when": "lead.phone", "a": 1 }, "{{ lead.phone }}", { "$when": "not lead.phone", "b": 2 }],
        });
        assert_eq!(rendered(tree, lead), serde_json::json!({ "fixed": null, "message": "", "list": [{ "b": 2 }] }));
    }
}
