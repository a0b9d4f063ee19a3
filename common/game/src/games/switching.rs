//! The Shannon switching game: Short secures an edge of a graph, and Cut deletes one that is not secured. Short wants to
//! join the two terminals by secured edges, Cut to separate them for good.
//!
//! A land is a board and who moves there: a move of Short makes one vertex of the ends of an edge, a move of Cut takes an
//! edge away, and then the other player moves. The game ends as soon as one of them has reached his aim, so that the
//! opponent has no move. Under normal play, a position is a win if the player to move reaches his aim. Under misère play it is
//! one if he can force the opponent to reach his: Short to join the terminals, or Cut to separate them.
//!
//! **Edges on no path between the terminals are left out**, as are edges from a vertex to itself. Under normal play this
//! does not change who wins. Proof: such an edge decides nothing, since it belongs to no smallest set of edges that joins the
//! terminals, or separates them. So a move there is a pass, and nobody gains by a pass: another secured edge never harms
//! Short, another deleted one never harms Cut. Whoever wins without the edges keeps to that strategy; if the opponent
//! passes, he passes too, or makes any other move, which does no harm. The other way round, whoever wins with them plays as
//! if they were there, and makes any other move where that strategy would pass. Under misère play, where a pass may be
//! wanted, it is a rule of the game as it is played here.
//!
//! ```text
//! land = who vertices edge…       who: 0 for Short, 1 for Cut
//! edge = vertex vertex            the smaller first; edges sorted; the terminals are 0 and 1
//! ```
//!
//! A number below 128 is a byte; a larger one is two, of which the first has the highest bit.
//!
//! Who moves belongs to the land, so that lands do not add up: a position has one land, or none.

mod board;

use std::fmt::Write;
use std::ops::ControlFlow;

pub use board::{Board, Player};
use sproutnet_notation::GameCode;

use super::node_kayles;
use crate::graphs::{Graph, MOST_VERTICES, text};
use crate::picture::{Panel, Picture, Shape};
use crate::{EncodingError, Game, Generator, Land, OptionSink, ParseError, Position};

/// The largest number of vertices, and of edges.
const MOST: (usize, usize) = (1024, 4096);

/// The largest board of Gale's game: it has 994 vertices.
const LARGEST_GALE: usize = 32;

/// The text of a position in which a player has reached his aim.
const OVER: &str = "0";

/// The rules of the switching game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Switching;

impl Game for Switching {
    fn name(&self) -> &'static str {
        "switching"
    }

    fn code(&self) -> GameCode {
        GameCode(b'H')
    }

    fn encoding_version(&self) -> u32 {
        1
    }

    fn rules(&self) -> &'static str {
        "Short secures an edge to join two vertices, Cut deletes one to separate them"
    }

    fn notation(&self) -> &'static str {
        "switching:GRAPH/TERMINAL,TERMINAL/short, or /cut if Cut moves"
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "gale(2)/short",
            "grid(2,4)/0,7/cut",
            "D?{/0,4/short",
            "complete(4)/0,1/cut",
            "0-2*2,1-2,0-3,1-3*3,2-3/0,1/short",
        ]
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
        match board.canonical() == board {
            true => Ok(Land::from_canonical(bytes)),
            false => Err(NO_BOARD),
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

/// The bytes of a board and who moves; `None` if a player has reached his aim.
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

/// Reads bytes: who moves, the number of vertices, and then each edge. `None` if they are no board with sorted edges.
fn decode(mut bytes: &[u8], mut edge: impl FnMut((usize, usize))) -> Option<(Player, usize)> {
    let (who, rest) = bytes.split_first()?;
    bytes = rest;
    let player = match who {
        0 => Player::Short,
        1 => Player::Cut,
        _ => return None,
    };
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

/// The number of edges in the bytes of a land, which no play has more moves than; `None` if they are no board.
fn edges_in(bytes: &[u8]) -> Option<u32> {
    let mut edges = 0;
    decode(bytes, |_| edges += 1)?;
    (1..=MOST.1 as u32).contains(&edges).then_some(edges)
}

/// The board of a land and who moves.
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

/// Writes a board in its canonical form: by the name `gale(N)`, or as its edges.
fn write(board: &Board, player: Player) -> String {
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
fn read(text: &str) -> Result<Position, ParseError> {
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

/// Reads a graph: edges such as `0-1*2,1-2`, `gale(N)`, or as in other games. Unless it is `gale(N)`, its terminals are the
/// first and the last vertex.
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

/// A board as discs and lines, with the terminals marked, numbers at places of several edges, and who moves. Of a board
/// too large for that, its size is told.
fn panel((board, player): &(Board, Player)) -> Panel {
    let mut panel = Panel::default();
    if board.vertices <= MOST_VERTICES {
        let pairs = board.pairs();
        let mut graph = Graph::empty(board.vertices);
        pairs
            .keys()
            .for_each(|&(one, other)| graph.join(one, other));
        panel = node_kayles::panel(&graph);
        let places: Vec<_> = panel
            .shapes
            .iter()
            .filter_map(|shape| match *shape {
                Shape::Dot(at, _) => Some(at),
                _ => None,
            })
            .collect();
        for shape in &mut panel.shapes {
            if let Shape::Dot(at, radius) = *shape
                && places[..2].contains(&at)
            {
                *shape = Shape::Mark(at, radius);
            }
        }
        for (&(one, other), &edges) in pairs.iter().filter(|(_, edges)| **edges > 1) {
            let (one, other) = (places[one], places[other]);
            let middle = (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1));
            panel.shapes.push(Shape::Text(middle, format!("×{edges}")));
        }
    } else {
        panel.row(
            0,
            &format!("{} vertices, {} edges", board.vertices, board.edges.len()),
        );
    }
    panel.row(
        0,
        match player {
            Player::Short => "Short moves",
            Player::Cut => "Cut moves",
        },
    );
    panel
}

#[cfg(test)]
mod tests;
