//! Normal play: nimbers of lands.

use std::collections::BTreeMap;

use sproutnet_certificate::format::{Claim, Fact, Ruleset, Value};
use sproutnet_game::{Land, Position, Sprouts};
use sproutnet_solver::play::{Normal, Outcome, Play, Rules};

use super::{file, lives, options, text};
use sproutnet_testkit::solver::Solver;

/// Finds nimbers, and the facts that prove them.
pub(crate) struct Nimbers {
    solver: Solver<Normal>,
    facts: BTreeMap<Land, u32>,
}

impl Nimbers {
    pub(crate) fn new() -> Self {
        Self {
            solver: Solver::new(Sprouts),
            facts: BTreeMap::new(),
        }
    }

    pub(crate) fn position(&self, text: &str) -> Position {
        self.solver.position(text)
    }

    pub(crate) fn of(&self, position: &Position) -> u32 {
        let nimber = |land| {
            self.solver
                .nimber_of(self.solver.convention.lands().intern(land))
        };
        position.lands().iter().map(nimber).fold(0, |a, b| a ^ b)
    }

    /// A certificate of a position's outcome.
    pub(crate) fn certificate(&mut self, position: &str) -> Vec<u8> {
        self.facts.clear();
        let root = self.position(position);
        let outcome = Outcome::win_if(self.of(&root) != 0);
        if outcome == Outcome::Loss {
            self.need(&root);
        } else {
            let lost = moves(&root).into_iter().find(|option| self.of(option) == 0);
            self.need(&lost.expect("a win has a lost option"));
        }
        let claim = Claim {
            game: Ruleset::Sprouts,
            play: Play::Normal,
            position: position.to_owned(),
            outcome,
            small: 0,
            tool: "test".to_owned(),
        };
        let fact = |(land, &nimber): (&Land, &u32)| {
            let fact = Fact::Equals {
                land: text(std::slice::from_ref(land)),
                value: Value::Heap(nimber),
            };
            (lives(land), fact)
        };
        file(claim, self.facts.iter().map(fact).collect())
    }

    /// Shows the nimbers of all lands of a position.
    fn need(&mut self, position: &Position) {
        for land in position.lands() {
            let nimber = self.of(&Position::new(vec![land.clone()]));
            if self.facts.insert(land.clone(), nimber).is_some() {
                continue;
            }
            let mut found = vec![false; nimber as usize];
            for option in options(land) {
                match self.of(&option) {
                    less if less < nimber => {
                        if !std::mem::replace(&mut found[less as usize], true) {
                            self.need(&option);
                        } else if less % 2 == 0 {
                            // Varies the grounds: this one is a reply, if there is one.
                            self.need_reply(&option, nimber);
                        } else {
                            self.need(&option);
                        }
                    }
                    _ => self.need_reply(&option, nimber),
                }
            }
        }
    }

    /// Shows that a position does not have a nimber: by a reply that has it, or by its own nimber.
    fn need_reply(&mut self, position: &Position, nimber: u32) {
        let reply = moves(position)
            .into_iter()
            .find(|reply| self.of(reply) == nimber);
        if let Some(reply) = reply {
            return self.need(&reply);
        }
        self.need(position);
    }
}

/// All options of a position.
fn moves(position: &Position) -> Vec<Position> {
    let lands = position.lands();
    let of_land = |(i, land): (usize, &Land)| {
        let others = Position::new([&lands[..i], &lands[i + 1..]].concat());
        let options = options(land).into_iter();
        options.map(move |option| option.plus(&others))
    };
    lands.iter().enumerate().flat_map(of_land).collect()
}
