//! Positions as text, and lands as bytes.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sproutnet_drawing::sheet::Sheet;
use sproutnet_game::heaps::Heap;
use sproutnet_game::{self as game, Game, Land, OptionSink, Position, PositionError, Sprouts};

use super::respelling::respellings;

/// The maximum number of moves of a position whose options are generated.
const MOST_MOVES: u32 = 30;

/// The maximum number of options of a position that are checked.
const MOST_OPTIONS: usize = 500;

/// The maximum size of heaps that are split, in tokens.
const MOST_TOKENS: u32 = 20;

/// The maximum numbers of moves and spots of positions on which the engines are compared. The slow engine draws a curve
/// for every distribution of a region's boundaries to its two sides.
const MOST_MOVES_DRAWN: u32 = 17;
const MOST_SPOTS_DRAWN: usize = 9;

/// A position prints as its one canonical text, however it was spelled, and this text reads as the same position. Its
/// lands can be read back from their bytes. The fast engine finds the options that the planar one finds, and a
/// partial expansion agrees with them. A refusal names a column of the text.
pub fn notation(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        of_text(text);
    }
    for game in game::all() {
        of_land(&*game, bytes);
    }
}

fn of_text(text: &str) {
    of_rules(text);
    let asked = game::parse(text);
    if let Err(PositionError::Parse(error)) = &asked {
        assert!((1..=text.chars().count() + 1).contains(&error.column));
        assert!(!error.problem.is_empty());
    }
    // What is ambiguous is refused as a query, and read as a position of its game.
    let of_game = game::split_game(text).and_then(|(game, kept)| {
        let position = game.parse(&kept).map_err(PositionError::Parse)?;
        Ok((game, position))
    });
    let (game, position) = match (asked, of_game) {
        (Ok((game, position)), Ok((other, same))) => {
            assert_eq!((game.name(), &position), (other.name(), &same), "{text}");
            (game, position)
        }
        // Only a sum is not read by one game.
        (Ok((game, position)), Err(_)) => {
            assert!(text.contains(['*', '+']), "{text}");
            (game, position)
        }
        (Err(_), Ok(of_game)) => of_game,
        (Err(_), Err(_)) => return,
    };
    let canonical = game.print(&position);
    let shown = game::qualified(&*game, &canonical);
    let (_, asked) = game::parse(&shown).expect("it was printed");
    assert_eq!(asked, position, "{shown}");
    let (_, typed) = game::parse(&game::typed(&shown)).expect("it was printed");
    assert_eq!(typed, position, "{shown}");
    assert_eq!(
        game.parse(&canonical).as_ref(),
        Ok(&position),
        "{canonical}"
    );
    if game.name() == Sprouts.name() {
        for other in respellings(&canonical) {
            assert_eq!(
                game.parse(&other).as_ref(),
                Ok(&position),
                "{other} for {canonical}"
            );
        }
    }
    for land in position.lands() {
        assert_eq!(game.land(land.as_bytes()).as_ref(), Ok(land), "{canonical}");
    }
    if game.max_moves_of(&position) <= MOST_MOVES {
        of_options(&*game, &position);
    }
}

/// A text that may name a game of heaps with its parameters.
fn of_rules(text: &str) {
    match game::heap(text) {
        Ok((canonical, heap)) => {
            let again = game::heap(&canonical).map(|(canonical, _)| canonical);
            assert_eq!(again.as_ref(), Ok(&canonical), "{text}");
            for size in 0..=MOST_TOKENS {
                of_heap(&*heap, size);
            }
        }
        Err(PositionError::Parse(error)) => {
            assert!(
                (1..=text.chars().count() + 1).contains(&error.column),
                "{text}"
            );
        }
        Err(PositionError::UnknownGame(_)) => {}
    }
}

