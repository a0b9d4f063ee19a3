//! Facts under misère play: values of lands, and states that the player to move loses.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::catalogue::Catalogue;
use super::games::Game;
use super::sprouts::form::Canoniser;
use super::sprouts::paper::Lands;
use super::sprouts::{Land, moves};
use super::values::{State, Values};
use super::{Checker, OutOfMemory, Refusal};

/// What a fact claims.
pub(super) enum Claimed {
    /// The land of that number is equal to the game.
    Equals(u32, Game),
    /// The player to move loses.
    Lost(State),
}

/// What all facts claim.
pub(super) struct Claims {
    pub(super) catalogue: Catalogue<Game>,
    pub(super) lost: FxHashSet<State>,
}

/// Checks one fact after the other.
pub(super) struct Misere<'a> {
    claims: &'a Claims,
    /// As it was at first, with nothing but what the facts name.
    fresh: &'a Values,
    values: Values,
    canoniser: Canoniser,
    /// Lands that are not in the catalogue, numbered from its length on.
    strangers: FxHashMap<Land, u32>,
    stranger_lands: Vec<Land>,
    /// Options of lands of the facts.
    options: FxHashMap<u32, Arc<[State]>>,
    /// Options without strangers, of any lands.
    replies: FxHashMap<u32, Arc<[State]>>,
    /// States that the player to move was seen to win.
    won: FxHashSet<State>,
    bytes: usize,
    most_bytes: usize,
    positions: u64,
}

impl<'a> Misere<'a> {
    pub(super) fn new(claims: &'a Claims, fresh: &'a Values, most_bytes: usize) -> Self {
        Self {
            claims,
            fresh,
            values: fresh.clone(),
            canoniser: Canoniser::new(most_bytes / 8),
            strangers: FxHashMap::default(),
            stranger_lands: Vec::new(),
            options: FxHashMap::default(),
            replies: FxHashMap::default(),
            won: FxHashSet::default(),
            bytes: 0,
            most_bytes: most_bytes / 8 * 3,
            positions: 0,
        }
    }

    /// Forgets what can be found again, if that takes much memory. Numbers of games and of strangers begin
    /// anew, so no state may be in hand that was not in the facts.
    fn make_room(&mut self) {
        if self.bytes + self.values.bytes() - self.fresh.bytes() > self.most_bytes {
            self.values = self.fresh.clone();
            self.strangers = FxHashMap::default();
            self.stranger_lands = Vec::new();
            self.options = FxHashMap::default();
            self.replies = FxHashMap::default();
            self.won = FxHashSet::default();
            self.bytes = 0;
        }
    }

    fn spend(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        self.bytes += bytes;
        match self.bytes > self.most_bytes {
            true => Err(OutOfMemory),
            false => Ok(()),
        }
    }

    fn land(&self, number: u32) -> Land {
        match self.claims.catalogue.land(number) {
            Some(land) => land.clone(),
            None => self.stranger_lands[(number - self.claims.catalogue.len()) as usize].clone(),
        }
    }

    fn stranger(&mut self, land: Land) -> Result<u32, OutOfMemory> {
        if let Some(&number) = self.strangers.get(&land) {
            return Ok(number);
        }
        let number = self.claims.catalogue.len() + self.stranger_lands.len() as u32;
        self.spend(land.bytes() + 4 * size_of::<Land>())?;
        self.strangers.insert(land.clone(), number);
        self.stranger_lands.push(land);
        Ok(number)
    }

    fn is_stranger(&self, number: u32) -> bool {
        number >= self.claims.catalogue.len()
    }

    /// What a move leads to. `None` if there are strangers and they are not wanted.
    fn folded(&mut self, lands: &Lands, strangers: bool) -> Result<Option<State>, OutOfMemory> {
        self.positions += 1;
        let mut state = State::default();
        // Small lands last: to value them would be for nothing if there is a stranger.
        let mut order: SmallVec<[usize; 8]> = (0..lands.len()).collect();
        order.sort_by_key(|&index| self.values.is_small(lands.marks(index)));
        for index in order {
            let marks = lands.marks(index);
            let Self {
                values,
                claims,
                canoniser,
                ..
            } = self;
            if !values.fold(marks, &claims.catalogue, canoniser, &mut state)? {
                if !strangers {
                    return Ok(None);
                }
                let land = self.canoniser.land(marks);
                let number = self.stranger(land)?;
                state.insert(number);
            }
        }
        Ok(Some(state))
    }

