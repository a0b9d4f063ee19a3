//! The clique game: a move chooses a vertex of a graph that is joined to all earlier ones. Players build a clique.
//!
//! It is [node Kayles](super::NodeKayles) on the complement, and has the same lands. The text of a land is the graph
//! itself.

use sproutnet_notation::GameCode;

use super::NodeKayles;
use crate::graphs::{lands, text};
use crate::picture::Picture;
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, GameInfo, Generator, Land, ParseError, Position};

/// The rules of the clique game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clique;

impl Game for Clique {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "clique",
            code: GameCode(b'Q'),
            encoding_version: 1,
            rules: "a move chooses a vertex of a graph, and removes it and all vertices that are not joined to it",
            notation: "clique:GRAPH+GRAPH+…",
            examples: &[
                "complement(grid(3,4))",
                "petersen",
                "cube(3)+cycle(5)",
                "DQc",
                "bipartite(2,3)",
            ],
            wants_nimbers: true,
        }
    }

    /// The complements of those of node Kayles, and so the same games.
    fn starts(&self) -> Vec<String> {
        let graphs = lands::starts().into_iter();
        graphs.map(|graph| format!("complement({graph})")).collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter();
        let graphs = lands.map(|land| lands::graph(land.as_bytes()));
        Some(Picture {
            caption: "A move takes a vertex and all vertices that are not joined to it.",
            lands: graphs
                .map(|graph| lands::panel(&graph.complement()))
                .collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| match term.trim() {
            "0" => Ok(Vec::new()),
            term => text::read(term).map(|graph| lands::of(&graph.complement())),
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| {
            text::write(&lands::graph(land.as_bytes()).complement())
        })
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        NodeKayles.land(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        NodeKayles.check(bytes)
    }

    fn generator(&self) -> Box<dyn Generator> {
        NodeKayles.generator()
    }
}
