//! Proofs under normal play: claims are nimbers of lands.
//!
//! For a land to have nimber n, it must have an option of each nimber below n, and no option of nimber n. An
//! option does not have nimber n if its nimber is known and different, or if it has a reply of nimber n. The
//! nimber of a sum is known when those of all its lands are, except for pairs of equal lands, which cancel.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::engine::{Engine, Sum};
use super::support::{Claim, Grounds, Logic};
use super::{Limits, Proof, ProveError, Statements, Task};
use sproutnet_certificate::format::{Fact, Value};
use sproutnet_game::LandId;
use sproutnet_solver::play::{
    Convention, Exchange, NimberStep, Normal, Outcome, ProvedOutcomes, RecordError, Rules, State,
    Switch, Switches,
};

/// The visits of a search for a nimber that may make a proof smaller.
const VISITS: u64 = 200;

/// The assumed factor of work for a nimber if the land has one move more.
const HARDER: f64 = 1.2;

/// The largest number of grounds of a need. Those with the fewest lives are kept.
const MAX_GROUNDS: usize = 100;

/// The steps of work of one move.
const STEPS_OF_A_MOVE: u64 = 10;

/// The number of further, independent searches for the same root. Each finds another proof, and the best
/// combination of all of them is much smaller.
const SEARCHES: u64 = 6;

/// The divisor of the effort that gives the share of these searches.
const SEARCHES_SHARE: u64 = 3;

/// The visits of a search of each option of a won root, to find further lost ones.
const VISITS_OF_AN_OPTION: u64 = 3000;

/// The divisor of the memory that gives the limit of facts for a second search.
const SAVING_FROM: usize = 4;

/// Proves the outcome of a position, given known facts. Only a small part of the facts is useful, and a new search
/// guided by them finds that part.
pub(super) fn prove(task: &Task<'_>, known: &Arc<Normal>) -> Result<Proof, ProveError> {
    let state = known.state(task.position);
    let is_stored = known.resolve(&mut state.clone()).is_some();
    let table = task.limits.new_table()?;
    let engine = Engine::new(&**known, &table);
    let outcome = engine.solve(task.limits.cores, &state)?;
    if !is_stored && engine.bytes() > task.limits.memory / SAVING_FROM {
        // A guided search would meet about as many lands again, and there is no memory for them.
        return prove_with(task, &engine, &state, outcome, 0);
    }
    drop(table);
    let table = task.limits.new_table()?;
    let first = guided(known, task.limits.seed);
    let engine = Engine::new(&first, &table);
    // With one thread, so that the same store gives the same proof.
    if engine.solve(1, &state)? != outcome {
        return Err(ProveError::Unfounded(task.text()));
    }
    let work = search_again(&engine, known, &state, task.limits)?;
    prove_with(task, &engine, &state, outcome, work)
}

/// Proves an outcome from the facts of the engine after this much work.
fn prove_with(
    task: &Task<'_>,
    engine: &Engine<'_, Normal>,
    state: &State<u32>,
    outcome: Outcome,
    work: u64,
) -> Result<Proof, ProveError> {
    let mut nimbers = Nimbers::new(engine, work);
    let root = nimbers.root(&state.lands, outcome);
    task.proof(engine, outcome, &root, &mut nimbers, 0)
}

/// A convention without facts, for a guided search. Partial expansions find few facts of the guide, and none of a
/// store.
fn guided(guide: &Arc<Normal>, seed: u64) -> Normal {
    let switches = Switches::seeded(seed).without(Switch::Partial);
    Normal::guided_by(Arc::clone(guide)).with(switches)
}

/// Searches for the same outcome several times, each time in another order, and learns all facts. Returns the work.
fn search_again(
    engine: &Engine<'_, Normal>,
    guide: &Arc<Normal>,
    state: &State<u32>,
    limits: &Limits,
) -> Result<u64, ProveError> {
    let max = limits.steps() / SEARCHES_SHARE;
    let mut work = 0;
    for search in 0..SEARCHES {
        if work >= max || engine.bytes() > limits.memory / 2 {
            break;
        }
        let seed = limits.seed.wrapping_add(1 + search);
        let normal = guided(guide, seed);
        let table = limits.new_table()?;
        let other = Engine::new(&normal, &table);
        other.try_to_solve(state, Engine::<Normal>::visits_of(max - work));
        work += other.work().max(1);
        other.check_agreement()?;
        for record in normal.take_records() {
            match engine.convention.learn(&record.key, record.value) {
                Ok(()) => {}
                Err(RecordError::Contradiction(contradiction)) => return Err(contradiction.into()),
                Err(RecordError::Malformed(_) | RecordError::Impossible(_)) => {
                    unreachable!("records of a search are well-formed")
                }
            }
        }
    }
    Ok(work)
}

