//! A match on one drawing, to which each move adds lines. It begins with some spots, or with a drawing of any position.
//! The address contains the whole match as it was drawn: it can be shared, and the browser's back button takes moves
//! back. So the page of a match follows from its address and the knowledge of a [`Solver`], with a server or without.
//!
//! - [`open`](fn@open): the page at any address; [`Host`]: what the pages need of their site.
//! - [`page`]: the page of a match. [`state`]: a match, as its address describes it: its `start`, and in the query what
//!   is in [`address`].
//! - [`form`]: the forms that begin a match.
//! - [`picture`]: the drawing, on the page and as a file; [`pick`]: the choice of spots and lines on it; [`sheets`]:
//!   a cache of drawings.
//! - `opponent`: the moves of the solver; `level`: how often they are random.
//! - [`talk`]: the text beside the drawing.
//! - `task` and `tasks`: matches in which one line is asked for: the [`lesson`], and [`puzzles`] from the
//!   [`collection`]; [`worksheet`]: puzzles to print.
//! - [`review`]: a match, move by move; [`line`](mod@line): a line of play as a match.
//! - [`links`]: addresses; [`parts`]: the common parts of pages; [`words`]: their words.
//!
//! Without a script, a reader chooses spots by links. With the script, a reader draws by hand: the script sends the
//! points, and shows the page that answers.

pub mod address;
pub mod collection;
pub mod form;
mod host;
pub mod lesson;
mod level;
pub mod line;
pub mod links;
mod open;
mod opponent;
pub mod page;
pub mod parts;
pub mod pick;
pub mod picture;
mod problem;
pub mod puzzles;
mod reply;
pub mod review;
pub mod sheets;
mod solver;
mod start;
pub mod state;
pub mod talk;
mod task;
mod tasks;
pub mod words;
pub mod worksheet;

pub use host::{Around, Host};
pub use open::open;
pub use problem::Problem;
pub use reply::{Page, Preview, Reply, Script};
pub use solver::{Effort, Question, Solver, SolverError};
