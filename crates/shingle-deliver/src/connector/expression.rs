//! Expressions, and texts with expressions inside: checked when the file is read, evaluated within a bound of steps.
//! There are no statements: nothing loops, and nothing is assigned.

use std::sync::LazyLock;

use minijinja::value::{Value, ValueKind};
use minijinja::{Environment, ErrorKind, UndefinedBehavior, tests};

use crate::connector::filters;
use crate::connector::messages::ExpressionProblem;
use crate::connector::scope::Scope;

/// Steps of one evaluation.
const FUEL: u64 = 20_000;
/// Bytes of one text of a file.
const MAX_SOURCE: usize = 4_000;

static STRICT: LazyLock<Environment<'static>> = LazyLock::new(|| environment(UndefinedBehavior::Strict));
static LENIENT: LazyLock<Environment<'static>> = LazyLock::new(|| environment(UndefinedBehavior::Chainable));

fn environment(undefined: UndefinedBehavior) -> Environment<'static> {
    let mut env = Environment::empty();
    env.set_undefined_behavior(undefined);
    env.set_fuel(Some(FUEL));
    env.set_recursion_limit(50);
    filters::add_to(&mut env);
    env.add_test("defined", tests::is_defined);
    env.add_test("undefined", tests::is_undefined);
    env.add_test("none", tests::is_none);
    env.add_test("string", tests::is_string);
    env.add_test("number", tests::is_number);
    env
}

/// One expression, as in `lead.phone|e164`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression(String);

impl Expression {
    pub fn new(source: &str) -> Self {
        Self(source.trim().to_owned())
    }

    pub fn source(&self) -> &str {
        &self.0
    }

    /// Everything that is wrong with it.
    pub fn problems(&self, scope: &Scope) -> Vec<String> {
        if self.0.len() > MAX_SOURCE {
            return vec!["this is longer than 4,000 characters".to_owned()];
        }
        let compiled = match STRICT.compile_expression_owned(self.0.clone()) {
            Ok(compiled) => compiled,
            Err(e) => return vec![format!("`{}` is not an expression: {}", self.0, detail(&e))],
        };
        let mut paths: Vec<String> = compiled.undeclared_variables(true).into_iter().collect();
        paths.sort();
        let mut found: Vec<String> = paths.iter().filter_map(|path| scope.problem(path)).collect();
        found.extend(unknown_words(&self.0));
        found.dedup();
        found
    }

    /// The names it reads from the captures of earlier requests.
    pub fn reads_steps(&self) -> bool {
        STRICT.compile_expression_owned(self.0.clone()).is_ok_and(|e| e.undeclared_variables(false).contains("steps"))
    }

    /// A field that is not there is an error that names it, unless `default` is given.
    pub fn value(&self, context: &Value) -> Result<Value, ExpressionProblem> {
        let compiled = STRICT.compile_expression_owned(self.0.clone()).map_err(|e| self.failed(&e))?;
        let value = compiled.eval(context.clone()).map_err(|e| self.explain(&e, paths_of(&compiled), context))?;
        if value.is_undefined() {
            return Err(self.explain(&ErrorKind::UndefinedError.into(), paths_of(&compiled), context));
        }
        Ok(value)
    }

    /// Of a response, which may be anything: only the value as a whole has to be there.
    pub fn found(&self, context: &Value) -> Result<Value, ExpressionProblem> {
        let compiled = LENIENT.compile_expression_owned(self.0.clone()).map_err(|e| self.failed(&e))?;
        let value = compiled.eval(context.clone()).map_err(|e| self.failed(&e))?;
        if value.is_undefined() { Err(ExpressionProblem::NotThere { expression: self.0.clone() }) } else { Ok(value) }
    }

    /// The same, without saying why it is nothing.
    pub fn lenient(&self, context: &Value) -> Option<Value> {
        self.found(context).ok().filter(|value| !value.is_none())
    }

    pub fn is_true(&self, context: &Value) -> Result<bool, ExpressionProblem> {
        self.value(context).map(|v| v.is_true())
    }

    fn failed(&self, error: &minijinja::Error) -> ExpressionProblem {
        ExpressionProblem::Failed { expression: self.0.clone(), why: detail(error) }
    }

    fn explain(&self, error: &minijinja::Error, mut paths: Vec<String>, context: &Value) -> ExpressionProblem {
        let expression = self.0.clone();
        if error.kind() == ErrorKind::OutOfFuel {
            return ExpressionProblem::TooManySteps { expression };
        }
        if error.kind() != ErrorKind::UndefinedError {
            return self.failed(error);
        }
        paths.sort();
        let missing: Vec<String> = paths.into_iter().filter(|path| !is_there(path, context)).collect();
        match missing.as_slice() {
            [] => self.failed(error),
            [part] => ExpressionProblem::PartNotThere { expression, part: part.clone() },
            parts => ExpressionProblem::PartsNotThere { expression, parts: parts.to_vec() },
        }
    }
}

fn paths_of(compiled: &minijinja::Expression<'_, '_>) -> Vec<String> {
    compiled.undeclared_variables(true).into_iter().collect()
}

