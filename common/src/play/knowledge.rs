//! All that one process knows, for every game and under both conventions.

use std::sync::Arc;

use super::{Convention, Misere, Normal, Play, Record, RecordError, State, StateError};
use crate::game::{self, Game, Lands};

/// What is known of each game. Shared by threads.
pub struct Knowledge {
    games: Vec<GameKnowledge>,
}

/// What is known of one game.
pub struct GameKnowledge {
    /// The game's lands; both conventions share their options.
    pub lands: Arc<Lands>,
    /// What is known under normal play.
    pub normal: Arc<Normal>,
    /// What is known under misère play.
    pub misere: Arc<Misere>,
}

impl Default for Knowledge {
    /// Knows the rules of all games, and nothing else.
    fn default() -> Self {
        let games = game::all().into_iter().map(GameKnowledge::new).collect();
        Self { games }
    }
}

impl Knowledge {
    /// What is known of the game of that name.
    pub fn game(&self, name: &str) -> Option<&GameKnowledge> {
        self.games.iter().find(|game| game.game().name() == name)
    }

    /// Whether a record is well-formed; not whether it is true.
    ///
    /// # Errors
    /// It is not, or it belongs to no game.
    pub fn check(&self, record: &Record) -> Result<(), RecordError> {
        let game = self.game_of(record)?;
        if record.subject(game.game().as_ref(), Normal::PLAY).is_some() {
            game.normal.check(record)
        } else {
            game.misere.check(record)
        }
    }

    /// Takes note of a record.
    ///
    /// # Errors
    /// See [`Convention::learn`]; also when the record belongs to no game.
    pub fn learn(&self, record: &Record) -> Result<(), RecordError> {
        let game = self.game_of(record)?;
        if record.subject(game.game().as_ref(), Normal::PLAY).is_some() {
            game.normal.learn(record)
        } else {
            game.misere.learn(record)
        }
    }

    fn game_of(&self, record: &Record) -> Result<&GameKnowledge, RecordError> {
        let code = record.key.first().copied();
        let game = self
            .games
            .iter()
            .find(|game| Some(game.game().code()) == code);
        game.ok_or_else(|| RecordError::Malformed("of no known game".to_owned()))
    }

    /// What was proved here since the last call, in no order.
    pub fn take_records(&self) -> Vec<Record> {
        let of_game = |game: &GameKnowledge| {
            [game.normal.take_records(), game.misere.take_records()].concat()
        };
        self.games.iter().flat_map(of_game).collect()
    }
}

impl GameKnowledge {
    fn new(game: Arc<dyn Game>) -> Self {
        let lands = Arc::new(Lands::new(game));
        Self {
            normal: Arc::new(Normal::new(Arc::clone(&lands))),
            misere: Arc::new(Misere::new(Arc::clone(&lands))),
            lands,
        }
    }

    /// Whether bytes are a state under a convention.
    ///
    /// # Errors
    /// They are not.
    pub fn check_state(&self, play: Play, bytes: &[u8]) -> Result<(), StateError> {
        match play {
            Play::Normal => State::decode(bytes, &*self.normal).map(|_| ()),
            Play::Misere => State::decode(bytes, &*self.misere).map(|_| ()),
        }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        self.lands.game()
    }
}
