//! Pages for people: complete without a script, kept fresh by a small one.
//!
//! - [`front`]: the [`tables`], the [`fleet`], the list of computations.
//! - [`computations`]: that list; one computation: its progress, its open branches.
//! - [`position`]: a position, its outcomes, and its moves; [`drawings`]: its picture.
//! - [`board`]: a match on one drawing; [`editor`]: a position drawn by hand; [`share`]: short addresses of matches.
//! - [`help`]: the rules, the notation, the terms; [`references`]: the publications that are cited; [`requests`]: what
//!   programs can ask.
//! - [`audit_log`]: who changed what. [`forms`]: the handlers of forms, and signing in.
//! - [`static_site`]: pages without a coordinator.
//! - [`problem`]: problems as pages.
//! - [`preview`]: the picture that is shown with a link to a page.
//! - [`layout`]: the common parts of pages; [`words`]: their words; [`files`]: the style and the scripts;
//!   [`inlined`]: the style inside a page.
//! - [`plot`]: curves over time.

mod audit_log;
mod board;
mod computations;
pub(super) mod drawings;
mod editor;
mod files;
mod fleet;
mod forms;
mod front;
mod help;
pub(super) mod inlined;
mod layout;
mod plot;
mod position;
mod preview;
pub(super) mod problem;
mod references;
mod requests;
mod share;
pub(super) mod static_site;
mod tables;
mod words;

use std::sync::{Arc, LazyLock};
use std::time::Instant;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post};
use maud::Markup;
use sproutnet_board::sheets::Sheets;
use sproutnet_coordinator::{Coordinator, CoordinatorError};

use super::access::{Access, permitted};
use super::entity_tag::tagged;
use super::links;
use super::problem::Problem;
use board::Presence;
use layout::Script;
use preview::Preview;

/// The maximum size of a form, in bytes: the longest position takes a few thousand.
const LONGEST_FORM: usize = 64 * 1024;

/// The pages, by who may see them.
pub(super) struct Pages {
    /// For users who signed in.
    pub(super) kept: Router,
    /// For everyone.
    pub(super) open: Router,
}

/// The state that the pages share.
struct Site {
    coordinator: Arc<Coordinator>,
    access: Arc<Access>,
    sheets: Sheets,
    presence: Arc<Presence>,
}

/// The pages of a coordinator.
pub(super) fn of(coordinator: Arc<Coordinator>, access: Arc<Access>) -> Pages {
    let site = Arc::new(Site {
        coordinator,
        access,
        sheets: Sheets::default(),
        presence: Arc::default(),
    });
    let kept = Router::new()
        .route("/", get(front::page).layer(from_fn(tagged)))
        .route("/positions", get(forms::look_up))
        .route("/positions/{position}", get(position::page))
        .route("/positions/{position}/line", get(position::line))
        .route(
            "/positions/{position}/drawing.svg",
            get(drawings::file).layer(from_fn(tagged)),
        )
        .route("/api", get(requests::page).layer(from_fn(tagged)))
        .route("/audit-log", get(audit_log::page))
        .route("/fleet", get(fleet::page).layer(from_fn(tagged)))
        .route("/help", get(help::page))
        .route("/references", get(references::page))
        .route("/references.bib", get(references::file))
        .route("/board", get(board::begin))
        .route("/board/{played}", get(board::page))
        .route("/board/{played}/review", get(board::review))
        .route(
            "/board/{played}/picture.svg",
            get(board::file).layer(from_fn(tagged)),
        )
        .route(
            "/board/{played}/preview.png",
            get(board::preview).layer(from_fn(tagged)),
        )
        .route("/match", get(board::elsewhere).post(board::invite))
        .route("/match/{name}", get(board::shared).post(board::draw))
        .route(
            "/match/{name}/preview.png",
            get(board::shared_preview).layer(from_fn(tagged)),
        )
        .route("/match/{name}/join", post(board::join))
        .route("/match/{name}/resign", post(board::resign))
        .route("/match/{name}/rematch", post(board::rematch))
        .route("/match/{name}/events", get(board::events))
        .route(links::SHORT, post(share::make))
        .route("/s/{name}", get(share::go))
        .route("/s/{name}/share", get(share::page))
        .route("/lesson", get(board::lesson))
        .route("/lesson/{step}", get(board::step))
        .route("/puzzles", get(board::puzzles))
        .route("/puzzles/sheet", get(board::puzzle_sheet))
        .route("/puzzles/{puzzle}", get(board::puzzle))
        .route(
            "/puzzles/{puzzle}/picture.svg",
            get(board::puzzle_picture).layer(from_fn(tagged)),
        )
        .route("/editor", get(editor::begin))
        .route("/editor/{edits}", get(editor::page))
        .route(
            "/editor/{edits}/picture.svg",
            get(editor::file).layer(from_fn(tagged)),
        )
        .route(
            "/editor/{edits}/preview.png",
            get(editor::preview).layer(from_fn(tagged)),
        )
        .route("/computations", get(forms::to_list).post(forms::start))
        .route("/computations/{id}", get(computations::page))
        .route("/computations/{id}/{change}", post(forms::change))
        .route_layer(from_fn(permitted))
        .fallback(problem::not_found)
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .with_state(Arc::clone(&site));
    let open = Router::new()
        .route("/login", get(forms::sign_in_page).post(forms::sign_in))
        .route("/logout", post(forms::sign_out))
        .layer(DefaultBodyLimit::max(LONGEST_FORM))
        .with_state(site)
        .merge(files::routes());
    Pages { kept, open }
}

impl Site {
    /// Asks the coordinator, on a thread that may block.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
    ) -> Result<T, Problem> {
        crate::ask(&self.coordinator, question).await
    }

    /// A whole page.
    fn page(&self, title: &str, script: Option<Script>, content: &Markup) -> Markup {
        self.page_with(title, script, None, content)
    }

    /// A page of the board, under this origin.
    fn page_of(&self, page: sproutnet_board::Page, origin: Option<String>) -> Markup {
        let script = page.script.map(|script| match script {
            sproutnet_board::Script::Board => Script::Board,
            sproutnet_board::Script::Review => Script::Review,
        });
        let preview = page.preview.zip(origin);
        let preview = preview.map(|(of, origin)| Preview::new(of, origin));
        self.page_with(&page.title, script, preview.as_ref(), &page.content)
    }

    /// The same with a preview for links to it.
    fn page_with(
        &self,
        title: &str,
        script: Option<Script>,
        preview: Option<&Preview>,
        content: &Markup,
    ) -> Markup {
        layout::page(title, script, preview, self.access.wants_token(), content)
    }
}

/// What browsers may load, run and show on a page. The style inside a page is allowed by its digest.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'self'; style-src 'self' {}; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
        *inlined::SOURCE
    );
    HeaderValue::try_from(policy).expect("a policy is printable ASCII")
});

/// Makes browsers load and run only files of this site, and send no referrer to other sites.
pub(super) async fn with_headers(mut response: Response) -> Response {
    const HEADERS: [(HeaderName, &str); 3] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let headers = response.headers_mut();
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| POLICY.clone());
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}
