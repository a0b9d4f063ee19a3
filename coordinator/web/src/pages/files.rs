//! The style, the scripts and the icon. Their addresses contain a hash of their content, so browsers may
//! keep them for ever.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use sproutnet_drawing::SvgOptions;
use sproutnet_drawing::sheet::SheetPicture;

/// A file that is a part of the program.
pub(super) struct File {
    /// The path at which it is served.
    pub(super) path: String,
    kind: &'static str,
    /// Its content.
    pub(super) text: String,
}

/// The mark beside the name, drawn in the colour of the text.
pub(super) const MARK: &str = include_str!("mark.svg");

/// The style of pages, and of the drawings on them.
pub(super) static STYLE: LazyLock<File> = LazyLock::new(|| {
    let parts = [
        include_str!("style.css"),
        include_str!("texts.css"),
        SvgOptions::STYLE,
        SheetPicture::STYLE,
        include_str!("board.css"),
        include_str!("editor.css"),
    ];
    File::new("style.css", "text/css; charset=utf-8", &parts)
});

/// The script that keeps pages fresh.
pub(super) static LIVE: LazyLock<File> =
    LazyLock::new(|| script("live.js", &[include_str!("live.js")]));

/// The script of the front page: it keeps the page fresh, and draws a first line.
pub(super) static FRONT: LazyLock<File> =
    LazyLock::new(|| script("front.js", &[BOARD_SCRIPT, include_str!("live.js")]));

/// The script that draws lines on the board.
pub(super) static BOARD: LazyLock<File> = LazyLock::new(|| script("board.js", &[BOARD_SCRIPT]));

/// The script of the editor: it puts spots, and draws lines.
pub(super) static EDITOR: LazyLock<File> =
    LazyLock::new(|| script("editor.js", &[BOARD_SCRIPT, include_str!("editor.js")]));

/// The script of a match between two devices: it draws lines.
pub(super) static MATCH: LazyLock<File> = LazyLock::new(|| {
    let parts = [BOARD_SCRIPT, include_str!("match.js"), COPY_SCRIPT];
    script("match.js", &parts)
});

/// The script that copies an address.
pub(super) static SHARE: LazyLock<File> = LazyLock::new(|| script("share.js", &[COPY_SCRIPT]));

/// The script of a review: it steps from move to move.
pub(super) static REVIEW: LazyLock<File> =
    LazyLock::new(|| script("review.js", &[include_str!("review.js")]));

/// The script of the board of a site without a coordinator.
pub(super) static PLAY: LazyLock<File> = LazyLock::new(|| {
    let parts = [
        BOARD_SCRIPT,
        include_str!("review.js"),
        include_str!("static_site/play.js"),
    ];
    script("play.js", &parts)
});

const BOARD_SCRIPT: &str = include_str!("board.js");
const COPY_SCRIPT: &str = include_str!("copy.js");

/// A script. It begins with `become.js`, which makes one element like another.
fn script(name: &str, parts: &[&str]) -> File {
    let parts = [&[include_str!("become.js")], parts].concat();
    File::new(name, "text/javascript; charset=utf-8", &parts)
}

/// The icon of the tab.
pub(super) static ICON: LazyLock<File> =
    LazyLock::new(|| File::new("icon.svg", "image/svg+xml", &[include_str!("icon.svg")]));

impl File {
    fn new(name: &str, kind: &'static str, parts: &[&str]) -> Self {
        let mut hasher = DefaultHasher::new();
        parts.hash(&mut hasher);
        Self {
            path: format!("/static/{:016x}/{name}", hasher.finish()),
            kind,
            text: parts.concat(),
        }
    }
}

/// The files, for everyone.
pub(super) fn routes() -> Router {
    let mut routes = Router::new();
    for file in [
        &STYLE, &LIVE, &FRONT, &BOARD, &EDITOR, &MATCH, &SHARE, &REVIEW, &ICON,
    ] {
        let kind = (header::CONTENT_TYPE, file.kind);
        let for_ever = "public, max-age=31536000, immutable";
        let headers = [kind, (header::CACHE_CONTROL, for_ever)];
        routes = routes.route(&file.path, get(async move || (headers, &*file.text)));
    }
    routes
}

#[cfg(test)]
mod tests;
