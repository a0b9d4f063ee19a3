//! The facts of one process, for every game and under both conventions.

use std::sync::Arc;

use super::{
    Archive, Convention, Exchange, LeastWorth, Misere, Normal, Outcome, Play, ProvedOutcomes,
    Record, RecordError, Rules, State, StateError, misere, normal, record,
};
use sproutnet_game::{self as game, Game, Lands, Position};
use sproutnet_notation::GameCode;
use sproutnet_record::Fact;

/// The known facts of each game. Shared by threads.
pub struct Knowledge {
    games: Vec<GameKnowledge>,
}

/// The known facts of one game.
pub struct GameKnowledge {
    /// The game's lands; both conventions share their options.
    pub lands: Arc<Lands>,
    /// Facts under normal play.
    pub normal: Arc<Normal>,
    /// Facts under misère play.
    pub misere: Arc<Misere>,
    archive: Option<Arc<dyn Archive>>,
}

impl Default for Knowledge {
    /// Without facts. All learned facts are kept in memory.
    fn default() -> Self {
        Self::with(|game| GameKnowledge::new(game, None))
    }
}

impl Knowledge {
    /// Knows the facts of an archive. Memory is bounded by the met lands and states, however much is learned: see
    /// [`Convention::over`].
    pub fn over(archive: Arc<dyn Archive>) -> Self {
        Self::with(move |game| GameKnowledge::new(game, Some(Arc::clone(&archive))))
    }

    fn with(game: impl Fn(Arc<dyn Game>) -> GameKnowledge) -> Self {
        Self {
            games: game::all().into_iter().map(game).collect(),
        }
    }

    /// The facts of a game.
    ///
    /// # Panics
    /// The game is not one of [all](game::all), nor one of these with parameters.
    pub fn of(&self, game: &dyn Game) -> &GameKnowledge {
        self.game(game.name()).expect("all games are known")
    }

    /// The facts of the game `name`.
    pub fn game(&self, name: &str) -> Option<&GameKnowledge> {
        self.games.iter().find(|game| game.game().name() == name)
    }

    /// Whether a record is well-formed; not whether it is true. See [`Exchange::check`].
    ///
    /// # Errors
    /// The record is malformed, or belongs to no game.
    pub fn check(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.game_of(key)?.exchange(key).check(key, value)
    }

    /// Checks a record from elsewhere: it must be well-formed, and its position possible.
    ///
    /// # Errors
    /// The record fails this check; see also [`Self::check`].
    pub fn admit(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.check(key, value)?;
        let known = self.game_of(key)?;
        for land in known.exchange(key).lands_of(key) {
            let possible = known.game().check_possible(land);
            possible.map_err(|error| RecordError::Impossible(error.problem.to_owned()))?;
        }
        Ok(())
    }

    /// Both values of a key combined; `None` if they contradict each other.
    pub fn both(&self, key: &[u8], known: u64, new: u64) -> Option<u64> {
        let both = record::merge(key, known, new).ok()?;
        // Two sets of excluded nimbers may each leave a nimber, but both together none.
        let is_possible = both == known || self.check(key, both).is_ok();
        is_possible.then_some(both)
    }

    /// Imports a record.
    ///
    /// # Errors
    /// See [`Exchange::learn`]; also if the record belongs to no game.
    pub fn learn(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        let known = self.game_of(key)?;
        known.exchange(key).learn(key, value)?;
        if record::play_of(key) == Some(Play::Normal) {
            // Sums across games file their facts under the games of their lands.
            let game = known.game().code();
            for sums in self.sums_with(game) {
                sums.normal.learn(key, value)?;
            }
        }
        Ok(())
    }

    /// The games with lands of this game that are asked about.
    fn sums_with(&self, game: GameCode) -> impl Iterator<Item = &GameKnowledge> {
        self.games.iter().filter(move |sums| {
            let rules = sums.game();
            !sums.lands.is_empty() && rules.code() != game && rules.unfiled(game, &[]).is_some()
        })
    }

    pub(super) fn game_of(&self, key: &[u8]) -> Result<&GameKnowledge, RecordError> {
        let code = key.first().copied().map(GameCode);
        let mut games = self.games.iter();
        let game = games.find(|game| Some(game.game().code()) == code);
        game.ok_or_else(|| RecordError::Malformed("of no known game".to_owned()))
    }

