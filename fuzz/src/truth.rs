//! Outcomes of small positions by plain recursion.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use sproutnet_certificate::format::Value;
use sproutnet_game::{Game, Position};
use sproutnet_solver::play::Outcome;

/// The results found so far for a game.
pub(super) struct Truth {
    game: Arc<dyn Game>,
    nimbers: HashMap<Position, u32>,
    misere: HashMap<(Position, Vec<String>), Outcome>,
}

impl Truth {
    pub(super) fn of(game: Arc<dyn Game>) -> Self {
        Self {
            game,
            nimbers: HashMap::new(),
            misere: HashMap::new(),
        }
    }

    /// The nimber of a position, by its definition.
    pub(super) fn nimber(&mut self, position: &Position) -> u32 {
        if let Some(&known) = self.nimbers.get(position) {
            return known;
        }
        let options = options(&*self.game, position);
        let found: Vec<u32> = options.iter().map(|option| self.nimber(option)).collect();
        let none_of_them = |nimber: &u32| !found.contains(nimber);
        let nimber = (0..=found.len() as u32).find(none_of_them);
        let nimber = nimber.expect("there are fewer options than numbers");
        self.nimbers.insert(position.clone(), nimber);
        nimber
    }

    /// The outcome of a sum of a position and values under misère play: a player who cannot move wins.
    pub(super) fn misere(&mut self, position: &Position, values: &[Value]) -> Outcome {
        let values: Vec<Value> = values.iter().flat_map(summands).collect();
        let mut names: Vec<String> = values.iter().map(Value::to_string).collect();
        names.sort_unstable();
        let key = (position.clone(), names);
        if let Some(&known) = self.misere.get(&key) {
            return known;
        }
        let mut can_move = false;
        let mut wins = false;
        for option in options(&*self.game, position) {
            can_move = true;
            wins = wins || self.misere(&option, &values) == Outcome::Loss;
        }
        for (at, value) in values.iter().enumerate() {
            for option in options_of(value) {
                can_move = true;
                let mut after = values.clone();
                after[at] = option;
                wins = wins || self.misere(position, &after) == Outcome::Loss;
            }
        }
        let outcome = Outcome::win_if(wins || !can_move);
        self.misere.insert(key, outcome);
        outcome
    }
}

fn options(game: &dyn Game, position: &Position) -> Vec<Position> {
    let mut options = Vec::new();
    let end = game.moves(position, &mut |option| {
        options.push(option);
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    options.sort_unstable();
    options.dedup();
    options
}

/// The summands of a value.
fn summands(value: &Value) -> Vec<Value> {
    match value {
        Value::Heap(0) => Vec::new(),
        Value::Heap(_) => vec![value.clone()],
        Value::Options { options, plus_one } => {
            let alone = Value::Options {
                options: options.clone(),
                plus_one: false,
            };
            let beside = plus_one.then_some(Value::Heap(1));
            std::iter::once(alone).chain(beside).collect()
        }
    }
}

/// The options of a single game.
fn options_of(value: &Value) -> Vec<Value> {
    match value {
        Value::Heap(size) => (0..*size).map(Value::Heap).collect(),
        Value::Options { options, .. } => options.clone(),
    }
}
