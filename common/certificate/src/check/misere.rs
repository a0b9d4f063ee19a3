//! Facts under misère play: values of lands, and states that the player to move loses.

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::catalogue::Catalogue;
use super::games::Game;
use super::halt::{Halt, Stop};
use super::sprouts::canonical::Canoniser;
use super::sprouts::working_position::Lands;
use super::sprouts::{Land, moves};
use super::values::{State, Values};
use super::{Checker, Refusal};

/// The claim of a fact.
pub(super) enum Claim {
    /// The land with this number has the value in the catalogue.
    Equals(u32),
    /// The player to move loses.
    Lost(State),
}

/// The claims of all facts.
pub(super) struct Claims {
    pub(super) catalogue: Catalogue<Game>,
    pub(super) lost: FxHashSet<State>,
    /// The values of the lands in the facts.
    pub(super) values: Values,
}

/// The kind of options of a land to find.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Wanted {
    All,
    /// Options without unlisted lands. Only these can be in the facts.
    Listed,
}

/// Checks facts one by one, with caches of shared results.
pub(super) struct Misere<'a> {
    claims: &'a Claims,
    values: Values,
    caches: Caches,
    max_bytes: usize,
    positions: u64,
    stop: Stop,
}

#[derive(Default)]
struct Caches {
    /// Lands that are not in the catalogue, numbered from its length on.
    unlisted: Catalogue<()>,
    /// Options of lands.
    options: FxHashMap<(u32, Wanted), Arc<[State]>>,
    /// States that the player to move is known to win.
    won: FxHashSet<State>,
    bytes: usize,
}

impl<'a> Misere<'a> {
    pub(super) fn new(claims: &'a Claims, max_bytes: usize, stop: &Stop) -> Self {
        let canoniser = Canoniser::new(max_bytes / 8, stop);
        Self {
            claims,
            values: claims.values.clone().with(canoniser),
            caches: Caches::default(),
            max_bytes: max_bytes / 8 * 3,
            positions: 0,
            stop: stop.clone(),
        }
    }

