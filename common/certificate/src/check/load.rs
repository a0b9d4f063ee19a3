//! Reads all facts, and refuses those that mean nothing.

use std::io::BufRead;

use rustc_hash::FxHashSet;

use super::catalogue::Catalogue;
use super::games::{Game, Games};
use super::misere::{Claimed, Claims};
use super::normal::NimberIs;
use super::sprouts::Land;
use super::values::{State, Values};
use super::{Listed, Options, OutOfMemory, Refusal, VerifyError, lands, with_large_stack};
use crate::format::{Fact, Line, Reader, Value};
use sproutnet_notation::MAX_LIVES;

/// All facts of a certificate, with what their claims refer to.
pub(super) struct Loaded<C, K> {
    pub(super) facts: Vec<Listed<C>>,
    pub(super) known: K,
    /// Approximate memory use.
    pub(super) bytes: usize,
}

/// Reads a certificate under normal play.
pub(super) fn normal(
    reader: Reader<impl BufRead>,
    options: &Options,
) -> Result<Loaded<NimberIs, Catalogue<u32>>, VerifyError> {
    let mut nimbers = Catalogue::new();
    let claim = |line: &Line, order: &mut Order| nimber(line, &mut nimbers, order);
    let (facts, bytes) = read_all(reader, options, claim)?;
    Ok(Loaded {
        facts,
        bytes: bytes + nimbers.bytes(),
        known: nimbers,
    })
}

/// Reads a certificate under misère play. The values returned cover what the facts name, and small lands in it.
pub(super) fn misere(
    reader: Reader<impl BufRead>,
    options: &Options,
) -> Result<Loaded<Claimed, (Claims, Values)>, VerifyError> {
    let small = reader.header().claim.small;
    let mut loader = Loader {
        catalogue: Catalogue::new(),
        values: Values::new(small, Games::new(options.memory / 2)),
    };
    let read = |line: &Line, order: &mut Order| loader.read(line, order, options);
    let (read, bytes) = read_all(reader, options, read)?;
    let folded = with_large_stack(|| loader.fold_all(read, options))?;
    let (facts, lost) = folded?;
    let Loader { catalogue, values } = loader;
    Ok(Loaded {
        facts,
        bytes: bytes + catalogue.bytes() + values.games.bytes(),
        known: (Claims { catalogue, lost }, values),
    })
}

/// Reads all facts with their claims, and counts the memory that they take.
fn read_all<C>(
    mut reader: Reader<impl BufRead>,
    options: &Options,
    mut claim: impl FnMut(&Line, &mut Order) -> Result<C, VerifyError>,
) -> Result<(Vec<Listed<C>>, usize), VerifyError> {
    let (mut facts, mut bytes, mut order) = (Vec::new(), 0, Order::default());
    while let Some(line) = reader.next_fact()? {
        bytes += line.fact.to_string().len() + size_of::<Listed<Claimed>>();
        if bytes > options.memory / 2 {
            return Err(Refusal::OutOfMemory.at(&line, options));
        }
        let claim = claim(&line, &mut order)?;
        facts.push(Listed { line, claim });
    }
    Ok((facts, bytes))
}

fn refused(line: &Line, why: impl Into<String>) -> VerifyError {
    VerifyError::Refused {
        line: line.number,
        what: line.fact.to_string(),
        why: why.into(),
    }
}

/// Checks that the ranks of facts do not fall.
#[derive(Default)]
struct Order {
    rank: u32,
}

impl Order {
    fn next(&mut self, line: &Line, rank: u32) -> Result<(), VerifyError> {
        if rank > MAX_LIVES {
            let why = format!("more than {MAX_LIVES} moves may remain");
            return Err(refused(line, why));
        }
        if rank < self.rank {
            let why = format!(
                "its rank {rank} is lower than the rank {} before it",
                self.rank
            );
            return Err(refused(line, why));
        }
        self.rank = rank;
        Ok(())
    }
}

/// The land of a fact, which must be the only one in the text.
fn only_land(line: &Line, text: &str) -> Result<Land, VerifyError> {
    let lands: Result<[Land; 1], _> = lands(text, line.number)?.try_into();
    lands
        .map(|[land]| land)
        .map_err(|_| refused(line, "this is not a single land"))
}

