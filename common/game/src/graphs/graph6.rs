//! Graphs as text in the format graph6 of Brendan McKay, which nauty and catalogues of graphs use.
//!
//! The number of vertices n is the symbol 63 + n, or for n > 62 `~` and three symbols of six bits each. The bits of the
//! [pairs](super::Graph::pairs) follow, six in a symbol, the highest first. Symbols go from `?` to `~`, so a text has
//! no quote, comma, colon, slash, plus or space.

use super::{Graph, MOST_VERTICES, pairs_of};

/// The symbol of six zero bits.
const ZERO: u8 = b'?';

/// The maximum number of vertices that is written as one symbol.
const MOST_SHORT: usize = 62;

/// Writes a graph.
pub fn write(graph: &Graph) -> String {
    let vertices = graph.len();
    let mut symbols = match vertices {
        0..=MOST_SHORT => vec![vertices as u8],
        _ => vec![63, 0, (vertices >> 6) as u8, vertices as u8 & 63],
    };
    for (place, is_joined) in graph.pairs().enumerate() {
        if place % 6 == 0 {
            symbols.push(0);
        }
        let last = symbols.len() - 1;
        symbols[last] |= u8::from(is_joined) << (5 - place % 6);
    }
    let symbols = symbols.into_iter();
    symbols.map(|six| char::from(ZERO + six)).collect()
}

/// Reads a graph, with or without the head `>>graph6<<`.
///
/// # Errors
/// The problem with the text.
pub fn read(text: &str) -> Result<Graph, String> {
    let text = text.strip_prefix(">>graph6<<").unwrap_or(text);
    for (first, format) in [(':', "sparse6"), ('&', "digraph6")] {
        if text.starts_with(first) {
            return Err(format!(
                "expected a graph in graph6, such as `D?{{`; `{text}` is {format}"
            ));
        }
    }
    let six = |symbol: u8| symbol.checked_sub(ZERO).filter(|&six| six < 64);
    let wrong = || format!("expected a graph such as `D?{{` or `path(9)`, found `{text}`");
    let symbols: Option<Vec<u8>> = text.bytes().map(six).collect();
    let symbols = symbols.ok_or_else(wrong)?;
    let (vertices, bits) = match *symbols.as_slice() {
        [63, high, middle, low, ref bits @ ..] => {
            let number = [high, middle, low].into_iter();
            (number.fold(0, |n, six| n << 6 | usize::from(six)), bits)
        }
        [short @ 0..=62, ref bits @ ..] => (usize::from(short), bits),
        _ => return Err(wrong()),
    };
    if vertices > MOST_VERTICES {
        return Err(format!(
            "graphs have up to {MOST_VERTICES} vertices; `{text}` has {vertices}"
        ));
    }
    let wanted = pairs_of(vertices).div_ceil(6);
    if bits.len() != wanted {
        return Err(format!(
            "a graph of {vertices} vertices has {wanted} symbols after their number in graph6; `{text}` has {}",
            bits.len()
        ));
    }
    let bit = |place: usize| bits[place / 6] >> (5 - place % 6) & 1 == 1;
    if (pairs_of(vertices)..6 * bits.len()).any(bit) {
        return Err(format!(
            "the unused bits at the end of `{text}` have to be zero"
        ));
    }
    Ok(Graph::of_pairs(vertices, (0..pairs_of(vertices)).map(bit)))
}
