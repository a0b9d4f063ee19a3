//! Records, in words.

use sproutnet_game::{self as game, Position};
use sproutnet_model::DescribedRecord;
use sproutnet_solver::play::misere::LARGEST_RECORD;
use sproutnet_solver::play::{Convention, Knowledge, Play, State, record_subject};

/// What a record says. `None` if it is about nothing that is ever met.
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
mod tests {
    use super::*;
    use sproutnet_solver::play::{Outcome, Record};

    #[test]
    fn records_in_words() {
        let knowledge = Knowledge::default();
        let known = knowledge.game("sprouts").expect("a game");
        let (game, position) = game::parse("0*8").expect("a position");
        let land = position.lands()[0].as_bytes();
        let key = Record::new(game.code(), Play::Normal, land, 0).key;
        for (value, text) in [
            (5, "normal 0*8: nimber 2"),
            (0b1010, "normal 0*8: nimber not 0, 2"),
        ] {
            let described = describe(&knowledge, &key, value).expect("canonical");
            assert_eq!(described.to_string(), text);
        }
        let state = known.misere.state(&position).encode(&*known.misere);
        let record = known.record_of(Play::Misere, &state.expect("small"), Outcome::Loss);
        let record = record.expect("small");
        let described = describe(&knowledge, &record.key, record.value).expect("canonical");
        assert_eq!(described.to_string(), "misere 0*8: loss");
        assert_eq!(super::describe(&knowledge, b"nothing", 1), None);
    }
}
