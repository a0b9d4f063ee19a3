//! Facts as they are read.

use std::io::BufRead;

use rustc_hash::FxHashSet;

use super::catalogue::Catalogue;
use super::games::{Game, Games};
use super::misere::{Claimed, Claims};
use super::normal::NimberIs;
use super::sprouts::Land;
use super::sprouts::form::Canoniser;
use super::values::{State, Values};
use super::{Listed, Options, OutOfMemory, Refusal, VerifyError, lands, with_large_stack};
use crate::format::{Fact, Header, Line, Reader, Value};
use sproutnet_notation::MAX_LIVES;
use sproutnet_notation::Play;

/// A certificate that was read.
pub(super) enum Loaded {
    Normal(Header, Box<NormalFacts>),
    Misere(Header, Box<MisereFacts>),
}

/// All facts of a certificate under normal play.
pub(super) struct NormalFacts {
    pub(super) list: Vec<Listed<NimberIs>>,
    pub(super) nimbers: Catalogue<u32>,
    /// About how much memory this takes.
    pub(super) bytes: usize,
}

/// All facts of a certificate under misère play.
pub(super) struct MisereFacts {
    pub(super) list: Vec<Listed<Claimed>>,
    pub(super) claims: Claims,
    /// The values that the facts name, and those of small lands that they name.
    pub(super) values: Values,
    /// About how much memory this takes.
    pub(super) bytes: usize,
}

/// Reads a certificate, and refuses what means nothing.
pub(super) fn load(file: impl BufRead, options: &Options) -> Result<Loaded, VerifyError> {
    let mut reader = Reader::new(file)?;
    let header = reader.header().clone();
    lands(&header.claim.position, super::POSITION_LINE)?;
    let mut order = Order::default();
    let mut bytes = 0;
    let mut room = |line: &Line| {
        bytes += line.fact.to_string().len() + size_of::<Listed<Claimed>>();
        match bytes > options.memory / 2 {
            true => Err(Refusal::OutOfMemory.at(line.number, &line.fact, options)),
            false => Ok(()),
        }
    };
    if header.claim.play == Play::Normal {
        let mut list = Vec::new();
        let mut nimbers = Catalogue::new();
        while let Some(line) = reader.next_fact()? {
            room(&line)?;
            let claim = nimber(&line, &mut nimbers, &mut order)?;
            list.push(listed(line, claim));
        }
        let bytes = bytes + nimbers.bytes();
        let facts = NormalFacts {
            list,
            nimbers,
            bytes,
        };
        return Ok(Loaded::Normal(header, Box::new(facts)));
    }
    let mut loader = Loader {
        catalogue: Catalogue::new(),
        values: Values::new(header.claim.small, Games::new(options.memory / 2)),
        canoniser: Canoniser::default(),
        order,
    };
    let mut read = Vec::new();
    while let Some(line) = reader.next_fact()? {
        room(&line)?;
        let claim = loader.read(&line, options)?;
        read.push((line, claim));
    }
    let (list, lost, loader) = fold_all(read, loader, options)?;
    let bytes = bytes + loader.catalogue.bytes() + loader.values.bytes();
    let facts = MisereFacts {
        list,
        claims: Claims {
            catalogue: loader.catalogue,
            lost,
        },
        values: loader.values,
        bytes,
    };
    Ok(Loaded::Misere(header, Box::new(facts)))
}

fn listed<C>(line: Line, claim: C) -> Listed<C> {
    Listed {
        line: line.number,
        fact: line.fact,
        claim,
    }
}

fn refused(line: &Line, why: impl Into<String>) -> VerifyError {
    VerifyError::Refused {
        line: line.number,
        what: line.fact.to_string(),
        why: why.into(),
    }
}

/// The ranks of facts, which must not fall.
#[derive(Default)]
struct Order {
    rank: u32,
}

