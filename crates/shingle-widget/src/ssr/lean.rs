//! Takes out of our own scripts and stylesheets what only their readers need: comments, blanks, long names.
//! Not a general minifier. It relies on how these files are written: a semicolon after every statement and no
//! comment behind code.

use std::collections::{HashMap, HashSet};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// A string, a template or a pattern, with its delimiters.
    Literal(String),
    Sign(char),
    /// `+` or `-` beside a blank: two of them are not `++`.
    Apart(char),
}

use Token::{Apart, Literal, Sign, Word};

pub fn lean_js(script: &str) -> String {
    let mut tokens = tokens(script);
    shorten(&mut tokens);
    written(&join_declarations(bare_parameters(&tokens)))
}

/// JSON as a script writes it: names of fields need no quotes.
pub fn lean_json(json: &str) -> String {
    let mut tokens = tokens(json);
    for i in 1..tokens.len() {
        if let (Sign('{' | ','), Literal(text), Some(Sign(':'))) = (&tokens[i - 1], &tokens[i], tokens.get(i + 1))
            && let name = text.trim_matches('"')
            && name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric())
        {
            tokens[i] = Word(name.to_owned());
        }
    }
    written(&tokens)
}

fn written(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| tokens.get(i));
        match (before, token) {
            (Some(Word(_)), Word(_)) => out.push(' '),
            // `a + +b` is not `a++b`.
            (Some(Apart(a)), Apart(b)) if a == b => out.push(' '),
            // Needless before a closing sign.
            (Some(Sign(',')), Sign(')' | ']' | '}')) | (Some(Sign(';')), Sign('}')) => {
                out.pop();
            }
            _ => {}
        }
        match token {
            Word(text) | Literal(text) => out.push_str(text),
            Sign(sign) | Apart(sign) => out.push(*sign),
        }
    }
    out
}

pub fn lean_css(style: &str) -> String {
    let mut out = String::with_capacity(style.len());
    let mut rest = style;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let joined: String = out.lines().map(str::trim).collect();
    [(" {", "{"), (": ", ":"), (", ", ","), (" > ", ">"), (" !", "!"), (";}", "}"), (":0.", ":."), (" 0.", " .")]
        .into_iter()
        .fold(joined, |css, (long, short)| css.replace(long, short))
}

fn tokens(script: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    for line in script.lines().map(str::trim).filter(|l| !l.starts_with("//")) {
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_whitespace() {
                continue;
            }
            let pattern = c == '/' && !matches!(tokens.last(), None | Some(Word(_) | Literal(_) | Sign(')' | ']')));
            if is_word(c) {
                let mut word = String::from(c);
                while let Some(next) = chars.next_if(|n| is_word(*n)) {
                    word.push(next);
                }
                tokens.push(Word(word));
            } else if pattern || matches!(c, '"' | '\'' | '`') {
                tokens.push(Literal(literal(c, &mut chars)));
            } else if matches!(c, '+' | '-')
                && !matches!(tokens.last(), Some(Sign(before)) if *before == c)
                && chars.peek() != Some(&c)
            {
                tokens.push(Apart(c));
            } else {
                tokens.push(Sign(c));
            }
        }
    }
    tokens
}

/// `(a) => b` needs no brackets.
fn bare_parameters(tokens: &[Token]) -> Vec<Token> {
    let lone =
        |from: usize| matches!(tokens.get(from..from + 5), Some([Sign('('), Word(_), Sign(')'), Sign('='), Sign('>')]));
    let needless = |(i, _): &(usize, &Token)| lone(*i) || i.checked_sub(2).is_some_and(lone);
    tokens.iter().enumerate().filter(|t| !needless(t)).map(|(_, token)| token.clone()).collect()
}

/// `const a = 1; const b = 2;` says the word once.
fn join_declarations(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    // For every open bracket: the word of the declaration that the statement inside it is.
    let mut declaring: Vec<Option<Token>> = vec![None];
    for token in tokens {
        let starts = matches!(joined.last(), None | Some(Sign(';' | '{' | '}')));
        match &token {
            Sign('(' | '[' | '{') => declaring.push(None),
            Sign(')' | ']' | '}') => {
                declaring.pop();
            }
            Word(_) if starts => {
                let declares = is_declaration(&token).then(|| token.clone());
                let again = declares.is_some() && declaring.last() == Some(&declares);
                if again && joined.last() == Some(&Sign(';')) {
                    joined.pop();
                    joined.push(Sign(','));
                    continue;
                }
                if let Some(now) = declaring.last_mut() {
                    *now = declares;
                }
            }
            _ => {}
        }
        joined.push(token);
    }
    joined
}

