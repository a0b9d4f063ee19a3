//! The games, as they are listed.

use sproutnet_certificate::format::Ruleset;
use sproutnet_game::{self as game, Game, PositionError, picture::has_pictures};
use sproutnet_model::{Game as Listed, OtherName};
use sproutnet_solver::play::Play;

/// All games.
pub fn games() -> Vec<Listed> {
    game::all().iter().map(|game| listed(&**game)).collect()
}

/// The game with this name or another name.
///
/// # Errors
/// There is no such game.
pub fn game(name: &str) -> Result<Listed, PositionError> {
    let (game, _) = game::split_game(&format!("{name}:"))?;
    Ok(listed(&*game))
}

fn listed(game: &dyn Game) -> Listed {
    let examples = game.info().examples.iter();
    let other_name = |&(name, parameters): &(&'static str, &str)| OtherName {
        name,
        means: format!("{}{parameters}", game.name()),
    };
    Listed {
        game: game.name(),
        rules: game.info().rules,
        notation: game.info().notation,
        examples: examples.map(|text| game::qualified(game, text)).collect(),
        other_names: game.other_names().iter().map(other_name).collect(),
        plays: Play::ALL.to_vec(),
        starts: game.start_text(0).is_some(),
        nimbers: !game.is_partizan(),
        heaps: game.heap("").is_some(),
        drawn: has_pictures(game),
        proved: Ruleset::named(game.name()).is_some(),
    }
}
