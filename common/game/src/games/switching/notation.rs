//! Boards as text: `D?{/0,4/short`, `gale(5)/cut`, `0-2*2,1-2/0,1/short`.

use std::fmt::Write;

use super::{Board, MOST, Player, bytes_of};
use crate::graphs::text;
use crate::{Land, ParseError, Position};

/// The largest board of Gale's game: it has 994 vertices.
const LARGEST_GALE: usize = 32;

/// Writes a board in its canonical form: by the name `gale(N)`, or as its edges.
pub(super) fn write(board: &Board, player: Player) -> String {
    let mut text = match gale_of(board) {
        Some(n) => format!("gale({n})"),
        None => {
            let mut text = String::new();
            for (&(one, other), &edges) in &board.pairs() {
                let comma = if text.is_empty() { "" } else { "," };
                let _ = write!(text, "{comma}{one}-{other}");
                if edges > 1 {
                    let _ = write!(text, "*{edges}");
                }
            }
            text + "/0,1"
        }
    };
    text += match player {
        Player::Short => "/short",
        Player::Cut => "/cut",
    };
    text
}

/// The n of Gale's game, if this is the canonical form of its board.
fn gale_of(board: &Board) -> Option<usize> {
    let n = (2..=LARGEST_GALE).find(|n| n * n + (n - 1) * (n - 1) >= board.edges.len())?;
    let is_gale = || Board::gale(n).canonical() == *board;
    (n * (n - 1) + 2 == board.vertices && is_gale()).then_some(n)
}

/// Reads a board with its terminals and who moves.
pub(super) fn read(text: &str) -> Result<Position, ParseError> {
    let column_at = |bytes: usize| text[..bytes].chars().count() + 1;
    let error = |bytes: usize, problem: String| {
        let column = column_at(bytes);
        Err(ParseError { column, problem })
    };
    if let Some(plus) = text.find('+') {
        return error(
            plus,
            "boards do not add up, because who moves belongs to a board: expected one board"
                .to_owned(),
        );
    }
    let shape = "expected a board such as `D?{/0,4/short` or `gale(5)/cut`: a graph, its terminals, and who moves";
    let Some(last) = text.rfind('/') else {
        return error(0, format!("{shape}; found `{text}`"));
    };
    let player = match text[last + 1..].trim() {
        "short" => Player::Short,
        "cut" => Player::Cut,
        other => {
            return error(
                last + 1,
                format!("expected who moves, `short` or `cut`; found `{other}`"),
            );
        }
    };
    let (graph, terminals) = match text[..last].split_once('/') {
        Some((graph, terminals)) => (graph, Some(terminals)),
        None => (&text[..last], None),
    };
    let mut board = match read_graph(graph.trim()) {
        Ok(board) => board,
        Err(problem) => return error(0, problem),
    };
    if let Some(terminals) = terminals {
        let number = |text: &str| {
            text.trim()
                .parse()
                .ok()
                .filter(|&vertex| vertex < board.vertices)
        };
        let both = terminals.split_once(',');
        let both = both.and_then(|(one, other)| Some((number(one)?, number(other)?)));
        let Some(both) = both else {
            let most = board.vertices.saturating_sub(1);
            return error(
                graph.len() + 1,
                format!(
                    "expected two terminals from 0 to {most}, such as `0,{most}`; found `{terminals}`"
                ),
            );
        };
        board.terminals = both;
    }
    let is_separated = !board.is_joined() && board.live().edges.is_empty();
    match player {
        Player::Short if board.is_joined() => error(
            last + 1,
            "Short has joined the terminals, so that only Cut can be to move".to_owned(),
        ),
        Player::Cut if is_separated => error(
            last + 1,
            "Cut has separated the terminals, so that only Short can be to move".to_owned(),
        ),
        _ => {
            let bytes = bytes_of(&board, player);
            let land = bytes.map(|bytes| Land::from_canonical(&bytes));
            Ok(Position::new(land.into_iter().collect()))
        }
    }
}

/// Reads a graph: edges such as `0-1*2,1-2`, `gale(N)`, or as in other games. Unless it is `gale(N)`, its terminals
/// are the first and the last vertex.
fn read_graph(text: &str) -> Result<Board, String> {
    let too_large = || format!("boards have up to {} vertices and {} edges", MOST.0, MOST.1);
    if let Some(rest) = text.strip_prefix("gale(") {
        let n = rest.strip_suffix(')').and_then(|n| n.trim().parse().ok());
        return match n {
            Some(n @ 1..=LARGEST_GALE) => Ok(Board::gale(n)),
            _ => Err(format!(
                "expected gale(N) with N from 1 to {LARGEST_GALE}, found `{text}`"
            )),
        };
    }
    let (vertices, edges) = if text.starts_with(|first: char| first.is_ascii_digit()) {
        let mut edges = Vec::new();
        let mut vertices = 0;
        for term in text.split(',') {
            let wrong = || {
                format!(
                    "expected edges such as `0-1,1-2*3`, with different ends and a number of edges from 1; found `{term}`"
                )
            };
            let (ends, times) = term.split_once('*').unwrap_or((term, "1"));
            let (one, other) = ends.split_once('-').ok_or_else(wrong)?;
            let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
            let (one, other, times) = (number(one)?, number(other)?, number(times)?);
            if one == other || times == 0 {
                return Err(wrong());
            }
            vertices = vertices
                .max(one.saturating_add(1))
                .max(other.saturating_add(1));
            if vertices > MOST.0 || times > MOST.1 - edges.len() {
                return Err(too_large());
            }
            edges.extend(std::iter::repeat_n((one, other), times));
        }
        (vertices, edges)
    } else {
        let graph = text::read(text)?;
        (graph.len(), graph.edges().collect())
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