/// Claims, and the search for their grounds.
struct Nimbers<'a> {
    engine: &'a Engine<'a, Normal>,
    numbers: FxHashMap<LandId, Claim>,
    claims: Vec<(LandId, u32)>,
    /// The number of sums with each land of unknown nimber, until these nimbers are searched for.
    wanted: Option<FxHashMap<LandId, u32>>,
    work: u64,
}

impl<'a> Nimbers<'a> {
    /// No claims yet, after this many steps of work.
    fn new(engine: &'a Engine<'a, Normal>, work: u64) -> Self {
        Self {
            engine,
            numbers: FxHashMap::default(),
            claims: Vec::new(),
            wanted: Some(FxHashMap::default()),
            work,
        }
    }

    /// The grounds of the outcome of a sum of lands.
    fn root(&mut self, lands: &[LandId], outcome: Outcome) -> Grounds {
        let lands = without_pairs(Sum::from_slice(lands));
        let mut grounds = Grounds::new();
        if outcome == Outcome::Win {
            let options = self.moves(&lands);
            for option in &options {
                let state = sum_with(option, 0);
                self.engine.try_to_solve(&state, VISITS_OF_AN_OPTION);
            }
            grounds = self.worth_or_search(&options, 0);
        }
        let nimber = self.sum(&lands);
        if nimber.is_some_and(|nimber| outcome == Outcome::win_if(nimber != 0)) {
            // All nimbers are known, and also give the outcome.
            grounds.push(self.ground(&lands));
        }
        grounds
    }

    /// The nimber of a land, if it is known.
    fn known(&self, land: LandId) -> Option<u32> {
        self.engine.convention.nimber(land)?.known()
    }

    /// The nimber of a land, if searches of this many visits find it.
    fn find(&self, land: LandId, visits: u64) -> Option<u32> {
        loop {
            match self.engine.convention.nimber(land)? {
                NimberStep::Known(nimber) => return Some(nimber),
                NimberStep::Next(next) => self.engine.try_to_solve(&next, visits)?,
            };
        }
    }

    /// The nimber of a sum, if it is known.
    fn sum(&mut self, lands: &[LandId]) -> Option<u32> {
        let mut sum = Some(0);
        for &land in lands {
            let nimber = self.known(land);
            if let (None, Some(wanted)) = (nimber, &mut self.wanted) {
                *wanted.entry(land).or_default() += 1;
            }
            sum = sum.zip(nimber).map(|(sum, nimber)| sum ^ nimber);
        }
        sum
    }

    fn moves(&mut self, sum: &[LandId]) -> Vec<Sum> {
        let moves = self.engine.moves(sum, without_pairs);
        self.work += STEPS_OF_A_MOVE * moves.len() as u64;
        moves
    }

    /// The claims that give the nimber of a sum.
    fn ground(&mut self, lands: &[LandId]) -> Box<[Claim]> {
        let claim = |&land: &LandId| self.number(land);
        lands.iter().map(claim).collect()
    }

    /// The claim of a known nimber.
    fn number(&mut self, land: LandId) -> Claim {
        let nimber = self.known(land);
        let nimber = nimber.expect("claims are made only of known nimbers");
        let next = self.claims.len() as Claim;
        let number = *self.numbers.entry(land).or_insert(next);
        if number == next {
            self.claims.push((land, nimber));
        }
        number
    }

    /// The grounds from the sums of this known nimber.
    fn worth(&mut self, sums: &[Sum], nimber: u32) -> Grounds {
        let mut grounds = Grounds::new();
        for sum in sums {
            if self.sum(sum) == Some(nimber) {
                grounds.push(self.ground(sum));
            }
        }
        grounds
    }

