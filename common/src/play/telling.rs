//! Records as people read them.

use super::{Convention, Knowledge, Play, State, record};
use crate::game::{self, Position};

/// The game and the convention that a record is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// The game's name.
    pub game: &'static str,
    /// The convention.
    pub play: Play,
}

impl Kind {
    /// What a key says of it, if there is such a game and convention.
    pub fn of(key: &[u8]) -> Option<Self> {
        let prefix = key.first_chunk::<2>()?;
        game::all().into_iter().find_map(|game| {
            let is_of = |play: &Play| record::prefix(game.as_ref(), *play) == *prefix;
            let play = Play::ALL.into_iter().find(is_of)?;
            let game = game.name();
            Some(Self { game, play })
        })
    }
}

impl Knowledge {
    /// What a record is about: its position and convention, or its key in hexadecimal digits if
    /// that cannot be read.
    pub fn tell_key(&self, key: &[u8]) -> String {
        let told = self.tell_subject(key);
        told.unwrap_or_else(|| key.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn tell_subject(&self, key: &[u8]) -> Option<String> {
        let Kind { play, .. } = Kind::of(key)?;
        let known = self.game_of(key).ok()?;
        let game = known.game().as_ref();
        let subject = record::subject(key, game, play)?;
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

    /// What a record says.
    pub fn tell_value(&self, key: &[u8], value: u64) -> String {
        match (Kind::of(key).map(|kind| kind.play), value) {
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
        Record::new(game.as_ref(), play, &subject, value)
    }

    #[test]
    fn records_are_told_as_positions() {
        let rules = Knowledge::default();
        let tell = |text, play, value| {
            let Record { key, value } = record(text, play, value);
            rules.check(&key, value).unwrap();
            let told = (rules.tell_key(&key), rules.tell_value(&key, value));
            format!("{}: {}", told.0, told.1)
        };
        assert_eq!(tell("0*7", Play::Normal, 3), "0*7 normal: nimber 1");
        assert_eq!(
            tell("kayles:9", Play::Normal, 0b1010),
            "kayles:9 normal: a nimber other than 0, 2"
        );
        assert_eq!(tell("0*4+0*5", Play::Misere, 0), "0*4+0*5 misere: loss");
        assert_eq!(rules.tell_key(b"xyz"), "78797a");
        assert_eq!(rules.tell_value(b"xyz", 7), "7");
    }

    #[test]
    fn kinds_are_told_from_keys() {
        let key = record("kayles:9", Play::Misere, 1).key;
        let kind = Kind::of(&key).unwrap();
        assert_eq!((kind.game, kind.play), ("kayles", Play::Misere));
        assert_eq!(Kind::of(b"?n"), None);
        assert_eq!(Kind::of(b""), None);
    }
}
