//! Games as trees.

use super::bytes::{self, Parts};
use super::text;
use crate::Position;
use crate::picture::{At, Panel, Picture, Shape};

/// The maximum number of nodes of a drawn tree. Larger games are written.
const MOST_NODES: usize = 300;

/// The distance between two rows of nodes.
const DOWN: f64 = 1.6;

/// The place of a leaf: its width, and that of its text.
const LEAF: f64 = 1.2;

/// The radius of a node.
const NODE: f64 = 0.2;

/// A tree for each land: a line down for each move, with heaps as leaves.
pub(super) fn of(position: &Position) -> Picture {
    let lands = position.lands().iter().map(|land| {
        let mut panel = Panel::default();
        if nodes(land.as_bytes()) <= MOST_NODES {
            tree(&mut panel, land.as_bytes(), NODE);
            panel.width = panel.width.max(LEAF);
        } else {
            panel.row(0, &text::print(land.as_bytes()));
        }
        panel
    });
    Picture {
        caption: "Each line down is a move. A leaf is the end, 0, or a heap of Nim.",
        lands: lands.collect(),
        rows: false,
    }
}

/// The number of nodes of the tree.
fn nodes(land: &[u8]) -> usize {
    match bytes::parts(land) {
        Parts::Heap(_) => 1,
        Parts::Set(options) => 1 + options.map(nodes).sum::<usize>(),
    }
}

/// Draws a tree to the right of what is drawn, with its root at this height. Returns the place of the root.
fn tree(panel: &mut Panel, land: &[u8], height: f64) -> At {
    let root = match bytes::parts(land) {
        Parts::Heap(_) => {
            let root = (panel.width + LEAF / 2.0, height);
            panel.width += LEAF;
            let below = (root.0 - NODE, height + 0.7);
            panel.shapes.push(Shape::Text(below, text::print(land)));
            panel.height = panel.height.max(height + 1.2);
            root
        }
        Parts::Set(options) => {
            let children: Vec<At> = options
                .map(|option| tree(panel, option, height + DOWN))
                .collect();
            let (first, last) = (children[0], children[children.len() - 1]);
            let root = (f64::midpoint(first.0, last.0), height);
            let lines = children.into_iter().map(|child| Shape::Line(root, child));
            panel.shapes.extend(lines);
            root
        }
    };
    panel.shapes.push(Shape::Dot(root, NODE));
    root
}
