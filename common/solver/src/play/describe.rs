//! Records in words.

use sproutnet_game::{self as game, Position};
use sproutnet_record::{Fact, Kind, RecordRules};

use super::{Knowledge, Play, RecordError, Rules, State, record};

impl RecordRules for Knowledge {
    fn kind(&self, key: &[u8]) -> Option<Kind> {
        Some(Kind {
            game: self.game_of(key).ok()?.game().name(),
            play: record::play_of(key)?,
        })
    }

    fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.check(key, value)
    }

    fn admit(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.admit(key, value)
    }

    fn merge(&self, key: &[u8], known: u64, new: u64) -> Option<u64> {
        self.both(key, known, new)
    }

    fn describe_key(&self, key: &[u8]) -> String {
        let Some(subject) = self.describe(key) else {
            return key.iter().map(|byte| format!("{byte:02x}")).collect();
        };
        let text = format!("{} {}", subject.position, subject.play);
        match (subject.is_alone, subject.value) {
            (true, _) => text,
            (false, Some(genus)) => format!("{text} beside a game of genus {genus}"),
            (false, None) => format!("{text} beside other games"),
        }
    }

    fn describe_value(&self, key: &[u8], value: u64) -> String {
        let fact = self.kind(key).and_then(|kind| Fact::read(kind.play, value));
        fact.map_or_else(|| value.to_string(), |fact| fact.to_string())
    }
}

/// The subject of a record, in words.
pub struct Subject {
    /// The canonical text of its lands, with the game's name unless it is Sprouts.
    pub position: String,
    /// The convention.
    pub play: Play,
    /// Whether the record is about these lands alone.
    pub is_alone: bool,
    /// The genus of the value beside the lands, if that is quickly found.
    pub value: Option<String>,
}

impl Knowledge {
    /// The subject of the record with this key. `None` if the key cannot be read.
    pub fn describe(&self, key: &[u8]) -> Option<Subject> {
        let play = self.kind(key)?.play;
        let known = self.game_of(key).ok()?;
        let game = known.game().as_ref();
        let subject = record::subject(key, game.code(), play)?;
        let (lands, value) = match play {
            Play::Normal => (vec![game.land(subject).ok()?], None),
            Play::Misere => {
                let state = State::decode(subject, &*known.misere).ok()?;
                let lands = state.lands.iter();
                let lands = lands.map(|&land| known.lands.land(land));
                (lands.collect(), Some(state.value))
            }
        };
        Some(Subject {
            position: game::qualified(game, &game.print(&Position::new(lands))),
            play,
            is_alone: value.is_none_or(|value| value == known.misere.nothing()),
            value: value.and_then(|value| known.misere.describe_value(value)),
        })
    }
}

#[cfg(test)]
mod tests;
