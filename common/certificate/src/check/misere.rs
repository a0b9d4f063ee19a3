//! Facts under misère play: values of lands, and states that the player to move loses.

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::catalogue::Catalogue;
use super::games::Game;
use super::sprouts::canonical::Canoniser;
use super::sprouts::working_position::Lands;
use super::sprouts::{Land, moves};
use super::values::{State, Values};
use super::{Checker, OutOfMemory, Refusal};

/// What a fact claims.
pub(super) enum Claimed {
    /// The land with this number is equal to the game.
    Equals(u32, Game),
    /// The player to move loses.
    Lost(State),
}

/// The claims of all facts.
pub(super) struct Claims {
    pub(super) catalogue: Catalogue<Game>,
    pub(super) lost: FxHashSet<State>,
}

/// The options of a land that are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Wanted {
    All,
    /// Options without unlisted lands. Only these can be in the facts.
    Listed,
}

/// Checks facts one by one, and caches what several of them need.
pub(super) struct Misere<'a> {
    claims: &'a Claims,
    /// The values without caches: only what the facts name.
    fresh: &'a Values,
    values: Values,
    caches: Caches,
    max_bytes: usize,
    positions: u64,
}

#[derive(Default)]
struct Caches {
    /// Lands that are not in the catalogue, numbered from its length on.
    unlisted: FxHashMap<Land, u32>,
    unlisted_lands: Vec<Land>,
    /// Options of lands.
    options: FxHashMap<(u32, Wanted), Arc<[State]>>,
    /// States that the player to move is known to win.
    won: FxHashSet<State>,
    bytes: usize,
}

impl<'a> Misere<'a> {
    pub(super) fn new(claims: &'a Claims, fresh: &'a Values, max_bytes: usize) -> Self {
        Self {
            claims,
            fresh,
            values: fresh.clone().with(Canoniser::new(max_bytes / 8)),
            caches: Caches::default(),
            max_bytes: max_bytes / 8 * 3,
            positions: 0,
        }
    }

    /// Clears the caches if they use much memory. Games and unlisted lands get new numbers, so only states from
    /// the facts stay valid.
    fn make_room(&mut self) {
        let values = self.values.games.bytes() - self.fresh.games.bytes();
        if self.caches.bytes + values > self.max_bytes {
            let canoniser = mem::take(&mut self.values.canoniser);
            self.values = self.fresh.clone().with(canoniser);
            self.caches = Caches::default();
        }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        self.caches.bytes += bytes;
        match self.caches.bytes > self.max_bytes {
            true => Err(OutOfMemory),
            false => Ok(()),
        }
    }

    fn land(&self, number: u32) -> Land {
        match self.claims.catalogue.land(number) {
            Some(land) => land.clone(),
            None => {
                let place = number - self.claims.catalogue.len();
                self.caches.unlisted_lands[place as usize].clone()
            }
        }
    }

    fn number_unlisted(&mut self, land: Land) -> Result<u32, OutOfMemory> {
        if let Some(&number) = self.caches.unlisted.get(&land) {
            return Ok(number);
        }
        let number = self.claims.catalogue.len() + self.caches.unlisted_lands.len() as u32;
        self.spend(land.bytes() + 4 * size_of::<Land>())?;
        self.caches.unlisted.insert(land.clone(), number);
        self.caches.unlisted_lands.push(land);
        Ok(number)
    }

    fn is_unlisted(&self, number: u32) -> bool {
        number >= self.claims.catalogue.len()
    }

