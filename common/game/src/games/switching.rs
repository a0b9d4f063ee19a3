//! The Shannon switching game: Short secures an edge of a graph, and Cut deletes one that is not secured. Short wants
//! to join the two terminals by secured edges, Cut to separate them for good.
//!
//! A land is a board and its player to move: a move of Short makes one vertex of the ends of an edge, a move of Cut
//! removes an edge, and then the other player moves. The game ends as soon as one player has reached their aim, so that
//! the opponent has no move. Under normal play, a position is a win if the player to move reaches their own aim. Under
//! misère play, it is a win if they can force the opponent to reach the opponent's aim: Short to join the terminals, or
//! Cut to separate them.
//!
//! **Edges on no path between the terminals are left out**, as are edges from a vertex to itself (`docs/reference/games.md`).
//!
//! ```text
//! land = who vertices edge…       who: 0 for Short, 1 for Cut
//! edge = vertex vertex            the smaller first; edges sorted; the terminals are 0 and 1
//! ```
//!
//! A number below 128 is one byte. A larger one is two bytes, and the first has the highest bit set.
//!
//! The player to move belongs to the land, so lands do not add up: a position has one land, or none.

mod board;
mod notation;

use std::ops::ControlFlow;

pub use board::{Board, Player};
use notation::{read, write};
use sproutnet_notation::GameCode;

use crate::graphs::{Graph, MOST_VERTICES, lands};
use crate::picture::{Panel, Picture, Shape};
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};

/// The maximum numbers of vertices and of edges.
const MOST: (usize, usize) = (1024, 4096);

/// The text of a position in which a player has reached their aim.
const OVER: &str = "0";

/// The rules of the switching game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Switching;