fn is_there(path: &str, context: &Value) -> bool {
    let mut at = context.clone();
    for name in path.split('.') {
        match at.get_attr(name) {
            Ok(next) if !next.is_undefined() => at = next,
            _ => return false,
        }
    }
    true
}

fn detail(error: &minijinja::Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), str::to_owned)
}

/// Filters, tests and functions are looked up only when they run; this finds them when the file is read.
fn unknown_words(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let state = STRICT.empty_state();
    let tokens = tokens(source);
    for (at, token) in tokens.iter().enumerate() {
        let Token::Word(word) = token else { continue };
        let before = at.checked_sub(1).map(|i| &tokens[i]);
        let earlier = at.checked_sub(2).map(|i| &tokens[i]);
        let is = |token: Option<&Token>, word: &str| matches!(token, Some(Token::Word(w)) if w == word);
        if matches!(before, Some(Token::Sign('|'))) {
            if !tests::is_filter(&state, word) {
                found.push(format!("there is no filter `{word}`"));
            }
        } else if (is(before, "is") && word != "not") || (is(before, "not") && is(earlier, "is")) {
            if !tests::is_test(&state, word) {
                found.push(format!("there is no test `{word}`"));
            }
        } else if matches!(tokens.get(at + 1), Some(Token::Sign('(')))
            && !["and", "or", "not", "in", "if", "else"].contains(&word.as_str())
        {
            found.push(format!("there is no function `{word}`"));
        }
    }
    found
}

enum Token {
    Word(String),
    Sign(char),
}

/// Words and signs, without the strings.
fn tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' | '"' => {
                while let Some(inner) = rest.next() {
                    if inner == '\\' {
                        rest.next();
                    } else if inner == c {
                        break;
                    }
                }
                found.push(Token::Sign('"'));
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut word = String::from(c);
                while let Some(next) = rest.next_if(|n| n.is_alphanumeric() || *n == '_') {
                    word.push(next);
                }
                found.push(Token::Word(word));
            }
            c if c.is_whitespace() => {}
            c => found.push(Token::Sign(c)),
        }
    }
    found
}

/// A text with expressions in `{{ }}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Expression(Expression),
}

impl Text {
    pub fn parse(source: &str) -> Result<Self, String> {
        if source.len() > MAX_SOURCE {
            return Err("this is longer than 4,000 characters".to_owned());
        }
        let mut parts = Vec::new();
        let mut rest = source;
        while let Some(at) = rest.find('{').filter(|_| ["{{", "{%", "{#"].iter().any(|open| rest.contains(open))) {
            let (literal, from) = rest.split_at(at);
            push(&mut parts, literal);
            if from.starts_with("{%") || from.starts_with("{#") {
                return Err("only expressions in {{ }} are possible, no statements and no comments".to_owned());
            }
            let Some(inside) = from.strip_prefix("{{") else {
                push(&mut parts, "{");
                rest = &from[1..];
                continue;
            };
            let end = end_of_expression(inside).ok_or("`{{` is never closed")?;
            parts.push(Part::Expression(Expression::new(&inside[..end])));
            rest = &inside[end + 2..];
        }
        push(&mut parts, rest);
        Ok(Self(parts))
    }

    pub fn problems(&self, scope: &Scope) -> Vec<String> {
        self.expressions().flat_map(|e| e.problems(scope)).collect()
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.0.iter().filter_map(|part| match part {
            Part::Expression(e) => Some(e),
            Part::Literal(_) => None,
        })
    }

    /// One expression alone keeps the type of its value; everything else is a text.
    pub fn value(&self, context: &Value) -> Result<Value, ExpressionProblem> {
        match self.0.as_slice() {
            [Part::Expression(e)] => e.value(context),
            _ => self.text(context, |value, _| value).map(Value::from),
        }
    }

    /// `write` is given each value's text, and whether it is to be taken as it is (`raw`).
    pub fn text(&self, context: &Value, write: impl Fn(String, bool) -> String) -> Result<String, ExpressionProblem> {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Literal(text) => out.push_str(text),
                Part::Expression(e) => {
                    let value = e.value(context)?;
                    out.push_str(&write(written(&value, e)?, value.is_safe()));
                }
            }
            if out.len() > filters::MAX_TEXT {
                return Err(ExpressionProblem::TextTooLong);
            }
        }
        Ok(out)
    }
}

fn push(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Literal(before)) => before.push_str(text),
        _ => parts.push(Part::Literal(text.to_owned())),
    }
}

/// Where `}}` is, outside strings and inner braces.
fn end_of_expression(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0_usize;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => {
                chars.next();
            }
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth > 0 => depth -= 1,
            (None, '}') if chars.peek().is_some_and(|(_, next)| *next == '}') => return Some(at),
            (None, _) => {}
        }
    }
    None
}

fn written(value: &Value, of: &Expression) -> Result<String, ExpressionProblem> {
    match value.kind() {
        ValueKind::None => Ok(String::new()),
        ValueKind::String | ValueKind::Number | ValueKind::Bool => Ok(value.to_string()),
        other => Err(ExpressionProblem::NotText { expression: of.source().to_owned(), kind: other.to_string() }),
    }
}
