//! Lands that are connected graphs up to isomorphism: the bytes of their [canonical forms](super::canonical).

use super::{Graph, canonical, layout, members};
use crate::picture::{Panel, Shape};
use crate::{EncodingError, Land};

/// The radius of a vertex in a picture, and the distance of neighbours.
const VERTEX: f64 = 0.28;
const EDGE: f64 = 1.6;

/// The canonical forms of the components of a graph within a set of vertices.
pub(crate) fn components(graph: &Graph, set: u64) -> impl Iterator<Item = Graph> {
    graph.components(set).map(|component| {
        let order: Vec<usize> = members(component).collect();
        canonical::form(&graph.arranged(&order))
    })
}

/// The lands of a graph: its components.
pub(crate) fn of(graph: &Graph) -> Vec<Land> {
    let components = components(graph, graph.all());
    let land = |component: Graph| Land::from_canonical(&component.to_bytes());
    components.map(land).collect()
}

/// The graph of a land.
pub(crate) fn graph(land: &[u8]) -> Graph {
    let graph = Graph::from_bytes(land);
    graph.expect("a land holds bytes that its game wrote or checked")
}

const NO_GRAPH: EncodingError = EncodingError {
    offset: 0,
    problem: "a land is the canonical form of a connected graph: the number of vertices, and a bit for each pair",
};

/// The graph of untrusted bytes. It has a vertex.
///
/// # Errors
/// The bytes are not a graph.
pub(crate) fn read(bytes: &[u8]) -> Result<Graph, EncodingError> {
    let graph = Graph::from_bytes(bytes).filter(|graph| !graph.is_empty());
    graph.ok_or(NO_GRAPH)
}

/// The land of untrusted bytes.
///
/// # Errors
/// The bytes are not the canonical form of a connected graph.
pub(crate) fn checked(bytes: &[u8]) -> Result<Land, EncodingError> {
    let graph = read(bytes)?;
    if graph.is_connected() && canonical::form(&graph) == graph {
        Ok(Land::from_canonical(bytes))
    } else {
        Err(NO_GRAPH)
    }
}

/// Graphs with names: paths, cycles, grids, cubes, and the Petersen graph.
pub(crate) fn starts() -> Vec<String> {
    let paths = (1..=24).map(|n| format!("path({n})"));
    let cycles = (3..=24).map(|n| format!("cycle({n})"));
    let grids = (2..=4).flat_map(|m| (m.max(3)..=8).map(move |n| format!("grid({m},{n})")));
    let others = ["cube(3)", "cube(4)", "petersen"].map(str::to_owned);
    paths.chain(cycles).chain(grids).chain(others).collect()
}

/// A graph as discs and lines.
pub(crate) fn panel(graph: &Graph) -> Panel {
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
