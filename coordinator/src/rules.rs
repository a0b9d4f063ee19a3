//! The rules that a store is used with.

use sproutnet_game as game;
use sproutnet_query::merge_result;
use sproutnet_solver::play::Knowledge;
use sproutnet_store::Rules;

/// Calls `act` with the rules for the records and results of all games.
pub fn with_rules<T>(act: impl FnOnce(Rules<'_>) -> T) -> T {
    act(Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &merge_result,
    })
}
