//! Canonical games under misère play, and sums of them (`docs/explanation/misere.md`, 1 and 2).

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Refusal;
use super::halt::{Halt, Stop};
use crate::format::Value;

/// The number of a canonical game in the [`Games`] that made it. Equal games have equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Game(u32);

impl Game {
    /// The game without moves.
    pub(super) const ZERO: Self = Self(0);
    /// The heap of one.
    const ONE: Self = Self(1);
}

/// A sum of canonical games, and a heap of one if `one` is set. No game in it has the form G + *1 where G has
/// shorter plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    /// Sorted.
    games: Vec<Game>,
    one: bool,
}

/// All canonical games found so far, with caches.
#[derive(Clone)]
pub(super) struct Games {
    entries: Vec<Entry>,
    index: FxHashMap<Arc<[Game]>, Game>,
    sums: FxHashMap<(Game, Game), Game>,
    outcomes: FxHashMap<Sum, bool>,
    /// The number of followers of a game, with itself.
    followers: FxHashMap<Game, usize>,
    /// The approximate memory use and its limit, in bytes.
    pub(super) bytes: usize,
    pub(super) max_bytes: usize,
    stop: Stop,
}

#[derive(Clone)]
struct Entry {
    /// Sorted.
    options: Arc<[Game]>,
    depth: u32,
    is_heap: bool,
    is_lost: bool,
}

/// Approximate overhead of a hash table entry and its allocations, in bytes.
const OVERHEAD: usize = 64;

/// The maximum number of followers of a sum. Larger sums get no outcome and no total.
const MAX_FOLLOWERS: usize = 1_000_000;

/// The length at which the text of a game is cut, in bytes.
const LONG_TEXT: usize = 200;

impl Games {
    /// The games 0 and *1, with a limit on memory.
    pub(super) fn new(max_bytes: usize, stop: &Stop) -> Self {
        let mut games = Self {
            entries: Vec::new(),
            index: FxHashMap::default(),
            sums: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            followers: FxHashMap::default(),
            bytes: 0,
            max_bytes,
            stop: stop.clone(),
        };
        games.intern(&[]);
        games.intern(&[Game::ZERO]);
        games
    }

    /// The canonical options of a game, sorted.
    pub(super) fn options(&self, game: Game) -> &Arc<[Game]> {
        &self.entry(game).options
    }

    /// The number of moves in the longest play.
    pub(super) fn depth(&self, game: Game) -> u32 {
        self.entry(game).depth
    }

    fn entry(&self, game: Game) -> &Entry {
        &self.entries[game.0 as usize]
    }

    /// The game of a value. The value must be in canonical form.
    pub(super) fn read(&mut self, value: &Value) -> Result<Game, Refusal> {
        let (options, plus_one) = match value {
            Value::Heap(size) => {
                let mut heaps = Vec::new();
                for _ in 0..*size {
                    heaps.push(self.simplified(heaps.clone())?);
                }
                return Ok(self.simplified(heaps)?);
            }
            Value::Options { options, plus_one } => (options.iter(), *plus_one),
        };
        let mut options: Vec<Game> = options
            .map(|option| self.read(option))
            .collect::<Result<_, _>>()?;
        options.sort_unstable();
        let game = self.simplified(options.clone())?;
        if *self.entry(game).options != options[..] {
            let why = format!("{value} is not in canonical form");
            return Err(Refusal::Because(why));
        }
        Ok(if plus_one {
            self.plus(Game::ONE, game)?
        } else {
            game
        })
    }

