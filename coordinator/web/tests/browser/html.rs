//! A strict reader of the HTML of the pages. Elements must be closed, in order; attributes must be quoted; and the
//! elements that a page names must exist.

use std::collections::BTreeSet;

/// Elements that are never closed.
const VOID: [&str; 5] = ["meta", "link", "input", "br", "img"];

/// Checks a page. The error says what is wrong.
pub(crate) fn check(page: &str) -> Result<(), String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    let mut open: Vec<&str> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut named = Vec::new();
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        if text.contains('>') {
            return Err(format!("a stray > in `{text}`"));
        }
        let end = tag.find('>').ok_or("a tag that does not end")?;
        let (tag, after) = (&tag[1..end], &tag[end + 1..]);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => continue,
                last => return Err(format!("</{name}> closes {last:?}")),
            }
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let is_closed = attributes.ends_with('/');
        if !VOID.contains(&name) && !is_closed {
            open.push(name);
        }
        let attributes = read(attributes.trim_end_matches('/').trim())
            .map_err(|problem| format!("{problem}: <{tag}>"))?;
        for (attribute, value) in &attributes {
            match *attribute {
                "style" => return Err(format!("a style of its own: <{tag}>")),
                handler if handler.starts_with("on") => {
                    return Err(format!("a script of its own: <{tag}>"));
                }
                "id" if !ids.insert(*value) => return Err(format!("two elements are {value}")),
                "for" | "aria-labelledby" | "aria-describedby" => named.push(*value),
                "href" => named.extend(value.strip_prefix('#')),
                _ => {}
            }
        }
        let has = |name: &str| attributes.iter().any(|(found, _)| *found == name);
        if has("data-live") && !has("id") {
            return Err(format!("kept fresh without a name: <{tag}>"));
        }
    }
    if !open.is_empty() {
        return Err(format!("never closed: {open:?}"));
    }
    match named.into_iter().find(|name| !ids.contains(name)) {
        Some(name) => Err(format!("nothing is called {name}")),
        None => Ok(()),
    }
}

/// The attributes of a tag. The value of an attribute without one is empty.
fn read(mut text: &str) -> Result<Vec<(&str, &str)>, &'static str> {
    let mut attributes = Vec::new();
    while !text.is_empty() {
        let end = text.find([' ', '=']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() || attributes.iter().any(|(found, _)| *found == name) {
            return Err("an attribute twice, or without a name");
        }
        let (value, rest) = match rest.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"').ok_or("a value that does not end")?,
            None if rest.starts_with('=') => return Err("a value without quotes"),
            None => ("", rest),
        };
        attributes.push((name, value));
        text = rest.trim_start();
    }
    Ok(attributes)
}

#[test]
fn the_reader_of_pages_is_strict() {
    let good = "<!DOCTYPE html><p id=\"a\" hidden><a href=\"#a\">1 &lt; 2</a><br></p>";
    check(good).expect("a page");
    for (from, to) in [
        ("<!DOCTYPE html>", ""),
        ("</a>", ""),
        ("</p>", "</a>"),
        ("\"#a\"", "\"#b\""),
        ("\"#a\"", "#a"),
        ("hidden", "hidden hidden"),
        ("hidden", "style=\"color: red\""),
        ("hidden", "onclick=\"go()\""),
        ("id=\"a\"", "data-live"),
        ("&lt;", "<"),
        ("&lt;", ">"),
    ] {
        let bad = good.replace(from, to);
        assert!(check(&bad).is_err(), "{bad}");
    }
}
