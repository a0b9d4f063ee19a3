//! Cram, node Kayles and the clique game: published values, formulas, and brute force on the boards and graphs
//! themselves, which shares no code with the games.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sproutnet_game::graphs::{Graph, graph6};
use sproutnet_game::{self as game, Game};
use sproutnet_solver::play::{Convention, Misere, Normal, Outcome};
use sproutnet_solver::search::Table;
use sproutnet_solver::theory::sequence::Sequence;

use sproutnet_testkit::solver::Solver;

fn solver<C: Convention>(game: impl Game) -> Solver<C> {
    let table = Table::new(64 << 20).expect("memory");
    Solver::shared(Arc::new(game), table, C::new)
}

/// The nimbers of the octal game with this name, of heaps up to this length.
fn nimbers_of(octal: &str, longest: usize) -> Vec<u32> {
    let (_, heap) = game::heap(octal).expect("a game of heaps");
    Sequence::of(&*heap, longest + 1).nimbers
}

/// Nimbers and misère outcomes of sets. A move takes a part of a set.
struct BruteForce {
    /// The members that each move takes.
    moves: Vec<u32>,
    /// The members that each move needs.
    from: Vec<u32>,
    known: HashMap<u32, (u32, bool)>,
}

impl BruteForce {
    fn solve(&mut self, free: u32) -> (u32, bool) {
        if let Some(&known) = self.known.get(&free) {
            return known;
        }
        let mut values = BTreeSet::new();
        for i in 0..self.moves.len() {
            if free & self.from[i] == self.from[i] {
                values.insert(self.solve(free & !self.moves[i]));
            }
        }
        let has = |nimber: u32| values.iter().any(|&(other, _)| other == nimber);
        let nimber = (0..=u32::MAX)
            .find(|&nimber| !has(nimber))
            .expect("one is free");
        let wins = values.is_empty() || values.iter().any(|&(_, wins)| !wins);
        self.known.insert(free, (nimber, wins));
        (nimber, wins)
    }
}

/// The free squares of a board of Cram.
fn brute_cram(height: u32, width: u32) -> BruteForce {
    let mut moves = Vec::new();
    for place in 0..height * width {
        if place % width + 1 < width {
            moves.push(0b11 << place);
        }
        if place + width < height * width {
            moves.push(1 << place | 1 << (place + width));
        }
    }
    BruteForce {
        from: moves.clone(),
        moves,
        known: HashMap::new(),
    }
}

fn rows(height: u32, width: u32, free: u32) -> String {
    let square = |place: u32| if free >> place & 1 == 1 { 'o' } else { '-' };
    let row = |i: u32| {
        (0..width)
            .map(|j| square(i * width + j))
            .collect::<String>()
    };
    (0..height).map(row).collect::<Vec<_>>().join("/")
}

#[test]
fn boards_have_the_values_of_brute_force() {
    let normal = solver::<Normal>(game::Cram);
    let misere = solver::<Misere>(game::Cram);
    for (height, width) in [(1, 8), (2, 5), (3, 4)] {
        let mut brute_force = brute_cram(height, width);
        for free in 0..1 << (height * width) {
            let text = rows(height, width, free);
            let (nimber, wins) = brute_force.solve(free);
            assert_eq!(normal.nimber(&text), nimber, "{text}");
            assert_eq!(
                misere.outcome(&text),
                Outcome::win_if(wins),
                "{text} misère"
            );
        }
    }
    for (height, width) in [(2, 9), (3, 6), (4, 4), (4, 5)] {
        let full = (1 << (height * width)) - 1;
        let (nimber, wins) = brute_cram(height, width).solve(full);
        let text = format!("{width}x{height}");
        assert_eq!(normal.nimber(&text), nimber, "{text}");
        assert_eq!(
            misere.outcome(&text),
            Outcome::win_if(wins),
            "{text} misère"
        );
    }
}

#[test]
fn a_row_of_cram_is_dawsons_kayles() {
    let normal = solver::<Normal>(game::Cram);
    for (length, nimber) in nimbers_of("octal(0.07)", 40).into_iter().enumerate() {
        assert_eq!(normal.nimber(&format!("1x{length}")), nimber, "{length}");
    }
}