fn literal(delimiter: char, chars: &mut impl Iterator<Item = char>) -> String {
    let mut text = String::from(delimiter);
    let mut class = false;
    while let Some(c) = chars.next() {
        text.push(c);
        match c {
            '\\' => text.extend(chars.next()),
            '[' if delimiter == '/' => class = true,
            ']' if delimiter == '/' => class = false,
            _ if c == delimiter && !class => break,
            _ => {}
        }
    }
    text
}

/// Gives every name that is declared here, and is nowhere a property, one or two letters.
fn shorten(tokens: &mut [Token]) {
    let mut declared = HashSet::new();
    let mut kept: HashSet<String> = HashSet::new();
    let mut open = Vec::new();
    for i in 0..tokens.len() {
        let sign = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
            Some(Sign(sign)) => *sign,
            _ => ' ',
        };
        let (before, after) = (sign(i.checked_sub(1)), sign(Some(i + 1)));
        match &tokens[i] {
            Sign(c @ ('(' | '[' | '{')) => open.push((*c, i)),
            Sign(')' | ']' | '}') => {
                let opened = open.pop();
                let parameters = sign(Some(i + 1)) == '=' && sign(Some(i + 2)) == '>';
                if let Some(('(', from)) = opened
                    && parameters
                {
                    declare_all(&tokens[from..i], &mut declared);
                }
                // `const [a, b] = …`
                if let Some(('[', from)) = opened
                    && from.checked_sub(1).is_some_and(|at| is_declaration(&tokens[at]))
                {
                    declare_all(&tokens[from..i], &mut declared);
                }
            }
            Word(word) => {
                let property = before == '.' && sign(i.checked_sub(2)) != '.';
                let shorthand = matches!(before, '{' | ',')
                    && matches!(after, ',' | '}')
                    && open.last().is_some_and(|o| o.0 == '{');
                if property || shorthand || after == ':' || word.len() < 2 {
                    kept.insert(word.clone());
                } else if (i > 0 && is_declaration(&tokens[i - 1])) || (after == '=' && sign(Some(i + 2)) == '>') {
                    declared.insert(word.clone());
                }
            }
            Literal(text) if text.starts_with('`') => kept.extend(text.split(|c| !is_word(c)).map(str::to_owned)),
            _ => {}
        }
    }
    let uses = uses(tokens, |word| declared.contains(word) && !kept.contains(word));
    kept.extend(tokens.iter().filter_map(|t| match t {
        Word(word) if !uses.contains_key(word) => Some(word.clone()),
        _ => None,
    }));
    let mut names: Vec<(&String, &Uses)> = uses.iter().collect();
    names.sort_by(|a, b| b.1.at.len().cmp(&a.1.at.len()).then_with(|| a.0.cmp(b.0)));
    let letters = || ('a'..='z').chain('A'..='Z');
    let pairs = letters().flat_map(|a| letters().map(move |b| format!("{a}{b}")));
    let mut short: Vec<(String, Vec<&Uses>)> =
        letters().map(String::from).chain(pairs).map(|name| (name, Vec::new())).collect();
    short.retain(|(name, _)| !kept.contains(name) && !matches!(name.as_str(), "do" | "if" | "in" | "of" | "as"));
    let mut renamed = HashMap::new();
    for (name, used) in names {
        if let Some((short, by)) = short.iter_mut().find(|(_, by)| !by.iter().any(|other| used.meets(other))) {
            by.push(used);
            renamed.insert(name.clone(), short.clone());
        }
    }
    for token in tokens {
        if let Word(word) = token
            && let Some(short) = renamed.get(word)
        {
            word.clone_from(short);
        }
    }
}

/// Where a name is written, and the innermost brackets round all of it: outside them it means nothing.
struct Uses {
    at: Vec<usize>,
    within: (usize, usize),
}

impl Uses {
    /// Whether the two cannot have one name: they live in the same brackets, or one is used inside the other's.
    fn meets(&self, other: &Self) -> bool {
        let inside = |span: (usize, usize), at: &[usize]| at.iter().any(|at| (span.0..=span.1).contains(at));
        let nested = |inner: (usize, usize), outer: (usize, usize)| outer.0 <= inner.0 && inner.1 <= outer.1;
        self.within == other.within
            || (nested(self.within, other.within) && inside(self.within, &other.at))
            || (nested(other.within, self.within) && inside(other.within, &self.at))
    }
}

