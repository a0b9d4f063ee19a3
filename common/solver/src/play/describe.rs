//! Records as people read them.

use sproutnet_game::{self as game, Position};
use sproutnet_record::{Kind, RecordRules};

use super::{Convention, Knowledge, Play, RecordError, State, record};

impl RecordRules for Knowledge {
    fn kind(&self, key: &[u8]) -> Option<Kind> {
        let game = self.game_of(key).ok()?.game();
        let plays = Play::ALL.into_iter();
        let play = plays
            .into_iter()
            .find(|&play| record::subject(key, game.code(), play).is_some())?;
        Some(Kind {
            game: game.name(),
            play,
        })
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.check(key, value)
    }

    fn merge(&self, key: &[u8], known: u64, new: u64) -> Option<u64> {
        self.both(key, known, new)
    }

    fn describe_key(&self, key: &[u8]) -> String {
        let told = self.describe_subject(key);
        told.unwrap_or_else(|| key.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn describe_value(&self, key: &[u8], value: u64) -> String {
        match (self.kind(key).map(|kind| kind.play), value) {
            (Some(Play::Normal), exact) if exact & 1 == 1 => format!("nimber {}", exact >> 1),
            (Some(Play::Normal), mask) => {
                let bits = (1..u64::BITS).filter(|bit| mask >> bit & 1 == 1);
                let excluded: Vec<_> = bits.map(|bit| (bit - 1).to_string()).collect();
                format!("a nimber other than {}", excluded.join(", "))
            }
            (Some(Play::Misere), 0) => "loss".to_owned(),
            (Some(Play::Misere), 1) => "win".to_owned(),
            (_, other) => other.to_string(),
        }
    }
}

impl Knowledge {
    fn describe_subject(&self, key: &[u8]) -> Option<String> {
        let Kind { play, .. } = self.kind(key)?;
        let known = self.game_of(key).ok()?;
        let game = known.game().as_ref();
        let subject = record::subject(key, game.code(), play)?;
        let print = |position| game::qualified(game, &game.print(&position));
        match play {
            Play::Normal => {
                let land = game.land(subject).ok()?;
                Some(format!("{} {play}", print(Position::new(vec![land]))))
            }
            Play::Misere => {
                let state = State::decode(subject, &*known.misere).ok()?;
                let lands = state
                    .lands
                    .iter()
                    .map(|&land| known.lands.land(land).clone());
                let position = print(Position::new(lands.collect()));
                let is_worth_nothing = state.value == known.misere.nothing();
                let value = known.misere.describe_value(state.value);
                Some(match (is_worth_nothing, value) {
                    (true, _) => format!("{position} {play}"),
                    (false, Some(genus)) => {
                        format!("{position} {play} beside a game of genus {genus}")
                    }
                    (false, None) => format!("{position} {play} beside other games"),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Misere, Record};

    fn record(text: &str, play: Play, value: u64) -> Record {
        let (game, position) = game::parse(text).unwrap();
        let known = Knowledge::default();
        let misere: &Misere = &known.game(game.name()).unwrap().misere;
        let subject = match play {
            Play::Normal => position.lands()[0].as_bytes().to_vec(),
            Play::Misere => misere.state(&position).encode(misere).unwrap(),
        };
        Record::new(game.code(), play, &subject, value)
    }

    #[test]
    fn records_are_told_as_positions() {
        let rules = Knowledge::default();
        let tell = |text, play, value| {
            let Record { key, value } = record(text, play, value);
            rules.check(&key, value).unwrap();
            let told = (rules.describe_key(&key), rules.describe_value(&key, value));
            format!("{}: {}", told.0, told.1)
        };
        assert_eq!(tell("0*7", Play::Normal, 3), "0*7 normal: nimber 1");
        assert_eq!(
            tell("kayles:9", Play::Normal, 0b1010),
            "kayles:9 normal: a nimber other than 0, 2"
        );
        assert_eq!(tell("0*4+0*5", Play::Misere, 0), "0*4+0*5 misere: loss");
        assert_eq!(rules.describe_key(b"xyz"), "78797a");
        assert_eq!(rules.describe_value(b"xyz", 7), "7");
    }

    #[test]
    fn kinds_are_told_from_keys() {
        let key = record("kayles:9", Play::Misere, 1).key;
        let rules = Knowledge::default();
        let kind = rules.kind(&key).unwrap();
        assert_eq!((kind.game, kind.play), ("kayles", Play::Misere));
        assert_eq!(rules.kind(b"?n"), None);
        assert_eq!(rules.kind(b""), None);
    }
}
