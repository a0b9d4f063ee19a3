//! Audits: proving records again, from records of smaller positions.
//!
//! An audit searches the position of a record over an archive without that record. All records that the search reads
//! from the archive are *smaller*: they have fewer moves left or, if a land of misère play was found to be a heap
//! meanwhile, as many moves and fewer lands. So the smallest false record rests on true ones alone, and is
//! contradicted. A larger false record may rest on a smaller one, and is then confirmed: an audit confirms that a
//! record follows from the rest.

use std::io;
use std::sync::Arc;

use super::{Control, Search, Table};
use crate::play::misere::LARGEST_RECORD;
use crate::play::misere::bag::Bag;
use crate::play::{
    Archive, Convention, Misere, Normal, Outcome, Play, Rules, State, record_subject,
};
use sproutnet_game::{self as game, LandId, Lands};
use sproutnet_record::{Fact, play_of};

/// The maximum memory of the table of one search, in bytes.
const MOST_TABLE: usize = 16 << 20;

/// The bytes of the table for each visit of the search: a bucket. The memory of a new table is zeroed, which takes 1 ms
/// for 16 MiB. Most audits end sooner.
const TABLE_PER_VISIT: u64 = 64;

/// The memory of lands, in bytes, from which they are dropped.
const MOST_BYTES_OF_LANDS: usize = 256 << 20;

/// The result of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditVerdict {
    /// The record follows from the others.
    Confirmed,
    /// The opposite follows from the others.
    Contradicted,
    /// The others contradict each other.
    Inconsistent,
    /// The search reached its bound first.
    Open,
    /// No search ever meets the subject, since its bytes are not canonical.
    Idle,
}

/// The size of a record's subject: moves left, then lands. A record is proved from smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    moves: u32,
    lands: usize,
}

/// Audits records.
pub struct Auditor {
    archive: Arc<dyn Archive>,
    games: Vec<Arc<Lands>>,
}

impl Auditor {
    /// An auditor that proves from the records of an archive.
    pub fn over(archive: Arc<dyn Archive>) -> Self {
        let games = game::all().into_iter();
        Self {
            archive,
            games: games.map(|game| Arc::new(Lands::new(game))).collect(),
        }
    }

    /// Audits a record by a search within the visits of `control`. The search also ends when `control` is cancelled.
    ///
    /// # Errors
    /// A thread could not be started, or there is no memory for the search.
    pub fn judge(&mut self, key: &[u8], value: u64, control: &Control) -> io::Result<AuditVerdict> {
        let Some((number, play, subject)) = self.subject(key) else {
            return Ok(AuditVerdict::Idle);
        };
        let Some(fact) = Fact::read(play, value) else {
            return Ok(AuditVerdict::Idle);
        };
        if self.games[number].bytes() > MOST_BYTES_OF_LANDS {
            let game = Arc::clone(self.games[number].game());
            self.games[number] = Arc::new(Lands::new(game));
        }
        let lands = Arc::clone(&self.games[number]);
        let archive = Arc::new(Others {
            archive: Arc::clone(&self.archive),
            key: key.into(),
        });
        match play {
            Play::Normal => {
                let normal = Normal::over(lands, archive);
                let land = normal.lands().read(subject).ok();
                let claims = land.map(|land| claims(land, fact));
                judge_all(&normal, claims, control)
            }
            Play::Misere => {
                let misere = Misere::over(lands, archive);
                let state = read_state(subject, &misere);
                let claim = state.zip(fact.outcome());
                judge_all(&misere, claim.map(|claim| vec![claim]), control)
            }
        }
    }

    /// The size of the subject of a key. `None` if no search ever meets the subject.
    pub fn size(&self, key: &[u8]) -> Option<Size> {
        let (number, play, subject) = self.subject(key)?;
        let lands = &self.games[number];
        match play {
            Play::Normal => Some(Size {
                moves: lands.game().check(subject).ok()?,
                lands: 1,
            }),
            Play::Misere => {
                let misere = Misere::new(Arc::clone(lands));
                let state = read_state(subject, &misere)?;
                Some(Size {
                    moves: misere.max_moves(&state),
                    lands: state.lands.len(),
                })
            }
        }
    }

    /// The game, the convention and the subject of a key.
    fn subject<'a>(&self, key: &'a [u8]) -> Option<(usize, Play, &'a [u8])> {
        let play = play_of(key)?;
        let of_game = |(number, lands): (usize, &Arc<Lands>)| {
            let subject = record_subject(key, lands.game().code(), play)?;
            Some((number, play, subject))
        };
        self.games.iter().enumerate().find_map(of_game)
    }
}

/// All records of an archive but one.
struct Others {
    archive: Arc<dyn Archive>,
    key: Box<[u8]>,
}

impl Archive for Others {
    fn value(&self, key: &[u8]) -> Option<u64> {
        (*key != *self.key).then(|| self.archive.value(key))?
    }
}

/// The state of a record. Honest workers report no longer ones, and reading those could take very long.
fn read_state(subject: &[u8], misere: &Misere) -> Option<State<Bag>> {
    (subject.len() <= LARGEST_RECORD)
        .then(|| State::decode(subject, misere).ok())
        .flatten()
}

/// The outcomes that are together equivalent to a fact about a land.
fn claims(land: LandId, fact: Fact) -> Vec<(State<u32>, Outcome)> {
    match fact {
        Fact::Excluded(set) => {
            let nimbers = set.iter();
            nimbers
                .map(|nimber| (State::single(land, nimber), Outcome::Win))
                .collect()
        }
        fact => {
            let nimber = fact.nimber().map(|nimber| nimber as u32);
            Vec::from_iter(nimber.map(|nimber| (State::single(land, nimber), Outcome::Loss)))
        }
    }
}

fn judge_all<C: Convention>(
    convention: &C,
    claims: Option<Vec<(State<C::Value>, Outcome)>>,
    control: &Control,
) -> io::Result<AuditVerdict> {
    let Some(claims) = claims else {
        return Ok(AuditVerdict::Idle);
    };
    for (state, claimed) in claims {
        let verdict = judge_state(convention, &state, claimed, control)?;
        if verdict != AuditVerdict::Confirmed {
            return Ok(verdict);
        }
    }
    Ok(AuditVerdict::Confirmed)
}

fn judge_state<C: Convention>(
    convention: &C,
    state: &State<C::Value>,
    claimed: Outcome,
    control: &Control,
) -> io::Result<AuditVerdict> {
    let found = match convention.resolve(&mut state.clone()) {
        Some(outcome) => Some(outcome),
        None => {
            let table = table_for(control).ok_or(io::ErrorKind::OutOfMemory)?;
            let search = Search::new(convention, &table, control);
            search.run_on(1, state)?.outcome()
        }
    };
    Ok(match found {
        _ if convention.contradiction().is_some() => AuditVerdict::Inconsistent,
        None => AuditVerdict::Open,
        Some(outcome) if outcome == claimed => AuditVerdict::Confirmed,
        Some(_) => AuditVerdict::Contradicted,
    })
}

/// An empty table, large enough for the allowed visits of the search.
fn table_for(control: &Control) -> Option<Table> {
    let most = |visits: u64| visits.saturating_mul(TABLE_PER_VISIT) as usize;
    Table::new(
        control
            .most_visits()
            .map_or(MOST_TABLE, most)
            .min(MOST_TABLE),
    )
}
