//! The OpenAPI document, generated from the handlers and the types of answers. Parts that several operations share are
//! added here.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use super::{bulk, certificates, computations, export, games, positions};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Sproutnet",
        version = "1",
        description = "Who wins Sprouts: what a coordinator knows, and what it computes. Pages of any \
                       site may read. If the coordinator requires a token, send it as `Authorization: \
                       Bearer TOKEN`. Numbers are exact below 2^53. Answers may get further fields and words: \
                       ignore what you do not know. The words of today are in `x-extensible-enum` then.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/api/v1")),
    security((), ("token" = [])),
    components(schemas(crate::problem::Body, sproutnet_model::TableEntry)),
    paths(
        positions::position,
        bulk::bulk,
        positions::moves,
        positions::line,
        positions::table,
        games::list,
        games::one,
        games::sequence,
        games::quotient,
        certificates::list,
        certificates::check,
        certificates::file,
        export::export,
        contract,
        super::fleet,
        super::audit_log,
        computations::list,
        computations::start,
        computations::one,
        computations::events,
        computations::explanation,
        computations::pause,
        computations::resume,
        computations::weight,
        computations::cancel,
    )
)]
struct Document;

/// This document
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "openapi",
    responses((status = 200, description = "An OpenAPI document.", body = Object))
)]
pub(super) async fn contract() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "application/json");
    let keep = (header::CACHE_CONTROL, "max-age=300");
    ([kind, keep], document())
}

/// The optional properties. All others are required.
const OPTIONAL: [(&str, &[&str]); 5] = [
    ("BulkError", &["column", "id"]),
    ("BulkPosition", &["id"]),
    ("Error", &["column"]),
    ("Question", &["id", "play"]),
    (
        "ToSolve",
        &[
            "deadline_ms",
            "label",
            "nimber",
            "owner",
            "priority",
            "weight",
        ],
    ),
];

/// The schemas of requests, which have no additional properties. Answers may get some.
const OF_REQUESTS: [&str; 3] = ["NewWeight", "Question", "ToSolve"];

/// Schemas that stand for themselves too, not only as a part of others.
const ALSO_ALONE: [&str; 2] = ["Error", "Position"];

/// Words of answers to which others may be added.
const EXTENSIBLE: [&str; 6] = ["Basis", "Code", "Searched", "Source", "Status", "WaitsFor"];

/// Addresses of a position, and where it is given in the query instead.
const IN_QUERY: [(&str, &str); 3] = [
    ("/positions/{position}", "/positions"),
    ("/positions/{position}/moves", "/moves"),
    ("/positions/{position}/line", "/line"),
];

/// The document as JSON.
fn document() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        // Pages are named after their entries.
        let text = value().to_string().replace("Page_Verdict", "MovePage");
        let text = text.replace("Page_Game", "GamePage");
        let text = text.replace("Page_Certificate", "CertificatePage");
        let text = text.replace("Page_AuditEntry", "AuditEntryPage");
        let text = text.replace("Page_TableEntry", "TableEntryPage");
        text.replace("Page_Computation", "ComputationPage")
    });
    &DOCUMENT
}

/// The document.
pub(crate) fn value() -> Value {
    let mut document = serde_json::to_value(Document::openapi()).unwrap_or_default();
    complete_schemas(&mut document["components"]["schemas"]);
    let token = json!({ "type": "http", "scheme": "bearer" });
    document["components"]["securitySchemes"] = json!({ "token": token });
    for (path, other) in IN_QUERY {
        document["paths"][other]["get"] = in_query(&document["paths"][path]["get"]);
    }
    for (path, operations) in document["paths"].as_object_mut().into_iter().flatten() {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            complete_operation(path, method == "get", operation);
        }
    }
    document
}

/// The same operation, with the position in the query.
fn in_query(operation: &Value) -> Value {
    let mut operation = operation.clone();
    let name = operation["operationId"].as_str().unwrap_or_default();
    operation["operationId"] = format!("{name}_in_query").into();
    let parameters = operation["parameters"].as_array_mut();
    for parameter in parameters.into_iter().flatten() {
        if parameter["in"] == "path" {
            parameter["in"] = "query".into();
        }
    }
    operation
}

/// Merges flattened parts into the objects that have them, and says what is required and what may be added.
fn complete_schemas(schemas: &mut Value) {
    let derived = schemas.take();
    let mut complete = Map::new();
    let flattened = derived.as_object().into_iter().flatten();
    let flattened: Vec<&str> = flattened
        .flat_map(|(_, schema)| schema["allOf"].as_array().into_iter().flatten())
        .filter_map(named)
        .filter(|name| !ALSO_ALONE.contains(name))
        .collect();
    for (name, schema) in derived.as_object().into_iter().flatten() {
        if flattened.contains(&&**name) {
            continue;
        }
        let mut schema = schema.clone();
        if !schema["allOf"].is_null() {
            let mut properties = Map::new();
            merge_properties(&derived, &schema, &mut properties);
            let description = schema["description"].take();
            schema = json!({
                "type": "object",
                "description": description,
                "properties": properties,
            });
        }
        // Entries are named, not repeated.
        let entry = match name.strip_prefix("Page_") {
            None if name == "TablePage" => Some("TableEntry"),
            entry => entry,
        };
        if let Some(entry) = entry {
            let entry = format!("#/components/schemas/{entry}");
            schema["properties"]["items"]["items"] = json!({ "$ref": entry });
        }
        if let Some(properties) = schema["properties"].as_object_mut() {
            properties.values_mut().for_each(complete_property);
            let optional = OPTIONAL.iter().find(|(of, _)| of == name);
            let optional = optional.map_or(&[][..], |(_, names)| names);
            let names = properties.keys().map(String::as_str);
            let names: Vec<&str> = names.filter(|name| !optional.contains(name)).collect();
            schema["required"] = json!(names);
            if OF_REQUESTS.contains(&&**name) {
                schema["additionalProperties"] = false.into();
            }
        }
        if EXTENSIBLE.contains(&&**name) {
            schema["x-extensible-enum"] = schema["enum"].take();
        }
        if let Some(schema) = schema.as_object_mut() {
            schema.retain(|_, value| !value.is_null());
        }
        complete.insert(name.clone(), schema);
    }
    *schemas = complete.into();
}