impl Order {
    fn next(&mut self, line: &Line, rank: u32) -> Result<(), VerifyError> {
        if rank > MAX_LIVES {
            let why = format!("more than {MAX_LIVES} moves may be left");
            return Err(refused(line, why));
        }
        if rank < self.rank {
            let why = format!("its rank {rank} is less than {} before", self.rank);
            return Err(refused(line, why));
        }
        self.rank = rank;
        Ok(())
    }
}

/// The land of a fact, and that it is the only one.
fn only_land(line: &Line, text: &str) -> Result<Land, VerifyError> {
    let mut lands = lands(text, line.number)?;
    match (lands.pop(), lands.is_empty()) {
        (Some(land), true) => Ok(land),
        _ => Err(refused(line, "this is not one land")),
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
        let why = "under normal play a fact is the nimber of a land";
        return Err(refused(line, why));
    };
    let land = only_land(line, land)?;
    order.next(line, land.lives())?;
    let number = nimbers.enter(land.clone());
    if !nimbers.set(number, *nimber) {
        return Err(refused(line, "there is a fact of this land before"));
    }
    let nimber = *nimber;
    Ok(NimberIs { land, nimber })
}

/// What a fact claims before it is known which lands are valued.
enum Raw {
    Equals(u32, Game),
    Lost(Vec<Land>, Vec<Game>),
}

struct Loader {
    catalogue: Catalogue<Game>,
    values: Values,
    canoniser: Canoniser,
    order: Order,
}

impl Loader {
    fn read(&mut self, line: &Line, options: &Options) -> Result<Raw, VerifyError> {
        match &line.fact {
            Fact::Equals { land, value } => {
                let land = only_land(line, land)?;
                self.order.next(line, land.lives())?;
                if self.values.is_small(land.marks()) {
                    return Err(refused(line, "the land is small, and needs no fact"));
                }
                let game = self.game(line, value, options)?;
                if self.values.games.depth(game) >= land.lives() {
                    let why = "the value has a longer play than the land";
                    return Err(refused(line, why));
                }
                let number = self.catalogue.enter(land);
                if !self.catalogue.set(number, game) {
                    return Err(refused(line, "there is a fact of this land before"));
                }
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
                self.order.next(line, rank)?;
                Ok(Raw::Lost(lands, games))
            }
        }
    }

    fn game(&mut self, line: &Line, value: &Value, options: &Options) -> Result<Game, VerifyError> {
        match self.values.games.read(value) {
            Ok(Some(game)) => Ok(game),
            Ok(None) => Err(refused(line, format!("{value} is not in canonical form"))),
            Err(error) => Err(Refusal::from(error).at(line.number, &line.fact, options)),
        }
    }

    /// A lost state as it is looked up: what is valued is folded, everything else has a number.
    fn folded(&mut self, lands: &[Land], games: &[Game]) -> Result<State, OutOfMemory> {
        let Self {
            catalogue,
            values,
            canoniser,
            ..
        } = self;
        let mut state = State::default();
        for &game in games {
            values.games.add(&mut state.sum, game)?;
        }
        for land in lands {
            if !values.fold(land.marks(), catalogue, canoniser, &mut state)? {
                state.insert(catalogue.enter(land.clone()));
            }
        }
        Ok(state)
    }
}

type Folded = (Vec<Listed<Claimed>>, FxHashSet<State>, Loader);

/// Folds all lost states, once it is known which lands are valued.
fn fold_all(
    read: Vec<(Line, Raw)>,
    mut loader: Loader,
    options: &Options,
) -> Result<Folded, VerifyError> {
    with_large_stack(move || {
        let mut list = Vec::with_capacity(read.len());
        let mut lost = FxHashSet::default();
        for (line, raw) in read {
            let claim = match raw {
                Raw::Equals(number, game) => Claimed::Equals(number, game),
                Raw::Lost(lands, games) => {
                    let state = loader.folded(&lands, &games);
                    let state = state.map_err(|error| {
                        Refusal::from(error).at(line.number, &line.fact, options)
                    })?;
                    lost.insert(state.clone());
                    Claimed::Lost(state)
                }
            };
            list.push(listed(line, claim));
        }
        Ok((list, lost, loader))
    })?
}