    /// The canonical game equal to the game with these options, by repeated use of rule 2.
    pub(super) fn simplified(&mut self, mut options: Vec<Game>) -> Result<Game, Halt> {
        self.stop.check()?;
        options.sort_unstable();
        options.dedup();
        if let Some(&known) = self.index.get(&options[..]) {
            return Ok(known);
        }
        // If rule 2 makes G, the game with these options, equal to H, then H is G or an option of an option of
        // G. The deepest option of G is deeper than H. So it is not an option of H, and has H as an option.
        let deepest = options.iter().copied().max_by_key(|&game| self.depth(game));
        if let Some(deepest) = deepest {
            let candidates = Arc::clone(self.options(deepest));
            for &game in candidates.iter() {
                self.stop.check()?;
                if self.equals(&options, game) {
                    return Ok(game);
                }
            }
        }
        let game = self.intern(&options);
        self.spend(0)?;
        Ok(game)
    }

    /// Whether rule 2 makes the game with these options equal to H.
    fn equals(&self, options: &[Game], h: Game) -> bool {
        let of_h = self.options(h);
        let is_reversible = |&game: &Game| self.options(game).binary_search(&h).is_ok();
        let mut others = options
            .iter()
            .filter(|game| of_h.binary_search(game).is_err());
        of_h.iter().all(|game| options.binary_search(game).is_ok())
            && others.all(is_reversible)
            && (h != Game::ZERO || options.iter().any(|&game| self.entry(game).is_lost))
    }

    /// Enters a game that is not present.
    fn intern(&mut self, options: &[Game]) -> Game {
        let game = Game(u32::try_from(self.entries.len()).expect("memory runs out first"));
        let options: Arc<[Game]> = options.into();
        self.bytes += size_of_val(&*options) + size_of::<Entry>() + OVERHEAD;
        let entries = || options.iter().map(|&option| self.entry(option));
        let depth = entries().map(|option| option.depth + 1).max().unwrap_or(0);
        self.entries.push(Entry {
            depth,
            // The options of a heap are all smaller heaps.
            is_heap: options.len() == depth as usize && entries().all(|option| option.is_heap),
            // A player without a move wins.
            is_lost: !options.is_empty() && !entries().any(|option| option.is_lost),
            options: Arc::clone(&options),
        });
        self.index.insert(options, game);
        game
    }

