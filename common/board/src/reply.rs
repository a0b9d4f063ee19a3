//! What an address leads to.

use maud::Markup;

/// The answer to an address.
pub enum Reply {
    /// Another address.
    To(String),
    /// A page.
    Page(Page),
}

/// A page, but for the parts that all pages of a site have.
pub struct Page {
    /// The title.
    pub title: String,
    /// The script that it needs.
    pub script: Option<Script>,
    /// The content.
    pub content: Markup,
    /// What is shown with a link to it.
    pub preview: Option<Preview>,
}

/// The script of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Draws lines by hand.
    Board,
    /// Steps from move to move by keys.
    Review,
}

/// What is shown with a link to a match.
pub struct Preview {
    /// The match.
    pub title: String,
    /// Its state.
    pub description: String,
    /// The address of its page.
    pub page: String,
    /// The address of its picture.
    pub picture: String,
}

impl Page {
    /// A page without a script.
    pub(crate) fn plain(title: &str, content: Markup) -> Self {
        Self {
            title: title.to_owned(),
            script: None,
            content,
            preview: None,
        }
    }
}
