//! Puzzles: positions with exactly one winning move. The solver proves the outcome of every move, so a puzzle has one
//! answer for certain.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use quick_cache::sync::Cache;
use sproutnet_coordinator::{Coordinator, CoordinatorError};
use sproutnet_drawing::sheet::{Sheet, SheetPicture};
use sproutnet_game::{self as game, Game, Position, Sprouts};
use sproutnet_model::Known;
use sproutnet_solver::play::Play;

use super::form;
use super::state::{People, Terms};
use super::task::{Grade, PUZZLES, Puzzle, Task};
use crate::extract::{At, Name};
use crate::links;
use crate::pages::Site;
use crate::pages::pick;
use crate::pages::words::{self, capital};
use crate::problem::Problem;

/// The number of puzzles of a grade on the sheet.
const ON_THE_SHEET: u32 = 6;

/// The time limit for one puzzle, and for the outcomes of the moves of one candidate.
const WITHIN: Duration = Duration::from_secs(8);
const EACH: Duration = Duration::from_millis(500);

/// The maximum number of puzzles in the cache.
const KEPT: usize = 200;

/// The puzzles that were found.
pub(in crate::pages) struct Found(Cache<Puzzle, Arc<Position>>);

impl Default for Found {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Name for Puzzle {
    const MISSING: &'static str = "there is no such puzzle";
}

/// The numbers that make a puzzle of a grade.
struct Measure {
    /// The numbers of spots at the start.
    spots: [u64; 2],
    /// The numbers of moves until the position.
    moves: [u64; 2],
    /// The numbers of options.
    options: [usize; 2],
}

impl Grade {
    fn measure(self) -> Measure {
        match self {
            Self::Easy => Measure {
                spots: [2, 4],
                moves: [1, 4],
                options: [3, 8],
            },
            Self::Medium => Measure {
                spots: [3, 4],
                moves: [1, 4],
                options: [9, 14],
            },
            Self::Hard => Measure {
                spots: [4, 5],
                moves: [1, 5],
                options: [15, 40],
            },
        }
    }
}

impl Puzzle {
    /// The convention: odd numbers are normal play.
    pub(super) fn play(self) -> Play {
        match self.number % 2 {
            1 => Play::Normal,
            _ => Play::Misere,
        }
    }
}

/// The address of a puzzle.
pub(super) fn address(puzzle: Puzzle) -> String {
    format!("/puzzles/{puzzle}")
}

/// The list of puzzles, which is also a sheet to print.
pub(in crate::pages) async fn list(State(site): State<Arc<Site>>) -> Markup {
    let content = html! {
        div.hero {
            h1 { "Find the only winning move" }
            p {
                "In each of these positions one line wins, and all others lose. The solver has proved it. Each grade has "
                (PUZZLES) " puzzles; these are the first. Odd numbers are normal play, even numbers misère play."
            }
            p.unprinted { "This page is also a sheet to print." }
        }
        @for grade in Grade::ALL {
            section aria-labelledby=(grade.name()) {
                h2 #(grade.name()) { (capital(grade.name())) }
                ul.boards.wide.puzzles {
                    @for number in 1..=ON_THE_SHEET { (small(Puzzle { grade, number })) }
                }
                p.unprinted {
                    a href=(address(Puzzle { grade, number: ON_THE_SHEET + 1 })) { "More " (grade.name()) " ones" }
                }
            }
        }
    };
    site.page("Puzzles", None, &content)
}

fn small(puzzle: Puzzle) -> Markup {
    let link = address(puzzle);
    html! {
        li {
            a.small-board href=(link) {
                img.way src={ (link) "/picture.svg" } alt="" loading="lazy" decoding="async" width="176" height="176";
                span { (puzzle.grade.name()) " " (puzzle.number) ", " (words::play(puzzle.play())) }
            }
        }
    }
}

/// Redirects to the board with a puzzle.
pub(in crate::pages) async fn page(
    State(site): State<Arc<Site>>,
    At(puzzle): At<Puzzle>,
) -> Result<Redirect, Problem> {
    let position = found(&site, puzzle).await?;
    let text = game::qualified(&Sprouts, &Sprouts.print(&position));
    let text = crate::blocking(move || form::drawn(&text)).await??;
    let terms = Terms {
        play: puzzle.play(),
        you: People::Both,
        task: Some(Task::Puzzle(puzzle)),
        ..Terms::default()
    };
    Ok(Redirect::to(&links::board(&text, "", terms)))
}

/// The drawing of a puzzle.
pub(in crate::pages) async fn picture(
    State(site): State<Arc<Site>>,
    At(puzzle): At<Puzzle>,
) -> Result<Response, Problem> {
    let position = found(&site, puzzle).await?;
    let drawn = move || {
        let sheet = Sheet::of(&position).map_err(|error| Problem::bad(error.to_string()))?;
        Ok(sheet.svg(SheetPicture {
            style: true,
            small: true,
            ..SheetPicture::default()
        }))
    };
    let drawn: Result<String, Problem> = crate::blocking(drawn).await?;
    Ok(pick::as_file(drawn?).into_response())
}

/// The position of a puzzle, from the cache or found now.
async fn found(site: &Arc<Site>, puzzle: Puzzle) -> Result<Arc<Position>, Problem> {
    if let Some(position) = site.puzzles.0.get(&puzzle) {
        return Ok(position);
    }
    let position = site.ask(move |coordinator, now| find(coordinator, puzzle, now + WITHIN));
    let position = position.await?.ok_or_else(|| {
        let text = "the solver found no puzzle in time; try again";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, text.to_owned())
    })?;
    let position = Arc::new(position);
    site.puzzles.0.insert(puzzle, Arc::clone(&position));
    Ok(position)
}

