//! Kayles: a move takes one pin or two adjacent ones from a row. What is left on either side is a row
//! of its own.
//!
//! A land is a row, written as its number of pins. `5+3` is a position of two rows. *Winning Ways*
//! (Berlekamp, Conway, Guy) gives the nimbers, Sibert and Conway (1992) the theory of misère play.

use std::ops::ControlFlow;

use sproutnet_notation::GameCode;

use super::{EncodingError, Game, Generator, Land, OptionSink, ParseError, Position};

/// The largest row that can be read.
const MAX_PINS: u32 = 10_000;

/// The rules of Kayles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kayles;

impl Game for Kayles {
    fn name(&self) -> &'static str {
        "kayles"
    }

    fn code(&self) -> GameCode {
        GameCode(b'K')
    }

    fn encoding_version(&self) -> u32 {
        1
    }

    fn wants_nimbers(&self) -> bool {
        true
    }

    fn start_text(&self, n: u32) -> String {
        n.to_string()
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        let mut rows = Vec::new();
        let mut column = 1;
        for row in text.split('+') {
            let pins = row.trim().parse().ok().filter(|&pins| pins <= MAX_PINS);
            rows.push(pins.ok_or_else(|| ParseError {
                column,
                problem: format!("expected a number of pins up to {MAX_PINS}, found `{row}`"),
            })?);
            column += row.chars().count() + 1;
        }
        Ok(position(rows))
    }

    fn print(&self, position: &Position) -> String {
        let rows: Vec<String> = position
            .lands()
            .iter()
            .map(|land| pins(land.as_bytes()).to_string())
            .collect();
        if rows.is_empty() {
            return "0".to_owned();
        }
        rows.join("+")
    }

    fn land(&self, bytes: &[u8]) -> Result<Land, EncodingError> {
        self.check(bytes).map(row)
    }

    fn check(&self, bytes: &[u8]) -> Result<u32, EncodingError> {
        let pins = <[u8; 2]>::try_from(bytes).map(|bytes| u32::from(u16::from_be_bytes(bytes)));
        match pins {
            Ok(pins) if (1..=MAX_PINS).contains(&pins) => Ok(pins),
            _ => Err(EncodingError {
                offset: 0,
                problem: "a row is its number of pins in two bytes",
            }),
        }
    }

    fn generator(&self) -> Box<dyn Generator> {
        Box::new(*self)
    }
}

impl Generator for Kayles {
    fn each_option(&self, land: &[u8], sink: &mut dyn OptionSink) -> ControlFlow<()> {
        let pins = pins(land);
        for taken in 1..=pins.min(2) {
            let left = pins - taken;
            for before in 0..=left / 2 {
                for pins in [before, left - before] {
                    if pins > 0 {
                        sink.land(&bytes(pins), pins);
                    }
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

fn position(rows: impl IntoIterator<Item = u32>) -> Position {
    Position::new(rows.into_iter().filter(|&pins| pins > 0).map(row).collect())
}

fn row(pins: u32) -> Land {
    Land::from_canonical(&bytes(pins))
}

fn bytes(pins: u32) -> [u8; 2] {
    let pins = u16::try_from(pins).expect("rows are limited when read and only shrink");
    pins.to_be_bytes()
}

fn pins(land: &[u8]) -> u32 {
    let bytes = <[u8; 2]>::try_from(land);
    u32::from(u16::from_be_bytes(bytes.expect("a row is two bytes")))
}

#[cfg(test)]
mod tests;
