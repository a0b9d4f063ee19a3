//! Pages for people: written here, complete without a script, kept fresh by a small one.
//!
//! - [`front`]: the tables, how the fleet does, what is under way.
//! - [`computation`]: one computation, how it goes, and where it is.
//! - [`position`]: a position, what is known of it, and its moves; [`drawings`]: its picture.
//! - [`play`]: a match against the solver.
//! - [`requests`]: what forms ask for.
//! - [`sign_in`]: where the token is asked for.
//! - [`problem`]: what goes wrong, as pages.
//! - [`layout`]: what all pages have in common; [`words`]: how things are called; [`files`]: the style
//!   and the script.
//! - [`outcomes`] and [`conjecture`]: what the tables show; [`plot`]: curves.

mod computation;
mod computations;
mod conjecture;
mod day;
mod drawings;
mod files;
mod fleet;
mod front;
mod layout;
mod outcomes;
mod play;
mod plot;
mod position;
mod problem;
mod requests;
mod sign_in;
mod table_picture;
mod words;

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use axum::routing::{get, post};
use sproutnet_drawing::DrawingError;
use sproutnet_game::Position;

use super::access::Access;
use super::ask::ask;
use drawings::{Drawings, Kind};
use problem::Problem;
use sproutnet_coordinator::{Coordinator, CoordinatorError};

/// Forms are not larger: the longest position takes a few thousand bytes.
const LONGEST_FORM: usize = 64 * 1024;

/// The pages by who may see them.
pub(super) struct Pages {
    /// For those who signed in.
    pub(super) kept: Router,
    /// For all.
    pub(super) open: Router,
}

/// What pages are made of.
struct Site {
    coordinator: Arc<Coordinator>,
    access: Arc<Access>,
    drawings: Drawings,
}

/// The pages of a coordinator.
pub(super) fn of(coordinator: Arc<Coordinator>, access: Arc<Access>) -> Pages {
    let site = Arc::new(Site {
        coordinator,
        access,
        drawings: Drawings::default(),
    });
    let kept = Router::new()
        .route("/", get(front::page))
        .route("/positions", get(requests::look_up))
        .route("/positions/{position}", get(position::page))
        .route("/positions/{position}/drawing.svg", get(drawings::file))
        .route("/play", get(play::begin))
        .route("/play/{position}", get(play::page))
        .route(
            "/computations",
            get(requests::to_list).post(requests::start),
        )
        .route("/computations/{id}", get(computation::page))
        .route("/computations/{id}/{change}", post(requests::change))
        .fallback(problem::not_found)
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .with_state(Arc::clone(&site));
    let open = Router::new()
        .route("/login", get(sign_in::page).post(sign_in::sign_in))
        .route("/logout", post(sign_in::sign_out))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .with_state(site)
        .merge(files::routes());
    Pages { kept, open }
}

impl Site {
    /// Asks the coordinator something, which may take its lock or wait for the disk.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
    ) -> Result<T, Problem> {
        ask(&self.coordinator, question).await
    }

    /// Draws a position of Sprouts, unless it cannot be drawn.
    async fn draw(
        self: &Arc<Self>,
        position: Position,
        kind: Kind,
    ) -> Result<Result<Arc<str>, DrawingError>, Problem> {
        let site = Arc::clone(self);
        let drawn = tokio::task::spawn_blocking(move || site.drawings.of(&position, kind));
        drawn.await.map_err(|error| Problem::fault(&error))
    }
}

/// Makes browsers load and run only what comes from here, and send no referrer.
pub(super) async fn with_headers(mut response: Response) -> Response {
    const HEADERS: [(HeaderName, &str); 4] = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
             frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