/// The options of a heap are smaller, and a heap has a move exactly if it says so.
fn of_heap(heap: &dyn Heap, size: u32) {
    let mut moves = 0;
    let end = heap.leaves(size, &mut |left| {
        for sizes in left.sizes() {
            let longest = sizes.iter().map(|&size| heap.longest(size));
            assert!(longest.sum::<u32>() < heap.longest(size));
            moves += 1;
        }
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    assert_eq!(heap.longest(size) > 0, moves > 0);
}

/// Bytes that may be a land.
fn of_land(game: &dyn Game, bytes: &[u8]) {
    let checked = game.check(bytes);
    match game.land(bytes) {
        Ok(land) => {
            assert_eq!(land.as_bytes(), bytes);
            assert_eq!(checked, Ok(game.max_moves(&land)));
            let position = Position::new(vec![land]);
            let text = game.print(&position);
            let parsed = game.parse_stored(&text);
            assert_eq!(parsed.as_ref(), Ok(&position), "{text}");
            // A text is refused exactly if its bytes are.
            let possible = position
                .lands()
                .iter()
                .all(|land| game.check_possible(land.as_bytes()).is_ok());
            assert_eq!(game.parse(&text).is_ok(), possible, "{text}");
        }
        Err(error) => assert!(error.offset <= bytes.len()),
    }
}

fn of_options(game: &dyn Game, position: &Position) {
    let text = game.print(position);
    let length = game.max_moves_of(position);
    let mut options = BTreeSet::new();
    let end = game.moves(position, &mut |option| {
        assert!(
            game.max_moves_of(&option) < length,
            "{text} to {}",
            game.print(&option)
        );
        for land in option.lands() {
            assert_eq!(game.land(land.as_bytes()).as_ref(), Ok(land), "from {text}");
        }
        options.insert(option);
        if options.len() < MOST_OPTIONS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    if end.is_break() {
        return;
    }
    assert_eq!(options.is_empty(), position.lands().is_empty(), "{text}");
    for land in position.lands() {
        of_glance(game, land);
    }
    if game.name() == Sprouts.name()
        && length <= MOST_MOVES_DRAWN
        && let Some(drawn) = drawn_options(position)
    {
        assert_eq!(options, drawn, "{text}");
    }
}

/// The options by the planar engine, if the position is small and can be drawn: not every position can.
fn drawn_options(position: &Position) -> Option<BTreeSet<Position>> {
    let sheet = Sheet::of(position).ok()?;
    let spots = 0..sheet.spots().len();
    if spots.clone().filter(|&spot| sheet.lives(spot) > 0).count() > MOST_SPOTS_DRAWN {
        return None;
    }
    let mut options = BTreeSet::new();
    for one in spots {
        for other in sheet.partners(one) {
            let choices = sheet.options(one, other);
            if choices.is_empty() {
                // There are too many.
                return None;
            }
            options.extend(choices.into_iter().map(|choice| choice.position));
        }
    }
    Some(options)
}

/// Options as a partial expansion gives them: the lands of each, or only their lengths.
#[derive(Default)]
struct Told {
    lands: Vec<Vec<u8>>,
    lengths: Vec<u32>,
    options: BTreeSet<Vec<Vec<u8>>>,
    /// The sorted lengths of each option given by lengths only, and of each option given by its lands.
    outlines: BTreeSet<Vec<u32>>,
    whole: BTreeSet<Vec<u32>>,
}

impl OptionSink for Told {
    fn land(&mut self, canonical: &[u8], length: u32) {
        self.lands.push(canonical.to_vec());
        self.lengths.push(length);
    }

    fn end(&mut self) -> ControlFlow<()> {
        self.lands.sort_unstable();
        self.lengths.sort_unstable();
        self.options.insert(std::mem::take(&mut self.lands));
        self.whole.insert(std::mem::take(&mut self.lengths));
        ControlFlow::Continue(())
    }

    fn outline(&mut self, lengths: &mut dyn Iterator<Item = u32>) {
        let mut lengths: Vec<u32> = lengths.collect();
        lengths.sort_unstable();
        self.outlines.insert(lengths);
    }
}

/// Asserts that a partial expansion gives exactly the options.
fn of_glance(game: &dyn Game, land: &Land) {
    let generator = game.generator();
    let mut all = Told::default();
    let mut some = Told::default();
    let end = generator.each_option(land.as_bytes(), &mut all);
    assert!(end.is_continue());
    for lands in &all.options {
        for land in lands {
            assert!(game.check(land).is_ok());
        }
    }
    let most = all.options.len() / 2;
    if generator
        .expand_partially(land.as_bytes(), most, &mut some)
        .is_none()
    {
        return;
    }
    let text = game.print(&Position::new(vec![land.clone()]));
    assert!(some.options.is_subset(&all.options), "{text}");
    assert!(some.outlines.is_subset(&all.whole), "{text}");
    let seen: BTreeSet<_> = some.whole.union(&some.outlines).cloned().collect();
    assert_eq!(seen, all.whole, "{text}");
}
