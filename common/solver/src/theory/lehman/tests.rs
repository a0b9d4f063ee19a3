//! Lehman's theorem against brute force, on all small graphs and random larger ones.

use std::collections::HashMap;

use super::*;

/// Whether Short wins, by trying all moves.
fn short_wins(board: &Board, to_move: Player, known: &mut HashMap<(Board, Player), bool>) -> bool {
    if board.terminals.0 == board.terminals.1 {
        return true;
    }
    if let Some(&wins) = known.get(&(board.clone(), to_move)) {
        return wins;
    }
    let mut edges = 0..board.edges.len();
    let wins = match to_move {
        // Without an edge, there is no way to join the terminals.
        Player::Short => edges.any(|edge| short_wins(&board.secured(edge), Player::Cut, known)),
        Player::Cut => {
            !board.edges.is_empty()
                && edges.all(|edge| short_wins(&board.without(edge), Player::Short, known))
        }
    };
    known.insert((board.clone(), to_move), wins);
    wins
}

/// Compares the winner and the winning move with brute force.
fn compare(board: &Board, known: &mut HashMap<(Board, Player), bool>) {
    for (player, other) in [(Player::Short, Player::Cut), (Player::Cut, Player::Short)] {
        let expected = if short_wins(board, player, known) {
            Player::Short
        } else {
            Player::Cut
        };
        assert_eq!(winner(board, player), expected, "{board:?} {player:?}");
        let is_over = board.terminals.0 == board.terminals.1 || board.edges.is_empty();
        let winning = winning_move(board, player);
        assert_eq!(
            winning.is_some(),
            expected == player && !is_over,
            "{board:?} {player:?}"
        );
        if let Some(edge) = winning {
            let after = board.after(player, edge);
            assert_eq!(
                short_wins(&after, other, known),
                player == Player::Short,
                "{board:?} {edge}"
            );
        }
    }
}

#[test]
fn all_graphs_of_up_to_five_vertices() {
    let mut known = HashMap::new();
    for vertices in 2..=5 {
        let pairs = (1..vertices).flat_map(|j| (0..j).map(move |i| (i, j)));
        let pairs: Vec<(usize, usize)> = pairs.collect();
        for set in 0..1u32 << pairs.len() {
            let edges = (0..pairs.len()).filter(|&place| set >> place & 1 == 1);
            let board = Board {
                vertices,
                edges: edges.map(|place| pairs[place]).collect(),
                terminals: (0, 1),
            };
            if board.edges.len() <= 7 {
                compare(&board, &mut known);
            }
        }
    }
}

#[test]
fn random_graphs_with_parallel_edges() {
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..3_000 {
        let vertices = random.usize(2..7);
        let edges = (0..random.usize(0..8)).filter_map(|_| {
            let ends = (random.usize(..vertices), random.usize(..vertices));
            (ends.0 != ends.1).then_some(ends)
        });
        let board = Board {
            vertices,
            edges: edges.collect(),
            terminals: (0, 1),
        };
        compare(&board, &mut HashMap::new());
    }
}

#[test]
fn who_moves_first_wins_gales_game() {
    // The board is its own dual, so that an extra move does no harm to either player: who moves first wins (Nash;
    // Lehman 1964).
    for n in [1, 2, 3, 4, 5, 8, 30] {
        let board = Board::gale(n);
        assert_eq!(board.edges.len(), n * n + (n - 1) * (n - 1));
        for player in [Player::Short, Player::Cut] {
            assert_eq!(winner(&board, player), player, "{n}");
        }
        assert!(winning_move(&board, Player::Short).is_some());
    }
}

#[test]
fn short_wins_gales_game_against_any_play() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..20 {
        let mut board = Board::gale(6);
        while board.terminals.0 != board.terminals.1 {
            let edge = winning_move(&board, Player::Short).expect("Short keeps a win");
            board = board.secured(edge);
            if board.terminals.0 != board.terminals.1 {
                board = board.without(random.usize(..board.edges.len()));
            }
        }
    }
}
