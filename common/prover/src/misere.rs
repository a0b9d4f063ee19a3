//! Proofs under misère play: claims are values of lands, and lost states.
//!
//! States are folded. Small lands are replaced by their values, which the checker also finds, and lands that are heaps
//! by heaps, which is claimed. For a lost state, each option must be won: by its values alone, or because a reply is
//! lost. The grounds of an option or a reply include the values of all lands in it.
//!
//! For a land to be the heap *k, its options must include each smaller heap, all other options must have an
//! option *k, and if k = 0 an option must be lost (theorem 5 of `docs/explanation/misere.md`).

use rustc_hash::FxHashMap;

use super::engine::{Engine, Sum};
use super::support::{Claim, Grounds, Logic};
use super::{Proof, ProveError, Statements, Task};
use sproutnet_certificate::format::{Fact, Ruleset, Value};
use sproutnet_game::LandId;
use sproutnet_solver::play::misere::bag::Bag;
use sproutnet_solver::play::misere::tree::Tree;
use sproutnet_solver::play::{Misere, Outcome, ProvedOutcomes, Rules, State};

/// The largest number of replies considered for an option.
const MAX_REPLIES: usize = 12;

/// The steps of work of one reply.
const STEPS_OF_A_REPLY: u64 = 10;

/// Proves the outcome of a position.
pub(super) fn prove(task: &Task<'_>, known: &Misere) -> Result<Proof, ProveError> {
    let table = task.limits.new_table()?;
    let engine = &Engine::new(known, &table);
    let state = known.state(task.position);
    let outcome = engine.solve(task.limits.cores, &state)?;
    let mut states = States::new(task.ruleset, engine);
    let root = states.root(&state.lands, outcome);
    let small = rank(task.ruleset, Misere::VALUED_IN_FULL);
    task.proof(engine, outcome, &root, &mut states, small)
}

/// The rank of a land for a checker, from the maximum number of moves in it.
fn rank(ruleset: Ruleset, max_moves: u32) -> u32 {
    match ruleset {
        // Its lives. A move takes one, and the last move needs two.
        Ruleset::Sprouts => max_moves + 1,
        Ruleset::Mixed => max_moves,
    }
}

/// The statement of a claim.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Statement {
    /// A land is equal to a heap.
    Heap(LandId, Tree),
    /// The player to move loses the sum of lands without values and the values of all others.
    Lost(Sum, Bag),
}

/// A folded sum, and the lands with claimed values used in it.
struct Folded {
    lands: Sum,
    value: Bag,
    heaps: Vec<LandId>,
}

/// Claims, and the search for their grounds.
struct States<'a> {
    ruleset: Ruleset,
    engine: &'a Engine<'a, Misere>,
    numbers: FxHashMap<Statement, Claim>,
    /// With their ranks.
    claims: Vec<(Statement, u32)>,
    work: u64,
}

impl<'a> States<'a> {
    fn new(ruleset: Ruleset, engine: &'a Engine<'a, Misere>) -> Self {
        Self {
            ruleset,
            engine,
            numbers: FxHashMap::default(),
            claims: Vec::new(),
            work: 0,
        }
    }

    /// The grounds of the outcome of a sum of lands.
    fn root(&mut self, lands: &[LandId], outcome: Outcome) -> Grounds {
        let folded = self.folded(lands, Bag::ZERO);
        match outcome {
            Outcome::Win => self.won(&folded),
            Outcome::Loss if folded.lands.is_empty() && !self.is_lost(&folded) => Grounds::new(),
            Outcome::Loss => vec![self.ground(&[&folded])],
        }
    }

    fn folded(&self, lands: &[LandId], value: Bag) -> Folded {
        let misere = self.engine.convention;
        let mut folded = Folded {
            lands: Sum::new(),
            value,
            heaps: Vec::new(),
        };
        for &land in lands {
            match misere.value_of(land) {
                Some(tree) => {
                    folded.value = misere.bags().add(folded.value, tree);
                    if misere.lands().max_moves(land) > Misere::VALUED_IN_FULL {
                        folded.heaps.push(land);
                    }
                }
                None => folded.lands.push(land),
            }
        }
        folded
    }

