//! The address of a coordinator.

use http::uri::{InvalidUri, Uri};

/// Reads `http://HOST:PORT` or `https://HOST:PORT`; without a port it is that of the scheme. The error
/// says what is wrong.
pub(super) fn parse(url: &str) -> Result<Uri, String> {
    let uri: Uri = url.parse().map_err(|error: InvalidUri| error.to_string())?;
    match uri.scheme_str() {
        Some("http" | "https") => {}
        Some(other) => return Err(format!("there is no way to speak {other}://")),
        None => return Err("it does not begin with http:// or https://".to_owned()),
    }
    let Some(authority) = uri
        .authority()
        .filter(|authority| !authority.host().is_empty())
    else {
        return Err("there is no host".to_owned());
    };
    if authority.as_str().contains('@') {
        return Err("a user's name has no meaning here".to_owned());
    }
    // The library takes a port that is too large for none.
    let port = authority
        .as_str()
        .strip_prefix(authority.host())
        .unwrap_or_default();
    let number = port
        .strip_prefix(':')
        .and_then(|port| port.parse::<u16>().ok());
    if !port.is_empty() && number.is_none_or(|number| number == 0) {
        return Err("a port is a number from 1 to 65535".to_owned());
    }
    if !matches!(uri.path(), "" | "/") || uri.query().is_some() {
        return Err("a path has no meaning here".to_owned());
    }
    Ok(uri)
}
