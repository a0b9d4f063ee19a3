//! Graphs as people write them: `path(9)`, `cycle(3)*path(4)`, `0-1,1-2`, or a text in graph6.

use super::{Graph, MOST_VERTICES, canonical, edges, graph6, pairs_of};

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

/// Writes a graph: by its name if it has one, else in graph6.
pub fn write(graph: &Graph) -> String {
    let is_it = |name: &String| read(name).is_ok_and(|named| is_same(&named, graph));
    let name = names(graph.len()).into_iter().find(is_it);
    name.unwrap_or_else(|| graph6::write(graph))
}

/// The names of connected graphs with this number of vertices. Of several names for one graph, the usual one comes
/// first.
fn names(vertices: usize) -> Vec<String> {
    let mut names = vec![
        format!("path({vertices})"),
        format!("cycle({vertices})"),
        format!("complete({vertices})"),
    ];
    if vertices > 1 {
        names.push(format!("star({})", vertices - 1));
    }
    let halves = (2..=vertices / 2).map(|one| format!("bipartite({one},{})", vertices - one));
    names.extend(halves);
    if vertices.is_power_of_two() {
        names.push(format!("cube({})", vertices.ilog2()));
    }
    let rows = (2..=vertices).take_while(|rows| rows * rows <= vertices);
    let rows = rows.filter(|rows| vertices.is_multiple_of(*rows));
    names.extend(rows.map(|rows| format!("grid({rows},{})", vertices / rows)));
    names.push("petersen".to_owned());
    names
}

/// Whether two graphs are isomorphic.
fn is_same(one: &Graph, other: &Graph) -> bool {
    let degrees = |graph: &Graph| {
        let mut degrees: Vec<u32> = (0..graph.len())
            .map(|vertex| graph.degree(vertex))
            .collect();
        degrees.sort_unstable();
        degrees
    };
    degrees(one) == degrees(other) && canonical::form(one) == canonical::form(other)
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

/// The Petersen graph: a pentagon, whose corners are 0 to 4, and a pentagram, joined.
pub(super) fn petersen() -> Graph {
    let mut graph = Graph::empty(10);
    for corner in 0..5 {
        graph.join(corner, (corner + 1) % 5);
        graph.join(corner, corner + 5);
        graph.join(corner + 5, (corner + 2) % 5 + 5);
    }
    graph
}
