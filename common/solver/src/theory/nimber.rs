//! The nimbers of heaps, from their sequences.
//!
//! The nimber of a sum is the exclusive or of the nimbers of its heaps (Sprague 1935, Grundy 1939). That of a heap comes
//! from a formula, or from the [`sequence`](super::sequence) of its game, for any size if a period is proved.

use std::sync::{Arc, Mutex, PoisonError};

use sproutnet_game::heaps::Heap;
use sproutnet_game::{Game, Position};

use super::sequence::Sequence;
use sproutnet_notation::Outcome;

/// The maximum number of kept sequences.
const MOST_KEPT: usize = 32;

/// The maximum number of options looked at for a sequence while somebody waits. That takes some tenths of a second.
const MOST_OPTIONS: u64 = 30_000_000;

/// The number of heaps of the first sequence of a game. A series of questions about growing heaps then computes few.
const FIRST_TERMS: usize = 1024;

/// The sequences that were found last, the newest one at the end.
static FOUND: Mutex<Vec<(String, Arc<Found>)>> = Mutex::new(Vec::new());

/// The sequence of a game of heaps.
struct Found {
    sequence: Sequence,
    /// The number of nimbers that were asked for.
    asked: usize,
}

/// The name of the theorem about Nim.
pub(super) const BOUTON: &str = "Bouton's theorem";

/// The outcome of Nim under misère play (Bouton 1901): as under normal play if a heap has several tokens, else the
/// opposite. `None` in other games.
pub(super) fn misere_nim(game: &dyn Game, position: &Position) -> Option<Outcome> {
    let ((_, heap), sizes) = game.heaps(position)?;
    let has_large = sizes.iter().any(|&size| size > 1);
    let sum = sizes.iter().fold(0, |sum, size| sum ^ size);
    heap.is_nim()
        .then(|| Outcome::win_if((sum != 0) == has_large))
}

/// The nimber of a sum of heaps, if it is known by a formula or from sequences.
pub fn nimber(game: &dyn Game, position: &Position) -> Option<u32> {
    position.lands().iter().try_fold(0, |sum, land| {
        let land = Position::new(vec![land.clone()]);
        let ((parameters, heap), sizes) = game.heaps(&land)?;
        let name = format!("{}{parameters}", game.name());
        let of_heap = |size: &u32| of_heap(&name, &*heap, *size);
        sizes
            .iter()
            .try_fold(sum, |sum, size| Some(sum ^ of_heap(size)?))
    })
}

/// The reason why the nimber of a sum of heaps is known, in words.
pub(super) fn theorem(game: &dyn Game, position: &Position) -> Option<String> {
    nimber(game, position)?;
    let land = Position::new(vec![position.lands().first()?.clone()]);
    let ((parameters, heap), _) = game.heaps(&land)?;
    let known = kept(&format!("{}{parameters}", game.name()));
    let period = known.and_then(|known| known.sequence.period);
    Some(match period {
        _ if heap.is_nim() => BOUTON.to_owned(),
        _ if heap.nimber(0).is_some() => "the formula for the nimber of a heap".to_owned(),
        Some(period) => format!(
            "the nimbers of heaps, whose period {} is proved",
            period.length
        ),
        None => "the nimbers of all smaller heaps".to_owned(),
    })
}

/// The nimber of a heap of a game with this name.
fn of_heap(name: &str, heap: &dyn Heap, size: u32) -> Option<u32> {
    if let Some(nimber) = heap.nimber(size) {
        return Some(nimber);
    }
    let known = kept(name);
    if let Some(known) = &known
        && (size as usize) < known.asked
    {
        return known.sequence.nimber(size);
    }
    if let Some(known) = &known
        && (known.sequence.period.is_some() || known.sequence.computed < known.asked)
    {
        return known.sequence.nimber(size);
    }
    let asked = (size as usize + 1).next_power_of_two().max(FIRST_TERMS);
    let sequence = Sequence::within(MOST_OPTIONS, heap, asked);
    let nimber = sequence.nimber(size);
    keep(name, Found { sequence, asked });
    nimber
}

fn kept(name: &str) -> Option<Arc<Found>> {
    let found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, kept) = found.iter().find(|(of, _)| of == name)?;
    Some(Arc::clone(kept))
}

fn keep(name: &str, new: Found) {
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    found.retain(|(of, _)| of != name);
    if found.len() == MOST_KEPT {
        found.remove(0);
    }
    found.push((name.to_owned(), Arc::new(new)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_game as game;

    fn of(text: &str) -> Option<u32> {
        let (game, position) = game::parse(text).expect("a position");
        nimber(&*game, &position)
    }

    #[test]
    fn large_heaps_and_sums() {
        // Bouton 1901; Guy and Smith 1956 for Kayles, whose nimbers repeat with period 12.
        for (text, nimber) in [
            ("nim:63+64", 127),
            ("nim:100+200+300", 0b1_1000_0000),
            ("nim:10000", 10_000),
            ("bash:200/100+199/100", (200 % 101) ^ (199 % 101)),
            ("subtraction{1,2}:10000", 10_000 % 3),
            ("kayles:5000", 1),
            ("kayles:9996+12", 0),
        ] {
            assert_eq!(of(text), Some(nimber), "{text}");
        }
        assert!(of("grundy:100").is_some());
        assert!(of("octal(0.07):40+41").is_some());
        assert_eq!(of("0*5"), None);
        assert_eq!(of("wythoff:3,5"), None);
    }

    #[test]
    fn misere_nim_by_its_moves() {
        let known = |one: u32, two: u32, three: u32| {
            let (game, position) = game::parse(&format!("nim:{one}+{two}+{three}")).ok()?;
            misere_nim(&*game, &position)
        };
        for one in 1..6 {
            for two in 1..6 {
                for three in 1..6 {
                    let all: Vec<_> = [(one, two, three), (two, one, three), (three, two, one)]
                        .into_iter()
                        .flat_map(|(heap, b, c)| (1..heap).map(move |left| known(left, b, c)))
                        .collect();
                    let two_left = [(one, two), (one, three), (two, three)].map(|(a, b)| {
                        let (game, position) = game::parse(&format!("nim:{a}+{b}")).expect("nim");
                        misere_nim(&*game, &position)
                    });
                    let wins = all
                        .iter()
                        .chain(&two_left)
                        .any(|&option| option == Some(Outcome::Loss));
                    let told = known(one, two, three);
                    assert_eq!(told, Some(Outcome::win_if(wins)), "{one} {two} {three}");
                }
            }
        }
    }

    #[test]
    fn a_sequence_without_a_period_ends_where_it_takes_too_long() {
        let (game, position) = game::parse("octal(0.6):500").expect("a position");
        let ((_, heap), _) = game.heaps(&position).expect("heaps");
        let short = Sequence::within(1_000, &*heap, 500);
        assert!(short.computed < 100, "{}", short.computed);
        assert_eq!(short.nimber(499), None);
        let long = Sequence::within(u64::MAX, &*heap, 500);
        assert_eq!(long.nimber(499), of("octal(0.6):499"));
        assert_eq!(long.nimbers[..short.computed], short.nimbers);
    }
}