    /// The rank: those of the lands plus the longest play of the values.
    fn rank_of(&self, statement: &Statement) -> u32 {
        let misere = self.engine.convention;
        let rank = |&land: &LandId| rank(self.ruleset, misere.lands().max_moves(land));
        match statement {
            Statement::Heap(land, _) => rank(land),
            Statement::Lost(lands, value) => {
                lands.iter().map(rank).sum::<u32>() + misere.bags().depth(*value)
            }
        }
    }

    fn number(&mut self, statement: Statement) -> Claim {
        if let Some(&number) = self.numbers.get(&statement) {
            return number;
        }
        let number = self.claims.len() as Claim;
        let rank = self.rank_of(&statement);
        self.claims.push((statement.clone(), rank));
        self.numbers.insert(statement, number);
        number
    }

    /// A ground for the claim that the last of these sums is lost, with the heaps that fold all of them.
    fn ground(&mut self, path: &[&Folded]) -> Box<[Claim]> {
        let mut ground = self.heaps(path);
        if let Some(last) = path.last().filter(|last| !last.lands.is_empty()) {
            ground.push(self.number(Statement::Lost(last.lands.clone(), last.value)));
        }
        ground.into()
    }

    /// The claims that fold these sums.
    fn heaps(&mut self, path: &[&Folded]) -> Vec<Claim> {
        let mut heaps: Vec<LandId> = path.iter().flat_map(|sum| sum.heaps.clone()).collect();
        heaps.sort_unstable();
        heaps.dedup();
        let heap = |land| {
            let value = self.engine.convention.value_of(land);
            let value = value.expect("a heap was found to be one before");
            self.number(Statement::Heap(land, value))
        };
        heaps.into_iter().map(heap).collect()
    }

    /// Whether a sum is known to be lost.
    fn is_lost(&self, sum: &Folded) -> bool {
        let misere = self.engine.convention;
        if sum.lands.is_empty() {
            return !misere.bags().mover_wins(sum.value);
        }
        misere.resolve(&mut state(sum)) == Some(Outcome::Loss)
    }

    /// The options of a sum.
    fn options(&mut self, sum: &Folded) -> Vec<Folded> {
        let misere = self.engine.convention;
        let options = self.engine.moves(&sum.lands, |lands| lands);
        let mut folded: Vec<Folded> = options
            .iter()
            .map(|lands| self.folded(lands, sum.value))
            .collect();
        folded.extend(misere.bags().options(sum.value).map(|value| Folded {
            lands: sum.lands.clone(),
            value,
            heaps: Vec::new(),
        }));
        self.work += STEPS_OF_A_REPLY * folded.len() as u64;
        folded
    }

    /// The grounds for a sum to be won.
    fn won(&mut self, sum: &Folded) -> Grounds {
        let misere = self.engine.convention;
        if sum.lands.is_empty() {
            return if misere.bags().mover_wins(sum.value) {
                vec![self.heaps(&[sum]).into()]
            } else {
                Grounds::new()
            };
        }
        let replies = self.options(sum);
        let mut grounds = self.lost_among(sum, &replies);
        if grounds.is_empty() {
            // Solving the sum first tends to show a lost reply soon.
            self.engine.try_to_solve(&state(sum), u64::MAX);
            grounds = self.lost_among(sum, &replies);
        }
        if grounds.is_empty() {
            let states: Vec<_> = replies.iter().map(state).collect();
            self.engine.find_lost(&states);
            grounds = self.lost_among(sum, &replies);
        }
        grounds
    }

    fn lost_among(&mut self, sum: &Folded, replies: &[Folded]) -> Grounds {
        let mut grounds = Grounds::new();
        for reply in replies {
            if self.is_lost(reply) {
                grounds.push(self.ground(&[sum, reply]));
                if grounds.len() == MAX_REPLIES {
                    break;
                }
            }
        }
        grounds
    }

