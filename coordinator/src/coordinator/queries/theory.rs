//! What theory tells of games of heaps, and the nimbers of families.

use std::time::Instant;

use sproutnet_game::{self as game, PositionError, heaps::Heap};
use sproutnet_model::{FoundQuotient, Nimbers, Searched};
use sproutnet_query::{self as answer, Family, Sources};
use sproutnet_solver::theory::quotient::{self, Presentation, UnderWay};
use sproutnet_solver::theory::sequence::{FURTHEST, Sequence};
use sproutnet_system::figures::count;
use sproutnet_transport::caller;

use super::Queries;
use crate::CoordinatorError;

/// The maximum number of options of heaps looked at for a sequence. That takes a tenth of a second.
const MOST_OPTIONS: u64 = 10_000_000;

impl Queries {
    /// The nimbers of the heaps of a game up to `last`, or of the positions of a family such as `cram:3xN`. Takes a turn
    /// of the searches.
    ///
    /// # Errors
    /// There is no such game, it has no nimbers, the store failed, or no search could be made.
    pub fn sequence(
        &self,
        name: &str,
        last: u32,
        until: Instant,
    ) -> Result<Nimbers, CoordinatorError> {
        if let Some(family) = Family::read(name) {
            return self.family(&family, last, until);
        }
        let (game, heap) = heap(name)?;
        let mut told = Nimbers {
            game,
            first: 0,
            nimbers: Vec::new(),
            computed: 0,
            period: None,
            searched: Searched::Busy,
            stopped: None,
        };
        let Some(_turn) = self.queues.searches.enter(&caller::name(), until) else {
            told.stopped = Some("other searches used up the time".to_owned());
            return Ok(told);
        };
        let terms = last as usize + 1;
        let found = Sequence::looking(&*heap, terms, FURTHEST, MOST_OPTIONS, Some(until));
        let found_to = found.nimbers.len() as u64;
        told.computed = found.computed;
        told.period = found.period.map(|period| answer::period(&period));
        told.nimbers = found.nimbers;
        told.nimbers.truncate(terms);
        let stopped = |why: &str| {
            let game = &told.game;
            Some(format!(
                "stopped after {} heaps: {why}, and no period is proved; `sproutnet sequence \"{game}\"` goes further",
                count(found_to)
            ))
        };
        (told.searched, told.stopped) = if found_to > u64::from(last) {
            (Searched::Yes, None)
        } else if Instant::now() >= until {
            (Searched::OutOfTime, stopped("the time limit was reached"))
        } else {
            let more = format!("more take over {} options", count(MOST_OPTIONS));
            (Searched::TooLarge, stopped(&more))
        };
        Ok(told)
    }

    /// The nimbers of the positions of a family, from the first N with a position on.
    fn family(
        &self,
        family: &Family,
        last: u32,
        until: Instant,
    ) -> Result<Nimbers, CoordinatorError> {
        let searches = self.searches(until);
        let mut told = Nimbers {
            game: family.text().to_owned(),
            first: 0,
            nimbers: Vec::new(),
            computed: 0,
            period: None,
            searched: Searched::Yes,
            stopped: None,
        };
        let mut refused = None;
        for n in 0..=last {
            let text = family.member(n);
            let is_first = told.nimbers.is_empty();
            let mut stop =
                |why: String| told.stopped = Some(format!("stopped before N = {n}: {why}"));
            if Instant::now() >= until {
                stop("the time limit was reached".to_owned());
                told.searched = Searched::OutOfTime;
                break;
            }
            let lookup = match self.lookup_text(&text) {
                Ok(lookup) => lookup,
                // Families begin where there are positions: a cycle has three vertices.
                Err(error) if is_first => {
                    refused.get_or_insert(error);
                    continue;
                }
                Err(error) => {
                    stop(error.to_string());
                    told.searched = Searched::TooLarge;
                    break;
                }
            };
            if lookup.game.is_partizan() {
                let game = lookup.game.name();
                return Err(CoordinatorError::Invalid(format!("{game} has no nimbers")));
            }
            // Without a search for outcomes, which the nimber makes superfluous.
            let mut nimber = self.answer_under(&lookup, &[], until)?.nimber;
            if nimber.is_none() {
                let asking = self.asking(&lookup, &searches);
                nimber = asking.nimber(lookup.known(), &lookup.position)?;
            }
            let Some(nimber) = nimber else {
                stop(format!(
                    "the nimber of {text} was not found; a computation can find it"
                ));
                told.searched = match searches.searched() {
                    Searched::No | Searched::Yes => Searched::TooLarge,
                    why => why,
                };
                break;
            };
            if is_first {
                told.first = n;
            }
            told.nimbers.push(nimber);
        }
        told.computed = told.nimbers.len();
        match refused {
            Some(error) if told.nimbers.is_empty() && told.stopped.is_none() => Err(error),
            _ => Ok(told),
        }
    }

    /// The misère quotient of a game of heaps, of all heaps up to `largest` at least, or of the whole game. The quotient
    /// of one game is found at a time, and goes on being found after the deadline.
    ///
    /// # Errors
    /// There is no such game, or it is not played with heaps.
    pub fn quotient(
        &self,
        name: &str,
        largest: u32,
        until: Instant,
    ) -> Result<FoundQuotient, CoordinatorError> {
        let (game, _) = heap(name)?;
        let rules = || moves(&game);
        let (searched, quotient, stopped) = match quotient::of_game(&game, rules, largest, until) {
            Ok(found) => {
                let quotient = &found.quotient;
                let values = quotient.values.iter().copied();
                let presentation = Presentation::of(&quotient.monoid, values);
                let too_large = found.is_last && quotient.values.len() <= largest as usize;
                let stopped = too_large.then(|| {
                    let size = quotient.values.len();
                    format!(
                        "the misère quotient with heaps of {size} is infinite, or too large to be found here; \
                         `sproutnet quotient \"{game}\"` may look further"
                    )
                });
                let searched = match stopped {
                    Some(_) => Searched::TooLarge,
                    None => Searched::Yes,
                };
                (
                    searched,
                    Some(answer::quotient(quotient, &presentation)),
                    stopped,
                )
            }
            Err(UnderWay::This) => {
                let why = "the quotient is being found; ask again";
                (Searched::OutOfTime, None, Some(why.to_owned()))
            }
            Err(UnderWay::Other) => {
                let why = "the quotient of another game is being found; ask again";
                (Searched::Busy, None, Some(why.to_owned()))
            }
        };
        Ok(FoundQuotient {
            game,
            searched,
            quotient,
            stopped,
        })
    }
}

/// A game of heaps by its name with parameters.
fn heap(name: &str) -> Result<(String, Box<dyn Heap>), CoordinatorError> {
    game::heap(name).map_err(|error| match &error {
        PositionError::UnknownGame(_) => CoordinatorError::Unknown("game"),
        PositionError::Parse(_) => CoordinatorError::Invalid(error.to_string()),
    })
}

/// The moves of a game of heaps by its canonical name.
fn moves(game: &str) -> Box<dyn Heap> {
    let (_, heap) = game::heap(game).expect("the canonical name is of a game of heaps");
    heap
}
