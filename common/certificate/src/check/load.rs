//! Reads all facts, and refuses meaningless ones.

use std::io::BufRead;

use rustc_hash::FxHashSet;

use super::catalogue::Catalogue;
use super::games::Games;
use super::halt::{Halt, Stop};
use super::misere::{Claim, Claims};
use super::sprouts::Land;
use super::sprouts::canonical::Canoniser;
use super::values::{State, Values};
use super::{Listed, Options, Refusal, VerifyError, lands};
use crate::format::{Fact, Reader, Ruleset, Value};
use sproutnet_notation::MAX_LIVES;

/// Facts with their claims, the subjects of the claims, and the memory for each thread, in bytes.
type Loaded<C, K> = Result<(Vec<Listed<C>>, K, usize), VerifyError>;

/// Reads a certificate under normal play. The claim of a fact is the number of its land.
pub(super) fn normal(
    reader: Reader<impl BufRead>,
    options: &Options,
    stop: &Stop,
) -> Loaded<u32, Catalogue<u32>> {
    let game = reader.header().claim.game;
    let mut nimbers = Catalogue::default();
    let claim = |fact: &Fact| match fact {
        Fact::Equals {
            land,
            value: Value::Heap(nimber),
        } => {
            let land = only_land(land, game, stop)?;
            Ok((land.rank(game), set(&mut nimbers, land, *nimber)?))
        }
        _ => {
            let why = "under normal play, a fact gives the nimber of a land";
            Err(Refusal::because(why))
        }
    };
    let (facts, bytes) = read_all(reader, options, stop, claim)?;
    let max_bytes = memory_left(options, bytes + nimbers.bytes());
    Ok((facts, nimbers, max_bytes))
}

/// Reads a certificate under misère play.
pub(super) fn misere(
    reader: Reader<impl BufRead>,
    options: &Options,
    stop: &Stop,
) -> Loaded<Claim, Claims> {
    let (game, small) = (reader.header().claim.game, reader.header().claim.small);
    let mut catalogue = Catalogue::default();
    let games = Games::new(options.memory / 2, stop);
    let mut values = Values::new(game, small, games, Canoniser::new(0, stop));
    let claim = |fact: &Fact| match fact {
        Fact::Equals { land, value } => {
            let land = only_land(land, game, stop)?;
            let rank = land.rank(game);
            if values.is_small(land.marks()) {
                return Err(Refusal::because("the land is small and needs no fact"));
            }
            let value = values.games.read(value)?;
            if values.games.depth(value) > game.longest_play(rank) {
                let why = "the value allows a longer play than the land";
                return Err(Refusal::because(why));
            }
            Ok((rank, Claim::Equals(set(&mut catalogue, land, value)?)))
        }
        Fact::Lost {
            position,
            values: summands,
        } => {
            let (mut state, mut rank) = (State::default(), 0_u32);
            for land in lands(position, game, stop)? {
                rank += land.rank(game);
                state.insert(catalogue.enter(land));
            }
            for value in summands {
                let game = values.games.read(value)?;
                rank = rank.saturating_add(values.games.depth(game));
                // The fact is refused. A sum of very many games would take long.
                if rank > MAX_LIVES {
                    break;
                }
                values.games.add(&mut state.sum, game)?;
            }
            Ok((rank, Claim::Lost(state)))
        }
    };
    let (mut facts, bytes) = read_all(reader, options, stop, claim)?;
    // All values are known now.
    let mut lost = FxHashSet::default();
    for listed in &mut facts {
        if let Claim::Lost(state) = &listed.claim {
            let folded = values.folded(state, &catalogue).map_err(Refusal::from);
            let folded = listed.accept(folded, options)?;
            lost.insert(folded.clone());
            listed.claim = Claim::Lost(folded);
        }
    }
    let games = values.games.bytes;
    let max_bytes = memory_left(options, bytes + catalogue.bytes() + games);
    values.games.max_bytes = games + max_bytes / 2;
    let claims = Claims {
        catalogue,
        lost,
        values,
    };
    Ok((facts, claims, max_bytes))
}

/// The memory for each thread, in bytes, when `bytes` bytes are used.
fn memory_left(options: &Options, bytes: usize) -> usize {
    options.memory.saturating_sub(bytes) / options.cores.max(1)
}

/// Reads all facts, with the rank and claim of each, and counts their memory. Ranks must not fall.
fn read_all<C>(
    mut reader: Reader<impl BufRead>,
    options: &Options,
    stop: &Stop,
    mut claim: impl FnMut(&Fact) -> Result<(u32, C), Refusal>,
) -> Result<(Vec<Listed<C>>, usize), VerifyError> {
    let (mut facts, mut bytes, mut last) = (Vec::new(), 0, 0);
    while let Some(line) = reader.next_fact()? {
        stop.check().map_err(|_| VerifyError::Stopped)?;
        bytes += line.fact.to_string().len() + size_of::<Listed<Claim>>();
        let claim = match claim(&line.fact) {
            _ if bytes > options.memory / 2 => Err(Halt::OutOfMemory.into()),
            Ok((rank, _)) if rank > MAX_LIVES => {
                let why = format!("more than {MAX_LIVES} moves may remain");
                Err(Refusal::Because(why))
            }
            Ok((rank, _)) if rank < last => {
                let why = format!("its rank {rank} is lower than the rank {last} before it");
                Err(Refusal::Because(why))
            }
            Ok((rank, claim)) => {
                last = rank;
                Ok(claim)
            }
            Err(refusal) => Err(refusal),
        };
        let claim = claim.map_err(|refusal| refusal.at(line.number, &line.fact, options))?;
        facts.push(Listed { line, claim });
    }
    Ok((facts, bytes))
}

/// The single land in a text.
fn only_land(text: &str, game: Ruleset, stop: &Stop) -> Result<Land, Refusal> {
    let only = <[Land; 1]>::try_from(lands(text, game, stop)?);
    let only = only.map_err(|_| Refusal::because("this is not a single land"));
    only.map(|[land]| land)
}

/// Enters the worth of a land by a fact, and returns the number of the land.
fn set<W: Copy>(catalogue: &mut Catalogue<W>, land: Land, worth: W) -> Result<u32, Refusal> {
    let number = catalogue.enter(land);
    if catalogue.set(number, worth) {
        Ok(number)
    } else {
        Err(Refusal::because("an earlier fact is about the same land"))
    }
}
