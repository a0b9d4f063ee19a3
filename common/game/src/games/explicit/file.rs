//! Finite games as files of positions and their options.
//!
//! ```text
//! # A comment. Names are words without signs of this format.
//! start: left right *2
//! left: end
//! right: end left
//! end:
//! ```
//!
//! A line names a position, and after a colon the positions that a move leads to, with blanks between them. `0` and
//! heaps such as `*2` need no line.

use std::collections::HashMap;

use super::bytes::{self, END};
use super::{LONGEST, MOST, text};

/// A position of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name in the file.
    pub name: String,
    /// Its canonical text, with the name of the game.
    pub text: String,
}

/// The file is not a finite game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct FileError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The problem.
    pub problem: String,
}

/// A word, and where it stands.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn error(self, problem: impl Into<String>) -> FileError {
        FileError {
            line: self.line,
            column: self.column,
            problem: problem.into(),
        }
    }

    /// The heap that it stands for, as bytes.
    fn heap(self) -> Result<Option<Vec<u8>>, FileError> {
        if self.text == "0" {
            return Ok(Some(END.to_vec()));
        }
        let Some(size) = self.text.strip_prefix('*') else {
            return Ok(None);
        };
        let size = if size.is_empty() { Ok(1) } else { size.parse() };
        let wrong = |_| self.error(format!("expected the size of a heap, up to {MOST}"));
        size.map_err(wrong).map(|size| Some(vec![0, size]))
    }
}

/// A position, and its options.
struct Line<'a> {
    name: Word<'a>,
    options: Vec<Word<'a>>,
}

/// Reads the positions of a file, in its order.
///
/// # Errors
/// A line is wrong, a position has no line or two, play may never end, or a position is too large for an explicit game.
pub fn read(file: &str) -> Result<Vec<Named>, FileError> {
    let lines = lines(file)?;
    let mut places = HashMap::new();
    for (place, Line { name, .. }) in lines.iter().enumerate() {
        if let Some(first) = places.insert(name.text, place) {
            let first = lines[first].name.line;
            return Err(name.error(format!("`{}` has a line already, line {first}", name.text)));
        }
    }
    let found = values(&lines, &places)?;
    let named = lines.iter().zip(found).map(|(line, bytes)| Named {
        name: line.name.text.to_owned(),
        text: format!("{}:{}", crate::names::EXPLICIT, text::print(&bytes)),
    });
    Ok(named.collect())
}

fn lines(file: &str) -> Result<Vec<Line<'_>>, FileError> {
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(file.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let Some((name, options)) = text.split_once(':') else {
            return Err(FileError {
                line,
                column: text.trim_end().chars().count() + 1,
                problem: "expected `:` after the name of a position".to_owned(),
            });
        };
        let names = words(text, name, line);
        let &[name] = &names[..] else {
            return Err(FileError {
                line,
                column: names.get(1).map_or(1, |second| second.column),
                problem: "expected one name before `:`".to_owned(),
            });
        };
        if name.heap()?.is_some() {
            return Err(name.error("`0` and heaps need no line"));
        }
        let options = words(text, options, line);
        lines.push(Line { name, options });
    }
    Ok(lines)
}

/// The words of a part of a line.
fn words<'a>(whole: &str, part: &'a str, line: usize) -> Vec<Word<'a>> {
    let before = |word: &str| {
        let bytes = word.as_ptr() as usize - whole.as_ptr() as usize;
        whole[..bytes].chars().count()
    };
    part.split_whitespace()
        .map(|text| Word {
            text,
            line,
            column: before(text) + 1,
        })
        .collect()
}

