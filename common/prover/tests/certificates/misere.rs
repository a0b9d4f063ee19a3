//! Misère play: values of lands and lost states.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use sproutnet_certificate::format::{Claim, Fact, Ruleset, Value};
use sproutnet_game::{Land, Position, Sprouts};
use sproutnet_solver::play::misere::bag::{Bag, Bags};
use sproutnet_solver::play::misere::tree::{Tree, Trees};
use sproutnet_solver::play::{Misere, Outcome, Play, Rules, State};

use super::{file, lives, options, text};
use sproutnet_testkit::solver::Solver;

/// The maximum lives of lands with values.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Valued by the checker.
    pub(crate) small: u32,
    /// Valued by facts.
    pub(crate) valued: u32,
}

/// Lands without values, sorted, and the values of the others.
type Sum = (Vec<Land>, Bag);

/// Finds values and outcomes, and the facts that prove them.
pub(crate) struct Values {
    solver: Solver<Misere>,
    trees: Arc<Trees>,
    bags: Bags,
    known: HashMap<Land, Tree>,
    limits: Limits,
    shown: BTreeMap<Land, Tree>,
    lost: HashSet<Sum>,
    facts: Vec<(u32, Fact)>,
}

impl Values {
    pub(crate) fn new() -> Self {
        let trees = Arc::new(Trees::new());
        Self {
            solver: Solver::new(Sprouts),
            bags: Bags::new(Arc::clone(&trees)),
            trees,
            known: HashMap::new(),
            limits: Limits {
                small: 0,
                valued: 0,
            },
            shown: BTreeMap::new(),
            lost: HashSet::new(),
            facts: Vec::new(),
        }
    }

    pub(crate) fn position(&self, text: &str) -> Position {
        self.solver.position(text)
    }

    pub(crate) fn outcome(&self, text: &str) -> Outcome {
        self.solver.outcome(text)
    }

    /// The value of a land, by the definition.
    pub(crate) fn value(&mut self, land: &Land) -> Tree {
        if let Some(&known) = self.known.get(land) {
            return known;
        }
        let options: Vec<Tree> = options(land)
            .iter()
            .map(|option| {
                let values = option.lands().iter().map(|land| self.value(land));
                let values: Vec<Tree> = values.collect();
                values
                    .into_iter()
                    .fold(Tree::ZERO, |a, b| self.trees.add(a, b))
            })
            .collect();
        let value = self.trees.simplify(&options);
        self.known.insert(land.clone(), value);
        value
    }

    /// The value in a text.
    pub(crate) fn read(&self, value: &Value) -> Tree {
        match value {
            Value::Heap(size) => self.trees.heap(*size),
            Value::Options { options, plus_one } => {
                let options: Vec<Tree> = options.iter().map(|option| self.read(option)).collect();
                self.trees.simplify(&options).plus_one_if(*plus_one)
            }
        }
    }

    /// Whether the player to move loses the sum of a position and values.
    pub(crate) fn is_lost(&self, position: &Position, values: &[Tree]) -> bool {
        let value = values
            .iter()
            .fold(Bag::ZERO, |bag, &value| self.bags.add(bag, value));
        self.is_lost_sum(&(position.lands().to_vec(), value))
    }

    fn is_lost_sum(&self, (lands, value): &Sum) -> bool {
        let convention = &self.solver.convention;
        let value = self.bags.encode(*value, usize::MAX).expect("small games");
        let mut state: State<_> = convention.state(&Position::new(lands.clone()));
        state.value = convention.decode_value(&value).expect("a value");
        self.solver.solve(&state) == Outcome::Loss
    }

    /// A certificate of a position's outcome.
    pub(crate) fn certificate(&mut self, position: &str, limits: Limits) -> Vec<u8> {
        self.limits = limits;
        self.shown.clear();
        self.lost.clear();
        self.facts.clear();
        let root = self.position(position);
        let outcome = self.outcome(position);
        let state = self.folded(&root, Bag::ZERO);
        match outcome {
            Outcome::Loss => self.need_lost(&state),
            Outcome::Win => self.need_won(&state),
        }
        for (land, &value) in &self.shown {
            let fact = Fact::Equals {
                land: text(std::slice::from_ref(land)),
                value: self.trees.display(value).parse().expect("a value"),
            };
            self.facts.push((lives(land), fact));
        }
        let claim = Claim {
            game: Ruleset::Sprouts,
            play: Play::Misere,
            position: position.to_owned(),
            outcome,
            small: limits.small,
            tool: "test".to_owned(),
        };
        file(claim, std::mem::take(&mut self.facts))
    }

    /// Folds a position by the limits, and adds the facts for the values.
    fn folded(&mut self, position: &Position, mut value: Bag) -> Sum {
        let mut lands = Vec::new();
        for land in position.lands() {
            if lives(land) > self.limits.small.max(self.limits.valued) {
                lands.push(land.clone());
                continue;
            }
            let tree = self.value(land);
            value = self.bags.add(value, tree);
            if lives(land) > self.limits.small && self.shown.insert(land.clone(), tree).is_none() {
                for option in options(land) {
                    self.folded(&option, Bag::ZERO);
                }
            }
        }
        (lands, value)
    }

    /// All options of a sum, folded.
    fn options(&mut self, (lands, value): &Sum) -> Vec<Sum> {
        let mut all = Vec::new();
        for (i, land) in lands.iter().enumerate() {
            let others = Position::new([&lands[..i], &lands[i + 1..]].concat());
            for option in options(land) {
                let option = option.plus(&others);
                all.push(self.folded(&option, *value));
            }
        }
        let values = self.bags.options(*value);
        all.extend(values.map(|value| (lands.clone(), value)));
        all
    }

    /// Shows that the player to move loses a sum.
    fn need_lost(&mut self, sum: &Sum) {
        if sum.0.is_empty() || !self.lost.insert(sum.clone()) {
            return;
        }
        for option in self.options(sum) {
            self.need_won(&option);
        }
        let (lands, value) = sum;
        let rank = lands.iter().map(lives).sum::<u32>() + self.bags.depth(*value);
        let values = self.bags.summands(*value);
        let values = values.map(|tree| self.trees.display(tree).parse().expect("a value"));
        let fact = Fact::Lost {
            position: text(lands),
            values: values.collect(),
        };
        self.facts.push((rank, fact));
    }

    /// Shows that the player to move wins a sum, by the first option that is lost.
    fn need_won(&mut self, sum: &Sum) {
        if sum.0.is_empty() {
            return;
        }
        let options = self.options(sum);
        let lost = options.into_iter().find(|option| self.is_lost_sum(option));
        self.need_lost(&lost.expect("a win has a lost option"));
    }
}
