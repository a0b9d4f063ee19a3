use std::collections::BTreeSet;

use super::*;

fn graph(text: &str) -> Graph {
    text::read(text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

/// The graph with `vertices` vertices whose pairs are joined according to the bits of `number`.
fn numbered(vertices: usize, number: u64) -> Graph {
    Graph::of_pairs(
        vertices,
        (0..pairs_of(vertices)).map(|bit| number >> bit & 1 == 1),
    )
}

fn shuffled(graph: &Graph, random: &mut fastrand::Rng) -> Graph {
    let mut order: Vec<usize> = (0..graph.len()).collect();
    random.shuffle(&mut order);
    graph.arranged(&order)
}

fn permutations(vertices: usize) -> Vec<Vec<usize>> {
    if vertices == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(vertices - 1);
    let longer = |shorter: &Vec<usize>, at: usize| {
        let mut longer = shorter.clone();
        longer.insert(at, vertices - 1);
        longer
    };
    let all = shorter
        .iter()
        .flat_map(|one| (0..vertices).map(move |at| longer(one, at)));
    all.collect()
}

/// A form is an arrangement of its graph, so two graphs of one form are isomorphic. There are as many forms as graphs
/// up to isomorphism (OEIS A000088), so isomorphic graphs have one form.
#[test]
fn there_are_as_many_forms_as_graphs() {
    let mut forms = BTreeSet::from([Graph::empty(0)]);
    for (vertices, graphs) in (1..).zip([1, 2, 4, 11, 34, 156, 1044, 12346]) {
        // Each graph is one of fewer vertices, shuffled, and a vertex that is joined to some of them.
        let mut random = fastrand::Rng::with_seed(8);
        let mut longer = BTreeSet::new();
        for form in &forms {
            for neighbours in 0..1_u64 << (vertices - 1) {
                let last = (0..vertices - 1).map(|i| neighbours >> i & 1 == 1);
                let graph = Graph::of_pairs(vertices, form.pairs().chain(last));
                longer.insert(canonical::form(&shuffled(&graph, &mut random)));
            }
        }
        assert_eq!(longer.len(), graphs, "{vertices} vertices");
        forms = longer;
    }
}

#[test]
fn graphs_of_one_form_are_those_that_some_permutation_makes_equal() {
    for vertices in 0..=5 {
        let permutations = permutations(vertices);
        let smallest = |graph: &Graph| permutations.iter().map(|order| graph.arranged(order)).min();
        let mut classes = std::collections::BTreeMap::new();
        for number in 0..1 << pairs_of(vertices) {
            let graph = numbered(vertices, number);
            let known = classes.insert(smallest(&graph), canonical::form(&graph));
            assert!(
                known.is_none_or(|form| form == canonical::form(&graph)),
                "{graph:?}"
            );
        }
        let forms: BTreeSet<&Graph> = classes.values().collect();
        assert_eq!(forms.len(), classes.len());
    }
}

#[test]
fn vertices_of_different_colours_are_not_mapped_to_each_other() {
    // Two terminals, which may be swapped, and others: by brute force over all permutations.
    for vertices in 2..=5 {
        let permutations = permutations(vertices);
        let mut classes = std::collections::BTreeMap::new();
        for number in 0..1 << pairs_of(vertices) {
            let graph = numbered(vertices, number);
            for (one, other) in (0..vertices).flat_map(|i| (0..i).map(move |j| (j, i))) {
                let colour = |vertex: usize| u8::from(vertex != one && vertex != other);
                let colours: Vec<u8> = (0..vertices).map(colour).collect();
                let terminals_first =
                    |order: &&Vec<usize>| order[..2].iter().all(|&vertex| colours[vertex] == 0);
                let orders = permutations.iter().filter(terminals_first);
                let smallest = orders.map(|order| graph.arranged(order)).min();
                let order = canonical::order(&graph, &colours);
                assert!(order[..2].iter().all(|&vertex| colours[vertex] == 0));
                let form = graph.arranged(&order);
                let known = classes.insert(smallest, form.clone());
                assert!(known.is_none_or(|known| known == form), "{graph:?}");
            }
        }
        let forms: BTreeSet<&Graph> = classes.values().collect();
        assert_eq!(forms.len(), classes.len());
    }
}

/// The graph of the cells of a square of side n, joined if in a row or a column, or if `same` holds for them.
fn of_square(side: usize, same: impl Fn((usize, usize), (usize, usize)) -> bool) -> Graph {
    let cells: Vec<(usize, usize)> = (0..side * side).map(|i| (i / side, i % side)).collect();
    let joined = (1..cells.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    Graph::of_pairs(
        cells.len(),
        joined.map(|(i, j)| {
            cells[i].0 == cells[j].0 || cells[i].1 == cells[j].1 || same(cells[i], cells[j])
        }),
    )
}

#[test]
fn regular_graphs_have_one_form_however_they_are_numbered() {
    let paley = |order: usize| {
        let squares: BTreeSet<usize> = (1..order).map(|i| i * i % order).collect();
        let pairs = (1..order).flat_map(|j| (0..j).map(move |i| j - i));
        Graph::of_pairs(order, pairs.map(|apart| squares.contains(&apart)))
    };
    let rook = of_square(4, |_, _| false);
    // Cells of Shrikhande's graph are joined if they differ by (0, 1), (1, 0) or (1, 1).
    let near =
        |apart: (usize, usize)| [(0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (3, 3)].contains(&apart);
    let cells = |i: usize| (i / 4, i % 4);
    let pairs = (1..16).flat_map(|j| (0..j).map(move |i| (cells(i), cells(j))));
    let shrikhande = Graph::of_pairs(
        16,
        pairs.map(|((a, b), (c, d))| near(((c + 4 - a) % 4, (d + 4 - b) % 4))),
    );
    // Latin squares of the cyclic and the elementary group of order eight.
    let cyclic = of_square(8, |(a, b), (c, d)| (a + b) % 8 == (c + d) % 8);
    let elementary = of_square(8, |(a, b), (c, d)| a ^ b == c ^ d);
    let all = [
        graph("petersen"),
        graph("complete(64)"),
        graph("bipartite(32,32)"),
        graph("cube(6)"),
        graph("cycle(8)*cycle(8)"),
        graph("grid(8,8)"),
        graph("cycle(64)"),
        graph("complete(8)*complete(8)"),
        paley(13),
        paley(29),
        paley(61),
        rook,
        shrikhande,
        cyclic,
        elementary,
    ];
    let mut random = fastrand::Rng::with_seed(5);
    for (i, graph) in all.iter().enumerate() {
        let form = canonical::form(graph);
        for _ in 0..5 {
            assert_eq!(canonical::form(&shuffled(graph, &mut random)), form);
            assert_eq!(
                canonical::form(&shuffled(&graph.complement(), &mut random)),
                canonical::form(&graph.complement())
            );
        }
        for other in &all[..i] {
            assert_ne!(canonical::form(other), form);
        }
    }
    // Many equal components.
    let mut cycles = Graph::empty(64);
    for start in (0..64).step_by(4) {
        (0..4).for_each(|i| cycles.join(start + i, start + (i + 1) % 4));
    }
    assert_eq!(
        canonical::form(&shuffled(&cycles, &mut random)),
        canonical::form(&cycles)
    );
}

#[test]
fn random_graphs_have_one_form() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..2_000 {
        let vertices = random.usize(0..=20);
        let density = random.f64();
        let pairs = pairs_of(vertices);
        let joined: Vec<bool> = (0..pairs).map(|_| random.f64() < density).collect();
        let graph = Graph::of_pairs(vertices, joined.into_iter());
        assert_eq!(
            canonical::form(&shuffled(&graph, &mut random)),
            canonical::form(&graph)
        );
    }
}

#[test]
fn graph6_is_read_as_nauty_writes_it() {
    // The first two are examples of McKay's description of the format.
    for (text, vertices, edges) in [
        ("DQc", 5, vec![(0, 2), (0, 4), (1, 3), (3, 4)]),
        ("D?{", 5, vec![(0, 4), (1, 4), (2, 4), (3, 4)]),
        ("?", 0, vec![]),
        ("@", 1, vec![]),
        ("A_", 2, vec![(0, 1)]),
        ("Bw", 3, vec![(0, 1), (0, 2), (1, 2)]),
    ] {
        let read = graph6::read(text).expect(text);
        assert_eq!(read.len(), vertices, "{text}");
        assert_eq!(read.edges().collect::<Vec<_>>(), edges, "{text}");
        assert_eq!(graph6::write(&read), text);
    }
    for text in ["complete(62)", "cycle(63)", "grid(8,8)"] {
        let graph = graph(text);
        let written = graph6::write(&graph);
        assert_eq!(written.starts_with('~'), graph.len() > 62);
        assert_eq!(graph6::read(&written), Ok(graph));
    }
    assert_eq!(graph6::read(">>graph6<<DQc"), graph6::read("DQc"));
    for (wrong, problem) in [
        ("", "expected a graph"),
        ("D!{", "expected a graph"),
        ("D?", "2 symbols"),
        ("D?{?", "2 symbols"),
        ("D?}", "unused bits"),
        ("~?A?", "up to 64 vertices"),
        ("~?@", "expected a graph"),
        (":An", "`:An` is sparse6"),
        ("&C", "`&C` is digraph6"),
    ] {
        let refused = graph6::read(wrong).expect_err(wrong);
        assert!(refused.contains(problem), "{wrong}: {refused}");
    }
}

#[test]
fn names_and_products() {
    for (text, vertices, edges) in [
        ("path(9)", 9, 8),
        ("path(0)", 0, 0),
        ("cycle(12)", 12, 12),
        ("complete(6)", 6, 15),
        ("star(5)", 6, 5),
        ("bipartite(3,4)", 7, 12),
        ("grid(4,5)", 20, 31),
        ("cube(4)", 16, 32),
        ("cube(0)", 1, 0),
        ("petersen", 10, 15),
        ("cycle(3) * path(4)", 12, 21),
        ("path(2)*A_*path(2)", 8, 12),
        ("complement(path(2)*path(3))", 6, 8),
        ("complement(complement(path(3)))*path(2)", 6, 7),
    ] {
        let graph = graph(text);
        assert_eq!(
            (graph.len(), graph.edges().count()),
            (vertices, edges),
            "{text}"
        );
    }
    let same = |one: &str, other: &str| {
        assert_eq!(
            canonical::form(&graph(one)),
            canonical::form(&graph(other)),
            "{one} {other}"
        );
    };
    same("cube(3)", "cycle(4)*path(2)");
    same("grid(2,2)", "cycle(4)");
    same("complete(3)", "cycle(3)");
    for (text, written) in [
        ("path(9)", "path(9)"),
        ("cycle(12)", "cycle(12)"),
        ("complete(3)", "cycle(3)"),
        ("complete(2)", "path(2)"),
        ("complete(5)", "complete(5)"),
        ("D?{", "star(4)"),
        ("bipartite(4,3)", "bipartite(3,4)"),
        ("cube(4)", "cube(4)"),
        ("path(5)*path(4)", "grid(4,5)"),
        ("complement(complement(petersen))", "petersen"),
        ("0-1,1-2,2-0,0-3", "C{"),
    ] {
        assert_eq!(text::write(&graph(text)), written);
    }
    for (wrong, problem) in [
        ("wheel(5)", "expected path(N)"),
        ("path(x)", "expected path(N)"),
        ("path(3", "expected path(N)"),
        ("complement(path(3)", "expected path(N)"),
        ("complement()", "expected a graph"),
        ("grid(3)", "expected path(N)"),
        ("cycle(2)", "three vertices"),
        ("path(65)", "up to 64"),
        ("grid(9,8)", "up to 64"),
        ("cube(7)", "up to 64"),
        ("bipartite(40,40)", "up to 64"),
        ("path(8)*path(9)", "up to 64"),
        ("path(3)*", "expected a graph"),
    ] {
        let refused = text::read(wrong).expect_err(wrong);
        assert!(refused.contains(problem), "{wrong}: {refused}");
    }
}

#[test]
fn components_and_bytes() {
    let graph = numbered(6, 0b100_0000_0000_0001);
    let components: Vec<u64> = graph.components(graph.all()).collect();
    assert_eq!(components, [0b11, 0b100, 0b1000, 0b11_0000]);
    let without: Vec<u64> = graph.components(0b101).collect();
    assert_eq!(without, [1, 0b100]);
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..500 {
        let graph = numbered(random.usize(0..=9), random.u64(..));
        let bytes = graph.to_bytes();
        assert_eq!(Graph::from_bytes(&bytes), Some(graph));
    }
    assert_eq!(Graph::from_bytes(&[]), None);
    assert_eq!(Graph::from_bytes(&[65]), None);
    assert_eq!(Graph::from_bytes(&[2, 0x80, 0]), None);
    assert_eq!(Graph::from_bytes(&[2, 0xC0]), None);
}

#[test]
fn neighbours_are_about_one_apart_in_pictures() {
    for text in ["path(9)", "cycle(12)", "grid(4,5)", "star(6)", "cube(3)"] {
        let graph = graph(text);
        let places = layout::places(&graph);
        for (one, other) in graph.edges() {
            let (a, b) = (places[one], places[other]);
            let apart = (a.0 - b.0).hypot(a.1 - b.1);
            assert!((0.5..1.5).contains(&apart), "{text}: {apart}");
        }
    }
    for text in [
        "path(1)",
        "path(2)",
        "petersen",
        "complete(7)",
        "complete(64)",
    ] {
        let places = layout::places(&graph(text));
        assert!(
            places.iter().all(|(x, y)| x.is_finite() && y.is_finite()),
            "{text}"
        );
    }
}

/// Whatever the order of its vertices, its corners are on two circles, five on each, and its lines on the outer one are
/// the sides of a pentagon.
#[test]
fn the_petersen_graph_is_a_pentagram_in_a_pentagon() {
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..20 {
        let graph = shuffled(&graph("petersen"), &mut random);
        let places = layout::places(&graph);
        let is_outside = |vertex: usize| places[vertex].0.hypot(places[vertex].1) > 1.2;
        assert_eq!((0..10).filter(|&vertex| is_outside(vertex)).count(), 5);
        let longest = |outside: bool| {
            let edges = graph.edges();
            let edges = edges.filter(|&(one, other)| [one, other].map(is_outside) == [outside; 2]);
            let long = |(one, other): (usize, usize)| {
                let (a, b) = (places[one], places[other]);
                (a.0 - b.0).hypot(a.1 - b.1)
            };
            edges.map(long).fold(0.0, f64::max)
        };
        let side = 2.0 * (std::f64::consts::PI / 5.0).sin();
        let diagonal = 2.0 * (std::f64::consts::TAU / 5.0).sin();
        assert!((longest(true) - 1.6 * side).abs() < 1e-9);
        assert!((longest(false) - 0.8 * diagonal).abs() < 1e-9);
    }
}

#[test]
fn lists_of_edges_are_graphs() {
    for (list, same) in [
        ("0-1,1-2", "path(3)"),
        ("0-1*2, 2-1", "path(3)"),
        ("0-1,1-2,2-0", "cycle(3)"),
    ] {
        assert_eq!(text::read(list), text::read(same), "{list}");
    }
    let read = edges::read("2-0*3,1-2", (3, 4)).expect("a list");
    assert_eq!(read, (3, vec![(2, 0), (2, 0), (2, 0), (1, 2)]));
    let counted = [((0, 2), 3), ((1, 2), 1)];
    let written = edges::write(counted.iter().map(|(ends, times)| (ends, times)));
    assert_eq!(written, "0-2*3,1-2");
    for wrong in [
        "0-0",
        "0-1*0",
        "0-",
        "0",
        "0-1,",
        "0-1*x",
        "0-18446744073709551615",
    ] {
        assert!(text::read(wrong).is_err(), "{wrong}");
    }
    for large in ["2-0*3,1-3", "2-0*3,1-2*2"] {
        assert!(edges::read(large, (3, 4)).is_err(), "{large}");
    }
    assert!(text::read("0-64").is_err());
}
