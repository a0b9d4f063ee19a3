//! Canonical games under misère play, and sums of them (docs/misere.md, 1 and 2).

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::OutOfMemory;
use crate::format::Value;

/// A canonical game, by its number in the [`Games`] that made it. Equal numbers are equal games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Game(u32);

impl Game {
    /// The game without moves.
    pub(super) const ZERO: Self = Self(0);
    /// The heap of one.
    const ONE: Self = Self(1);
}

/// A sum of canonical games, none of which is another one beside a heap of one, and perhaps a heap of one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Sum {
    /// Sorted.
    games: SmallVec<[Game; 4]>,
    one: bool,
}

/// All canonical games met so far.
#[derive(Clone)]
pub(super) struct Games {
    known: Vec<Known>,
    index: FxHashMap<Arc<[Game]>, Game>,
    sums: FxHashMap<(Game, Game), Game>,
    outcomes: FxHashMap<Sum, bool>,
    bytes: usize,
    most_bytes: usize,
}

#[derive(Clone)]
struct Known {
    /// Sorted.
    options: Arc<[Game]>,
    depth: u32,
    is_lost: bool,
}

/// What hash tables and allocations take beside what is in them, about.
const OVERHEAD: usize = 64;

impl Games {
    /// The games 0 and *1, and room for so many bytes.
    pub(super) fn new(most_bytes: usize) -> Self {
        let mut games = Self {
            known: Vec::new(),
            index: FxHashMap::default(),
            sums: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            bytes: 0,
            most_bytes,
        };
        games.intern(&[]);
        games.intern(&[Game::ZERO]);
        games
    }

    /// The same games with room for so many bytes.
    pub(super) fn with_room(mut self, most_bytes: usize) -> Self {
        self.most_bytes = most_bytes;
        self
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The canonical options of a game, sorted.
    pub(super) fn options(&self, game: Game) -> &Arc<[Game]> {
        &self.known(game).options
    }

    /// The moves in the longest play.
    pub(super) fn depth(&self, game: Game) -> u32 {
        self.known(game).depth
    }

    fn known(&self, game: Game) -> &Known {
        &self.known[game.0 as usize]
    }

    fn has_option(&self, game: Game, option: Game) -> bool {
        self.known(game).options.binary_search(&option).is_ok()
    }

    /// The game that a text names. `None` if what is written is not canonical.
    pub(super) fn read(&mut self, value: &Value) -> Result<Option<Game>, OutOfMemory> {
        match value {
            Value::Heap(size) => {
                let mut heaps = Vec::new();
                for _ in 0..*size {
                    heaps.push(self.simplified(heaps.clone())?);
                }
                self.simplified(heaps).map(Some)
            }
            Value::Options { options, plus_one } => {
                let mut read = Vec::with_capacity(options.len());
                for option in options {
                    match self.read(option)? {
                        Some(option) => read.push(option),
                        None => return Ok(None),
                    }
                }
                read.sort_unstable();
                let game = self.simplified(read.clone())?;
                if *self.known(game).options != read[..] {
                    return Ok(None);
                }
                let other = self.plus_one(game)?;
                Ok(Some(if *plus_one { other } else { game }))
            }
        }
    }

    /// The canonical game that is equal to the one with these options: rule 2, for as long as it applies.
    pub(super) fn simplified(&mut self, mut options: Vec<Game>) -> Result<Game, OutOfMemory> {
        options.sort_unstable();
        options.dedup();
        if let Some(&known) = self.index.get(&options[..]) {
            return Ok(known);
        }
        // If the game G with these options is equal to H by the rule, H is an option of an option of G, or G
        // is H. The deepest option of G is deeper than H, so it is no option of H: it has H as an option.
        let deepest = options.iter().copied().max_by_key(|&game| self.depth(game));
        if let Some(deepest) = deepest {
            let candidates = Arc::clone(self.options(deepest));
            let simpler = candidates.iter().find(|&&game| self.is(&options, game));
            if let Some(&simpler) = simpler {
                return Ok(simpler);
            }
        }
        let game = self.intern(&options);
        self.spend(0)?;
        Ok(game)
    }

    /// Whether the game with these options is equal to H by rule 2.
    fn is(&self, options: &[Game], h: Game) -> bool {
        let of_h = &self.known(h).options;
        of_h.iter()
            .all(|option| options.binary_search(option).is_ok())
            && options
                .iter()
                .all(|&option| self.has_option(h, option) || self.has_option(option, h))
            && (h != Game::ZERO || options.iter().any(|&option| self.known(option).is_lost))
    }

    fn intern(&mut self, options: &[Game]) -> Game {
        if let Some(&game) = self.index.get(options) {
            return game;
        }
        let game = Game(u32::try_from(self.known.len()).expect("memory ends before"));
        let options: Arc<[Game]> = options.into();
        let deepest = options.iter().map(|&option| self.depth(option) + 1).max();
        self.bytes += size_of_val(&*options) + size_of::<Known>() + OVERHEAD;
        // The player who cannot move wins.
        let wins = options.is_empty() || options.iter().any(|&option| self.known(option).is_lost);
        self.known.push(Known {
            options: Arc::clone(&options),
            depth: deepest.unwrap_or(0),
            is_lost: !wins,
        });
        self.index.insert(options, game);
        game
    }

    /// Counts memory that is taken for something that goes with the games.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        self.bytes += bytes;
        match self.bytes > self.most_bytes {
            true => Err(OutOfMemory),
            false => Ok(()),
        }
    }

