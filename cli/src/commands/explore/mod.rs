//! `sproutnet explore`: a walk through positions, move by move.
//!
//! - [`walk`]: the positions so far, and what is known about the last one.
//! - [`screen`]: on a terminal, with keys.
//! - [`page`]: what is drawn there.
//! - [`lines`]: without a terminal, with a command on each line.

mod lines;
mod page;
mod screen;
mod walk;

use crate::args::{Common, Explore};
use crate::commands::roots;
use crate::exit::Exit;
use crate::remote::cluster::Cluster;
use crate::terminal::canvas::Canvas;
use walk::Walk;

/// Explores a position on the terminal, or as lines on standard input say.
pub(crate) async fn run(explore: Explore, common: Common) -> anyhow::Result<Exit> {
    let start = roots::canonical(&roots::typed(&explore.position)?)?;
    let walk = Walk::from(start, explore.play);
    let within = explore.within.0;
    let cluster = Cluster::connect_to_ask(&common).await?;
    match Canvas::is_possible() && !common.json {
        true => screen::run(cluster, walk, within).await,
        false => lines::run(cluster, walk, within, common.json).await,
    }
}
