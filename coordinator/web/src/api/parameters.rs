//! The parameters in the query of a request: those that the OpenAPI document lists, and no others.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::{MatchedPath, Query, Request};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{ROOT, openapi};
use crate::problem::Problem;

/// The names of the parameters of each GET and POST, by the path in the document.
static KNOWN: LazyLock<HashMap<(bool, String), Vec<String>>> = LazyLock::new(|| {
    let document = openapi::value();
    let mut known = HashMap::new();
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let parameters = operation["parameters"].as_array();
            let in_query = parameters.into_iter().flatten();
            let in_query = in_query.filter(|parameter| parameter["in"] == "query");
            let names = in_query.filter_map(|parameter| parameter["name"].as_str());
            let names = names.map(str::to_owned).collect();
            known.insert((method == "post", path.clone()), names);
        }
    }
    known
});

/// Refuses a request with a parameter that there is not.
pub(super) async fn known_only(request: Request, next: Next) -> Response {
    match check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

fn check(request: &Request) -> Result<(), Problem> {
    let path = request.extensions().get::<MatchedPath>();
    let path = path.map_or("", MatchedPath::as_str);
    let path = path.strip_prefix(ROOT).unwrap_or(path);
    let is_post = match *request.method() {
        Method::GET | Method::HEAD => false,
        Method::POST => true,
        _ => return Ok(()),
    };
    let Some(known) = KNOWN.get(&(is_post, path.to_owned())) else {
        // The router refuses the request.
        return Ok(());
    };
    let Ok(Query(asked)) = Query::<Vec<(String, String)>>::try_from_uri(request.uri()) else {
        return Err(Problem::of_parameter("the query is invalid"));
    };
    let Some((name, _)) = asked.iter().find(|(name, _)| !known.contains(name)) else {
        return Ok(());
    };
    let mut text = format!("there is no parameter `{name}` here");
    if path.contains("{position}") {
        text += "; a `?` in a position is written %3F";
    }
    Err(Problem::of_parameter(text))
}