    /// The approximate memory of all facts and lands, in bytes. Cheap enough to call every second.
    pub fn bytes(&self) -> usize {
        let of_game =
            |game: &GameKnowledge| game.lands.bytes() + game.normal.bytes() + game.misere.bytes();
        self.games.iter().map(of_game).sum()
    }

    /// The facts proved here since the last call, unordered.
    pub fn take_records(&self) -> Vec<Record> {
        self.take_worthy_records(LeastWorth::ALL)
    }

    /// Like [`Self::take_records`], but facts below the least worth stay for a later call.
    pub fn take_worthy_records(&self, least: LeastWorth) -> Vec<Record> {
        let of_game = |game: &GameKnowledge| {
            let normal = game.normal.take_worthy_records(least);
            [normal, game.misere.take_worthy_records(least)].concat()
        };
        self.games.iter().flat_map(of_game).collect()
    }
}

impl GameKnowledge {
    fn new(game: Arc<dyn Game>, archive: Option<Arc<dyn Archive>>) -> Self {
        let lands = Arc::new(Lands::new(game));
        let (of_normal, of_misere) = (Arc::clone(&lands), Arc::clone(&lands));
        let (normal, misere) = match &archive {
            None => (Normal::new(of_normal), Misere::new(of_misere)),
            Some(archive) => (
                Normal::over(of_normal, Arc::clone(archive)),
                Misere::over(of_misere, Arc::clone(archive)),
            ),
        };
        Self {
            lands,
            normal: Arc::new(normal),
            misere: Arc::new(misere),
            archive,
        }
    }

    /// Whether the checker of certificates confirmed records that prove the outcome of a position: under normal play
    /// the nimbers of its lands, under misère play that it is lost.
    pub fn is_verified(&self, play: Play, position: &Position) -> bool {
        let Some(archive) = &self.archive else {
            return false;
        };
        let grounds = match play {
            Play::Normal => self.normal.grounds(position),
            Play::Misere => self.misere.ground(position).map(|ground| vec![ground]),
        };
        // An outcome that rests on no record is not confirmed by one.
        grounds.is_some_and(|grounds| {
            !grounds.is_empty() && grounds.iter().all(|ground| archive.is_verified(ground))
        })
    }

    /// Whether the outcome of a position follows without records: all plays to the end of its lands are looked at.
    pub fn is_played_out(&self, play: Play, position: &Position) -> bool {
        match play {
            Play::Normal => {
                let lands = position.lands().iter();
                let moves = lands.map(|land| self.game().max_moves(land));
                moves
                    .max()
                    .is_none_or(|most| most <= normal::proof::EVALUATED_DIRECTLY)
            }
            Play::Misere => self.misere.fold(&mut self.misere.state(position)).is_some(),
        }
    }

    /// The convention of a record of this game; a malformed one may count as either.
    fn exchange(&self, key: &[u8]) -> &dyn Exchange {
        match record::play_of(key) {
            Some(Play::Normal) => &*self.normal,
            _ => &*self.misere,
        }
    }

    /// Whether bytes are a state under a convention.
    ///
    /// # Errors
    /// The bytes are not a state.
    pub fn check_state(&self, play: Play, bytes: &[u8]) -> Result<(), StateError> {
        match play {
            Play::Normal => State::decode(bytes, &*self.normal).map(|_| ()),
            Play::Misere => State::decode(bytes, &*self.misere).map(|_| ()),
        }
    }

    /// The record of the outcome of an encoded state. `None` if the bytes are not a state, or if the state has several
    /// lands under normal play, where records are about one land.
    pub fn record_of(&self, play: Play, state: &[u8], outcome: Outcome) -> Option<Record> {
        match play {
            Play::Normal => {
                let state = State::decode(state, &*self.normal).ok()?;
                let &[land] = &state.lands[..] else {
                    return None;
                };
                let fact = normal::proof::fact(state.value, outcome)?;
                Some(self.normal.record(land, fact))
            }
            Play::Misere => {
                let value = Fact::from(outcome).value();
                if state.len() > misere::LARGEST_RECORD {
                    return None;
                }
                let record = Record::new(self.game().code(), play, state, value);
                let is_known = self.misere.check(&record.key, value).is_ok();
                is_known.then_some(record)
            }
        }
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        self.lands.game()
    }
}
