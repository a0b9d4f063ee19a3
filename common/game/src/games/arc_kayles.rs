//! Arc Kayles: a move chooses an edge of a graph, and removes both its ends. Chosen edges never meet: players build a
//! matching.
//!
//! A land is a connected graph with an edge, up to isomorphism. Schaefer (1978) defined the game. It is node Kayles on
//! the line graph, whose vertices are the edges. On paths it is Dawson's Kayles, `octal(0.07)`.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::graphs::{Graph, lands, text};
use crate::picture::Picture;
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};

/// The rules of arc Kayles.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArcKayles;

impl Game for ArcKayles {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "arc-kayles",
            code: GameCode(b'A'),
            encoding_version: 1,
            rules: "a move chooses an edge of a graph, and removes both its ends",
            notation: "arc-kayles:GRAPH+GRAPH+…",
            examples: &[
                "grid(3,4)",
                "cycle(8)+path(5)",
                "petersen",
                "EQjo",
                "path(3)*cycle(4)",
            ],
            wants_nimbers: true,
        }
    }

    fn starts(&self) -> Vec<String> {
        lands::starts()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let graphs = position
            .lands()
            .iter()
            .map(|land| lands::graph(land.as_bytes()));
        Some(Picture {
            caption: "A move takes two vertices that are joined.",
            lands: graphs.map(|graph| lands::panel(&graph)).collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| match term.trim() {
            "0" => Ok(Vec::new()),
            term => text::read(term).map(|graph| {
                let lands = components(&graph, graph.all());
                lands
                    .map(|graph| Land::from_canonical(&graph.to_bytes()))
                    .collect()
            }),
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| text::write(&lands::graph(land.as_bytes())))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        lands::checked(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let moves = lands::read(bytes).map(|graph| most_moves(&graph))?;
        match moves {
            0 => Err(EncodingError {
                offset: 0,
                problem: "the graph has no edge",
            }),
            moves => Ok(moves),
        }
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for ArcKayles {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let graph = lands::graph(land);
        graph.edges().try_for_each(|(one, other)| {
            for component in components(&graph, graph.all() & !(1 << one | 1 << other)) {
                sink.land(&component.to_bytes(), most_moves(&component));
            }
            sink.end()
        })
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The components of a graph within a set of vertices that have an edge, each in canonical form.
fn components(graph: &Graph, set: u64) -> impl Iterator<Item = Graph> {
    lands::components(graph, set).filter(|component| component.len() > 1)
}

/// An upper bound on the number of moves: each takes two vertices.
fn most_moves(graph: &Graph) -> u32 {
    graph.len() as u32 / 2
}

#[cfg(test)]
mod tests;
