//! Proofs under normal play: the claims are nimbers of lands.
//!
//! That a land has nimber n needs, for each m below n, an option of nimber m; and of each option that its
//! nimber is not n: because it is known, or because of a reply of nimber n. A sum is known when all its lands
//! are, but for equal ones, which cancel.

use rustc_hash::FxHashMap;

use super::engine::Engine;
use super::sums::{Sum, moves};
use super::support::{Claim, Grounds, Logic};
use super::{Means, Proof, ProveError, Statements, Task};
use sproutnet_certificate::format::{Fact, Value};
use sproutnet_game::{Game, LandId, Position, Sprouts};
use sproutnet_solver::play::{Convention, Normal, Outcome, RecordError, State, Switches};

/// Visits that are spent to find a nimber that may make a proof smaller.
const VISITS: u64 = 200;

/// A nimber takes so many times the work, it is assumed, if there is one move more in the land.
const HARDER: f64 = 1.2;

/// Of more grounds those with the fewest lives are kept.
const MOST_GROUNDS: usize = 100;

/// Steps of work to make a move.
const STEPS_OF_A_MOVE: u64 = 10;

/// So many more searches, each of which knows nothing of the others, are made for the same root: each finds
/// another proof, and the best of all of them together is far smaller.
const SEARCHES: u64 = 6;

/// The share of the effort that goes into them.
const SEARCHES_SHARE: u64 = 3;

/// Visits that are spent on each option of a root that is won, to find others that are lost.
const VISITS_OF_AN_OPTION: u64 = 3000;

/// Proves who wins a position.
pub(super) fn prove(task: &Task<'_, Normal>) -> Result<Proof, ProveError> {
    let engine = &task.engine;
    let state = engine.convention.state(task.position);
    let outcome = engine.solve(task.means.cores, &state)?;
    let work = search_again(engine, &state, task.means)?;
    let mut nimbers = Nimbers::new(engine, work);
    let root = nimbers.root(&state.lands, outcome, VISITS_OF_AN_OPTION);
    task.proof(outcome, &root, &mut nimbers, 0)
}

/// Searches for the same outcome again and again, each time in another order, and learns all that is found.
/// Returns the work that this took.
fn search_again(
    engine: &Engine<'_, Normal>,
    state: &State<u32>,
    means: &Means,
) -> Result<u64, ProveError> {
    let most = means.steps() / SEARCHES_SHARE;
    let mut work = 0;
    for search in 0..SEARCHES {
        if work >= most || engine.bytes() > means.memory / 2 {
            break;
        }
        let switches = Switches {
            seed: means.seed.wrapping_add(1 + search),
            ..Switches::default()
        };
        let normal = Normal::new(engine.convention.shared_lands()).with(switches);
        let table = means.new_table()?;
        let other = Engine::new(&normal, &table);
        other.try_to_solve(state, Engine::<Normal>::visits_of(most - work));
        work += other.work().max(1);
        other.agreed()?;
        for record in normal.take_records() {
            match engine.convention.learn(&record.key, record.value) {
                Ok(()) => {}
                Err(RecordError::Contradiction(contradiction)) => return Err(contradiction.into()),
                Err(RecordError::Malformed(_)) => {
                    unreachable!("what a search proved is well-formed")
                }
            }
        }
    }
    Ok(work)
}

/// Nimbers that are known or can be found.
struct Nimbers<'a> {
    engine: &'a Engine<'a, Normal>,
    numbers: FxHashMap<LandId, Claim>,
    claims: Vec<(LandId, u32)>,
    /// In how many sums there were lands whose nimbers were not known, until they are searched for.
    wanted: Option<FxHashMap<LandId, u32>>,
    work: u64,
}

impl<'a> Nimbers<'a> {
    /// After so many steps of work.
    fn new(engine: &'a Engine<'a, Normal>, work: u64) -> Self {
        Self {
            engine,
            numbers: FxHashMap::default(),
            claims: Vec::new(),
            wanted: Some(FxHashMap::default()),
            work,
        }
    }

