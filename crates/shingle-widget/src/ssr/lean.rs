//! Takes out of our own scripts and stylesheets what only their readers need: comments, blanks, long names.
//! Not a general minifier. It relies on how these files are written: a semicolon after every statement, no
//! comment behind code, one meaning to a name.

use std::collections::{HashMap, HashSet};

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    /// A name, a keyword or a number.
    Word(String),
    /// A string, a template or a pattern, with its delimiters.
    Literal(String),
    Sign(char),
}

use Token::{Literal, Sign, Word};

pub fn lean_js(script: &str) -> String {
    let mut tokens = tokens(script);
    shorten(&mut tokens);
    let tokens = join_declarations(tokens);
    let mut out = String::with_capacity(script.len());
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| tokens.get(i));
        match (before, token) {
            (Some(Word(_)), Word(_)) => out.push(' '),
            // `a + +b` is not `a++b`.
            (Some(Sign(a @ ('+' | '-'))), Sign(b)) if a == b && script.contains(&format!("{a} {b}")) => out.push(' '),
            // Needless before a closing sign.
            (Some(Sign(',')), Sign(')' | ']' | '}')) | (Some(Sign(';')), Sign('}')) => {
                out.pop();
            }
            _ => {}
        }
        match token {
            Word(text) | Literal(text) => out.push_str(text),
            Sign(sign) => out.push(*sign),
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
    [(" {", "{"), (": ", ":"), (", ", ","), (" > ", ">"), (" !", "!"), (";}", "}")]
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
            } else {
                tokens.push(Sign(c));
            }
        }
    }
    tokens
}

/// `const a = 1; const b = 2;` says the word once.
fn join_declarations(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    // For every open bracket: whether the statement inside it is a declaration.
    let mut declaring = vec![false];
    for token in tokens {
        let starts = matches!(joined.last(), None | Some(Sign(';' | '{' | '}')));
        match &token {
            Sign('(' | '[' | '{') => declaring.push(false),
            Sign(')' | ']' | '}') => {
                declaring.pop();
                // A block ends its statement, a function or an object does not.
                if declaring.is_empty() {
                    declaring.push(false);
                }
            }
            Word(word)
                if word == "const" && matches!(joined.last(), Some(Sign(';'))) && declaring.last() == Some(&true) =>
            {
                joined.pop();
                joined.push(Sign(','));
                continue;
            }
            Word(word) if starts => {
                if let Some(now) = declaring.last_mut() {
                    *now = word == "const";
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
    let mut declared = HashMap::<String, usize>::new();
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
                    declared.entry(word.clone()).or_default();
                }
            }
            Literal(text) if text.starts_with('`') => kept.extend(text.split(|c| !is_word(c)).map(str::to_owned)),
            _ => {}
        }
    }
    for token in tokens.iter() {
        if let Word(word) = token {
            match declared.get_mut(word) {
                Some(count) if !kept.contains(word) => *count += 1,
                _ => {
                    kept.insert(word.clone());
                }
            }
        }
    }
    let mut names: Vec<(String, usize)> = declared.into_iter().filter(|(name, _)| !kept.contains(name)).collect();
    names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let letters = || ('a'..='z').chain('A'..='Z');
    let short = letters().map(String::from).chain(letters().flat_map(|a| letters().map(move |b| format!("{a}{b}"))));
    let short = short.filter(|s| !kept.contains(s) && !matches!(s.as_str(), "do" | "if" | "in" | "of" | "as"));
    let renamed: HashMap<String, String> = names.into_iter().map(|(name, _)| name).zip(short).collect();
    for token in tokens {
        if let Word(word) = token
            && let Some(short) = renamed.get(word)
        {
            word.clone_from(short);
        }
    }
}

fn is_declaration(token: &Token) -> bool {
    matches!(token, Word(word) if word == "const" || word == "let")
}

/// The names of a parameter list; defaults are signs, literals and names that are declared elsewhere.
fn declare_all(list: &[Token], declared: &mut HashMap<String, usize>) {
    for pair in list.windows(2) {
        if let [Sign('(' | '[' | ',' | '.'), Word(word)] = pair {
            declared.entry(word.clone()).or_default();
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
        assert_eq!(lean_js("let host;\nlog(`on ${host}`);"), "let host;log(`on ${host}`);");
        assert_eq!(lean_js("const alpha = 1;\na(alpha, b);"), "const c=1;a(c,b);");
    }

    #[test]
    fn declarations_in_a_row_say_so_once() {
        assert_eq!(
            lean_js("const aa = 1;\nconst bb = () => {\n  c;\n};\nconst cc = aa;\ng(cc);\nconst dd = bb;"),
            "const a=1,b=()=>{c},d=a;g(d);const e=b;"
        );
        assert_eq!(lean_js("x = () => {\n  const aa = 1;\n};\nconst bb = 2;"), "x=()=>{const a=1};const b=2;");
    }

    #[test]
    fn a_stylesheet_keeps_the_blanks_that_mean_something() {
        let style = "/* why */\na > b {\n  margin: calc(1px + 2px) auto;\n  font: 600 16px/1 x, y !important;\n}\n";
        assert_eq!(lean_css(style), "a>b{margin:calc(1px + 2px) auto;font:600 16px/1 x,y!important}");
    }
}
