//! Canonical forms as text.
//!
//! `0`, `*1`, `*2`, … are heaps, and `{0,*2}` is the game with these options. A form that occurs in several places is
//! written once, and has a name.

use std::fmt::Write as _;

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::{Tree, Trees};

/// The length up to which a form is written without names, in characters.
const SHORT: usize = 100;

/// A canonical form as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The form. It may use names.
    pub text: String,
    /// The names and the forms that they stand for. Each uses only earlier names.
    pub names: Vec<(String, String)>,
}

impl Trees {
    /// The form of a game as text. It is the same in every table.
    pub fn form(&self, t: Tree) -> Form {
        let games = self.not_heaps(t);
        let mut texts = FxHashMap::default();
        let is_short = games.iter().all(|&game| {
            let text = self.written(game, &texts);
            let is_short = text.chars().count() <= SHORT;
            texts.insert(game, text);
            is_short
        });
        if is_short {
            return Form {
                text: self.written(t, &texts),
                names: Vec::new(),
            };
        }
        texts.clear();
        let mut names = Vec::new();
        for &game in &games {
            let name = format!("g{}", names.len() + 1);
            names.push((name.clone(), self.written(game, &texts)));
            texts.insert(game, name);
        }
        // The game itself needs no name, unless it is another game + *1.
        let text = match names.pop_if(|_| !t.has_one()) {
            Some((_, form)) => form,
            None => self.written(t, &texts),
        };
        Form { text, names }
    }

    /// The games below `t`, and `t`, without heaps and without "+ *1", smallest first.
    fn not_heaps(&self, t: Tree) -> Vec<Tree> {
        let mut met = FxHashSet::default();
        let mut open = vec![t];
        while let Some(game) = open.pop() {
            if self.heap_size(game).is_none() && met.insert(game.base()) {
                open.extend(self.options(game.base()));
            }
        }
        let mut met: Vec<Tree> = met.into_iter().collect();
        met.sort_by_key(|&game| self.order(game));
        met
    }

    /// A game: a heap, or a game whose text is known, or one whose options are such; each perhaps with "+ *1".
    fn written(&self, t: Tree, texts: &FxHashMap<Tree, String>) -> String {
        let Some(heap) = self.heap_size(t) else {
            let base = match texts.get(&t.base()) {
                Some(text) => text.clone(),
                None => self.options_written(t.base(), texts),
            };
            return base + if t.has_one() { "+*1" } else { "" };
        };
        if heap == 0 {
            "0".to_owned()
        } else {
            format!("*{heap}")
        }
    }

    fn options_written(&self, t: Tree, texts: &FxHashMap<Tree, String>) -> String {
        let mut options: Vec<Tree> = self.options(t).collect();
        options.sort_by_key(|&option| self.order(option));
        let mut text = String::new();
        for option in options {
            let separator = if text.is_empty() { '{' } else { ',' };
            let _ = write!(text, "{separator}{}", self.written(option, texts));
        }
        text + "}"
    }

    /// An order of games that is the same in every table: heaps by size, then other games by depth.
    fn order(&self, t: Tree) -> (u32, u32, u128) {
        match self.heap_size(t) {
            Some(heap) => (0, heap, 0),
            None => (1, self.depth(t), self.mark(t)),
        }
    }

    /// The number of different games that can be reached from a game, itself included.
    pub fn followers(&self, t: Tree) -> usize {
        let mut met = FxHashSet::default();
        let mut open = vec![t];
        while let Some(game) = open.pop() {
            if met.insert(game) {
                open.extend(self.options(game));
            }
        }
        met.len()
    }
}