/// Finds a puzzle: the same at every time, unless the time is up.
fn find(
    coordinator: &Coordinator,
    puzzle: Puzzle,
    until: Instant,
) -> Result<Option<Position>, CoordinatorError> {
    let measure = puzzle.grade.measure();
    let mut random = Random((u64::from(puzzle.number) << 2) | puzzle.grade as u64);
    while Instant::now() < until {
        let spots = random.between(measure.spots);
        let start = Sprouts::start(spots as u32);
        let mut position = Sprouts.parse(&start).expect("a start");
        for _ in 0..random.between(measure.moves) {
            let mut options = options(&position);
            if options.is_empty() {
                break;
            }
            position = options.swap_remove(random.below(options.len() as u64) as usize);
        }
        let count = options(&position).len();
        let fits = (measure.options[0]..=measure.options[1]).contains(&count);
        if fits && has_one_winning_move(coordinator, &position, puzzle.play(), until)? {
            // Some positions cannot be drawn well on one sheet.
            if Sheet::of(&position).is_ok_and(|sheet| sheet.fits_a_match()) {
                return Ok(Some(position));
            }
        }
    }
    Ok(None)
}

/// The options of a position, in order.
fn options(position: &Position) -> Vec<Position> {
    let mut options = Vec::new();
    let end = Sprouts.moves(position, &mut |option| {
        options.push(option);
        ControlFlow::Continue(())
    });
    debug_assert!(end.is_continue());
    options.sort_unstable();
    options.dedup();
    options
}

fn has_one_winning_move(
    coordinator: &Coordinator,
    position: &Position,
    play: Play,
    until: Instant,
) -> Result<bool, CoordinatorError> {
    let queries = &coordinator.queries;
    let lookup = queries.lookup(Arc::new(Sprouts), position.clone());
    let until = until.min(queries.until(EACH));
    let answer = queries.answer_under(&lookup, &[play], until)?;
    if answer.standing(play).outcome != Known::Win {
        return Ok(false);
    }
    let moves = queries.moves(&lookup, &answer, play, until)?;
    let count = |known| moves.iter().filter(|of| of.outcome(play) == known).count();
    Ok(count(Known::Win) == 1 && count(Known::Loss) + 1 == moves.len())
}

/// Numbers that look random (SplitMix64, by Steele, Lea and Flood), the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn between(&mut self, [low, high]: [u64; 2]) -> u64 {
        low + self.below(high + 1 - low)
    }
}
