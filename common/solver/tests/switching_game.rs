//! The switching game: the search, Lehman's theorem, and brute force that shares no code with the game.

use std::collections::HashMap;

use sproutnet_game::graphs::{Graph, graph6};
use sproutnet_game::switching::{Board, Player};
use sproutnet_game::{Game, Switching};
use sproutnet_solver::play::{Convention, Misere, Normal, Outcome, Play};
use sproutnet_solver::theory::quotient::Effort;
use sproutnet_solver::theory::{self, Theorem, Told, lehman};

use sproutnet_testkit::reference::slow_tests;
use sproutnet_testkit::solver::Solver;

const PLAYERS: [(Player, &str); 2] = [(Player::Short, "short"), (Player::Cut, "cut")];

/// Whether a board has been decided, and for whom: found by walking along its edges.
fn decided(board: &Board) -> Option<Player> {
    if board.terminals.0 == board.terminals.1 {
        return Some(Player::Short);
    }
    let mut is_reached = vec![false; board.vertices];
    is_reached[board.terminals.0] = true;
    while let Some(&(one, other)) = board
        .edges
        .iter()
        .find(|ends| is_reached[ends.0] != is_reached[ends.1])
    {
        (is_reached[one], is_reached[other]) = (true, true);
    }
    (!is_reached[board.terminals.1]).then_some(Player::Cut)
}

/// The outcome of a board by search, for each player to move. A board that is decided for the player to move is no
/// position.
fn compare<C: Convention>(
    solver: &Solver<C>,
    board: &Board,
    graph: &str,
    expected: impl Fn(Player) -> Outcome,
) -> u32 {
    let mut positions = 0;
    for (player, name) in PLAYERS {
        let text = format!("{graph}/{},{}/{name}", board.terminals.0, board.terminals.1);
        if decided(board) == Some(player) {
            assert!(Switching.parse(&text).is_err(), "{text}");
            continue;
        }
        assert_eq!(solver.outcome(&text), expected(player), "{text}");
        positions += 1;
    }
    positions
}

fn by_lehman(board: &Board, player: Player) -> Outcome {
    Outcome::win_if(lehman::winner(board, player) == player)
}

