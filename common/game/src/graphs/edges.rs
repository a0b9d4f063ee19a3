//! Graphs as lists of their edges: `0-2*2,1-2`, where `*2` means two edges. Vertices are numbered from 0.

/// Writes edges, by their ends and multiplicities.
pub fn write<'a>(edges: impl IntoIterator<Item = (&'a (usize, usize), &'a usize)>) -> String {
    let edges = edges.into_iter().map(|((one, other), times)| match times {
        1 => format!("{one}-{other}"),
        _ => format!("{one}-{other}*{times}"),
    });
    edges.collect::<Vec<_>>().join(",")
}

/// Whether a text is a list of edges, well-formed or not. No other text of a graph begins with a digit.
pub fn is_list(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
}

/// Reads edges: the number of vertices, which is one above the largest, and both ends of each edge.
///
/// # Errors
/// The problem with the text, or it has more vertices or edges than `most`.
pub fn read(text: &str, most: (usize, usize)) -> Result<(usize, Vec<(usize, usize)>), String> {
    let mut edges = Vec::new();
    let mut vertices = 0;
    for term in text.split(',') {
        let wrong = || {
            format!(
                "expected edges such as `0-1,1-2*3`, with different ends and a number of edges from 1; found `{term}`"
            )
        };
        let (ends, times) = term.split_once('*').unwrap_or((term, "1"));
        let (one, other) = ends.split_once('-').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (one, other, times) = (number(one)?, number(other)?, number(times)?);
        if one == other || times == 0 {
            return Err(wrong());
        }
        vertices = vertices.max(one.max(other).saturating_add(1));
        if vertices > most.0 || times > most.1 - edges.len() {
            let (vertices, edges) = most;
            return Err(format!(
                "a list of edges has up to {vertices} vertices and {edges} edges here"
            ));
        }
        edges.extend(std::iter::repeat_n((one, other), times));
    }
    Ok((vertices, edges))
}