/// The bytes of each position, those of its options first.
fn values(lines: &[Line<'_>], places: &HashMap<&str, usize>) -> Result<Vec<Vec<u8>>, FileError> {
    let mut found: Vec<Option<Vec<u8>>> = vec![None; lines.len()];
    let mut is_on_way = vec![false; lines.len()];
    for start in 0..lines.len() {
        // The positions on the way from the first one, each with the number of its options that were looked at.
        let mut way = vec![(start, 0)];
        while let Some((place, looked_at)) = way.last_mut() {
            let place = *place;
            is_on_way[place] = true;
            let options = &lines[place].options;
            let Some(&option) = options.get(*looked_at).filter(|_| found[place].is_none()) else {
                if found[place].is_none() {
                    found[place] = Some(value(&lines[place], places, &found)?);
                }
                is_on_way[place] = false;
                way.pop();
                continue;
            };
            *looked_at += 1;
            if option.heap()?.is_some() {
                continue;
            }
            let Some(&next) = places.get(option.text) else {
                return Err(option.error(format!("`{}` has no line", option.text)));
            };
            if is_on_way[next] {
                let way = way.iter().map(|&(on_way, _)| on_way);
                let names = way
                    .skip_while(|&on_way| on_way != next)
                    .map(|on_way| lines[on_way].name.text);
                let names: Vec<&str> = names.chain([option.text]).collect();
                let problem = format!("play may never end: {}", names.join(" → "));
                return Err(option.error(problem));
            }
            way.push((next, 0));
        }
    }
    Ok(found.into_iter().flatten().collect())
}

/// The bytes of a position whose options are known.
fn value(
    line: &Line<'_>,
    places: &HashMap<&str, usize>,
    found: &[Option<Vec<u8>>],
) -> Result<Vec<u8>, FileError> {
    let mut options = Vec::new();
    for option in &line.options {
        options.extend(match option.heap()? {
            Some(heap) => Some(heap),
            None => places
                .get(option.text)
                .and_then(|&place| found[place].clone()),
        });
    }
    let name = line.name;
    let bytes = bytes::set(options)
        .ok_or_else(|| name.error(format!("`{}` has more than {MOST} options", name.text)))?;
    if bytes == END || bytes::check(&bytes).is_ok() {
        return Ok(bytes);
    }
    Err(name.error(format!(
        "`{}` is too large: written by its options, a game has at most {LONGEST} bytes and 64 sets within one another",
        name.text
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str) -> Vec<(String, String)> {
        let named = read(file).unwrap_or_else(|error| panic!("{error}"));
        named
            .into_iter()
            .map(|named| (named.name, named.text))
            .collect()
    }

    #[test]
    fn positions_are_written_by_their_options() {
        let file =
            "# Two moves.\nstart: left  right *2 # the first\n\nleft:end\nright: end left\nend:\n";
        let expected = [
            ("start", "explicit:{*1,*2}"),
            ("left", "explicit:*1"),
            ("right", "explicit:*2"),
            ("end", "explicit:0"),
        ];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(texts(file), expected);
    }

    #[test]
    fn many_positions_take_no_stack_and_no_time() {
        let mut file = String::from("p0:\n");
        for n in 1..=200 {
            let options: Vec<String> = (0..n).map(|m| format!("p{m}")).collect();
            file.insert_str(0, &format!("p{n}: {}\n", options.join(" ")));
        }
        assert_eq!(
            texts(&file)[0],
            ("p200".to_owned(), "explicit:*200".to_owned())
        );
        let chain = |length: u32| -> String {
            let line = |n| format!("p{n}: p{}\n", n + 1);
            (0..length)
                .map(line)
                .chain([format!("p{length}: *2\n")])
                .collect()
        };
        assert!(read(&chain(60)).is_ok());
        let refused = read(&chain(100_000)).expect_err("too deep").to_string();
        assert!(refused.contains("too large"), "{refused}");
    }

    #[test]
    fn refusals_name_line_and_column() {
        for (file, line, column, problem) in [
            ("a: b\n", 1, 4, "`b` has no line"),
            ("a: b\nb: ä a\nä:", 2, 6, "play may never end: a → b → a"),
            ("a: a", 1, 4, "play may never end: a → a"),
            ("a:\nb:\n a: b", 3, 2, "`a` has a line already, line 1"),
            ("a b", 1, 4, "expected `:`"),
            ("a b: c", 1, 3, "expected one name"),
            (": c", 1, 1, "expected one name"),
            ("a: *256", 1, 4, "up to 255"),
            ("*2: 0", 1, 1, "need no line"),
        ] {
            let error = read(file).expect_err(file);
            assert_eq!(
                (error.line, error.column),
                (line, column),
                "{file}: {error}"
            );
            assert!(error.problem.contains(problem), "{file}: {error}");
        }
    }
}
