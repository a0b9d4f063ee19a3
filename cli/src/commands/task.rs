//! Long work on a store, with progress and a clean stop on Ctrl-C.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sproutnet_game as game;
use sproutnet_store::{Copy, Step, Store, StoreError, Watch};

use crate::args::Common;
use crate::exit::{BadInput, Exit};
use crate::terminal::status_line::StatusLine;
use crate::terminal::text;

/// The update interval of the status line.
const OFTEN: Duration = Duration::from_millis(100);

/// An interrupt by the user.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

/// Ends the process at the next Ctrl-C.
pub(crate) fn exit_on_ctrl_c() {
    tokio::spawn(async {
        if tokio::signal::ctrl_c().await.is_ok() {
            std::process::exit(130);
        }
    });
}

/// Runs work on its own thread. Ctrl-C stops it and prints `hint`, which says how to go on. A second Ctrl-C ends the
/// process.
pub(crate) async fn run(
    json: bool,
    hint: &str,
    work: impl FnOnce(Watch<'_>) -> anyhow::Result<Exit> + Send + 'static,
) -> anyhow::Result<Exit> {
    let line = StatusLine::new(!json);
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let mut working = {
        let (line, is_interrupted) = (line.clone(), Arc::clone(&is_interrupted));
        tokio::task::spawn_blocking(move || {
            let mut shown: Option<Instant> = None;
            work(&mut |step: Step| {
                if shown.is_none_or(|shown| shown.elapsed() > OFTEN) {
                    shown = Some(Instant::now());
                    line.set(describe(step));
                }
                if is_interrupted.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })
        })
    };
    let ended = tokio::select! {
        ended = &mut working => ended,
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            is_interrupted.store(true, Ordering::Relaxed);
            exit_on_ctrl_c();
            working.await
        }
    };
    line.clear();
    match ended? {
        Err(error) if error.is::<Interrupted>() => {
            eprintln!("interrupted; {hint}");
            Ok(Exit::Unknown)
        }
        ended => ended,
    }
}

fn describe(step: Step) -> String {
    let Step { what, done, of } = step;
    let percent = 100 * done.min(of) / of.max(1);
    format!(
        "{what}: {} of {} ({percent} %)",
        text::count(done),
        text::count(of)
    )
}

/// Refuses a folder without a store.
pub(crate) fn check_is_store(dir: &Path) -> Result<(), BadInput> {
    let problem = || {
        let dir = dir.display();
        BadInput(format!(
            "there is no store in {dir}; --data names its folder"
        ))
    };
    Store::is_in(dir).then_some(()).ok_or_else(problem)
}

/// Opens the store of `--data`.
pub(crate) fn open(common: &Common) -> anyhow::Result<Store> {
    Store::open(&common.data, &game::encodings()).map_err(of_store)
}

/// An open store. If it is in the folder of a copy, also the copy.
pub(crate) type Opened = (Store, Option<Copy>);

/// Opens the store of `--data` to read it, or a copy of it if it is in use or read-only.
pub(crate) fn open_to_read(common: &Common) -> anyhow::Result<Opened> {
    match Store::open(&common.data, &game::encodings()) {
        Err(error) if error.is_of_place() => {
            let copy = copy(&common.data)?;
            let store = Store::open(copy.path(), &game::encodings()).map_err(of_store)?;
            Ok((store, Some(copy)))
        }
        opened => Ok((opened.map_err(of_store)?, None)),
    }
}

/// Copies the store in a folder, and prints a note.
pub(crate) fn copy(data: &Path) -> anyhow::Result<Copy> {
    let copy = Copy::of(data).map_err(of_store)?;
    let (data, bytes) = (data.display(), text::bytes(copy.bytes()));
    let why = if copy.is_of_busy() {
        "in use by another process"
    } else {
        "read-only"
    };
    eprintln!("note: the store in {data} is {why}; this reads a copy of it, made now ({bytes})");
    Ok(copy)
}

/// An error of the store, with advice. An invalid file becomes [`BadInput`].
pub(crate) fn of_store(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::InUse { .. } => anyhow::anyhow!(
            "{error}; if that is a coordinator, stop it first or name a copy of the store"
        ),
        StoreError::Stopped => Interrupted.into(),
        StoreError::Unusable { .. } => BadInput(error.to_string()).into(),
        error => error.into(),
    }
}

/// The current time, in seconds since 1970; 0 before that.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}
