//! Drawings of Sprouts positions: one file for each concern.

mod drawing_board;
mod drawing_crosses;
mod drawing_edit;
mod drawing_geometry;
mod drawing_hand;
mod drawing_large;
mod drawing_loops;
mod drawing_older;
mod drawing_positions;
mod drawing_reader;
mod drawing_shapes;
mod drawing_sheet;
