//! Facts under normal play: nimbers of lands.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::catalogue::Catalogue;
use super::halt::{Halt, Stop};
use super::sprouts::canonical::Canoniser;
use super::sprouts::working_position::Lands;
use super::sprouts::{Land, moves};
use super::{Checker, Refusal, text};
use crate::format::Ruleset;

/// Checks facts one by one, with caches of shared results.
pub(super) struct Normal<'a> {
    game: Ruleset,
    nimbers: &'a Catalogue<u32>,
    canoniser: Canoniser,
    /// Nimbers of options of lands that have no fact.
    excluded: FxHashMap<Land, Excluded>,
    bytes: usize,
    max_bytes: usize,
    positions: u64,
    stop: Stop,
}

/// Nimbers of options of a land. The land itself has none of these nimbers.
#[derive(Default)]
struct Excluded {
    nimbers: Vec<u32>,
    /// Whether all options were visited.
    is_complete: bool,
}

impl<'a> Normal<'a> {
    pub(super) fn new(
        game: Ruleset,
        nimbers: &'a Catalogue<u32>,
        max_bytes: usize,
        stop: &Stop,
    ) -> Self {
        Self {
            game,
            nimbers,
            canoniser: Canoniser::new(max_bytes / 2, stop),
            excluded: FxHashMap::default(),
            bytes: 0,
            max_bytes: max_bytes / 2,
            positions: 0,
            stop: stop.clone(),
        }
    }

    /// Counts a position, unless the check has to end.
    fn visit(&mut self) -> Result<(), Halt> {
        self.positions += 1;
        self.stop.check()
    }

    /// A position reduced by the facts: the nimber of the lands with facts, and the other lands, after pairs of
    /// equal lands were cancelled.
    fn folded(&self, mut lands: Vec<Land>) -> (u32, Vec<Land>) {
        let mut nimber = 0;
        lands.retain(|land| {
            let known = self.nimbers.number(land);
            let known = known.and_then(|number| self.nimbers.worth(number));
            nimber ^= known.unwrap_or(0);
            known.is_none()
        });
        lands.sort_unstable();
        let mut others: Vec<Land> = Vec::new();
        for land in lands {
            if others.last() == Some(&land) {
                others.pop();
            } else {
                others.push(land);
            }
        }
        (nimber, others)
    }

    /// The nimber of a position, if it follows from the facts.
    fn nimber(&mut self, lands: &Lands) -> Result<Option<u32>, Halt> {
        let mut sum = 0;
        let mut unknown = 0;
        for index in 0..lands.len() {
            let number = self.nimbers.find(lands.marks(index), &mut self.canoniser)?;
            match number.and_then(|number| self.nimbers.worth(number)) {
                Some(nimber) => sum ^= nimber,
                None => unknown += 1,
            }
        }
        if unknown == 0 {
            return Ok(Some(sum));
        }
        // An even number of unknown lands may cancel.
        if unknown % 2 == 1 {
            return Ok(None);
        }
        let lands = self::lands(lands, &mut self.canoniser)?;
        let (nimber, others) = self.folded(lands);
        Ok(others.is_empty().then_some(nimber))
    }

    /// Whether the facts show that a position of unknown nimber does not have this nimber: one of its options
    /// has it.
    fn is_not(&mut self, lands: &[Land], nimber: u32) -> Result<bool, Halt> {
        let (known, others) = self.folded(lands.to_vec());
        if let [land] = &others[..]
            && self.excludes(land, nimber ^ known)?
        {
            return Ok(true);
        }
        // Rare: several lands are unknown, or the move must be made elsewhere.
        for (i, land) in lands.iter().enumerate() {
            let others = [&lands[..i], &lands[i + 1..]].concat();
            let is_found = any_option(land, self.game, |option| {
                self.visit()?;
                let mut all = self::lands(option, &mut self.canoniser)?;
                all.extend_from_slice(&others);
                let (known, others) = self.folded(all);
                Ok(others.is_empty() && known == nimber)
            })?;
            if is_found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether, by the facts, an option of a land has this nimber.
    fn excludes(&mut self, land: &Land, nimber: u32) -> Result<bool, Halt> {
        if let Some(known) = self.excluded.get(land)
            && (known.is_complete || known.nimbers.contains(&nimber))
        {
            return Ok(known.nimbers.contains(&nimber));
        }
        let mut excluded = Excluded::default();
        let is_found = any_option(land, self.game, |option| {
            self.visit()?;
            let Some(found) = self.nimber(option)? else {
                return Ok(false);
            };
            if !excluded.nimbers.contains(&found) {
                excluded.nimbers.push(found);
            }
            Ok(found == nimber)
        })?;
        excluded.is_complete = !is_found;
        self.bytes += land.bytes() + size_of::<(Land, Excluded)>() + 32;
        if self.bytes > self.max_bytes {
            self.excluded = FxHashMap::default();
            self.bytes = 0;
        }
        self.excluded.insert(land.clone(), excluded);
        Ok(is_found)
    }
}

/// Whether some option of a land passes a test. Ends with the first one, or an error.
fn any_option(
    land: &Land,
    game: Ruleset,
    mut test: impl FnMut(&Lands) -> Result<bool, Halt>,
) -> Result<bool, Halt> {
    let flow = moves::each(land, game, &mut |option| match test(option) {
        Ok(false) => ControlFlow::Continue(()),
        found => ControlFlow::Break(found),
    });
    flow.break_value().unwrap_or(Ok(false))
}

/// The canonical forms of lands.
fn lands(lands: &Lands, canoniser: &mut Canoniser) -> Result<Vec<Land>, Halt> {
    let canonical = |index| canoniser.land(lands.marks(index));
    (0..lands.len()).map(canonical).collect()
}

impl Checker for Normal<'_> {
    /// The number of a land. The claim is its nimber.
    type Claim = u32;

    /// Checks that for each m < n some option of the land has nimber m, and that no option has nimber n.
    fn check(&mut self, &number: &u32) -> Result<(), Refusal> {
        let (game, nimbers) = (self.game, self.nimbers);
        let n = nimbers.worth(number).expect("a fact gives it");
        let mut found = vec![false; n as usize];
        let mut check = |option: &Lands| {
            self.visit()?;
            let nimber = self.nimber(option)?;
            match nimber {
                Some(m) if m < n => found[m as usize] = true,
                Some(m) if m > n => {}
                _ => {
                    let option = self::lands(option, &mut self.canoniser)?;
                    if nimber.is_some() || !self.is_not(&option, n)? {
                        let option = text(&option);
                        return Err(Refusal::Because(match nimber {
                            Some(_) => format!("the option {option} also has nimber {n}"),
                            None => format!("the option {option} is not shown to differ from {n}"),
                        }));
                    }
                }
            }
            Ok(())
        };
        let flow = moves::each(
            nimbers.land(number),
            game,
            &mut |option| match check(option) {
                Ok(()) => ControlFlow::Continue(()),
                Err(refusal) => ControlFlow::Break(refusal),
            },
        );
        flow.break_value().map_or(Ok(()), Err)?;
        match found.iter().position(|found| !found) {
            Some(m) => Err(Refusal::Because(format!("no option is shown to be {m}"))),
            None => Ok(()),
        }
    }

    fn root(&mut self, lands: &[Land], is_lost: bool) -> Result<bool, Halt> {
        let (nimber, others) = self.folded(lands.to_vec());
        if others.is_empty() {
            return Ok(is_lost == (nimber == 0));
        }
        Ok(!is_lost && self.is_not(lands, 0)?)
    }

    fn positions(&self) -> u64 {
        self.positions
    }
}