impl Game for Switching {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "switching",
            code: GameCode(b'H'),
            encoding_version: 1,
            rules: "Short secures an edge to join two vertices, Cut deletes one to separate them",
            notation: "switching:GRAPH/TERMINAL,TERMINAL/short, or /cut if Cut moves",
            examples: &[
                "gale(2)/short",
                "grid(2,4)/0,7/cut",
                "D?{/0,4/short",
                "complete(4)/0,1/cut",
                "0-2*2,1-2,0-3,1-3*3,2-3/0,1/short",
            ],
            wants_nimbers: false,
        }
    }

    fn starts(&self) -> Vec<String> {
        let gale = (1..=6).map(|n| format!("gale({n})"));
        let grids = (2..=4).flat_map(|m| (m..=5).map(move |n| format!("grid({m},{n})")));
        let complete = (3..=7).map(|n| format!("complete({n})"));
        let boards = gale.chain(grids).chain(complete);
        boards
            .flat_map(|board| ["short", "cut"].map(|player| format!("{board}/{player}")))
            .collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position.lands().iter();
        Some(Picture {
            caption: "Short joins the two marked vertices, Cut separates them. Secured edges are drawn as one vertex.",
            lands: lands.map(|land| panel(&of_land(land.as_bytes()))).collect(),
            rows: false,
        })
    }

    fn is_partizan(&self) -> bool {
        true
    }

    fn switching(&self, position: &Position) -> Option<(Board, Player)> {
        let [land] = position.lands() else {
            return None;
        };
        Some(of_land(land.as_bytes()))
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        match text.trim() {
            OVER => Ok(Position::default()),
            _ => read(text),
        }
    }

    fn print(&self, position: &Position) -> String {
        match self.switching(position) {
            Some((board, player)) => write(&board, player),
            None => OVER.to_owned(),
        }
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        let (board, _) = of_land(bytes);
        if board.canonical() == board {
            Ok(Land::from_canonical(bytes))
        } else {
            Err(NO_BOARD)
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        edges_in(bytes).ok_or(NO_BOARD)
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

const NO_BOARD: EncodingError = EncodingError {
    offset: 0,
    problem: "a land is who moves, the number of vertices, and the sorted edges of a board in its canonical form",
};

impl Generator for Switching {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let (board, player) = of_land(land);
        for edge in 0..board.edges.len() {
            if edge > 0 && board.edges[edge - 1] == board.edges[edge] {
                continue;
            }
            if let Some(bytes) = bytes_of(&board.after(player, edge), player.other()) {
                let edges = edges_in(&bytes).expect("the bytes were made of a board");
                sink.land(&bytes, edges);
            }
            sink.end()?;
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// The bytes of a board and its player to move; `None` if a player has reached their aim.
fn bytes_of(board: &Board, player: Player) -> Option<Vec<u8>> {
    if board.is_joined() {
        return None;
    }
    let board = board.canonical();
    if board.edges.is_empty() {
        return None;
    }
    let mut bytes = vec![u8::from(player == Player::Cut)];
    let ends = board.edges.iter().flat_map(|&(one, other)| [one, other]);
    for number in [board.vertices].into_iter().chain(ends) {
        if number >= 128 {
            bytes.push(128 | (number >> 8) as u8);
        }
        bytes.push(number as u8);
    }
    Some(bytes)
}

/// Takes a number from the front of bytes.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let (number, rest) = match **bytes {
        [small @ 0..128, ref rest @ ..] => (usize::from(small), rest),
        [high, low, ref rest @ ..] => (usize::from(high & 127) << 8 | usize::from(low), rest),
        _ => return None,
    };
    let is_short = bytes[0] < 128;
    *bytes = rest;
    (is_short == (number < 128)).then_some(number)
}

/// Reads bytes: the player to move, the number of vertices, and then each edge. `None` if they are not a board with
/// sorted edges.
fn decode(mut bytes: &[u8], mut edge: impl FnMut((usize, usize))) -> Option<(Player, usize)> {
    let (who, rest) = bytes.split_first()?;
    bytes = rest;
    let player = *[Player::Short, Player::Cut].get(usize::from(*who))?;
    let vertices = number(&mut bytes).filter(|&vertices| vertices <= MOST.0)?;
    let mut before = (0, 0);
    while !bytes.is_empty() {
        let ends = (number(&mut bytes)?, number(&mut bytes)?);
        if ends.0 >= ends.1 || ends.1 >= vertices || ends < before {
            return None;
        }
        before = ends;
        edge(ends);
    }
    Some((player, vertices))
}

/// The number of edges in the bytes of a land, an upper bound on the number of moves; `None` if they are not a board.
fn edges_in(bytes: &[u8]) -> Option<u32> {
    let mut edges = 0;
    decode(bytes, |_| edges += 1)?;
    (1..=MOST.1 as u32).contains(&edges).then_some(edges)
}

/// The board of a land and its player to move.
fn of_land(land: &[u8]) -> (Board, Player) {
    let mut edges = Vec::new();
    let decoded = decode(land, |ends| edges.push(ends));
    let (player, vertices) = decoded.expect("a land holds bytes that its game wrote or checked");
    let terminals = (0, 1);
    let board = Board {
        vertices,
        edges,
        terminals,
    };
    (board, player)
}

/// A board and its player to move, as a panel.
fn panel((board, player): &(Board, Player)) -> Panel {
    let mut panel = Panel::default();
    match board.vertices {
        0..=MOST_VERTICES => panel = drawn(board),
        vertices => panel.row(
            0,
            &format!("{vertices} vertices, {} edges", board.edges.len()),
        ),
    }
    panel.row(0, &format!("{player:?} moves"));
    panel
}

/// A board as discs and lines, with the terminals marked, and numbers at places of several edges.
fn drawn(board: &Board) -> Panel {
    let pairs = board.pairs();
    let mut graph = Graph::empty(board.vertices);
    for &(one, other) in pairs.keys() {
        graph.join(one, other);
    }
    let mut panel = lands::panel(&graph);
    let mut places = Vec::new();
    for shape in &mut panel.shapes {
        if let Shape::Dot(at, radius) = *shape {
            // The discs are in the order of the vertices, and the terminals are the first two.
            if places.len() < 2 {
                *shape = Shape::Mark(at, radius);
            }
            places.push(at);
        }
    }
    for (&(one, other), edges) in pairs.iter().filter(|(_, edges)| **edges > 1) {
        let (one, other) = (places[one], places[other]);
        let middle = (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1));
        panel.shapes.push(Shape::Text(middle, format!("×{edges}")));
    }
    panel
}

#[cfg(test)]
mod tests;
