//! The style, the script and the icon. Their addresses change with their content, so browsers keep them
//! for ever.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use sproutnet_drawing::SvgOptions;

/// A file that is a part of the program.
pub(super) struct File {
    name: &'static str,
    kind: &'static str,
    /// Its text, in parts that are served as one.
    parts: &'static [&'static str],
    path: LazyLock<String>,
}

/// The mark beside the name, drawn in the colour of the text.
pub(super) const MARK: &str = include_str!("mark.svg");

/// How pages look, and the drawings on them.
pub(super) static STYLE: File = File {
    name: "style.css",
    kind: "text/css; charset=utf-8",
    parts: &[include_str!("style.css"), SvgOptions::STYLE],
    path: LazyLock::new(|| path(&STYLE)),
};

/// What keeps pages fresh.
pub(super) static SCRIPT: File = File {
    name: "live.js",
    kind: "text/javascript; charset=utf-8",
    parts: &[include_str!("live.js")],
    path: LazyLock::new(|| path(&SCRIPT)),
};

/// The icon of the tab.
pub(super) static ICON: File = File {
    name: "icon.svg",
    kind: "image/svg+xml",
    parts: &[include_str!("icon.svg")],
    path: LazyLock::new(|| path(&ICON)),
};

impl File {
    /// Where it is served.
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

fn path(file: &File) -> String {
    let mut hasher = DefaultHasher::new();
    file.parts.hash(&mut hasher);
    format!("/static/{:016x}/{}", hasher.finish(), file.name)
}

/// The files for all.
pub(super) fn routes() -> Router {
    let mut routes = Router::new();
    for file in [&STYLE, &SCRIPT, &ICON] {
        let serve = async || {
            let for_ever = "public, max-age=31536000, immutable";
            let headers = [
                (header::CONTENT_TYPE, file.kind),
                (header::CACHE_CONTROL, for_ever),
            ];
            (headers, file.parts.concat()).into_response()
        };
        routes = routes.route(file.path(), get(serve));
    }
    routes
}
