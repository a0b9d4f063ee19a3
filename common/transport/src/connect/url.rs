//! The URL of a coordinator.

use http::uri::{InvalidUri, Uri};

/// Reads `http://HOST:PORT` or `https://HOST:PORT`. The default port is that of the scheme.
///
/// # Errors
/// The URL has another form. The text describes the problem.
pub(super) fn parse(url: &str) -> Result<Uri, String> {
    let uri: Uri = url.parse().map_err(|error: InvalidUri| error.to_string())?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        Some(other) => return Err(format!("{other}:// is not supported")),
        None => return Err("it does not begin with http:// or https://".to_owned()),
    }
    let Some(authority) = uri.authority().filter(|of| !of.host().is_empty()) else {
        return Err("there is no host".to_owned());
    };
    if authority.as_str().contains('@') {
        return Err("a user name has no meaning here".to_owned());
    }
    // The library ignores a port that is too large.
    let port = authority.as_str().strip_prefix(authority.host());
    let is_port = |port: &str| {
        let number = port
            .strip_prefix(':')
            .and_then(|port| port.parse::<u16>().ok());
        port.is_empty() || number.is_some_and(|number| number > 0)
    };
    if !port.is_none_or(is_port) {
        return Err("a port is a number from 1 to 65535".to_owned());
    }
    if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
        return Err("a path has no meaning here".to_owned());
    }
    Ok(uri)
}