/// Nimbers of boards, from the tables that Lemoine and Viennot (2010, *Nimbers are inevitable*) and Schneider (2009)
/// give. Boards of two rows, and all of even sides: by symmetry (Gardner 1974).
#[test]
fn boards_have_their_published_nimbers() {
    let normal = solver::<Normal>(game::Cram);
    for (height, width, nimber) in [
        (3, 3, 0),
        (3, 4, 1),
        (3, 5, 1),
        (3, 6, 4),
        (3, 7, 1),
        (3, 8, 3),
        (3, 9, 1),
        (4, 4, 0),
        (4, 5, 2),
        (4, 6, 0),
        (4, 7, 3),
        (5, 5, 0),
        (5, 6, 2),
    ] {
        let text = format!("{height}x{width}");
        assert_eq!(normal.nimber(&text), nimber, "{text}");
    }
    for width in 1..=16 {
        let text = format!("2x{width}");
        assert_eq!(normal.nimber(&text), width % 2, "{text}");
    }
}

/// The free vertices of a graph in node Kayles.
fn brute_kayles(graph: &Graph) -> BruteForce {
    let moves = (0..graph.len()).map(|vertex| graph.neighbours(vertex) as u32 | 1 << vertex);
    BruteForce {
        from: (0..graph.len()).map(|vertex| 1 << vertex).collect(),
        moves: moves.collect(),
        known: HashMap::new(),
    }
}

#[test]
fn graphs_have_the_values_of_brute_force() {
    let normal = solver::<Normal>(game::NodeKayles);
    let misere = solver::<Misere>(game::NodeKayles);
    let clique = solver::<Normal>(game::Clique);
    let misere_clique = solver::<Misere>(game::Clique);
    let mut random = fastrand::Rng::with_seed(11);
    for i in 0..1_500 {
        let vertices = 1 + i % 14;
        let density = random.f64();
        let mut graph = Graph::empty(vertices);
        for (one, other) in (0..vertices).flat_map(|i| (0..i).map(move |j| (i, j))) {
            if random.f64() < density {
                graph.join(one, other);
            }
        }
        let (nimber, wins) = brute_kayles(&graph).solve((1 << vertices) - 1);
        let text = graph6::write(&graph);
        assert_eq!(normal.nimber(&text), nimber, "{text}");
        assert_eq!(
            misere.outcome(&text),
            Outcome::win_if(wins),
            "{text} misère"
        );
        let text = graph6::write(&graph.complement());
        assert_eq!(clique.nimber(&text), nimber, "clique:{text}");
        let outcome = misere_clique.outcome(&text);
        assert_eq!(outcome, Outcome::win_if(wins), "clique:{text} misère");
    }
}

#[test]
fn node_kayles_on_paths_and_cycles_is_dawsons_chess() {
    let normal = solver::<Normal>(game::NodeKayles);
    let paths = nimbers_of("octal(0.137)", 64);
    for (length, &nimber) in paths.iter().enumerate() {
        assert_eq!(
            normal.nimber(&format!("path({length})")),
            nimber,
            "{length}"
        );
    }
    // Every move in a cycle leaves the same path.
    for length in 3..=64 {
        let nimber = u32::from(paths[length - 3] == 0);
        assert_eq!(
            normal.nimber(&format!("cycle({length})")),
            nimber,
            "{length}"
        );
    }
}

/// Brown, Daugherty, Fiorini, Maldonado, Manzano-Ruiz, Rainville, Waechter and Wong (2020, *Nimber sequences of
/// node-Kayles games*), and OEIS A316632 for grids of three rows.
#[test]
fn grids_have_their_published_nimbers() {
    let normal = solver::<Normal>(game::NodeKayles);
    for (width, nimber) in (1..).zip([2, 1, 1, 0, 3, 3, 2, 2, 2, 3]) {
        assert_eq!(
            normal.nimber(&format!("grid(3,{width})")),
            nimber,
            "{width}"
        );
    }
    for width in 1..=16 {
        assert_eq!(
            normal.nimber(&format!("grid(2,{width})")),
            width % 2,
            "{width}"
        );
    }
    for width in 1..=6 {
        assert_eq!(normal.nimber(&format!("grid(4,{width})")), 0, "{width}");
    }
}

/// All moves in such a graph are of one or two kinds.
#[test]
fn symmetrical_graphs_have_the_nimbers_of_formulas() {
    let normal = solver::<Normal>(game::NodeKayles);
    // A move leaves the vertices on its side, which are not joined.
    for (one, other) in (1..=32).flat_map(|one| (one..=32).map(move |other| (one, other))) {
        let left = [(one - 1) % 2, (other - 1) % 2];
        let nimber = (0..3).find(|nimber| !left.contains(nimber));
        let text = format!("bipartite({one},{other})");
        assert_eq!(Some(normal.nimber(&text)), nimber, "{text}");
    }
    // A move leaves a cycle of six.
    let petersen = u32::from(normal.nimber("cycle(6)") == 0);
    assert_eq!(normal.nimber("petersen"), petersen);
    assert_eq!(normal.nimber("complete(64)"), 1);
}