    /// What an outcome of the sum of these lands rests on. `visits` are spent on each option, to find more
    /// that are lost.
    fn root(&mut self, lands: &[LandId], outcome: Outcome, visits: u64) -> Grounds {
        let lands = without_pairs(Sum::from_slice(lands));
        if outcome == Outcome::Loss {
            return vec![self.ground(&lands)];
        }
        let options = self.moves(&lands);
        for option in &options {
            self.engine.try_to_solve(&sum_with(option, 0), visits);
        }
        let mut grounds = self.worth(&options, 0);
        if grounds.is_empty() {
            grounds = self.sought(&options, 0);
        }
        if self.sum(&lands).is_some() {
            // All nimbers are known, and tell it too.
            grounds.push(self.ground(&lands));
        }
        grounds
    }

    fn known(&self, land: LandId) -> Option<u32> {
        self.engine.convention.nimber(land)?.ok()
    }

    fn find(&self, land: LandId) -> Option<u32> {
        loop {
            match self.engine.convention.nimber(land)? {
                Ok(nimber) => return Some(nimber),
                Err(next) => self.engine.try_to_solve(&next, VISITS)?,
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
        let moves = moves(self.engine.convention.lands(), sum, without_pairs);
        self.work += STEPS_OF_A_MOVE * moves.len() as u64;
        moves
    }

    /// The claims that tell the nimber of a sum.
    fn ground(&mut self, lands: &[LandId]) -> Box<[Claim]> {
        let claim = |&land: &LandId| self.number(land);
        lands.iter().map(claim).collect()
    }

    /// The claim of a known nimber.
    fn number(&mut self, land: LandId) -> Claim {
        let nimber = self.known(land);
        let nimber = nimber.expect("only of lands whose nimber is known something is claimed");
        let next = self.claims.len() as Claim;
        let number = *self.numbers.entry(land).or_insert(next);
        if number == next {
            self.claims.push((land, nimber));
        }
        number
    }

    /// Those of the sums that are known to be worth a nimber.
    fn worth(&mut self, sums: &[Sum], nimber: u32) -> Grounds {
        let mut grounds = Grounds::new();
        for sum in sums {
            if self.sum(sum) == Some(nimber) {
                grounds.push(self.ground(sum));
            }
        }
        grounds
    }

    /// One of the sums that is worth a nimber, by a search that ends when one is found.
    fn sought(&mut self, sums: &[Sum], nimber: u32) -> Grounds {
        let states: Vec<_> = sums.iter().map(|sum| sum_with(sum, nimber)).collect();
        self.engine.find_lost(&states);
        self.worth(sums, nimber)
    }
}

fn sum_with(lands: &[LandId], value: u32) -> State<u32> {
    State {
        lands: lands.into(),
        value,
    }
}

/// Equal lands cancel. They are sorted.
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
            let mut grounds = self.worth(&options, smaller);
            if grounds.is_empty() {
                grounds = self.sought(&options, smaller);
            }
            needs.push(grounds);
        }
        for option in &options {
            let mut grounds = Grounds::new();
            if self.sum(option).is_some() {
                grounds.push(self.ground(option));
            }
            let replies = self.moves(option);
            grounds.extend(self.worth(&replies, nimber));
            if grounds.is_empty() {
                grounds = self.sought(&replies, nimber);
            }
            needs.push(grounds);
        }
        for grounds in &mut needs {
            grounds.sort_unstable();
            grounds.dedup();
            if grounds.len() > MOST_GROUNDS {
                grounds.sort_by_cached_key(|ground| {
                    let ranks = ground.iter().map(|&claim| self.rank(claim));
                    ranks.sum::<u32>()
                });
                grounds.truncate(MOST_GROUNDS);
            }
        }
        // What nothing is needed for is always met.
        needs.retain(|grounds| !grounds.iter().any(|ground| ground.is_empty()));
        needs.sort_unstable();
        needs.dedup();
        needs
    }

    fn look_further(&mut self, work: u64, most_bytes: usize) -> bool {
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
            if self.work() >= until || self.bytes() > most_bytes {
                break;
            }
            self.work += STEPS_OF_A_MOVE;
            has_found |= self.find(land).is_some();
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
    fn position(&self, claim: Claim) -> Position {
        let (land, _) = self.claims[claim as usize];
        self.engine.convention.lands().position(&[land])
    }

    fn fact(&self, claim: Claim) -> Result<Fact, ProveError> {
        let (_, nimber) = self.claims[claim as usize];
        Ok(Fact::Equals {
            land: Sprouts.print(&self.position(claim)),
            value: Value::Heap(nimber),
        })
    }
}