    /// Like [`Self::worth`]. If there are none, searches until a sum is found to have the nimber.
    fn worth_or_search(&mut self, sums: &[Sum], nimber: u32) -> Grounds {
        let grounds = self.worth(sums, nimber);
        if !grounds.is_empty() {
            return grounds;
        }
        let states: Vec<_> = sums.iter().map(|sum| sum_with(sum, nimber)).collect();
        self.engine.find_lost(&states);
        self.worth(sums, nimber)
    }

    /// The grounds for a sum of unknown nimber, with these options, not to have a nimber.
    fn not_worth(&mut self, sum: &[LandId], options: &[Sum], nimber: u32) -> Grounds {
        let mut grounds = self.worth_or_search(options, nimber);
        // If no option has the nimber, the nimber of the sum is smaller.
        let is_smaller = grounds.is_empty()
            && sum.iter().all(|&land| self.find(land, u64::MAX).is_some())
            && self.sum(sum) != Some(nimber);
        if is_smaller {
            grounds.push(self.ground(sum));
        }
        grounds
    }
}

fn sum_with(lands: &[LandId], value: u32) -> State<u32> {
    State {
        lands: lands.into(),
        value,
    }
}

/// Removes pairs of equal lands, which cancel, from sorted lands.
fn without_pairs(lands: Sum) -> Sum {
    let mut left = Sum::new();
    for land in lands {
        if left.last() == Some(&land) {
            left.pop();
        } else {
            left.push(land);
        }
    }
    left
}

impl Logic for Nimbers<'_> {
    fn rank(&self, claim: Claim) -> u32 {
        let (land, _) = self.claims[claim as usize];
        self.engine.convention.lands().max_moves(land)
    }

    fn needs(&mut self, claim: Claim) -> Vec<Grounds> {
        let (land, nimber) = self.claims[claim as usize];
        let options = self.moves(&[land]);
        let mut needs: Vec<Grounds> = Vec::new();
        for smaller in 0..nimber {
            needs.push(self.worth_or_search(&options, smaller));
        }
        for option in &options {
            let replies = self.moves(option);
            needs.push(match self.sum(option) {
                Some(known) if known == nimber => {
                    // A false record: the land cannot have the nimber of an option. Nothing can meet this need.
                    return vec![Grounds::new()];
                }
                Some(_) => {
                    let mut grounds = self.worth(&replies, nimber);
                    grounds.push(self.ground(option));
                    grounds
                }
                None => self.not_worth(option, &replies, nimber),
            });
        }
        for grounds in &mut needs {
            grounds.sort_unstable();
            grounds.dedup();
            if grounds.len() > MAX_GROUNDS {
                grounds.sort_by_cached_key(|ground| {
                    let ranks = ground.iter().map(|&claim| self.rank(claim));
                    ranks.sum::<u32>()
                });
                grounds.truncate(MAX_GROUNDS);
            }
        }
        needs
    }

    fn find_more(&mut self, work: u64, max_bytes: usize) -> bool {
        let until = self.work() + work;
        let lands = self.engine.convention.lands();
        let wanted = self.wanted.take().unwrap_or_default();
        let worth = |land, sums| f64::from(sums) / HARDER.powf(lands.max_moves(land).into());
        let wanted = wanted.into_iter();
        let mut wanted: Vec<_> = wanted
            .map(|(land, sums)| (worth(land, sums), land))
            .collect();
        wanted.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut has_found = false;
        for (_, land) in wanted {
            if self.work() >= until || self.bytes() > max_bytes {
                break;
            }
            self.work += STEPS_OF_A_MOVE;
            has_found |= self.find(land, VISITS).is_some();
        }
        has_found
    }

    fn work(&self) -> u64 {
        self.work + self.engine.work()
    }

    fn bytes(&self) -> usize {
        let wanted = self.wanted.as_ref().map_or(0, FxHashMap::capacity);
        self.engine.bytes() + wanted * size_of::<(LandId, u32)>()
    }
}

impl Statements for Nimbers<'_> {
    fn fact(&self, claim: Claim) -> Result<Fact, ProveError> {
        let (land, nimber) = self.claims[claim as usize];
        let lands = self.engine.convention.lands();
        Ok(Fact::Equals {
            land: lands.game().print(&lands.position(&[land])),
            value: Value::Heap(nimber),
        })
    }
}
