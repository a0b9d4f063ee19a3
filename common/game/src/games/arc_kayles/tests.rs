//! Arc Kayles by brute force: Dawson's Kayles on paths, Cram on grids, and node Kayles on line graphs.

use std::collections::{BTreeSet, HashMap};

use super::super::tests::options;
use super::super::{Cram, NodeKayles, Octal};
use super::ArcKayles;
use crate::graphs::{Graph, graph6, text};
use crate::{Game, Position};

type Known = HashMap<Position, (usize, bool)>;

/// The nimber of a position, and whether the player to move wins misère play, by the definition.
fn solve(game: &dyn Game, position: &Position, known: &mut Known) -> (usize, bool) {
    if let Some(&value) = known.get(position) {
        return value;
    }
    let options = options(game, position);
    let values: BTreeSet<(usize, bool)> = options
        .iter()
        .map(|option| solve(game, option, known))
        .collect();
    let is_free = |nimber: &usize| values.iter().all(|(other, _)| other != nimber);
    let nimber = (0..=values.len()).find(is_free).expect("one is free");
    let wins = values.is_empty() || values.iter().any(|(_, wins)| !wins);
    known.insert(position.clone(), (nimber, wins));
    (nimber, wins)
}

fn value(game: &dyn Game, text: &str, known: &mut Known) -> (usize, bool) {
    let position = game.parse(text).expect(text);
    solve(game, &position, known)
}

#[test]
fn paths_are_dawsons_kayles() {
    // OEIS A002187 gives those of a path with one vertex less in node Kayles.
    let published = [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3];
    let (mut of_paths, mut of_heaps) = (Known::new(), Known::new());
    for (before, nimber) in published.into_iter().enumerate() {
        let size = before + 1;
        let on_path = value(&ArcKayles, &format!("path({size})"), &mut of_paths);
        let of_heap = value(&Octal, &format!("(0.07):{size}"), &mut of_heaps);
        assert_eq!(on_path, of_heap, "{size}");
        assert_eq!(on_path.0, nimber, "{size}");
    }
}

#[test]
fn grids_are_boards_of_cram() {
    let (mut of_grids, mut of_boards) = (Known::new(), Known::new());
    for (rows, columns, nimber) in [(2, 5, 1), (3, 3, 0), (3, 4, 1), (3, 5, 1), (4, 4, 0)] {
        let on_grid = value(
            &ArcKayles,
            &format!("grid({rows},{columns})"),
            &mut of_grids,
        );
        let on_board = value(&Cram, &format!("{rows}x{columns}"), &mut of_boards);
        assert_eq!(on_grid, on_board, "{rows} by {columns}");
        // Lemoine and Viennot (2010).
        assert_eq!(on_grid.0, nimber, "{rows} by {columns}");
    }
}

/// The graph whose vertices are the edges, joined if they meet.
fn line_graph(graph: &Graph) -> Graph {
    let edges: Vec<(usize, usize)> = graph.edges().collect();
    let mut line = Graph::empty(edges.len());
    for (j, &(a, b)) in edges.iter().enumerate() {
        for (i, &(c, d)) in edges[..j].iter().enumerate() {
            if a == c || a == d || b == c || b == d {
                line.join(i, j);
            }
        }
    }
    line
}

#[test]
fn it_is_node_kayles_on_the_line_graph() {
    let (mut of_arcs, mut of_nodes) = (Known::new(), Known::new());
    let mut random = fastrand::Rng::with_seed(7);
    let mut graphs: Vec<Graph> = [
        "petersen",
        "grid(3,4)",
        "cycle(9)",
        "complete(6)",
        "star(7)",
        "cube(3)",
    ]
    .map(|text| text::read(text).expect(text))
    .into();
    for round in 0..200 {
        let vertices = 2 + round % 8;
        let mut graph = Graph::empty(vertices);
        for one in 1..vertices {
            for other in (0..one).filter(|_| random.u8(..5) < 2) {
                graph.join(one, other);
            }
        }
        graphs.push(graph);
    }
    let mut met = BTreeSet::new();
    for graph in graphs {
        let text = graph6::write(&graph);
        let line = graph6::write(&line_graph(&graph));
        let found = value(&ArcKayles, &text, &mut of_arcs);
        assert_eq!(
            found,
            value(&NodeKayles, &line, &mut of_nodes),
            "{text} {line}"
        );
        met.insert(found);
    }
    assert!(met.len() >= 4, "{met:?}");
}
