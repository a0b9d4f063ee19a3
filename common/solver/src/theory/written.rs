//! The rules of a game of heaps as a code, read off its moves.

use std::ops::ControlFlow;

use sproutnet_game::heaps::{Heap, Left};

/// The code of a game, such as `0.77` for Kayles and `0.3...` for Nim; `None` if its moves depend on more than the
/// number of tokens that they take.
pub fn code(heap: &dyn Heap) -> Option<String> {
    let most_taken = heap.reach()?.most_taken;
    // A move from this heap leaves enough for three heaps.
    let large = most_taken + 4;
    let mut digits: Vec<u32> = (0..=most_taken + 1)
        .map(|taken| u32::from(leaves(heap, taken, Left::One(0))))
        .collect();
    let mut is_code = true;
    let _ = heap.leaves(large, &mut |left| {
        let (left, digit) = match left {
            Left::One(left) => (left, 2),
            Left::Two(left) => (left, 4),
            Left::Three(left) => (left, 8),
            Left::TwoDifferent(left) => {
                is_code = false;
                (left, 0)
            }
        };
        if let Some(of) = digits.get_mut((large - left) as usize) {
            *of |= digit;
        }
        ControlFlow::Continue(())
    });
    let repeated = digits.pop().filter(|&digit| digit > 0);
    let symbol = |digit: u32| char::from_digit(digit, 16).map(|symbol| symbol.to_ascii_uppercase());
    let mut digits = digits.into_iter().chain(repeated).map(symbol);
    let whole = digits.next()??;
    let after: Option<String> = digits.collect();
    let repeats = if repeated.is_some() { "..." } else { "" };
    let after = match after? {
        none if none.is_empty() => "0".to_owned(),
        after => after,
    };
    is_code.then(|| format!("{whole}.{after}{repeats}"))
}

/// Whether a move from a heap leaves this.
fn leaves(heap: &dyn Heap, size: u32, wanted: Left) -> bool {
    let found = heap.leaves(size, &mut |left| {
        if left == wanted {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

#[cfg(test)]
mod tests {
    use sproutnet_game as game;

    use super::*;

    #[test]
    fn games_have_their_codes() {
        for (text, expected) in [
            ("kayles", Some("0.77")),
            ("dawson", Some("0.137")),
            ("octal(4.07)", Some("4.07")),
            ("octal(4.0)", Some("4.0")),
            ("octal(0.772...)", Some("0.772...")),
            ("lasker", Some("4.3...")),
            ("nim", Some("0.3...")),
            ("bash/3", Some("0.333")),
            ("subtraction{1,4}", Some("0.3003")),
            ("hexadecimal(C.0A1)", Some("C.0A1")),
            ("take-and-break{1..3|2,3|3}", Some("0.137")),
            ("take-and-break{|1,3..}", Some("0.202...")),
            ("take-and-break{|1..|0..}", None),
            ("grundy", None),
        ] {
            let (_, heap) = game::heap(text).expect("a game of heaps");
            assert_eq!(code(&*heap).as_deref(), expected, "{text}");
        }
    }
}
