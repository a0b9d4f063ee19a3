//! Reads a certificate fact by fact.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};

use super::{Fact, Header, MAX_LINE, SyntaxError};

/// The reason why a file is not a certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The file cannot be read, or is not a gzip stream.
    #[error("line {line}: the file cannot be read")]
    Unreadable {
        /// The line that was being read, from 1.
        line: u64,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// A line does not follow the format.
    #[error("line {line}, {error}")]
    Malformed {
        /// The line, from 1. The first fact is on line 11.
        line: u64,
        /// The expected content and its place.
        error: SyntaxError,
    },
    /// The number of facts is not the one in the header.
    #[error("the header announces {said} facts, but the file has {found}")]
    Count {
        /// The number in the header.
        said: u64,
        /// The number in the file, or `said` + 1 if there are more.
        found: u64,
    },
    /// The checksum in the header does not match the facts.
    #[error("the checksum does not match the facts: the file is damaged")]
    Checksum,
    /// There are bytes after the gzip stream.
    #[error("there is data after the end of the certificate")]
    Trailing,
}

/// A fact and its line number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: u64,
    /// The fact.
    pub fact: Fact,
}

/// Reads the header at once, then facts one by one. Only after the last fact is the file known to match its header.
pub struct Reader<R> {
    text: BufReader<GzDecoder<R>>,
    header: Header,
    digest: Sha256,
    line: Vec<u8>,
    /// The number of the last line read.
    number: u64,
    facts: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// There is no header of this version.
    pub fn new(file: R) -> Result<Self, CertificateError> {
        let mut text = BufReader::new(GzDecoder::new(file));
        let (mut number, mut line) = (0, Vec::new());
        let mut lines: [String; Header::LINES] = std::array::from_fn(|_| String::new());
        for text_of in &mut lines {
            if !read_line(&mut text, &mut line, &mut number)? {
                return Err(SyntaxError::new(1, "expected more lines of the header").at(number));
            }
            as_text(&line, number)?.clone_into(text_of);
        }
        let header = Header::parse(&lines)?;
        if !read_line(&mut text, &mut line, &mut number)? || !line.is_empty() {
            return Err(SyntaxError::new(1, "expected an empty line").at(number));
        }
        Ok(Self {
            text,
            header,
            digest: Sha256::new(),
            line,
            number,
            facts: 0,
        })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next fact, or `None` after the last. `None` means that the whole file matches its header.
    ///
    /// # Errors
    /// A line is malformed, or the file does not match its header.
    pub fn next_fact(&mut self) -> Result<Option<Line>, CertificateError> {
        if !read_line(&mut self.text, &mut self.line, &mut self.number)? {
            return self.end().map(|()| None);
        }
        self.digest.update(&self.line);
        self.digest.update(b"\n");
        self.facts += 1;
        if self.facts > self.header.facts {
            return Err(self.miscounted());
        }
        let number = self.number;
        let fact: Result<Fact, SyntaxError> = as_text(&self.line, number)?.parse();
        let fact = fact.map_err(|error| error.at(number))?;
        Ok(Some(Line { number, fact }))
    }

    /// Makes the checks that need the whole file.
    fn end(&mut self) -> Result<(), CertificateError> {
        if self.facts != self.header.facts {
            return Err(self.miscounted());
        }
        if hex(self.digest.clone()) != self.header.sha256 {
            return Err(CertificateError::Checksum);
        }
        let rest = self.text.get_mut().get_mut().fill_buf();
        let line = self.number;
        match rest.map_err(|source| CertificateError::Unreadable { line, source })? {
            [] => Ok(()),
            _ => Err(CertificateError::Trailing),
        }
    }

    fn miscounted(&self) -> CertificateError {
        let (said, found) = (self.header.facts, self.facts);
        CertificateError::Count { said, found }
    }
}

/// A digest as lowercase hexadecimal digits.
pub(super) fn hex(digest: Sha256) -> String {
    let bytes = digest.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a line without its end, and counts it. Returns false at the end of the file.
fn read_line(
    text: &mut impl BufRead,
    line: &mut Vec<u8>,
    number: &mut u64,
) -> Result<bool, CertificateError> {
    *number += 1;
    line.clear();
    let max = MAX_LINE as u64 + 1;
    let read = text.take(max).read_until(b'\n', line);
    let unreadable = |source| CertificateError::Unreadable {
        line: *number,
        source,
    };
    let read = read.map_err(unreadable)?;
    match line.pop() {
        None => Ok(false),
        Some(b'\n') => Ok(true),
        Some(_) if read as u64 == max => {
            let problem = format!("the line is longer than {MAX_LINE} bytes");
            Err(SyntaxError::new(MAX_LINE + 1, problem).at(*number))
        }
        Some(_) => Err(SyntaxError::new(read + 1, "expected the end of the line").at(*number)),
    }
}

fn as_text(line: &[u8], number: u64) -> Result<&str, CertificateError> {
    let stray = line.iter().position(|byte| !(b' '..=b'~').contains(byte));
    let column = stray.unwrap_or(0) + 1;
    let text = std::str::from_utf8(line).ok().filter(|_| stray.is_none());
    text.ok_or_else(|| SyntaxError::new(column, "expected printable ASCII").at(number))
}
