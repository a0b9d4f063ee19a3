//! Boards, their live parts and canonical forms.

use super::*;

fn random_board(random: &mut fastrand::Rng) -> Board {
    let vertices = random.usize(2..8);
    let count = random.usize(0..12);
    let edges = (0..count).map(|_| (random.usize(..vertices), random.usize(..vertices)));
    Board {
        vertices,
        edges: edges.collect(),
        terminals: (0, 1),
    }
}

/// Marks the edges on all paths from a vertex to the second terminal that avoid the vertices met.
fn mark_paths(
    board: &Board,
    from: usize,
    met: &mut Vec<usize>,
    way: &mut Vec<usize>,
    live: &mut [bool],
) {
    if from == board.terminals.1 {
        for &edge in way.iter() {
            live[edge] = true;
        }
        return;
    }
    met.push(from);
    for (edge, &(one, other)) in board.edges.iter().enumerate() {
        if one != from && other != from {
            continue;
        }
        let next = one + other - from;
        if !met.contains(&next) {
            way.push(edge);
            mark_paths(board, next, met, way, live);
            way.pop();
        }
    }
    met.pop();
}

#[test]
fn the_live_part_has_the_edges_on_paths_between_the_terminals() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut dead = 0;
    for _ in 0..3_000 {
        let board = random_board(&mut random);
        let mut live = vec![false; board.edges.len()];
        mark_paths(&board, 0, &mut Vec::new(), &mut Vec::new(), &mut live);
        let edges = board.edges.iter().zip(&live).filter(|(_, live)| **live);
        let expected = Board {
            edges: edges.map(|(&ends, _)| ends).collect(),
            ..board
        };
        let found = board.live();
        assert_eq!(found.edges.len(), expected.edges.len(), "{board:?}");
        assert_eq!(found, expected.live(), "{board:?}");
        assert_eq!(found.live(), found);
        dead += board.edges.len() - found.edges.len();
    }
    assert!(dead > 1_000, "{dead}");
}

#[test]
fn the_canonical_form_does_not_depend_on_numbers_or_on_the_order_of_the_terminals() {
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..3_000 {
        let board = random_board(&mut random);
        let mut number: Vec<usize> = (0..board.vertices).collect();
        random.shuffle(&mut number);
        let mut edges: Vec<(usize, usize)> = board
            .edges
            .iter()
            .map(|&(one, other)| (number[other], number[one]))
            .collect();
        random.shuffle(&mut edges);
        let other = Board {
            vertices: board.vertices,
            edges,
            terminals: (number[1], number[0]),
        };
        let form = board.canonical();
        assert_eq!(form, other.canonical(), "{board:?}");
        assert_eq!(form, form.canonical(), "{board:?}");
    }
}

#[test]
fn a_decided_board_has_no_land_or_is_refused() {
    for (text, read) in [
        ("0-1,1-2/0,0/cut", Ok(())),
        ("0-1,2-3/0,2/short", Ok(())),
        ("C?/short", Ok(())),
        ("path(1)/cut", Ok(())),
        ("0-1,1-2/0,0/short", Err("Short has reached his aim")),
        ("0-1,2-3/0,2/cut", Err("Cut has reached his aim")),
    ] {
        match (Switching.parse(text), read) {
            (Ok(position), Ok(())) => assert_eq!(position, Position::default(), "{text}"),
            (Err(error), Err(problem)) => {
                assert!(error.problem.contains(problem), "{text}: {error}");
            }
            (found, _) => panic!("{text}: {found:?}"),
        }
    }
}

#[test]
fn who_is_about_to_win_can_end_the_game() {
    for text in ["path(2)/short", "path(2)/cut", "path(9)/cut"] {
        let position = Switching.parse(text).expect("a position");
        let mut options = 0;
        let end = Switching.moves(&position, &mut |option| {
            assert_eq!(option, Position::default(), "{text}");
            options += 1;
            ControlFlow::Continue(())
        });
        assert!(end.is_continue() && options > 0, "{text}");
    }
}

#[test]
fn large_boards_are_written_and_read() {
    for n in [8, 9, 12, 30, 32] {
        for player in ["short", "cut"] {
            let text = format!("gale({n})/{player}");
            let position = Switching.parse(&text).expect("a position");
            assert_eq!(Switching.print(&position), text);
            let land = &position.lands()[0];
            assert_eq!(Switching.land(land.as_bytes()).as_ref(), Ok(land), "{text}");
            let mut first = None;
            let _ = Switching.moves(&position, &mut |option| {
                first = Some(option);
                ControlFlow::Break(())
            });
            let first = first.expect("there is a move");
            let text = Switching.print(&first);
            assert_eq!(Switching.parse(&text).as_ref(), Ok(&first), "{text}");
            assert!(Switching.picture(&first).is_some());
        }
    }
}

#[test]
fn a_picture_marks_the_terminals_and_tells_several_edges_and_who_moves() {
    let position = Switching
        .parse("0-2*3,1-2,0-1/0,1/cut")
        .expect("a position");
    let picture = Switching.picture(&position).expect("a picture");
    let shapes = &picture.lands[0].shapes;
    let count = |wanted: fn(&Shape) -> bool| shapes.iter().filter(|shape| wanted(shape)).count();
    assert_eq!(count(|shape| matches!(shape, Shape::Line(..))), 3);
    assert_eq!(count(|shape| matches!(shape, Shape::Mark(..))), 2);
    assert_eq!(count(|shape| matches!(shape, Shape::Dot(..))), 1);
    let texts = shapes.iter().filter_map(|shape| match shape {
        Shape::Text(_, text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["×3", "Cut moves"]);
}