    /// The canonical game that is equal to the sum of two.
    pub(super) fn plus(&mut self, a: Game, b: Game) -> Result<Game, OutOfMemory> {
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

    fn plus_one(&mut self, game: Game) -> Result<Game, OutOfMemory> {
        self.plus(Game::ONE, game)
    }

    /// Adds a game to a sum. Of a game G that is H + *1 for a game H of shorter plays, H and the heap are
    /// added: *1 + *1 = 0.
    pub(super) fn add(&mut self, sum: &mut Sum, game: Game) -> Result<(), OutOfMemory> {
        let other = self.plus_one(game)?;
        let is_other_plus_one = self.depth(other) < self.depth(game);
        let game = if is_other_plus_one { other } else { game };
        sum.one ^= is_other_plus_one;
        if game != Game::ZERO {
            let at = sum.games.partition_point(|&before| before < game);
            sum.games.insert(at, game);
        }
        Ok(())
    }

    /// The canonical game that is equal to a sum.
    pub(super) fn total(&mut self, sum: &Sum) -> Result<Game, OutOfMemory> {
        let mut total = if sum.one { Game::ONE } else { Game::ZERO };
        for &game in &sum.games {
            total = self.plus(total, game)?;
        }
        Ok(total)
    }

    /// All options of a sum.
    pub(super) fn moves(&mut self, sum: &Sum) -> Result<Vec<Sum>, OutOfMemory> {
        let mut moves = Vec::new();
        if sum.one {
            let mut without = sum.clone();
            without.one = false;
            moves.push(without);
        }
        for (i, &game) in sum.games.iter().enumerate() {
            if i > 0 && sum.games[i - 1] == game {
                continue;
            }
            for &option in Arc::clone(self.options(game)).iter() {
                let mut after = sum.clone();
                after.games.remove(i);
                self.add(&mut after, option)?;
                moves.push(after);
            }
        }
        Ok(moves)
    }

    /// Whether the player to move loses a sum, under misère play.
    pub(super) fn is_lost(&mut self, sum: &Sum) -> Result<bool, OutOfMemory> {
        if let (&[game], false) = (&sum.games[..], sum.one) {
            return Ok(self.known(game).is_lost);
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
}

impl Games {
    /// A game as a certificate has it, but "+1" written out; what is deep is left out.
    pub(super) fn text(&self, game: Game) -> String {
        if let Some(size) = self.heap_size(game) {
            return size.to_string();
        }
        if self.depth(game) > 12 {
            return "(…)".to_owned();
        }
        let options = self.options(game).iter();
        let texts: Vec<String> = options.map(|&option| self.text(option)).collect();
        format!("({})", texts.join(" "))
    }

    /// The games of a sum as a certificate has them.
    pub(super) fn texts(&self, sum: &Sum) -> Vec<String> {
        let one = sum.one.then(|| "1".to_owned());
        let games = sum.games.iter().map(|&game| self.text(game));
        games.chain(one).collect()
    }

    /// The size of a game that is a heap: its options are the heaps of fewer.
    fn heap_size(&self, game: Game) -> Option<u32> {
        let known = self.known(game);
        let is_heap = known.options.len() == known.depth as usize
            && known
                .options
                .iter()
                .all(|&option| self.heap_size(option).is_some());
        is_heap.then_some(known.depth)
    }
}

impl Sum {
    /// Adds another sum.
    pub(super) fn join(&mut self, other: &Self) {
        self.one ^= other.one;
        self.games.extend_from_slice(&other.games);
        self.games.sort_unstable();
    }

    /// The memory that it takes beside its own size, in bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        match self.games.spilled() {
            true => size_of::<Game>() * self.games.capacity(),
            false => 0,
        }
    }
}