    /// Counts the memory of caches beside the games.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Halt> {
        self.bytes += bytes;
        if self.bytes > self.max_bytes {
            Err(Halt::OutOfMemory)
        } else {
            Ok(())
        }
    }

    /// The canonical game equal to the sum of two.
    pub(super) fn plus(&mut self, a: Game, b: Game) -> Result<Game, Halt> {
        let (a, b) = (a.min(b), a.max(b));
        if a == Game::ZERO {
            return Ok(b);
        }
        if let Some(&sum) = self.sums.get(&(a, b)) {
            return Ok(sum);
        }
        let mut options = Vec::new();
        for &option in Arc::clone(self.options(a)).iter() {
            options.push(self.plus(option, b)?);
        }
        for &option in Arc::clone(self.options(b)).iter() {
            options.push(self.plus(a, option)?);
        }
        let sum = self.simplified(options)?;
        self.spend(2 * size_of::<[Game; 3]>())?;
        self.sums.insert((a, b), sum);
        Ok(sum)
    }

    /// Adds a game to a sum. A game of the form H + *1, where H has shorter plays, is added as H and *1: two
    /// heaps of one cancel.
    pub(super) fn add(&mut self, sum: &mut Sum, game: Game) -> Result<(), Halt> {
        let other = self.plus(Game::ONE, game)?;
        let is_other_plus_one = self.depth(other) < self.depth(game);
        let game = if is_other_plus_one { other } else { game };
        sum.one ^= is_other_plus_one;
        if game != Game::ZERO {
            let at = sum.games.partition_point(|&before| before < game);
            sum.games.insert(at, game);
        }
        Ok(())
    }

    /// Whether a sum has few enough followers (sums that play can reach) to find its outcome and its total. Equal
    /// summands and equal sums are counted separately.
    pub(super) fn is_within_limit(&mut self, sum: &Sum) -> Result<bool, Halt> {
        let mut product = 1 + usize::from(sum.one);
        for &game in &sum.games {
            product = product.saturating_mul(self.followers(game)?);
        }
        Ok(product <= MAX_FOLLOWERS)
    }

    /// The number of games that play can reach from a game, with itself.
    fn followers(&mut self, game: Game) -> Result<usize, Halt> {
        if let Some(&known) = self.followers.get(&game) {
            return Ok(known);
        }
        let mut found = FxHashSet::from_iter([game]);
        let mut rest = vec![game];
        while let Some(game) = rest.pop() {
            self.stop.check()?;
            rest.extend(
                self.options(game)
                    .iter()
                    .filter(|&&option| found.insert(option)),
            );
        }
        self.spend(2 * size_of::<(Game, usize)>())?;
        self.followers.insert(game, found.len());
        Ok(found.len())
    }

    /// The canonical game equal to a sum.
    pub(super) fn total(&mut self, sum: &Sum) -> Result<Game, Halt> {
        let mut total = if sum.one { Game::ONE } else { Game::ZERO };
        for &game in &sum.games {
            total = self.plus(total, game)?;
        }
        Ok(total)
    }

    /// All options of a sum.
    pub(super) fn moves(&mut self, sum: &Sum) -> Result<Vec<Sum>, Halt> {
        let mut moves = Vec::new();
        if sum.one {
            let games = sum.games.clone();
            moves.push(Sum { games, one: false });
        }
        for (i, &game) in sum.games.iter().enumerate() {
            if i > 0 && sum.games[i - 1] == game {
                continue;
            }
            for &option in Arc::clone(self.options(game)).iter() {
                self.stop.check()?;
                let mut after = sum.clone();
                after.games.remove(i);
                self.add(&mut after, option)?;
                moves.push(after);
            }
        }
        Ok(moves)
    }

    /// Whether the player to move loses a sum under misère play.
    pub(super) fn is_lost(&mut self, sum: &Sum) -> Result<bool, Halt> {
        if let (&[game], false) = (&sum.games[..], sum.one) {
            return Ok(self.entry(game).is_lost);
        }
        if sum.games.is_empty() {
            return Ok(sum.one);
        }
        if let Some(&is_lost) = self.outcomes.get(sum) {
            return Ok(is_lost);
        }
        let mut is_lost = true;
        for after in self.moves(sum)? {
            if self.is_lost(&after)? {
                is_lost = false;
                break;
            }
        }
        self.spend(2 * size_of::<(Sum, bool)>() + sum.heap_bytes())?;
        self.outcomes.insert(sum.clone(), is_lost);
        Ok(is_lost)
    }

    /// A game as in a certificate, but with "+1" written out, and cut where it gets long: a game can have far more
    /// plays than options.
    pub(super) fn text(&self, game: Game) -> String {
        let mut text = String::new();
        self.write(game, &mut text);
        text
    }

    fn write(&self, game: Game, text: &mut String) {
        let entry = self.entry(game);
        if entry.is_heap {
            text.push_str(&entry.depth.to_string());
            return;
        }
        let mut before = '(';
        for &option in entry.options.iter() {
            text.push(before);
            before = ' ';
            if text.len() > LONG_TEXT {
                text.push('…');
                break;
            }
            self.write(option, text);
        }
        text.push(')');
    }

    /// The games of a sum as in a certificate.
    pub(super) fn texts(&self, sum: &Sum) -> Vec<String> {
        let one = sum.one.then(|| "1".to_owned());
        let games = sum.games.iter().map(|&game| self.text(game));
        games.chain(one).collect()
    }
}

impl Sum {
    /// Sets this to the sum of two. Two heaps of one cancel.
    pub(super) fn set_joined(&mut self, a: &Self, b: &Self) {
        self.one = a.one ^ b.one;
        self.games.clone_from(&a.games);
        self.games.extend_from_slice(&b.games);
        self.games.sort_unstable();
    }

    /// The memory in addition to its own size, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.games)
    }
}
