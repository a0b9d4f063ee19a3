//! The game of Bachet, also called Bash: a move takes at least one token from a heap, and at most the heap's limit.
//!
//! `21/3` is a heap of 21 with limit 3; each heap has a limit of its own. The nimber of `s/m` is the remainder of s by
//! m + 1 (Bachet de Méziriac 1612, for the winner).

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::GameInfo;
use crate::heaps::{Heap, HeapGame, LARGEST_HEAP, Left, Parameters, Prefix, Reach, Rule};

/// The rules of Bash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bash;

impl HeapGame for Bash {
    type Rule = UpTo;

    const INFO: GameInfo = GameInfo {
        name: "bash",
        code: GameCode(b'B'),
        encoding_version: 1,
        rules: "a move takes at least one token from a heap, and at most MOST",
        notation: "bash:SIZE/MOST+SIZE/MOST+…",
        examples: &["21/3", "9/2+10/4", "5/5"],
        wants_nimbers: true,
    };
    const PARAMETERS: Parameters = Parameters::After;

    fn starts() -> Vec<String> {
        let heaps = (2..=4).flat_map(|most| (1..=15).map(move |size| (size, most)));
        heaps.map(|(size, most)| format!("{size}/{most}")).collect()
    }
}

/// The maximum number of tokens that a move takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpTo(u16);

impl Rule for UpTo {
    fn from_text(text: &str) -> Result<Self, String> {
        let most = text.strip_prefix('/').map(str::trim);
        let most = most.and_then(|most| most.parse::<u16>().ok());
        let most = most.filter(|&most| (1..=LARGEST_HEAP).contains(&most.into()));
        most.map(Self).ok_or_else(|| {
            format!("expected `/` and a number from 1 to {LARGEST_HEAP}, found `{text}`")
        })
    }

    fn to_text(&self) -> String {
        format!("/{}", self.0)
    }

    fn to_bytes(&self) -> Prefix {
        Prefix::from_slice(&self.0.to_be_bytes())
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let most = u16::from_be_bytes(bytes.try_into().ok()?);
        (1..=LARGEST_HEAP)
            .contains(&most.into())
            .then_some(Self(most))
    }
}

impl Heap for UpTo {
    fn leaves(&self, size: u32, sink: &mut dyn FnMut(Left) -> ControlFlow<()>) -> ControlFlow<()> {
        let most = size.min(self.0.into());
        (1..=most).try_for_each(|taken| sink(Left::One(size - taken)))
    }

    /// A heap is the nimber of its remainder (Bachet 1612).
    fn nimber(&self, size: u32) -> Option<u32> {
        Some(size % (u32::from(self.0) + 1))
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach {
            most_taken: self.0.into(),
            most_left: 1,
            takes_any: false,
        })
    }
}
