//! The common parts of pages.

use maud::{Markup, html};

/// A section with a heading. The script replaces the content of a live one.
pub fn section(id: &str, title: &str, is_live: bool, content: &Markup) -> Markup {
    let heading = format!("{id}-title");
    html! {
        section id=(id) data-live[is_live] aria-labelledby=(heading) {
            h2 id=(heading) { (title) }
            (content)
        }
    }
}

/// A choice in a form, as values and their texts. The first is chosen.
pub fn choice(legend: &str, name: &str, options: &[(&str, &str)]) -> Markup {
    html! {
        fieldset {
            legend { (legend) }
            @for (i, (value, text)) in options.iter().enumerate() {
                label {
                    input type="radio" name=(name) value=(value) checked[i == 0];
                    (text)
                }
            }
        }
    }
}

/// A column of a table: its title, and its class, which may be empty.
pub type Column = (&'static str, &'static str);

/// A list as a table. The first cell of a row names the row. On a narrow screen, the style shows each
/// other cell with the title of its column.
pub fn table<const N: usize>(
    caption: &str,
    columns: [Column; N],
    rows: impl Iterator<Item = [Markup; N]>,
) -> Markup {
    let class = |name: &'static str| (!name.is_empty()).then_some(name);
    html! {
        table.list {
            caption.unseen { (caption) }
            thead {
                tr {
                    @for (title, kind) in columns { th class=[class(kind)] scope="col" { (title) } }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        th scope="row" { (row[0]) }
                        @for (cell, (title, kind)) in row.iter().zip(columns).skip(1) {
                            td class=[class(kind)] data-label=(title) { (cell) }
                        }
                    }
                }
            }
        }
    }
}
