//! Cram: a move covers two adjacent free squares of a board. Gardner (1974) described it as Göbel's game.
//!
//! A land is a connected set of two or more squares, up to the eight symmetries of the board. It is written as `3x4`,
//! or row by row: `oo-/ooo` has `o` for a free square, `-` for any other, and `/` between rows.
//!
//! ```text
//! land = height width squares    a bit for each square, row by row, the highest bit of a byte first
//! ```
//!
//! Of the texts of all eight symmetries, the canonical one has the smallest bytes.

use std::ops::ControlFlow;

use smallvec::{SmallVec, smallvec};
use sproutnet_notation::{GameCode, Outcome};

use crate::graphs::members;
use crate::picture::{Panel, Picture, Shape};
use crate::sums::{print_sum, read_sum};
use crate::{EncodingError, Game, GameInfo, Generator, Land, OptionSink, ParseError, Position};

/// The maximum height and width.
const LONGEST: usize = 64;

/// The rules of Cram.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cram;

impl Game for Cram {
    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "cram",
            code: GameCode(b'C'),
            encoding_version: 1,
            rules: "a move covers two free squares that are beside or above each other",
            notation: "cram:HEIGHTxWIDTH+…, or row by row: cram:oo-/ooo",
            examples: &["3x4", "oo-/ooo+2x2", "-oo-/oooo/o--o", "1x9"],
            wants_nimbers: true,
        }
    }

    /// Boards of up to six rows and 64 squares, the smaller first.
    fn starts(&self) -> Vec<String> {
        let boards = (1..=6).flat_map(|height| (height..=16).map(move |width| (height, width)));
        let small = boards.filter(|(height, width)| height * width <= LONGEST);
        let mut boards: Vec<(usize, usize)> = small.collect();
        boards.sort_by_key(|&(height, width)| (height * width, height));
        let texts = boards.into_iter();
        texts
            .map(|(height, width)| format!("{height}x{width}"))
            .collect()
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let lands = position
            .lands()
            .iter()
            .map(|land| panel(&Board::of_bytes(land.as_bytes())));
        Some(Picture {
            caption: "The free squares. A move covers two that have a side in common.",
            lands: lands.collect(),
            rows: false,
        })
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        read_sum(text, |term| match term.trim() {
            "0" => Ok(Vec::new()),
            term => read(term).map(|board| board.lands()),
        })
    }

    fn print(&self, position: &Position) -> String {
        print_sum(position, |land| print(&Board::of_bytes(land.as_bytes())))
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes)?;
        let lands = Board::of_bytes(bytes).lands();
        let is_canonical = matches!(lands.as_slice(), [land] if land.as_bytes() == bytes);
        if is_canonical {
            Ok(Land::from_canonical(bytes))
        } else {
            Err(NO_BOARD)
        }
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let board = match *bytes {
            [height, width, ref squares @ ..] => {
                let sizes = [height, width].map(usize::from);
                let [height, width] = sizes;
                let is_board = sizes.iter().all(|size| (1..=LONGEST).contains(size))
                    && squares.len() == (height * width).div_ceil(8);
                is_board.then(|| Board::of_bytes(bytes))
            }
            _ => None,
        };
        let moves = board.map(|board| board.most_moves());
        moves.filter(|&moves| moves > 0).ok_or(NO_BOARD)
    }

    /// A half turn maps a board to itself, and no domino overlaps its image unless both squares, or one of them, are in
    /// the middle. If the middle is not free, the second player answers each move by its image. If it is two squares,
    /// the first player covers them, and does the same.
    fn by_symmetry(&self, position: &Position) -> Option<Outcome> {
        let [land] = position.lands() else {
            return None;
        };
        let board = Board::of_bytes(land.as_bytes());
        let (height, width) = (board.rows.len(), board.width());
        let turned = board.rows.iter().rev().map(|row| mirrored(*row, width));
        let has_middle = board.rows[height / 2] >> (width / 2) & 1 == 1;
        match (
            turned.eq(board.rows.iter().copied()),
            height % 2 + width % 2,
        ) {
            (false, _) => None,
            // Four squares meet in the middle.
            (true, 0) => Some(Outcome::Loss),
            (true, 1) => Some(Outcome::win_if(has_middle)),
            (true, _) => (!has_middle).then_some(Outcome::Loss),
        }
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

/// A row read from the other end.
fn mirrored(row: u64, width: usize) -> u64 {
    row.reverse_bits() >> (LONGEST - width)
}

const NO_BOARD: EncodingError = EncodingError {
    offset: 0,
    problem: "a land is a connected set of squares: its height, its width, and a bit for each square",
};

impl Generator for Cram {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let board = Board::of_bytes(land);
        for row in 0..board.rows.len() {
            let across = board.rows[row] & board.rows[row] >> 1;
            let down = board
                .rows
                .get(row + 1)
                .map_or(0, |next| next & board.rows[row]);
            let across = members(across).map(|at| [(row, 0b11 << at), (row, 0)]);
            let down = members(down).map(|at| [(row, 1 << at), (row + 1, 1 << at)]);
            for covered in across.chain(down) {
                let mut left = board.clone();
                for (row, squares) in covered {
                    left.rows[row] &= !squares;
                }
                for (part, moves) in left.parts() {
                    sink.land(&part, moves);
                }
                sink.end()?;
            }
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> usize {
        0
    }
}

/// Free squares: a number for each row, in which bit i is the square of column i.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Board {
    rows: SmallVec<[u64; 16]>,
}

type Bytes = SmallVec<[u8; 24]>;

impl Board {
    fn width(&self) -> usize {
        let all = self.rows.iter().fold(0, |all, row| all | row);
        (u64::BITS - all.leading_zeros()) as usize
    }

    /// The canonical bytes of each connected part of two squares or more, and its maximum number of moves.
    fn parts(&self) -> impl Iterator<Item = (Bytes, u32)> {
        let mut left = self.clone();
        std::iter::from_fn(move || {
            loop {
                let part = left.take_part()?;
                let moves = part.most_moves();
                if moves > 0 {
                    return Some((part.canonical(), moves));
                }
            }
        })
    }

    fn lands(&self) -> Vec<Land> {
        self.parts()
            .map(|(bytes, _)| Land::from_canonical(&bytes))
            .collect()
    }

    /// Removes a connected part, and moves it to the corner.
    fn take_part(&mut self) -> Option<Board> {
        let first = self.rows.iter().position(|&row| row != 0)?;
        let mut part: SmallVec<[u64; 16]> = smallvec![0; self.rows.len()];
        part[first] = 1 << self.rows[first].trailing_zeros();
        let mut grew = true;
        while grew {
            grew = false;
            for row in 0..part.len() {
                let above = if row > 0 { part[row - 1] } else { 0 };
                let below = part.get(row + 1).copied().unwrap_or(0);
                let reached = part[row] << 1 | part[row] >> 1 | above | below;
                let new = reached & self.rows[row] & !part[row];
                part[row] |= new;
                grew |= new != 0;
            }
        }
        for (row, taken) in self.rows.iter_mut().zip(&part) {
            *row &= !taken;
        }
        part.retain(|row| *row != 0);
        let shift = part.iter().map(|row| row.trailing_zeros()).min()?;
        part.iter_mut().for_each(|row| *row >>= shift);
        Some(Board { rows: part })
    }

    /// An upper bound on the number of moves: each covers a light and a dark square of a chessboard.
    fn most_moves(&self) -> u32 {
        const LIGHT: u64 = 0x5555_5555_5555_5555;
        let [mut light, mut dark] = [0, 0];
        for (i, row) in self.rows.iter().enumerate() {
            let pattern = if i % 2 == 0 { LIGHT } else { !LIGHT };
            light += (row & pattern).count_ones();
            dark += (row & !pattern).count_ones();
        }
        light.min(dark)
    }

    /// The board with rows and columns exchanged.
    fn transposed(&self) -> Board {
        let column = |at: usize| {
            let rows = self.rows.iter().enumerate();
            rows.fold(0, |column, (i, row)| column | (row >> at & 1) << i)
        };
        Board {
            rows: (0..self.width()).map(column).collect(),
        }
    }

    /// The smallest bytes of the symmetries of a board that lies in the corner.
    fn canonical(&self) -> Bytes {
        let (height, width) = (self.rows.len(), self.width());
        let mut best = Bytes::new();
        let mut try_all = |board: &Board, width: usize| {
            let mut board = board.clone();
            for _ in 0..2 {
                for _ in 0..2 {
                    let bytes = board.to_bytes(width);
                    if best.is_empty() || bytes < best {
                        best = bytes;
                    }
                    board.rows.reverse();
                }
                let rows = board.rows.iter();
                board.rows = rows.map(|&row| mirrored(row, width)).collect();
            }
        };
        if height <= width {
            try_all(self, width);
        }
        if width <= height {
            try_all(&self.transposed(), height);
        }
        best
    }

    fn to_bytes(&self, width: usize) -> Bytes {
        let mut bytes: Bytes = smallvec![self.rows.len() as u8, width as u8];
        bytes.resize(2 + (self.rows.len() * width).div_ceil(8), 0);
        for (i, &row) in self.rows.iter().enumerate() {
            for column in members(row) {
                let place = i * width + column;
                bytes[2 + place / 8] |= 0x80 >> (place % 8);
            }
        }
        bytes
    }

    /// Reads bytes of the right length.
    fn of_bytes(bytes: &[u8]) -> Board {
        let (height, width) = (usize::from(bytes[0]), usize::from(bytes[1]));
        let is_free = |place: usize| bytes[2 + place / 8] >> (7 - place % 8) & 1 == 1;
        let row = |i: usize| {
            let free = (0..width).filter(|column| is_free(i * width + column));
            free.fold(0, |row, column| row | 1 << column)
        };
        Board {
            rows: (0..height).map(row).collect(),
        }
    }
}

fn read(text: &str) -> Result<Board, String> {
    let rectangle = text.split_once('x').and_then(|(height, width)| {
        let size = |text: &str| text.trim().parse::<usize>().ok();
        size(height).zip(size(width))
    });
    let too_large = || format!("a board has up to {LONGEST} rows and columns");
    if let Some((height, width)) = rectangle {
        if height.max(width) > LONGEST {
            return Err(too_large());
        }
        let row = match width {
            0 => 0,
            _ => u64::MAX >> (LONGEST - width),
        };
        return Ok(Board {
            rows: smallvec![row; height],
        });
    }
    let mut board = Board {
        rows: SmallVec::new(),
    };
    for line in text.split('/').map(str::trim) {
        let mut row = 0;
        for (column, symbol) in line.chars().enumerate() {
            if column >= LONGEST {
                return Err(too_large());
            }
            match symbol {
                'o' => row |= 1 << column,
                '-' => {}
                _ => {
                    return Err(format!(
                        "expected a board such as `3x4` or `oo-/ooo`, found `{text}`"
                    ));
                }
            }
        }
        board.rows.push(row);
    }
    if board.rows.len() > LONGEST {
        return Err(too_large());
    }
    Ok(board)
}

fn print(board: &Board) -> String {
    let (height, width) = (board.rows.len(), board.width());
    let full = u64::MAX >> (LONGEST - width);
    if board.rows.iter().all(|&row| row == full) {
        return format!("{height}x{width}");
    }
    let square = |row: u64, column: usize| if row >> column & 1 == 1 { 'o' } else { '-' };
    let rows = board.rows.iter();
    let rows: Vec<String> = rows
        .map(|&row| (0..width).map(|column| square(row, column)).collect())
        .collect();
    rows.join("/")
}

fn panel(board: &Board) -> Panel {
    let rows = board.rows.iter().enumerate();
    let cells = rows.flat_map(|(i, &row)| {
        members(row).map(move |column| Shape::Cell((column as f64, i as f64)))
    });
    Panel {
        width: board.width() as f64,
        height: board.rows.len() as f64,
        shapes: cells.collect(),
    }
}