/// Enters what a fact says a land is worth, and returns the number of the land.
fn enter<W: Copy>(
    line: &Line,
    catalogue: &mut Catalogue<W>,
    land: Land,
    worth: W,
) -> Result<u32, VerifyError> {
    let number = catalogue.enter(land);
    match catalogue.set(number, worth) {
        true => Ok(number),
        false => Err(refused(line, "an earlier fact is about the same land")),
    }
}

fn nimber(
    line: &Line,
    nimbers: &mut Catalogue<u32>,
    order: &mut Order,
) -> Result<NimberIs, VerifyError> {
    let Fact::Equals {
        land,
        value: Value::Heap(nimber),
    } = &line.fact
    else {
        let why = "under normal play, a fact gives the nimber of a land";
        return Err(refused(line, why));
    };
    let land = only_land(line, land)?;
    order.next(line, land.lives())?;
    enter(line, nimbers, land.clone(), *nimber)?;
    let nimber = *nimber;
    Ok(NimberIs { land, nimber })
}

/// The claim of a fact before all valued lands are known.
enum Raw {
    Equals(u32, Game),
    Lost(Vec<Land>, Vec<Game>),
}

struct Loader {
    catalogue: Catalogue<Game>,
    values: Values,
}

impl Loader {
    fn read(
        &mut self,
        line: &Line,
        order: &mut Order,
        options: &Options,
    ) -> Result<Raw, VerifyError> {
        match &line.fact {
            Fact::Equals { land, value } => {
                let land = only_land(line, land)?;
                order.next(line, land.lives())?;
                if self.values.is_small(land.marks()) {
                    return Err(refused(line, "the land is small and needs no fact"));
                }
                let game = self.game(line, value, options)?;
                if self.values.games.depth(game) >= land.lives() {
                    let why = "the value allows a longer play than the land";
                    return Err(refused(line, why));
                }
                let number = enter(line, &mut self.catalogue, land, game)?;
                Ok(Raw::Equals(number, game))
            }
            Fact::Lost { position, values } => {
                let lands = lands(position, line.number)?;
                let mut games = Vec::with_capacity(values.len());
                let mut rank: u32 = lands.iter().map(Land::lives).sum();
                for value in values {
                    let game = self.game(line, value, options)?;
                    rank = rank.saturating_add(self.values.games.depth(game));
                    games.push(game);
                }
                order.next(line, rank)?;
                Ok(Raw::Lost(lands, games))
            }
        }
    }

    fn game(&mut self, line: &Line, value: &Value, options: &Options) -> Result<Game, VerifyError> {
        match self.values.games.read(value) {
            Ok(Some(game)) => Ok(game),
            Ok(None) => Err(refused(line, format!("{value} is not in canonical form"))),
            Err(error) => Err(Refusal::from(error).at(line, options)),
        }
    }

    /// A lost state in the form in which it is looked up: lands with a value are folded, all others get numbers.
    fn folded(&mut self, lands: &[Land], games: &[Game]) -> Result<State, OutOfMemory> {
        let Self { catalogue, values } = self;
        let mut state = State::default();
        for &game in games {
            values.games.add(&mut state.sum, game)?;
        }
        for land in lands {
            if !values.fold(land.marks(), catalogue, &mut state)? {
                state.insert(catalogue.enter(land.clone()));
            }
        }
        Ok(state)
    }

    /// Folds all lost states, now that all valued lands are known.
    fn fold_all(
        &mut self,
        read: Vec<Listed<Raw>>,
        options: &Options,
    ) -> Result<(Vec<Listed<Claimed>>, FxHashSet<State>), VerifyError> {
        let mut facts = Vec::with_capacity(read.len());
        let mut lost = FxHashSet::default();
        for Listed { line, claim } in read {
            let claim = match claim {
                Raw::Equals(number, game) => Claimed::Equals(number, game),
                Raw::Lost(lands, games) => {
                    let state = self.folded(&lands, &games);
                    let state = state.map_err(|error| Refusal::from(error).at(&line, options))?;
                    lost.insert(state.clone());
                    Claimed::Lost(state)
                }
            };
            facts.push(Listed { line, claim });
        }
        Ok((facts, lost))
    }
}