    /// The different options of a land, with strangers or without.
    fn found(&mut self, number: u32, strangers: bool) -> Result<Arc<[State]>, OutOfMemory> {
        let land = self.land(number);
        let mut found = FxHashSet::default();
        let flow = moves::each(&land, &mut |lands| match self.folded(lands, strangers) {
            Ok(state) => {
                found.extend(state);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        if let ControlFlow::Break(error) = flow {
            return Err(error);
        }
        let states: Arc<[State]> = found.into_iter().collect();
        self.spend(states.iter().map(State::bytes).sum::<usize>() + 64)?;
        Ok(states)
    }

    /// All options of a land that the facts name.
    fn options(&mut self, number: u32) -> Result<Arc<[State]>, OutOfMemory> {
        if let Some(known) = self.options.get(&number) {
            return Ok(Arc::clone(known));
        }
        let options = self.found(number, true)?;
        self.options.insert(number, Arc::clone(&options));
        Ok(options)
    }

    /// All options of a land of which the facts may tell.
    fn replies(&mut self, number: u32) -> Result<Arc<[State]>, OutOfMemory> {
        if let Some(known) = self.replies.get(&number) {
            return Ok(Arc::clone(known));
        }
        let replies = self.found(number, false)?;
        self.replies.insert(number, Arc::clone(&replies));
        Ok(replies)
    }

    /// A state with one of its lands replaced by an option of it.
    fn replaced(state: &State, at: usize, option: &State) -> State {
        let mut after = state.clone();
        after.lands.remove(at);
        for &land in &option.lands {
            after.insert(land);
        }
        after.sum.join(&option.sum);
        after
    }

    /// Whether values alone or a fact tell that the player to move loses.
    fn is_known_lost(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        if state.lands.is_empty() {
            return self.values.games.is_lost(&state.sum);
        }
        Ok(self.claims.lost.contains(state))
    }

    /// Whether the player to move is known to win: by values alone, or because an option is known to be lost.
    fn is_won(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        if state.lands.is_empty() {
            return Ok(!self.values.games.is_lost(&state.sum)?);
        }
        if self.won.contains(state) {
            return Ok(true);
        }
        let is_won = self.has_lost_option(state)?;
        if is_won {
            self.spend(state.bytes())?;
            self.won.insert(state.clone());
        }
        Ok(is_won)
    }

    fn has_lost_option(&mut self, state: &State) -> Result<bool, OutOfMemory> {
        let strangers = state.lands.iter();
        let strangers = strangers.filter(|&&land| self.is_stranger(land)).count();
        // No fact tells of what has a stranger in it.
        if strangers == 0 {
            for sum in self.values.games.moves(&state.sum)? {
                let lands = state.lands.clone();
                if self.is_known_lost(&State { lands, sum })? {
                    return Ok(true);
                }
            }
        }
        for (at, &land) in state.lands.iter().enumerate() {
            let is_repeated = at > 0 && state.lands[at - 1] == land;
            if is_repeated || strangers > usize::from(self.is_stranger(land)) {
                continue;
            }
            for reply in self.replies(land)?.iter() {
                let after = Self::replaced(state, at, reply);
                if self.is_known_lost(&after)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// There is an option, and every option is a win.
    fn check_lost(&mut self, state: &State) -> Result<(), Refusal> {
        let mut has_move = false;
        for (at, &land) in state.lands.iter().enumerate() {
            if at > 0 && state.lands[at - 1] == land {
                continue;
            }
            for option in self.options(land)?.iter() {
                let after = Self::replaced(state, at, option);
                self.expect_won(&after)?;
                has_move = true;
            }
        }
        for sum in self.values.games.moves(&state.sum)? {
            let lands = state.lands.clone();
            self.expect_won(&State { lands, sum })?;
            has_move = true;
        }
        match has_move {
            true => Ok(()),
            false => Err(Refusal::Because("who has no move wins".to_owned())),
        }
    }

    fn expect_won(&mut self, state: &State) -> Result<(), Refusal> {
        if self.is_won(state)? {
            return Ok(());
        }
        let text = self.text(state);
        Err(Refusal::Because(format!(
            "the option {text} is not shown to be won"
        )))
    }

    /// Rule 2 of docs/misere.md, with the land for G and the game for H.
    fn check_equals(&mut self, land: u32, game: Game) -> Result<(), Refusal> {
        let wanted = Arc::clone(self.values.games.options(game));
        let mut found = vec![false; wanted.len()];
        let mut has_lost_option = false;
        for option in self.options(land)?.iter() {
            has_lost_option =
                has_lost_option || game == Game::ZERO && self.is_known_lost(option)?;
            let is_shown = if option.lands.is_empty() {
                let value = self.values.games.total(&option.sum)?;
                match wanted.binary_search(&value) {
                    Ok(at) => {
                        found[at] = true;
                        true
                    }
                    Err(_) => self.values.games.options(value).contains(&game),
                }
            } else {
                self.has_option_equal_to(option, game)?
            };
            if !is_shown {
                let text = self.text(option);
                let game = self.values.games.text(game);
                return Err(Refusal::Because(format!(
                    "the option {text} is shown neither to be an option of {game} nor to have one that is {game}"
                )));
            }
        }
        if let Some(missing) = found.iter().position(|found| !found) {
            let missing = self.values.games.text(wanted[missing]);
            return Err(Refusal::Because(format!(
                "no option is shown to be {missing}"
            )));
        }
        if game == Game::ZERO && !has_lost_option {
            return Err(Refusal::Because(
                "no option is shown to be lost, so the land may be lost itself".to_owned(),
            ));
        }
        Ok(())
    }

    /// Whether a state with lands that are not valued has an option that is equal to a game.
    fn has_option_equal_to(&mut self, state: &State, game: Game) -> Result<bool, OutOfMemory> {
        let [land] = state.lands[..] else {
            return Ok(false);
        };
        for reply in self.replies(land)?.iter() {
            if reply.lands.is_empty() {
                let after = Self::replaced(state, 0, reply);
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
            let Self {
                values,
                claims,
                canoniser,
                ..
            } = self;
            if !values.fold(land.marks(), &claims.catalogue, canoniser, &mut state)? {
                state.insert(self.stranger(land.clone())?);
            }
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
