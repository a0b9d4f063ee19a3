//! Records in words.

use sproutnet_game::{self as game, Position};
use sproutnet_model::DescribedRecord;
use sproutnet_solver::play::misere::LARGEST_RECORD;
use sproutnet_solver::play::{Convention, Knowledge, Play, State, record_subject};

/// Describes a record. `None` if no search can meet its position.
pub fn describe(knowledge: &Knowledge, key: &[u8], value: u64) -> Option<DescribedRecord> {
    game::all().iter().find_map(|game| {
        let known = knowledge.game(game.name())?;
        let write = |lands: &[game::LandId]| {
            let lands = lands.iter().map(|&id| known.lands.land(id).clone());
            let position = Position::new(lands.collect());
            game::qualified(game.as_ref(), &game.print(&position))
        };
        if let Some(subject) = record_subject(key, game.code(), Play::Normal) {
            return Some(DescribedRecord {
                position: write(&[known.lands.read(subject).ok()?]),
                value: None,
                play: Play::Normal,
                says: says_nimber(value),
            });
        }
        let subject = record_subject(key, game.code(), Play::Misere)?;
        if subject.len() > LARGEST_RECORD {
            return None;
        }
        let state = State::decode(subject, &*known.misere).ok()?;
        let outcome = if value == 1 { "win" } else { "loss" };
        Some(DescribedRecord {
            position: write(&state.lands),
            value: known.misere.describe_value(state.value),
            play: Play::Misere,
            says: outcome.to_owned(),
        })
    })
}

fn says_nimber(value: u64) -> String {
    if value & 1 == 1 {
        return format!("nimber {}", value >> 1);
    }
    let excluded = (0..63).filter(|nimber| value >> 1 >> nimber & 1 == 1);
    let excluded: Vec<String> = excluded.map(|nimber: u32| nimber.to_string()).collect();
    format!("nimber not {}", excluded.join(", "))
}

#[cfg(test)]
mod tests;
