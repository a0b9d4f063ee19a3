//! What programs can ask, as a page for people. It is made from the OpenAPI document, with an address to try for each
//! request that has one.

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use maud::{Markup, html};
use serde_json::Value;

use super::Site;
use super::layout::{Column, table};
use super::words::{capital, sentence_of};
use crate::api::{self, ROOT};
use crate::links;

/// The OpenAPI document.
static CONTRACT: LazyLock<Value> = LazyLock::new(api::contract);

const PARAMETERS: [Column; 3] = [("Parameter", ""), ("Where", "word"), ("Meaning", "wide")];

/// A request that can be made.
struct Request<'c> {
    method: String,
    path: &'c str,
    operation: &'c Value,
}

pub(super) async fn page(State(site): State<Arc<Site>>) -> Markup {
    let about = text(&CONTRACT["info"]["description"]);
    let requests = requests();
    let mut topics: Vec<&str> = requests.iter().map(Request::topic).collect();
    topics.sort_unstable();
    topics.dedup();
    let content = html! {
        h1 { "The API" }
        p.lead { (with_code(about)) }
        p {
            "This page is made from the contract, "
            a href=(format!("{ROOT}/openapi.json")) { "openapi.json" }
            ". Figures for Prometheus are at " a href="/metrics" { "/metrics" } "."
        }
        div.pager role="navigation" aria-label="Topics" {
            @for topic in &topics { a href=(format!("#of-{topic}")) { (capital(topic)) } }
        }
        @for topic in topics {
            section aria-labelledby=(format!("of-{topic}")) {
                h2 id=(format!("of-{topic}")) { (capital(topic)) }
                @for request in requests.iter().filter(|request| request.topic() == topic) {
                    (request.shown())
                }
            }
        }
    };
    site.page("The API", None, &content)
}

fn requests() -> Vec<Request<'static>> {
    let paths = CONTRACT["paths"].as_object();
    let of_path = |(path, operations): (&'static String, &'static Value)| {
        let operations = operations.as_object().into_iter().flatten();
        operations.map(move |(method, operation)| Request {
            method: method.to_uppercase(),
            path,
            operation,
        })
    };
    paths.into_iter().flatten().flat_map(of_path).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Request<'_> {
    fn topic(&self) -> &str {
        match text(&self.operation["tags"][0]) {
            "" => "contract",
            topic => topic,
        }
    }

    fn parameters(&self) -> &[Value] {
        self.operation["parameters"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
    }

    /// An address to try; `None` if the contract has no example of a part of it, the request changes something, or the
    /// answer is the whole store.
    fn example(&self) -> Option<String> {
        if self.method != "GET" || self.path == "/export" {
            return None;
        }
        let mut address = format!("{ROOT}{}", self.path);
        let mut query = Vec::new();
        for parameter in self.parameters() {
            let name = text(&parameter["name"]);
            if parameter["in"] == "path" {
                let value = links::encoded(&example_of(parameter)?).to_string();
                address = address.replace(&format!("{{{name}}}"), &value);
            } else if parameter["required"] == true {
                let value = example_of(parameter)?;
                query.push(format!("{name}={}", links::encoded(&value)));
            }
        }
        let query = (!query.is_empty()).then(|| query.join("&"));
        Some(links::with_query(&address, query.as_deref()))
    }

    fn shown(&self) -> Markup {
        let rows = self.parameters().iter().map(|parameter| {
            let default = parameter["schema"]["default"].to_string();
            let default = (default != "null").then_some(default);
            [
                html! { code { (text(&parameter["name"])) } },
                html! { (text(&parameter["in"])) },
                html! {
                    span {
                        (with_code(text(&parameter["description"])))
                        @if let Some(default) = default { " Unless given: " code { (default) } "." }
                    }
                },
            ]
        });
        let name = format!("{} {ROOT}{}", self.method, self.path);
        html! {
            h3 { code { (name) } }
            p {
                (with_code(&sentence_of(text(&self.operation["summary"])))) " "
                (with_code(text(&self.operation["description"])))
                @if let Some(example) = self.example() {
                    " Try " a href=(example) { code { (example) } } "."
                }
            }
            @if !self.parameters().is_empty() { (table(&format!("Parameters of {name}"), PARAMETERS, rows)) }
        }
    }
}

/// A text of the contract, in which backticks enclose code.
fn with_code(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i.is_multiple_of(2) { (part) } @else { code { (part) } }
        }
    }
}

/// The example of a parameter in the contract, or the first of the words that it can be.
fn example_of(parameter: &Value) -> Option<String> {
    let schema = &parameter["schema"];
    let named = schema["$ref"]
        .as_str()
        .and_then(|name| name.rsplit('/').next());
    let schema = named.map_or(schema, |name| &CONTRACT["components"]["schemas"][name]);
    let words = schema["enum"].as_array().and_then(|words| words.first());
    let example = parameter.get("example").or(words)?;
    Some(
        example
            .as_str()
            .map_or_else(|| example.to_string(), str::to_owned),
    )
}
