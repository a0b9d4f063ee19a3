//! A coordinator asked over HTTP: one file for each concern, all in one program, because each program
//! would link all of gRPC anew.

mod api;
mod api_access;
mod api_computations;
mod beside;
mod browser;
mod bulk;
#[path = "../../tests/cluster/mod.rs"]
#[allow(dead_code, reason = "the tests over gRPC use more of it")]
mod cluster;
mod metrics;
#[path = "../../../common/model/tests/page/mod.rs"]
mod page;
mod pages;
mod pages_board;
mod pages_editor;
mod pages_match;
mod pages_position;
mod pages_tasks;
mod roles;
mod signing_in;
