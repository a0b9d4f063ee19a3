//! The same position written in other ways.

/// A position without lands, which has no other spelling.
const END: &str = "!";

/// Other texts of a canonical position of Sprouts, by the rules that leave it the same: lands, regions
/// and boundaries in another order, boundaries rotated, each second region mirrored, letters under other
/// names.
pub(super) fn respellings(canonical: &str) -> Vec<String> {
    if canonical == END {
        return Vec::new();
    }
    let reversed = respelled(canonical, |boundaries| boundaries.reverse(), true);
    let rotated = respelled(
        canonical,
        |boundaries| {
            for spots in boundaries.iter_mut() {
                let middle = spots.len() / 2;
                spots.rotate_left(middle);
            }
        },
        false,
    );
    let mut odd = false;
    let mirrored = respelled(
        canonical,
        |boundaries| {
            odd = !odd;
            if odd {
                for spots in boundaries {
                    spots.reverse();
                }
            }
        },
        false,
    );
    vec![reversed, rotated, mirrored, renamed(canonical)]
}

/// The text with each region changed; with `reverse`, with lands and regions in reverse order.
fn respelled(text: &str, mut change: impl FnMut(&mut Vec<Vec<&str>>), reverse: bool) -> String {
    let mut region = |region: &str| {
        let mut boundaries: Vec<Vec<&str>> = region.split('.').map(spots).collect();
        change(&mut boundaries);
        let boundaries: Vec<String> = boundaries.iter().map(|spots| spots.concat()).collect();
        boundaries.join(".")
    };
    let mut land = |land: &str| {
        let mut regions: Vec<String> = land.split('|').map(&mut region).collect();
        if reverse {
            regions.reverse();
        }
        regions.join("|")
    };
    let mut lands: Vec<String> = text.split('+').map(&mut land).collect();
    if reverse {
        lands.reverse();
    }
    lands.join("+")
}

/// The spots of a boundary as they are written: `0*5`, `a`, `m(3)`.
fn spots(boundary: &str) -> Vec<&str> {
    if boundary.starts_with('0') {
        return vec![boundary];
    }
    let mut spots = Vec::new();
    let mut rest = boundary;
    while let Some(first) = rest.chars().next() {
        let length = match rest.find(')') {
            Some(end) if rest[first.len_utf8()..].starts_with('(') => end + 1,
            _ => first.len_utf8(),
        };
        let (spot, after) = rest.split_at(length);
        spots.push(spot);
        rest = after;
    }
    spots
}

/// The text with each letter renamed beyond the alphabet.
fn renamed(text: &str) -> String {
    let mut renamed = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        let is_number = rest.peek() == Some(&'(');
        match letter {
            'a'..='z' if !is_number => {
                renamed.push_str(&format!(
                    "m({})",
                    9_000 + (u32::from(letter) - u32::from('a'))
                ));
            }
            'A'..='Z' if !is_number => {
                renamed.push_str(&format!(
                    "n({})",
                    9_000 + (u32::from(letter) - u32::from('A'))
                ));
            }
            _ => renamed.push(letter),
        }
    }
    renamed
}
