//! Node Kayles: a move chooses a vertex of a graph, and removes it and its neighbours. The chosen vertices are never
//! joined: players build an independent set.
//!
//! A land is a connected graph up to isomorphism: the bytes of its [canonical form](crate::graphs::canonical). Schaefer
//! (1978) defined the game and showed that it is hard. On paths it is Dawson's chess, `octal(0.137)`.

use std::ops::ControlFlow;

use sproutnet_notation::{GameCode, Outcome};

use crate::graphs::{Graph, lands, members, text};
use crate::picture::Picture;
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};

/// The rules of node Kayles.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeKayles;

impl Game for NodeKayles {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "node-kayles",
            code: GameCode(b'V'),
            encoding_version: 1,
            rules: "a move chooses a vertex of a graph, and removes it and its neighbours",
            notation: "node-kayles:GRAPH+GRAPH+…",
            examples: &[
                "cycle(8)+path(5)",
                "petersen",
                "grid(3,4)",
                "D?{",
                "path(3)*cycle(3)",
            ],
            wants_nimbers: true,
        }
    }

    fn starts(&self) -> Vec<String> {
        lands::starts()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter();
        Some(Picture {
            caption: "A move takes a vertex and all vertices joined to it.",
            lands: lands
                .map(|land| lands::panel(&lands::graph(land.as_bytes())))
                .collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| match term.trim() {
            "0" => Ok(Vec::new()),
            term => text::read(term).map(|graph| lands::of(&graph)),
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| text::write(&lands::graph(land.as_bytes())))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        lands::checked(bytes)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        lands::read(bytes).map(|graph| most_moves(&graph))
    }

    /// If each vertex has one vertex that is farthest from it, this map is a symmetry of its own inverse, and no vertex is
    /// joined to its image, then the second player answers each move by its image.
    fn by_symmetry(&self, position: &Position) -> Option<Outcome> {
        let [land] = position.lands() else {
            return None;
        };
        let graph = lands::graph(land.as_bytes());
        let vertices = 0..graph.len();
        let farthest = vertices.clone().map(|vertex| farthest(&graph, vertex));
        let images: Vec<usize> = farthest.collect::<Option<_>>()?;
        let is_answered = |vertex: usize| {
            let image = images[vertex];
            let of_neighbours = members(graph.neighbours(vertex)).map(|of| 1 << images[of]);
            image != vertex
                && images[image] == vertex
                && graph.neighbours(vertex) >> image & 1 == 0
                && of_neighbours.fold(0, |set, of: u64| set | of) == graph.neighbours(image)
        };
        vertices
            .into_iter()
            .all(is_answered)
            .then_some(Outcome::Loss)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for NodeKayles {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let graph = lands::graph(land);
        for vertex in 0..graph.len() {
            if has_twin_before(&graph, vertex) {
                continue;
            }
            let left = graph.all() & !graph.neighbours(vertex) & !(1 << vertex);
            for component in lands::components(&graph, left) {
                sink.land(&component.to_bytes(), most_moves(&component));
            }
            sink.end()?;
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The vertex that is farthest from a vertex of a connected graph, if there is only one.
fn farthest(graph: &Graph, vertex: usize) -> Option<usize> {
    let (mut met, mut last) = (1 << vertex, 1 << vertex);
    loop {
        let near = members(last).fold(0, |near, one| near | graph.neighbours(one));
        match near & !met {
            0 => break,
            next => (met, last) = (met | next, next),
        }
    }
    last.is_power_of_two()
        .then(|| last.trailing_zeros() as usize)
}

/// Whether an earlier vertex has the same neighbours, apart from these two. Then both moves lead to the same position.
fn has_twin_before(graph: &Graph, vertex: usize) -> bool {
    (0..vertex).any(|other| {
        graph.neighbours(vertex) & !(1 << other) == graph.neighbours(other) & !(1 << vertex)
    })
}

/// An upper bound on the number of moves, as [`Game::max_moves`] requires: a move removes at least one vertex more than
/// the smallest degree.
fn most_moves(graph: &Graph) -> u32 {
    let degrees = (0..graph.len()).map(|vertex| graph.degree(vertex));
    graph.len() as u32 - degrees.min().unwrap_or(0)
}