    /// Folds an option. `None` if it is not wanted.
    fn folded(&mut self, lands: &Lands, wanted: Wanted) -> Result<Option<State>, OutOfMemory> {
        self.positions += 1;
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
                let land = self.values.canoniser.land(marks);
                state.insert(self.number_unlisted(land)?);
            }
        }
        Ok(Some(state))
    }

    /// The distinct options of a land.
    fn options(&mut self, number: u32, wanted: Wanted) -> Result<Arc<[State]>, OutOfMemory> {
        if let Some(known) = self.caches.options.get(&(number, wanted)) {
            return Ok(Arc::clone(known));
        }
        let land = self.land(number);
        let mut found = FxHashSet::default();
        let flow = moves::each(&land, &mut |lands| match self.folded(lands, wanted) {
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
    fn is_known_lost(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        if state.lands.is_empty() {
            return self.values.games.is_lost(&state.sum);
        }
        Ok(self.claims.lost.contains(state))
    }

    /// Whether the player to move wins by values alone, or because an option is known to be lost.
    fn is_won(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        if state.lands.is_empty() {
            return Ok(!self.values.games.is_lost(&state.sum)?);
        }
        if self.caches.won.contains(state) {
            return Ok(true);
        }
        let is_won = self.has_lost_option(state)?;
        if is_won {
            self.spend(state.bytes())?;
            self.caches.won.insert(state.clone());
        }
        Ok(is_won)
    }

    fn has_lost_option(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        let is_unlisted = |&&land: &&u32| self.is_unlisted(land);
        let unlisted = state.lands.iter().filter(is_unlisted).count();
        let mut after = state.clone();
        // No fact covers a state with an unlisted land.
        if unlisted == 0 {
            for sum in self.values.games.moves(&state.sum)? {
                after.sum = sum;
                if self.is_known_lost(&after)? {
                    return Ok(true);
                }
            }
        }
        for (at, &land) in state.lands.iter().enumerate() {
            let is_repeated = at > 0 && state.lands[at - 1] == land;
            if is_repeated || unlisted > usize::from(self.is_unlisted(land)) {
                continue;
            }
            for reply in self.options(land, Wanted::Listed)?.iter() {
                after.set_replaced(state, at, reply);
                if self.is_known_lost(&after)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Checks that there is an option, and that every option is won.
    fn check_lost(&mut self, state: &State) -> Result<(), Refusal> {
        let mut has_move = false;
        let mut after = State::default();
        for (at, &land) in state.lands.iter().enumerate() {
            if at > 0 && state.lands[at - 1] == land {
                continue;
            }
            for option in self.options(land, Wanted::All)?.iter() {
                after.set_replaced(state, at, option);
                self.expect_won(&after)?;
                has_move = true;
            }
        }
        after.lands.clone_from(&state.lands);
        for sum in self.values.games.moves(&state.sum)? {
            after.sum = sum;
            self.expect_won(&after)?;
            has_move = true;
        }
        match has_move {
            true => Ok(()),
            false => Err(Refusal::because("a player without a move wins")),
        }
    }

    fn expect_won(&mut self, state: &State) -> Result<(), Refusal> {
        if self.is_won(state)? {
            return Ok(());
        }
        let text = self.text(state);
        let why = format!("the option {text} is not shown to be won");
        Err(Refusal::because(why))
    }

    /// Checks rule 2 of docs/misere.md, with the land as G and the game as H.
    fn check_equals(&mut self, land: u32, game: Game) -> Result<(), Refusal> {
        let wanted = Arc::clone(self.values.games.options(game));
        let mut found = vec![false; wanted.len()];
        let mut has_lost_option = false;
        for option in self.options(land, Wanted::All)?.iter() {
            has_lost_option =
                has_lost_option || game == Game::ZERO && self.is_known_lost(option)?;
            let is_shown = if option.lands.is_empty() {
                let value = self.values.games.total(&option.sum)?;
                let place = wanted.binary_search(&value);
                if let Ok(place) = place {
                    found[place] = true;
                }
                place.is_ok() || self.values.games.options(value).contains(&game)
            } else {
                self.has_option_equal_to(option, game)?
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

    /// Whether a state that has lands without values has an option equal to a game.
    fn has_option_equal_to(&mut self, state: &State, game: Game) -> Result<bool, OutOfMemory> {
        let [land] = state.lands[..] else {
            return Ok(false);
        };
        let mut after = State::default();
        for reply in self.options(land, Wanted::Listed)?.iter() {
            if reply.lands.is_empty() {
                after.set_replaced(state, 0, reply);
                if self.values.games.total(&after.sum)? == game {
                    return Ok(true);
                }
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
    type Claim = Claimed;

    fn check(&mut self, claim: &Claimed) -> Result<(), Refusal> {
        self.make_room();
        match claim {
            Claimed::Equals(land, game) => self.check_equals(*land, *game),
            Claimed::Lost(state) => self.check_lost(state),
        }
    }

    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, OutOfMemory> {
        let mut state = State::default();
        for land in lands {
            let catalogue = &self.claims.catalogue;
            if !self.values.fold(land.marks(), catalogue, &mut state)? {
                state.insert(self.number_unlisted(land.clone())?);
            }
        }
        match is_lost {
            true => self.is_known_lost(&state),
            false => self.is_won(&state),
        }
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}
