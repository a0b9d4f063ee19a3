//! A coordinator asked over HTTP: one file for each concern, all in one program, because each program
//! would link all of gRPC anew.

mod api;
mod api_access;
mod api_certificates;
mod api_computations;
mod api_export;
mod api_games;
mod api_searches;
mod browser;
mod bulk;
mod metrics;
mod pages;
mod pages_alone;
mod pages_board;
mod pages_board_address;
mod pages_crosses;
mod pages_editor;
mod pages_match;
mod pages_match_end;
mod pages_position;
mod pages_programs;
mod pages_share;
mod pages_solver;
mod pages_tasks;
mod previews;
mod puzzles;
mod roles;
mod signing_in;
mod static_site;