    /// Clears the caches if they use much memory. Games and unlisted lands get new numbers, so only states from
    /// the facts stay valid.
    fn free_memory(&mut self) {
        let fresh = &self.claims.values;
        let values = self.values.games.bytes - fresh.games.bytes;
        if self.caches.bytes + values > self.max_bytes {
            let canoniser = mem::take(&mut self.values.canoniser);
            self.values = fresh.clone().with(canoniser);
            self.caches = Caches::default();
        }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Halt> {
        self.caches.bytes += bytes;
        if self.caches.bytes > self.max_bytes {
            Err(Halt::OutOfMemory)
        } else {
            Ok(())
        }
    }

    fn land(&self, number: u32) -> Land {
        let listed = self.claims.catalogue.len();
        let land = match number.checked_sub(listed) {
            None => self.claims.catalogue.land(number),
            Some(number) => self.caches.unlisted.land(number),
        };
        land.clone()
    }

    fn number_unlisted(&mut self, land: Land) -> Result<u32, Halt> {
        let before = self.caches.unlisted.bytes();
        let number = self.claims.catalogue.len() + self.caches.unlisted.enter(land);
        self.spend(self.caches.unlisted.bytes() - before)?;
        Ok(number)
    }

    /// Adds a land to a state: its value if it has one, else its number.
    fn fold(&mut self, land: &Land, state: &mut State) -> Result<(), Halt> {
        let catalogue = &self.claims.catalogue;
        if !self.values.fold(land.marks(), catalogue, state)? {
            state.insert(self.number_unlisted(land.clone())?);
        }
        Ok(())
    }

    /// Folds an option. `None` if `wanted` excludes it.
    fn folded(&mut self, lands: &Lands, wanted: Wanted) -> Result<Option<State>, Halt> {
        self.positions += 1;
        self.stop.check()?;
        let mut state = State::default();
        // Small lands come last: valuing them would be wasted work if there is an unlisted land.
        for is_small in [false, true] {
            for index in 0..lands.len() {
                let marks = lands.marks(index);
                let catalogue = &self.claims.catalogue;
                if self.values.is_small(marks) != is_small
                    || self.values.fold(marks, catalogue, &mut state)?
                {
                    continue;
                }
                if wanted == Wanted::Listed {
                    return Ok(None);
                }
                let land = self.values.canoniser.land(marks)?;
                state.insert(self.number_unlisted(land)?);
            }
        }
        Ok(Some(state))
    }

    /// The distinct options of a land.
    fn options(&mut self, number: u32, wanted: Wanted) -> Result<Arc<[State]>, Halt> {
        if let Some(known) = self.caches.options.get(&(number, wanted)) {
            return Ok(Arc::clone(known));
        }
        let land = self.land(number);
        let mut found = FxHashSet::default();
        let flow = moves::each(&land, self.claims.values.game, &mut |lands| match self
            .folded(lands, wanted)
        {
            Ok(state) => {
                found.extend(state);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        flow.break_value().map_or(Ok(()), Err)?;
        let states: Arc<[State]> = found.into_iter().collect();
        self.spend(states.iter().map(State::bytes).sum::<usize>() + 64)?;
        let key = (number, wanted);
        self.caches.options.insert(key, Arc::clone(&states));
        Ok(states)
    }

    /// Whether the player to move loses by values alone or by a fact.
    fn is_known_lost(&mut self, state: &State) -> Result<bool, Halt> {
        if state.lands.is_empty() {
            let games = &mut self.values.games;
            return Ok(games.is_within_limit(&state.sum)? && games.is_lost(&state.sum)?);
        }
        Ok(self.claims.lost.contains(state))
    }

    /// Whether the player to move wins by values alone, or because an option is known to be lost.
    fn is_won(&mut self, state: &State) -> Result<bool, Halt> {
        if state.lands.is_empty() {
            let games = &mut self.values.games;
            return Ok(games.is_within_limit(&state.sum)? && !games.is_lost(&state.sum)?);
        }
        if self.caches.won.contains(state) {
            return Ok(true);
        }
        let is_won = self.any_option(state, Wanted::Listed, Self::is_known_lost)?;
        if is_won {
            self.spend(state.bytes())?;
            self.caches.won.insert(state.clone());
        }
        Ok(is_won)
    }

    /// Whether some option of a state passes a test. Options that cannot be in the facts are left out unless all
    /// are wanted.
    fn any_option<E: From<Halt>>(
        &mut self,
        state: &State,
        wanted: Wanted,
        mut test: impl FnMut(&mut Self, &State) -> Result<bool, E>,
    ) -> Result<bool, E> {
        self.stop.check()?;
        let listed = self.claims.catalogue.len();
        let is_unlisted = |&land: &u32| wanted == Wanted::Listed && land >= listed;
        let unlisted = state.lands.iter().filter(|&land| is_unlisted(land)).count();
        let mut after = state.clone();
        if unlisted == 0 {
            for sum in self.values.games.moves(&state.sum)? {
                self.stop.check()?;
                after.sum = sum;
                if test(self, &after)? {
                    return Ok(true);
                }
            }
        }
        for (at, land) in state.lands.iter().enumerate() {
            let is_repeated = at > 0 && state.lands[at - 1] == *land;
            if is_repeated || unlisted > usize::from(is_unlisted(land)) {
                continue;
            }
            for option in self.options(*land, wanted)?.iter() {
                self.stop.check()?;
                after.set_replaced(state, at, option);
                if test(self, &after)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Checks that there is an option, and that every option is won.
    fn check_lost(&mut self, state: &State) -> Result<(), Refusal> {
        let mut has_move = false;
        self.any_option(state, Wanted::All, |checker, option| {
            has_move = true;
            if checker.is_won(option)? {
                return Ok(false);
            }
            let option = checker.text(option);
            let why = format!("the option {option} is not shown to be won");
            Err(Refusal::Because(why))
        })?;
        if has_move {
            Ok(())
        } else {
            Err(Refusal::because("a player without a move wins"))
        }
    }

    /// Checks theorem 2 of `docs/explanation/misere.md`, with the land as G and the game as H.
    fn check_equals(&mut self, land: u32) -> Result<(), Refusal> {
        let game = self.claims.catalogue.worth(land);
        let game = game.expect("a fact gives it");
        let wanted = Arc::clone(self.values.games.options(game));
        let mut found = vec![false; wanted.len()];
        let mut has_lost_option = false;
        for option in self.options(land, Wanted::All)?.iter() {
            self.stop.check()?;
            has_lost_option =
                has_lost_option || game == Game::ZERO && self.is_known_lost(option)?;
            let is_shown = if !option.lands.is_empty() {
                self.has_option_equal_to(option, game)?
            } else if !self.values.games.is_within_limit(&option.sum)? {
                false
            } else {
                let value = self.values.games.total(&option.sum)?;
                let place = wanted.binary_search(&value);
                if let Ok(place) = place {
                    found[place] = true;
                }
                place.is_ok() || self.values.games.options(value).contains(&game)
            };
            if !is_shown {
                let text = self.text(option);
                let game = self.values.games.text(game);
                return Err(Refusal::because(format!(
                    "the option {text} is not shown to be an option of {game} or to have an option {game}"
                )));
            }
        }
        if let Some(missing) = found.iter().position(|found| !found) {
            let missing = self.values.games.text(wanted[missing]);
            let why = format!("no option is shown to be {missing}");
            return Err(Refusal::because(why));
        }
        if game == Game::ZERO && !has_lost_option {
            let why = "no option is shown to be lost, so the land itself may be lost";
            return Err(Refusal::because(why));
        }
        Ok(())
    }

    /// Whether a move in the only land of a state leads to a sum of values that is equal to a game.
    fn has_option_equal_to(&mut self, state: &State, game: Game) -> Result<bool, Halt> {
        let [land] = state.lands[..] else {
            return Ok(false);
        };
        let replies = self.options(land, Wanted::Listed)?;
        let mut after = State::default();
        for reply in replies.iter().filter(|reply| reply.lands.is_empty()) {
            self.stop.check()?;
            after.set_replaced(state, 0, reply);
            let games = &mut self.values.games;
            if games.is_within_limit(&after.sum)? && games.total(&after.sum)? == game {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text(&self, state: &State) -> String {
        let lands: Vec<Land> = state.lands.iter().map(|&land| self.land(land)).collect();
        let games = self.values.games.texts(&state.sum);
        let lands = (!lands.is_empty() || games.is_empty()).then(|| super::text(&lands));
        let parts: Vec<String> = lands.into_iter().chain(games).collect();
        parts.join(" & ")
    }
}

impl Checker for Misere<'_> {
    type Claim = Claim;

    fn check(&mut self, claim: &Claim) -> Result<(), Refusal> {
        self.free_memory();
        match claim {
            Claim::Equals(land) => self.check_equals(*land),
            Claim::Lost(state) => self.check_lost(state),
        }
    }

    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, Halt> {
        let mut state = State::default();
        for land in lands {
            self.fold(land, &mut state)?;
        }
        if is_lost {
            self.is_known_lost(&state)
        } else {
            self.is_won(&state)
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}
