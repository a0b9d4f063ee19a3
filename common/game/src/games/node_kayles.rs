//! Node Kayles: a move chooses a vertex of a graph, and removes it and its neighbours. The chosen vertices are never
//! joined: players build an independent set.
//!
//! A land is a connected graph up to isomorphism: the bytes of its [canonical form](crate::graphs::canonical). Schaefer
//! (1978) defined the game and showed that it is hard. On paths it is Dawson's chess, `octal(0.137)`.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use crate::graphs::{Graph, canonical, layout, members, text};
use crate::picture::{Panel, Picture, Shape};
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, Generator, Land, OptionSink, ParseError, Position};

/// The radius of a vertex in a picture, and the distance of neighbours.
const VERTEX: f64 = 0.28;
const EDGE: f64 = 1.6;

/// The rules of node Kayles.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeKayles;

impl Game for NodeKayles {
    fn name(&self) -> &'static str {
        "node-kayles"
    }

    fn code(&self) -> GameCode {
        GameCode(b'V')
    }

    fn encoding_version(&self) -> u32 {
        1
    }

    fn rules(&self) -> &'static str {
        "a move chooses a vertex of a graph, and removes it and its neighbours"
    }

    fn notation(&self) -> &'static str {
        "node-kayles:GRAPH+GRAPH+…"
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "cycle(8)+path(5)",
            "petersen",
            "grid(3,4)",
            "D?{",
            "path(3)*cycle(3)",
        ]
    }

    fn starts(&self) -> Vec<String> {
        starts()
    }

    fn wants_nimbers(&self) -> bool {
        true
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter();
        Some(Picture {
            caption: "A move takes a vertex and all vertices joined to it.",
            lands: lands.map(|land| panel(&graph(land.as_bytes()))).collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| match term.trim() {
            "0" => Ok(Vec::new()),
            term => text::read(term).map(|graph| lands(&graph)),
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| text::write(&graph(land.as_bytes())))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        let graph = graph(bytes);
        if !graph.is_connected() || canonical::form(&graph) != graph {
            return Err(NO_GRAPH);
        }
        Ok(Land::from_canonical(bytes))
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let graph = Graph::from_bytes(bytes).filter(|graph| !graph.is_empty());
        graph.as_ref().map(most_moves).ok_or(NO_GRAPH)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

const NO_GRAPH: EncodingError = EncodingError {
    offset: 0,
    problem: "a land is the canonical form of a connected graph: the number of vertices, and a bit for each pair",
};

impl Generator for NodeKayles {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let graph = graph(land);
        for vertex in 0..graph.len() {
            if has_twin_before(&graph, vertex) {
                continue;
            }
            let left = graph.all() & !graph.neighbours(vertex) & !(1 << vertex);
            for component in graph.components(left) {
                let component = form(&graph, component);
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

/// Whether an earlier vertex has the same neighbours, up to these two: then the moves lead to the same position.
fn has_twin_before(graph: &Graph, vertex: usize) -> bool {
    (0..vertex).any(|other| {
        graph.neighbours(vertex) & !(1 << other) == graph.neighbours(other) & !(1 << vertex)
    })
}

/// An upper bound on the number of moves. It has the property that [`Game::max_moves`] asks for: a move removes at least
/// one vertex more than the smallest degree.
fn most_moves(graph: &Graph) -> u32 {
    let degrees = (0..graph.len()).map(|vertex| graph.degree(vertex));
    graph.len() as u32 - degrees.min().unwrap_or(0)
}

/// The canonical form of what remains of a graph in a set of vertices.
fn form(graph: &Graph, set: u64) -> Graph {
    let order: Vec<usize> = members(set).collect();
    canonical::form(&graph.arranged(&order))
}

/// Graphs that have names: paths, cycles, grids, cubes, and the Petersen graph.
pub(super) fn starts() -> Vec<String> {
    let paths = (1..=24).map(|n| format!("path({n})"));
    let cycles = (3..=24).map(|n| format!("cycle({n})"));
    let grids = (2..=4).flat_map(|m| (m.max(3)..=8).map(move |n| format!("grid({m},{n})")));
    let others = ["cube(3)", "cube(4)", "petersen"].map(str::to_owned);
    paths.chain(cycles).chain(grids).chain(others).collect()
}

/// The lands of a graph: its components.
pub(super) fn lands(graph: &Graph) -> Vec<Land> {
    let components = graph.components(graph.all());
    let land = |component| Land::from_canonical(&form(graph, component).to_bytes());
    components.map(land).collect()
}

/// The graph of a land.
pub(super) fn graph(land: &[u8]) -> Graph {
    let graph = Graph::from_bytes(land);
    graph.expect("a land holds bytes that its game wrote or checked")
}

/// A graph as discs and lines.
pub(super) fn panel(graph: &Graph) -> Panel {
    let places = layout::places(graph);
    let least = |axis: fn(&(f64, f64)) -> f64| places.iter().map(axis).fold(0.0, f64::min);
    let most = |axis: fn(&(f64, f64)) -> f64| places.iter().map(axis).fold(0.0, f64::max);
    let (left, top) = (least(|at| at.0), least(|at| at.1));
    let place = |vertex: usize| {
        let (x, y) = places[vertex];
        ((x - left) * EDGE + VERTEX, (y - top) * EDGE + VERTEX)
    };
    let edges = graph.edges();
    let edges = edges.map(|(one, other)| Shape::Line(place(one), place(other)));
    let vertices = (0..graph.len()).map(|vertex| Shape::Dot(place(vertex), VERTEX));
    Panel {
        width: (most(|at| at.0) - left) * EDGE + 2.0 * VERTEX,
        height: (most(|at| at.1) - top) * EDGE + 2.0 * VERTEX,
        shapes: edges.chain(vertices).collect(),
    }
}