#[test]
fn the_search_agrees_with_lehman_on_all_small_graphs() {
    // All 32,768 graphs of six vertices take longer.
    let (largest, expected_positions) = if slow_tests() {
        (6, 65_058)
    } else {
        (5, 2_026)
    };
    let solver = Solver::<Normal>::new(Switching);
    let mut positions = 0;
    for vertices in 2..=largest {
        let pairs = (1..vertices).flat_map(|j| (0..j).map(move |i| (i, j)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        for set in 0..1u32 << pairs.len() {
            let edges = (0..pairs.len()).filter(|&place| set >> place & 1 == 1);
            let board = Board {
                vertices,
                edges: edges.map(|place| pairs[place]).collect(),
                terminals: (0, 1),
            };
            let mut graph = Graph::empty(vertices);
            for &(one, other) in &board.edges {
                graph.join(one, other);
            }
            let text = graph6::write(&graph);
            let expected = |player| by_lehman(&board, player);
            positions += compare(&solver, &board, &text, expected);
        }
    }
    // Two for each graph, less those that are decided for the player to move.
    assert_eq!(positions, expected_positions);
}

/// A board with random edges, several perhaps between two vertices, and its text.
fn random_board(random: &mut fastrand::Rng, most_edges: usize) -> (Board, String) {
    let vertices = random.usize(2..8);
    let count = random.usize(1..=most_edges);
    let ends = (0..count).map(|_| (random.usize(..vertices), random.usize(..vertices)));
    let edges: Vec<(usize, usize)> = ends.filter(|(one, other)| one != other).collect();
    // An edge to a vertex of its own, so that all numbers are in the text.
    let edges = [edges, vec![(vertices, vertices + 1)]].concat();
    let terms: Vec<String> = edges
        .iter()
        .map(|(one, other)| format!("{one}-{other}"))
        .collect();
    let board = Board {
        vertices: vertices + 2,
        edges,
        terminals: (0, 1),
    };
    (board, terms.join(","))
}

#[test]
fn the_search_agrees_with_lehman_on_random_graphs_with_several_edges() {
    let solver = Solver::<Normal>::new(Switching);
    let mut random = fastrand::Rng::with_seed(20);
    let mut positions = 0;
    for _ in 0..4_000 {
        let (board, text) = random_board(&mut random, 14);
        positions += compare(&solver, &board, &text, |player| by_lehman(&board, player));
    }
    assert!(positions > 4_000, "{positions}");
}

/// Whether the player to move wins, by the rules as they stand in a textbook: no edge is left out under normal play.
/// Under misère play, edges that [`is_on_path`] does not find are.
struct BruteForce {
    play: Play,
    known: HashMap<(Board, Player), bool>,
}

impl BruteForce {
    fn wins(&mut self, board: &Board, player: Player) -> bool {
        if let Some(winner) = decided(board) {
            return (winner == player) == (self.play == Play::Normal);
        }
        let key = (board.clone(), player);
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let is_normal = self.play == Play::Normal;
        let mut edges = (0..board.edges.len()).filter(|&edge| is_normal || is_on_path(board, edge));
        let wins = edges.any(|edge| !self.wins(&board.after(player, edge), player.other()));
        self.known.insert(key, wins);
        wins
    }
}

/// Whether an edge is on a path between the terminals without a repeated vertex.
fn is_on_path(board: &Board, edge: usize) -> bool {
    fn leads_on(board: &Board, from: usize, met: &mut Vec<usize>, edge: usize, has: bool) -> bool {
        if from == board.terminals.1 {
            return has;
        }
        met.push(from);
        let found = board
            .edges
            .iter()
            .enumerate()
            .any(|(place, &(one, other))| {
                let next = match from {
                    from if from == one => other,
                    from if from == other => one,
                    _ => return false,
                };
                !met.contains(&next) && leads_on(board, next, met, edge, has || place == edge)
            });
        met.pop();
        found
    }
    leads_on(board, board.terminals.0, &mut Vec::new(), edge, false)
}

#[test]
fn both_conventions_agree_with_brute_force() {
    fn agree<C: Convention>(play: Play) {
        let solver = Solver::<C>::new(Switching);
        let mut random = fastrand::Rng::with_seed(21);
        for _ in 0..2_000 {
            let (board, text) = random_board(&mut random, 7);
            let mut brute_force = BruteForce {
                play,
                known: HashMap::new(),
            };
            for (player, name) in PLAYERS {
                if decided(&board) != Some(player) {
                    let wins = brute_force.wins(&board, player);
                    let text = format!("{text}/0,1/{name}");
                    assert_eq!(
                        solver.outcome(&text),
                        Outcome::win_if(wins),
                        "{text} {play}"
                    );
                }
            }
        }
    }
    agree::<Normal>(Play::Normal);
    agree::<Misere>(Play::Misere);
}

#[test]
fn who_moves_first_wins_gales_game_as_the_search_finds() {
    let solver = Solver::<Normal>::new(Switching);
    for n in 1..=3 {
        for (_, name) in PLAYERS {
            assert_eq!(solver.outcome(&format!("gale({n})/{name}")), Outcome::Win);
        }
    }
}

#[test]
fn theory_answers_positions_of_the_game_under_normal_play() {
    for (text, expected) in [
        ("gale(30)/short", Outcome::Win),
        ("gale(30)/cut", Outcome::Win),
        ("path(2)*path(9)/0,17/short", Outcome::Loss),
        ("complete(4)/0,1/cut", Outcome::Loss),
    ] {
        let position = Switching.parse(text).expect("a position");
        let told = |play| theory::told(&Switching, &position, play, Effort::Look);
        let expected = Told {
            outcome: expected,
            nimber: None,
            theorem: Theorem::Lehman,
        };
        assert_eq!(told(Play::Normal), Some(expected), "{text}");
        assert_eq!(told(Play::Misere), None, "{text}");
    }
}