/// The name of the schema that a schema refers to.
fn named(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

/// Collects the properties of a schema, including those flattened into it.
fn merge_properties(all: &Value, schema: &Value, properties: &mut Map<String, Value>) {
    for part in schema["allOf"].as_array().into_iter().flatten() {
        merge_properties(all, named(part).map_or(part, |name| &all[name]), properties);
    }
    let own = schema["properties"].as_object().cloned();
    properties.extend(own.unwrap_or_default());
}

/// Removes integer widths. Gives fractions the minimum 0: each is a time or a rate.
fn complete_property(property: &mut Value) {
    if let Some(property) = property.as_object_mut() {
        property.remove("format");
        if property.get("type").is_some_and(|kind| kind == "number") {
            property.insert("minimum".to_owned(), 0.into());
        }
    }
}

/// Adds the responses that an operation shares with others.
fn complete_operation(path: &str, is_get: bool, operation: &mut Value) {
    let mut is_position = false;
    let parameters = operation
        .get_mut("parameters")
        .and_then(Value::as_array_mut);
    for parameter in parameters.into_iter().flatten() {
        is_position |= parameter["name"] == "position";
        let schema = &mut parameter["schema"];
        if let [kind, more] = schema["allOf"].as_array().map_or(&[][..], Vec::as_slice) {
            let (mut kind, default) = (kind.clone(), more["default"].clone());
            kind["default"] = default;
            *schema = kind;
        }
        complete_property(schema);
        // A parameter may be missing, but is never null.
        if let Some(kinds) = schema["type"].as_array() {
            schema["type"] = kinds[0].clone();
        }
    }
    let has_body = !operation["requestBody"].is_null();
    // The document itself is always available.
    let is_asked = path != "/openapi.json";
    let is_one = path.contains("{id}");
    let is_named = path.contains('{') && !is_position;
    let summary = operation["summary"].clone();
    let responses = &mut operation["responses"];
    // A response must have a description.
    if responses["200"].is_object() && responses["200"].get("description").is_none() {
        responses["200"]["description"] = summary;
    }
    if is_get && is_asked && !responses["200"]["content"]["application/json"].is_null() {
        let tag = "Send it as If-None-Match to ask whether the answer still holds.";
        let tag = json!({ "description": tag, "schema": { "type": "string" } });
        responses["200"]["headers"] = json!({ "ETag": tag });
        responses["304"] = json!({ "description": meaning("304") });
    }
    for (status, applies, has_content) in [
        ("400", true, true),
        ("401", true, true),
        ("403", true, true),
        ("404", is_named, true),
        ("405", true, true),
        ("408", is_asked, true),
        ("409", is_one && !is_get, true),
        ("413", has_body, true),
        ("414", is_position, false),
        ("415", has_body, true),
        (
            "429",
            has_body && ["/certificates", "/computations"].contains(&path),
            true,
        ),
        ("500", is_asked, true),
        ("503", is_asked, true),
        ("507", !is_get && path.starts_with("/computations"), true),
    ] {
        if !applies {
            continue;
        }
        responses[status] = json!({ "description": meaning(status) });
        if has_content {
            let error = json!({ "$ref": "#/components/schemas/Error" });
            responses[status]["content"] = json!({ "application/json": { "schema": error } });
        }
        if status == "405" {
            let methods = json!({ "description": "The methods.", "schema": { "type": "string" } });
            responses[status]["headers"] = json!({ "Allow": methods });
        }
        if matches!(status, "429" | "503") {
            let seconds = json!({ "description": "In seconds.", "schema": { "type": "integer" } });
            responses[status]["headers"] = json!({ "Retry-After": seconds });
        }
    }
}

/// The description of a response that several operations share.
fn meaning(status: &str) -> &'static str {
    match status {
        "304" => "The answer that If-None-Match names still holds.",
        "400" => {
            "The request is invalid; `column` is where a position is wrong. Unknown parameters are refused."
        }
        "401" => "The token is missing or wrong.",
        "403" => {
            "The role of the token does not allow the request; or a page of another site sent it, or it names another \
             host."
        }
        "404" => "There is no such thing.",
        "405" => "The path has other methods, which Allow names.",
        "408" => "The body took too long to arrive, or the answer too long to make.",
        "409" => "The computation is not in a state for it.",
        "413" => "The body is too large.",
        "414" => "The address is too long.",
        "415" => "The body is not of the type that is named here, or has a Content-Encoding.",
        "429" => {
            "There is no room for more computations or searches; Retry-After says when to retry."
        }
        "500" => "A fault of the coordinator; its log has the reason.",
        "507" => "The disk of the coordinator is full.",
        _ => "Too many requests at a time; Retry-After says when to retry.",
    }
}