    fn needs_of_lost(&mut self, lands: &Sum, value: Bag) -> Vec<Grounds> {
        let sum = Folded {
            lands: lands.clone(),
            value,
            heaps: Vec::new(),
        };
        let options = self.options(&sum);
        options.iter().map(|option| self.won(option)).collect()
    }

    fn needs_of_heap(&mut self, land: LandId, heap: Tree) -> Vec<Grounds> {
        let trees = self.engine.convention.bags().trees();
        let size = trees.heap_size(heap).unwrap_or(0);
        let mut smaller = vec![Grounds::new(); size as usize];
        let mut needs: Vec<Grounds> = Vec::new();
        let mut lost = Grounds::new();
        for option in self.engine.moves(&[land], |lands| lands) {
            let folded = self.folded(&option, Bag::ZERO);
            if size == 0 && self.is_lost(&folded) {
                lost.push(self.ground(&[&folded]));
            }
            let mut grounds = Grounds::new();
            if let Some(value) = self.tree(&folded) {
                let shown = self.heaps(&[&folded]);
                if let Some(met) = trees.heap_size(value).filter(|&met| met < size) {
                    smaller[met as usize].push(shown.clone().into());
                    grounds.push(shown.into());
                } else if trees.has_option(value, heap) {
                    grounds.push(shown.into());
                }
            } else if folded.lands.len() == 1 {
                for reply in self.engine.moves(&folded.lands, |lands| lands) {
                    let reply = self.folded(&reply, folded.value);
                    if self.tree(&reply) == Some(heap) {
                        grounds.push(self.heaps(&[&folded, &reply]).into());
                    }
                }
            }
            needs.push(grounds);
        }
        needs.append(&mut smaller);
        if size == 0 {
            needs.push(lost);
        }
        needs
    }

    /// The game that a sum is equal to, if all its lands have values.
    fn tree(&self, sum: &Folded) -> Option<Tree> {
        let bags = self.engine.convention.bags();
        let mut values = bags.summands(sum.value);
        let add = |sum, value| bags.trees().add(sum, value);
        sum.lands.is_empty().then(|| {
            let first = values.next().unwrap_or(Tree::ZERO);
            values.fold(first, add)
        })
    }
}

fn state(sum: &Folded) -> State<Bag> {
    State {
        lands: sum.lands.clone(),
        value: sum.value,
    }
}

impl Logic for States<'_> {
    fn rank(&self, claim: Claim) -> u32 {
        self.claims[claim as usize].1
    }

    fn needs(&mut self, claim: Claim) -> Vec<Grounds> {
        let (statement, _) = self.claims[claim as usize].clone();
        let mut needs = match statement {
            Statement::Lost(lands, value) => self.needs_of_lost(&lands, value),
            Statement::Heap(land, heap) => self.needs_of_heap(land, heap),
        };
        for grounds in &mut needs {
            grounds.sort_unstable();
            grounds.dedup();
        }
        needs
    }

    fn work(&self) -> u64 {
        self.work + self.engine.work()
    }

    fn bytes(&self) -> usize {
        let claims = self.claims.capacity() * size_of::<(Statement, u32)>();
        let numbers = self.numbers.capacity() * size_of::<(Statement, Claim)>();
        self.engine.bytes() + claims + numbers
    }
}

impl Statements for States<'_> {
    fn fact(&self, claim: Claim) -> Result<Fact, ProveError> {
        let misere = self.engine.convention;
        let bags = misere.bags();
        let game = misere.lands().game();
        let text = |lands: &[LandId]| game.print(&misere.lands().position(lands));
        let value = |tree: Tree| -> Result<Value, ProveError> {
            let text = bags.trees().display(tree);
            text.parse().map_err(|_| ProveError::LargeValue(text))
        };
        let values = |bag: Bag| bags.summands(bag).map(value).collect::<Result<_, _>>();
        Ok(match &self.claims[claim as usize].0 {
            Statement::Heap(land, tree) => Fact::Equals {
                land: text(&[*land]),
                value: value(*tree)?,
            },
            Statement::Lost(lands, bag) => Fact::Lost {
                position: text(lands),
                values: values(*bag)?,
            },
        })
    }
}
