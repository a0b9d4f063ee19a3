//! Graphs as people write them: `path(9)`, `cycle(3)*path(4)`, `0-1,1-2`, or a text in graph6.

use super::{Graph, MOST_VERTICES, edges, graph6, pairs_of};

/// Reads a graph: a list of its edges; or factors with `*` between them, each a name or a text in graph6. The product
/// is the Cartesian one. Several edges between two vertices count as one.
///
/// # Errors
/// The problem with the text.
pub fn read(text: &str) -> Result<Graph, String> {
    if edges::is_list(text) {
        let (vertices, edges) = edges::read(text, (MOST_VERTICES, pairs_of(MOST_VERTICES)))?;
        let mut graph = Graph::empty(vertices);
        for (one, other) in edges {
            graph.join(one, other);
        }
        return Ok(graph);
    }
    let mut product: Option<Graph> = None;
    let mut depth = 0;
    let between = |symbol: char| {
        depth += i32::from(symbol == '(') - i32::from(symbol == ')');
        symbol == '*' && depth == 0
    };
    for factor in text.split(between) {
        let factor = factor_of(factor.trim())?;
        product = Some(match product {
            None => factor,
            Some(before) => before.product(&factor).ok_or_else(too_large)?,
        });
    }
    product.ok_or_else(too_large)
}

/// Writes a connected graph: as a name if it is a path, a cycle or complete, else in graph6.
pub fn write(graph: &Graph) -> String {
    let vertices = graph.len();
    let edges = graph.edges().count();
    let degrees = (0..vertices).map(|vertex| graph.degree(vertex));
    let most = degrees.max().unwrap_or(0);
    match graph.is_connected() {
        true if most <= 2 && edges + 1 == vertices => format!("path({vertices})"),
        true if most == 2 && edges == vertices => format!("cycle({vertices})"),
        true if edges == pairs_of(vertices) => format!("complete({vertices})"),
        _ => graph6::write(graph),
    }
}

fn too_large() -> String {
    format!("graphs have up to {MOST_VERTICES} vertices")
}

fn factor_of(text: &str) -> Result<Graph, String> {
    if text == "petersen" {
        return Ok(petersen());
    }
    let inner = text.strip_prefix("complement(");
    if let Some(inner) = inner.and_then(|rest| rest.strip_suffix(')')) {
        return Ok(read(inner)?.complement());
    }
    let Some((name, rest)) = text.split_once('(') else {
        return graph6::read(text);
    };
    let wrong = || {
        format!(
            "expected path(N), cycle(N), complete(N), star(N), cube(N), grid(M,N), bipartite(M,N), \
             complement(GRAPH), petersen or a text in graph6, found `{text}`"
        )
    };
    let sizes = rest.strip_suffix(')').ok_or_else(wrong)?;
    let sizes: Result<Vec<usize>, _> = sizes.split(',').map(|size| size.trim().parse()).collect();
    let sizes = sizes.map_err(|_| wrong())?;
    if sizes.iter().any(|&size| size > MOST_VERTICES) {
        return Err(too_large());
    }
    match (name.trim(), sizes.as_slice()) {
        ("path", &[n]) => Ok(path(n)),
        ("cycle", &[n]) if n >= 3 => {
            let mut cycle = path(n);
            cycle.join(0, n - 1);
            Ok(cycle)
        }
        ("cycle", &[_]) => Err("a cycle has three vertices or more".to_owned()),
        ("complete", &[n]) => Ok(Graph::empty(n).complement()),
        ("star", &[n]) => bipartite(1, n),
        ("bipartite", &[m, n]) => bipartite(m, n),
        ("grid", &[m, n]) => path(m).product(&path(n)).ok_or_else(too_large),
        ("cube", &[n]) => {
            let edge = path(2);
            let mut cubes = (0..n).map(|_| &edge);
            let cube = cubes.try_fold(Graph::empty(1), |cube, edge| cube.product(edge));
            cube.ok_or_else(too_large)
        }
        _ => Err(wrong()),
    }
}

fn path(vertices: usize) -> Graph {
    let mut path = Graph::empty(vertices);
    for end in 1..vertices {
        path.join(end - 1, end);
    }
    path
}

fn bipartite(one: usize, other: usize) -> Result<Graph, String> {
    if one + other > MOST_VERTICES {
        return Err(too_large());
    }
    let mut graph = Graph::empty(one + other);
    for vertex in 0..one {
        for end in 0..other {
            graph.join(vertex, one + end);
        }
    }
    Ok(graph)
}

/// The Petersen graph: a pentagon and a pentagram, joined.
fn petersen() -> Graph {
    let mut graph = Graph::empty(10);
    for corner in 0..5 {
        graph.join(corner, (corner + 1) % 5);
        graph.join(corner, corner + 5);
        graph.join(corner + 5, (corner + 2) % 5 + 5);
    }
    graph
}
