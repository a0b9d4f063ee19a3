//! Values of lands, as text.

use std::fmt;
use std::str::FromStr;

use super::SyntaxError;

/// The size of the largest heap in the format. The heaps of real certificates are smaller than ten, and a checker takes
/// far longer for a heap than its text suggests.
pub const MAX_HEAP: u32 = 99;

/// The deepest nesting of parentheses in a value.
pub const MAX_NESTING: usize = 128;

/// The game that a land is equal to: a heap `3`, or another game by its options `(2 3)`, possibly plus a heap
/// of one: `(2 3)+1`. Under normal play, all values are heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// The heap of this size.
    Heap(u32),
    /// The game with these options, at least one.
    Options {
        /// The options.
        options: Vec<Value>,
        /// Whether a heap of one is added.
        plus_one: bool,
    },
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Heap(size) => write!(f, "{size}"),
            Self::Options { options, plus_one } => {
                for (i, option) in options.iter().enumerate() {
                    let before = if i == 0 { '(' } else { ' ' };
                    write!(f, "{before}{option}")?;
                }
                f.write_str(if *plus_one { ")+1" } else { ")" })
            }
        }
    }
}

impl FromStr for Value {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let mut rest = text;
        let value = value(&mut rest, text.len(), MAX_NESTING)?;
        match rest.chars().next() {
            None => Ok(value),
            Some(found) => Err(SyntaxError::new(
                text.len() - rest.len() + 1,
                format!("expected the end of the value, found `{found}`"),
            )),
        }
    }
}

/// Takes a value from the front of `rest`, the end of a text of `length` bytes.
fn value(rest: &mut &str, length: usize, nesting: usize) -> Result<Value, SyntaxError> {
    let column = length - rest.len() + 1;
    let error = |problem: String| SyntaxError::new(column, problem);
    let Some(inside) = rest.strip_prefix('(') else {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at(digits);
        *rest = after;
        return match number.parse() {
            Ok(size) if size <= MAX_HEAP && (number == "0" || !number.starts_with('0')) => {
                Ok(Value::Heap(size))
            }
            _ if digits == 0 => Err(error("expected a value such as 3 or (2 3)+1".to_owned())),
            _ => Err(error(format!(
                "a heap is a number up to {MAX_HEAP} without leading zeros"
            ))),
        };
    };
    let Some(nesting) = nesting.checked_sub(1) else {
        return Err(error(format!(
            "a value is nested deeper than {MAX_NESTING}"
        )));
    };
    *rest = inside;
    let mut options = Vec::new();
    loop {
        options.push(value(rest, length, nesting)?);
        if let Some(after) = rest.strip_prefix(')') {
            *rest = after;
            break;
        }
        let Some(after) = rest.strip_prefix(' ') else {
            let column = length - rest.len() + 1;
            let problem = "expected a blank or `)` after an option";
            return Err(SyntaxError::new(column, problem));
        };
        *rest = after;
    }
    let plus_one = rest.strip_prefix("+1");
    *rest = plus_one.unwrap_or(rest);
    Ok(Value::Options {
        options,
        plus_one: plus_one.is_some(),
    })
}
