//! The games with certificates.

/// A game, by its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ruleset {
    /// Sprouts: a move puts a spot on its line.
    #[default]
    Sprouts,
    /// Mixed Sprouts: a move puts a spot on its line, or a short line across with a free end on either side.
    Mixed,
}

impl Ruleset {
    /// All games with certificates.
    pub const ALL: [Self; 2] = [Self::Sprouts, Self::Mixed];

    /// The name of the game.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sprouts => "sprouts",
            Self::Mixed => "mixed",
        }
    }

    /// The game with this name, if it has certificates.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ruleset| ruleset.name() == name)
    }
}