fn uses(tokens: &[Token], renamed: impl Fn(&str) -> bool) -> HashMap<String, Uses> {
    let mut spans = vec![(0, tokens.len())];
    let mut open = Vec::new();
    let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
    for (i, token) in tokens.iter().enumerate() {
        match token {
            Sign('(' | '[' | '{') => open.push(i),
            Sign(')' | ']' | '}') => spans.extend(open.pop().map(|from| (from, i))),
            Word(word) if renamed(word) => at.entry(word).or_default().push(i),
            _ => {}
        }
    }
    let innermost = |at: &[usize]| {
        let holds = |span: &&(usize, usize)| at.iter().all(|at| (span.0..=span.1).contains(at));
        spans.iter().filter(holds).min_by_key(|span| span.1 - span.0).copied().unwrap_or((0, tokens.len()))
    };
    at.into_iter().map(|(word, at)| (word.to_owned(), Uses { within: innermost(&at), at })).collect()
}

fn is_declaration(token: &Token) -> bool {
    matches!(token, Word(word) if word == "const" || word == "let")
}

/// The names of a parameter list; defaults are signs, literals and names that are declared elsewhere.
fn declare_all(list: &[Token], declared: &mut HashSet<String>) {
    for pair in list.windows(2) {
        if let [Sign('(' | '[' | ',' | '.'), Word(word)] = pair {
            declared.insert(word.clone());
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_stay_between_words_and_inside_strings() {
        let script = "  // why\n  const a = \"x  = y\" + b;\n  return a;\n  if (x) {\n    y(`p  ${q} r`, /[/ ]  x/.test(z), a ? b : c);\n  }\n";
        assert_eq!(lean_js(script), "const a=\"x  = y\"+b;return a;if(x){y(`p  ${q} r`,/[/ ]  x/.test(z),a?b:c)}");
    }

    #[test]
    fn words_never_run_together() {
        assert_eq!(
            lean_js("f = async () => {\n  await g();\n};\ntypeof x;\na in b;"),
            "f=async()=>{await g()};typeof x;a in b;"
        );
        assert_eq!(lean_js("a + +b - -c;"), "a+ +b- -c;");
        assert_eq!(lean_js("i++;"), "i++;");
        assert_eq!(lean_js("return \"a\" in b;"), "return\"a\"in b;");
        assert_eq!(lean_js("a / b / c;"), "a/b/c;");
    }

    #[test]
    fn only_names_of_our_own_become_short() {
        assert_eq!(
            lean_js("const build = (tree, [first, ...others]) => make(tree.first, others);\nbuild(document);"),
            "const a=(c,[first,...b])=>make(c.first,b);a(document);"
        );
        assert_eq!(lean_js("const open = 1;\nconst api = { open, key: open };"), "const open=1,a={open,key:open};");
        assert_eq!(lean_js("f((e) => e.x, async (e) => e);"), "f(e=>e.x,async e=>e);");
        assert_eq!(lean_js("let host;\nlog(`on ${host}`);"), "let host;log(`on ${host}`);");
        assert_eq!(
            lean_js(
                "const one = () => {\n  const inner = 1;\n  g(inner);\n};\nconst two = () => {\n  const other = 2;\n  g(other, one);\n};"
            ),
            "const a=()=>{const a=1;g(a)},b=()=>{const b=2;g(b,a)};"
        );
        assert_eq!(lean_js("const alpha = 1;\na(alpha, b);"), "const c=1;a(c,b);");
    }

    #[test]
    fn declarations_in_a_row_say_so_once() {
        assert_eq!(
            lean_js("const aa = 1;\nconst bb = () => {\n  c;\n};\nconst cc = aa;\ng(cc);\nconst dd = bb;"),
            "const a=1,b=()=>{c},d=a;g(d);const e=b;"
        );
        assert_eq!(lean_js("x = () => {\n  const aa = 1;\n};\nconst bb = 2;"), "x=()=>{const a=1};const a=2;");
    }

    #[test]
    fn json_loses_its_quotes_round_names_only() {
        let json = r#"{"id":"a","palette":[],"aria-label":"x, y: {z}","n":-1,"deep":{"url":"//x"}}"#;
        assert_eq!(lean_json(json), r#"{id:"a",palette:[],"aria-label":"x, y: {z}",n:-1,deep:{url:"//x"}}"#);
        let quoted = r#"["a","b\"",{"c":"{\"d\":1}"}]"#;
        assert_eq!(lean_json(quoted), r#"["a","b\"",{c:"{\"d\":1}"}]"#);
    }

    #[test]
    fn a_stylesheet_keeps_the_blanks_that_mean_something() {
        let style = "/* why */\na > b {\n  margin: calc(1px + 2px) auto;\n  font: 600 16px/1 x, y !important;\n}\n";
        assert_eq!(lean_css(style), "a>b{margin:calc(1px + 2px) auto;font:600 16px/1 x,y!important}");
    }
}
