//! The options of a land, found one after the other, and kept.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::{Land, LandId, Lands, OptionSink};

/// After so many options one asks whether to stop.
const OPTIONS_BETWEEN_LOOKS: usize = 256;

/// Room for the options of most lands.
const USUAL: usize = 64;

/// Looks at options as they are found.
pub trait Look {
    /// Whether something may be known of the land with that [hash](Lands::hash_of), though it was not
    /// met before.
    fn is_told(&self, hash: u128) -> bool;

    /// An option, by its lands, sorted; some are shown more than once.
    ///
    /// # Errors
    /// `Break` if no more options are wanted.
    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()>;

    /// At a [glance](Lands::glance), an option of which only the lengths of the lands are known.
    fn outline(&mut self, lengths: &[u32]) {
        let _ = lengths;
    }
}

/// Wants to see all options in the end.
pub(super) struct Everything;

impl Look for Everything {
    fn is_told(&self, _hash: u128) -> bool {
        false
    }

    fn option(&mut self, _lands: &[LandId]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The options of a land in the order in which they were found, without repeats: each a sorted list of
/// lands.
#[derive(Default)]
pub struct Options {
    lands: Box<[LandId]>,
    ends: Box<[u32]>,
}

impl Options {
    /// How many options there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none, which no land's options are.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The options, each as its lands.
    pub fn iter(&self) -> impl Iterator<Item = &[LandId]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let option = &self.lands[start as usize..end as usize];
            start = end;
            option
        })
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.lands) + size_of_val(&*self.ends)
    }
}

/// A land of an option.
enum Member {
    Known(LandId),
    /// A land without a number: its hash, length and bytes.
    New(u128, u32, Range<usize>),
}

/// Options as they come.
pub(super) struct Found<'a> {
    lands: &'a Lands,
    stop: &'a dyn Fn() -> bool,
    look: &'a mut dyn Look,
    /// The lands of all options, and where each option ends.
    all: Vec<Member>,
    ends: Vec<usize>,
    /// The bytes of new lands.
    bytes: Vec<u8>,
    /// Whether it was the one who looks that wanted no more.
    pub(super) decided: bool,
}

impl<'a> Found<'a> {
    pub(super) fn new(
        lands: &'a Lands,
        stop: &'a dyn Fn() -> bool,
        look: &'a mut dyn Look,
    ) -> Self {
        Self {
            lands,
            stop,
            look,
            all: Vec::with_capacity(USUAL),
            ends: Vec::with_capacity(USUAL),
            bytes: Vec::new(),
            decided: false,
        }
    }

    /// Gives all lands numbers.
    pub(super) fn into_options(self) -> Options {
        let number = |met: &Member| match met {
            Member::Known(land) => *land,
            Member::New(hash, length, bytes) => {
                let land = Land::from_canonical(&self.bytes[bytes.clone()]);
                self.lands.enter(*hash, land, *length)
            }
        };
        let mut all: Vec<LandId> = self.all.iter().map(number).collect();
        let mut start = 0;
        for &end in &self.ends {
            all[start..end].sort_unstable();
            start = end;
        }
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let of = |(start, &end): (usize, &usize)| &all[start..end];
        let in_order = starts.zip(&self.ends).map(of).enumerate();
        let mut once: SmallVec<[(usize, &[LandId]); 64]> = in_order.collect();
        once.sort_unstable_by_key(|&(place, option)| (option, place));
        once.dedup_by_key(|&mut (_, option)| option);
        once.sort_unstable_by_key(|&(place, _)| place);
        let mut lands = Vec::with_capacity(once.iter().map(|(_, option)| option.len()).sum());
        let mut ends = Vec::with_capacity(once.len());
        for (_, option) in once {
            lands.extend_from_slice(option);
            ends.push(lands.len() as u32);
        }
        Options {
            lands: lands.into(),
            ends: ends.into(),
        }
    }
}

impl OptionSink for Found<'_> {
    fn land(&mut self, canonical: &[u8], length: u32) {
        let met = self.lands.met(canonical, length, self.look);
        self.all.push(match met {
            Ok(land) => Member::Known(land),
            Err(hash) => {
                let start = self.bytes.len();
                self.bytes.extend_from_slice(canonical);
                Member::New(hash, length, start..self.bytes.len())
            }
        });
    }

    fn end(&mut self) -> ControlFlow<()> {
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.all.len());
        let known = self.all[start..].iter().map(|met| match met {
            Member::Known(land) => Some(*land),
            Member::New(..) => None,
        });
        let option: Option<SmallVec<[LandId; 4]>> = known.collect();
        if let Some(mut option) = option {
            option.sort_unstable();
            self.decided = self.look.option(&option).is_break();
        }
        let asks = self.ends.len().is_multiple_of(OPTIONS_BETWEEN_LOOKS);
        if self.decided || asks && (self.stop)() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::super::lands::SMALL;
    use super::*;
    use crate::{Game, Kayles};

    /// Wants to see so many options.
    struct UpTo {
        most: usize,
        seen: Vec<Vec<LandId>>,
    }

    impl Look for UpTo {
        fn is_told(&self, _hash: u128) -> bool {
            false
        }

        fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
            self.seen.push(lands.to_vec());
            if self.seen.len() == self.most {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        }
    }

    fn look(lands: &Lands, land: LandId, most: usize) -> (ControlFlow<()>, Vec<Vec<LandId>>) {
        let mut up_to = UpTo {
            most,
            seen: Vec::new(),
        };
        let end = lands.look(land, &|| false, &mut up_to);
        (end.expect("never told to stop"), up_to.seen)
    }

    #[test]
    fn what_is_decided_early_leaves_nothing_and_all_else_is_shown_and_kept() {
        let lands = Lands::new(Arc::new(Kayles));
        let [long, short] = ["20", "16"].map(|text| {
            let row = Kayles.parse(text).expect("a row");
            lands.intern(&row.lands()[0])
        });
        // Taking two of 20 from one end leaves 18, and so on: of the options, those of 16 and 2 or of
        // small rows are made of rows that have numbers.
        let (end, seen) = look(&lands, long, 1);
        assert!(end.is_break() && seen.len() == 1);
        assert!(
            seen[0].contains(&short) || seen[0].iter().all(|&land| lands.length(land) <= SMALL)
        );
        assert!(lands.known_options(long).is_none());
        let large = |lands: &Lands| (6..20).filter(|&pins| has(lands, pins)).collect::<Vec<_>>();
        assert_eq!(
            large(&lands),
            [16],
            "no row got a number that was not needed"
        );

        let (end, seen) = look(&lands, long, usize::MAX);
        assert!(end.is_continue());
        let kept = lands.known_options(long).expect("they are kept");
        let kept: HashSet<Vec<LandId>> = kept.iter().map(<[_]>::to_vec).collect();
        assert_eq!(seen.into_iter().collect::<HashSet<_>>(), kept);
        // One or two of 20 pins, from 0 to half of the others on one side.
        assert_eq!(kept.len(), 10 + 10);
        let (end, seen) = look(&lands, long, 3);
        assert!(end.is_break() && seen.len() == 3);
    }

    fn has(lands: &Lands, pins: u32) -> bool {
        let row = Kayles.parse(&pins.to_string()).expect("a row");
        let hash = Lands::hash_of(row.lands()[0].as_bytes());
        lands.find(hash).is_some()
    }
}
