//! `sproutnet draw`.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use sproutnet_drawing::{Drawing, Labels, SvgOptions};
use sproutnet_game as game;

use crate::args::{Draw, Written};
use crate::exit::{BadInput, Exit, bad_position};

/// Draws a position, without a coordinator.
pub(crate) fn run(draw: &Draw) -> anyhow::Result<Exit> {
    let text = &draw.position;
    let (game, position) = game::parse(text).map_err(|error| bad_position(text, &error))?;
    if game.name() != "sprouts" {
        let problem = format!(
            "only positions of sprouts can be drawn, not of {}",
            game.name()
        );
        return Err(BadInput(problem).into());
    }
    let drawing = Drawing::of(&position).map_err(|error| BadInput(error.to_string()))?;
    let look = SvgOptions {
        labels: match draw.labels {
            Written::None => Labels::None,
            Written::Lives => Labels::Lives,
            Written::Names => Labels::Names,
        },
        ..SvgOptions::default()
    };
    let svg = drawing.svg(&look);
    match draw.output.as_deref() {
        Some(file) if file != Path::new("-") => {
            let written = std::fs::write(file, svg);
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        _ => std::io::stdout().lock().write_all(svg.as_bytes())?,
    }
    Ok(Exit::Fine)
}
