//! Boards as text: `D?{/0,4/short`, `gale(5)/cut`, `0-2*2,1-2/0,1/short`.

use super::{Board, MOST, Player, bytes_of};
use crate::graphs::{edges, text};
use crate::{Land, ParseError, Position};

/// The n of the largest board of Gale's game: it has 994 vertices.
const LARGEST_GALE: usize = 32;

/// Writes a board in its canonical form: by the name `gale(N)`, or as its edges.
pub(super) fn write(board: &Board, player: Player) -> String {
    let board = match gale_of(board) {
        Some(n) => format!("gale({n})"),
        None => format!("{}/0,1", edges::write(&board.pairs())),
    };
    let player = match player {
        Player::Short => "short",
        Player::Cut => "cut",
    };
    format!("{board}/{player}")
}

/// The n of Gale's game if `board` is the canonical form of its board.
fn gale_of(board: &Board) -> Option<usize> {
    let n = (2..=LARGEST_GALE).find(|n| n * n + (n - 1) * (n - 1) >= board.edges.len())?;
    let is_gale = || Board::gale(n).canonical() == *board;
    (n * (n - 1) + 2 == board.vertices && is_gale()).then_some(n)
}

/// Reads a board with its terminals and its player to move.
pub(super) fn read(text: &str) -> Result<Position, ParseError> {
    let error = |bytes: usize, problem: String| ParseError {
        column: text[..bytes].chars().count() + 1,
        problem,
    };
    if let Some(plus) = text.find('+') {
        let problem =
            "boards do not add up, because who moves belongs to a board: expected one board";
        return Err(error(plus, problem.to_owned()));
    }
    let no_board = || {
        let expected = "a board such as `D?{/0,4/short` or `gale(5)/cut`: a graph, its terminals, and who moves";
        error(0, format!("expected {expected}; found `{text}`"))
    };
    let (board, who) = text.rsplit_once('/').ok_or_else(no_board)?;
    let of_who = |problem: String| error(board.len() + 1, problem);
    let player = match who.trim() {
        "short" => Player::Short,
        "cut" => Player::Cut,
        other => {
            let problem = format!("expected who moves, `short` or `cut`; found `{other}`");
            return Err(of_who(problem));
        }
    };
    let mut parts = board.splitn(2, '/');
    let (graph, terminals) = (parts.next().unwrap_or(board), parts.next());
    let mut board = read_graph(graph.trim()).map_err(|problem| error(0, problem))?;
    if let Some(terminals) = terminals {
        let number = |text: &str| {
            text.trim()
                .parse()
                .ok()
                .filter(|&vertex| vertex < board.vertices)
        };
        let both = terminals.split_once(',');
        let both = both.and_then(|(one, other)| Some((number(one)?, number(other)?)));
        board.terminals = both.ok_or_else(|| {
            let most = board.vertices.saturating_sub(1);
            let expected = format!("two terminals from 0 to {most}, such as `0,{most}`");
            error(
                graph.len() + 1,
                format!("expected {expected}; found `{terminals}`"),
            )
        })?;
    }
    let is_reached = match player {
        Player::Short => board.is_joined(),
        Player::Cut => !board.is_joined() && board.live().edges.is_empty(),
    };
    if is_reached {
        let problem = "has reached his aim, so that only the opponent can be to move";
        return Err(of_who(format!("{player:?} {problem}")));
    }
    let land = bytes_of(&board, player).map(|bytes| Land::from_canonical(&bytes));
    Ok(Position::new(land.into_iter().collect()))
}

/// Reads a graph: edges such as `0-1*2,1-2`, `gale(N)`, or a text as in other games. Except for `gale(N)`, its
/// terminals are the first and the last vertex.
fn read_graph(text: &str) -> Result<Board, String> {
    if let Some(rest) = text.strip_prefix("gale(") {
        let n = rest.strip_suffix(')').and_then(|n| n.trim().parse().ok());
        return match n {
            Some(n @ 1..=LARGEST_GALE) => Ok(Board::gale(n)),
            _ => Err(format!(
                "expected gale(N) with N from 1 to {LARGEST_GALE}, found `{text}`"
            )),
        };
    }
    let (vertices, edges) = if edges::is_list(text) {
        edges::read(text, MOST)?
    } else {
        text::read(text).map(|graph| (graph.len(), graph.edges().collect()))?
    };
    if vertices == 0 {
        return Err("a graph without vertices has no terminals".to_owned());
    }
    Ok(Board {
        vertices,
        edges,
        terminals: (0, vertices - 1),
    })
}
