//! Searches and the exchange of their facts, through the public interface: one file for each concern.
//!
//! One program for all, since each program would compile all searches.

mod archive;
mod audited;
mod brute_force;
mod explicit;
mod graphs_and_boards;
mod guided;
mod kayles;
mod large_nimbers;
mod laws;
mod memory;
mod records;
mod reference_values;
mod sharing;
mod simultaneous;
mod start_positions;
mod state_encoding;
mod switches;
mod switching_game;
mod well_formed;
