//! Reads a certificate fact by fact.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};

use super::{Fact, Header, MAX_LINE, SyntaxError};

/// Why a file is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The file cannot be read, or is no gzip stream.
    #[error("line {line}: the file cannot be read on")]
    Unreadable {
        /// The line that was being read, from 1.
        line: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A line is not as the format wants it.
    #[error("line {line}, column {column}: {problem}")]
    Malformed {
        /// The line, from 1; that of the first fact is 11.
        line: u64,
        /// The column, in bytes from 1.
        column: usize,
        /// What was expected there.
        problem: String,
    },
    /// There are not as many facts as the header says.
    #[error("the header says {said} facts, there are {found}")]
    Count {
        /// By the header.
        said: u64,
        /// In the file, or one more than said.
        found: u64,
    },
    /// The checksum in the header is not that of the facts.
    #[error("the checksum is not that of the facts: the file is damaged")]
    Checksum,
    /// Something follows the gzip stream.
    #[error("something follows the end of the certificate")]
    Trailing,
}

/// A fact and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number of the line, from 1.
    pub number: u64,
    /// What it claims.
    pub fact: Fact,
}

/// Reads the header at once and then one fact after the other. That all is as the header says is known
/// only when there are no more.
pub struct Reader<R> {
    text: BufReader<GzDecoder<R>>,
    header: Header,
    digest: Sha256,
    line: Vec<u8>,
    /// The number of the last line that was read.
    number: u64,
    facts: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// There is none of this version.
    pub fn new(file: R) -> Result<Self, CertificateError> {
        let mut text = BufReader::new(GzDecoder::new(file));
        let (mut number, mut line) = (0, Vec::new());
        let mut lines: [String; Header::LINES] = std::array::from_fn(|_| String::new());
        for text_of in &mut lines {
            if !read_line(&mut text, &mut line, &mut number)? {
                return Err(malformed(number, 1, "expected more lines of the header"));
            }
            as_text(&line, number)?.clone_into(text_of);
        }
        let header = Header::parse(&lines)
            .map_err(|(line, error)| malformed(line as u64 + 1, error.column, error.problem))?;
        if !read_line(&mut text, &mut line, &mut number)? || !line.is_empty() {
            return Err(malformed(number, 1, "expected an empty line"));
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

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next fact, none after the last. Only then is it sure that the file is whole.
    ///
    /// # Errors
    /// A line is malformed, or the file is not what its header says.
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
        let fact = as_text(&self.line, number)?.parse();
        let fact =
            fact.map_err(|error: SyntaxError| malformed(number, error.column, error.problem))?;
        Ok(Some(Line { number, fact }))
    }

    /// Checks what can be checked at the end only.
    fn end(&mut self) -> Result<(), CertificateError> {
        if self.facts != self.header.facts {
            return Err(self.miscounted());
        }
        if self.digest.clone().finalize()[..] != self.header.sha256 {
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
        CertificateError::Count {
            said: self.header.facts,
            found: self.facts,
        }
    }
}

fn malformed(line: u64, column: usize, problem: impl Into<String>) -> CertificateError {
    CertificateError::Malformed {
        line,
        column,
        problem: problem.into(),
    }
}

/// Reads a line without its end, and counts it. False if there is none.
fn read_line(
    text: &mut impl BufRead,
    line: &mut Vec<u8>,
    number: &mut u64,
) -> Result<bool, CertificateError> {
    *number += 1;
    line.clear();
    let most = MAX_LINE as u64 + 1;
    let read = text.take(most).read_until(b'\n', line);
    let read = read.map_err(|source| CertificateError::Unreadable {
        line: *number,
        source,
    })?;
    match line.pop() {
        None => Ok(false),
        Some(b'\n') => Ok(true),
        Some(_) if read as u64 == most => {
            let problem = format!("a line is longer than {MAX_LINE} bytes");
            Err(malformed(*number, MAX_LINE + 1, problem))
        }
        Some(_) => Err(malformed(*number, read + 1, "expected the end of the line")),
    }
}

fn as_text(line: &[u8], number: u64) -> Result<&str, CertificateError> {
    let stray = line.iter().position(|byte| !(b' '..=b'~').contains(byte));
    match (stray, std::str::from_utf8(line)) {
        (None, Ok(text)) => Ok(text),
        (at, _) => Err(malformed(
            number,
            at.unwrap_or(0) + 1,
            "expected printable ASCII",
        )),
    }
}
