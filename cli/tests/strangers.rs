//! Strangers without the token try to exhaust the coordinator's connections and memory, to guess the token, to read
//! files, and to inject headers. Meanwhile others are served, and the coordinator's memory stays bounded.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::{Fleet, Part, eventually};
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};

/// The limit of the coordinator's peak memory in bytes, with all connections in use.
const MOST_MEMORY: u64 = 256 << 20;

/// The time limit for an answer to others.
const SOON: Duration = Duration::from_secs(5);

/// A connection from an address of this machine.
fn from(ours: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let open = socket(AddressFamily::INET, SocketType::STREAM, None).expect("a socket");
    bind(&open, &SocketAddr::new(IpAddr::V4(ours), 0)).expect("a port");
    connect(&open, &to).expect("a connection");
    TcpStream::from(open)
}

/// The answer to bytes on a new connection, until the connection is closed.
fn answer(fleet: &Fleet, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(fleet.addresses()[1]).expect("a connection");
    stream.set_read_timeout(Some(SOON)).expect("set");
    // The coordinator may answer and close before it has read all bytes.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The answer to a GET request for a path.
fn get(fleet: &Fleet, path: &str) -> String {
    let request = format!("GET {path} HTTP/1.0\r\nhost: localhost\r\n\r\n");
    answer(fleet, request.as_bytes())
}

/// Checks the coordinator's health from another address, and over gRPC.
fn check_others_are_served(fleet: &Fleet) {
    let began = Instant::now();
    let mut stream = from(Ipv4Addr::new(127, 0, 0, 7), fleet.addresses()[1]);
    stream.set_read_timeout(Some(SOON)).expect("set");
    stream
        .write_all(b"GET /healthz HTTP/1.0\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.contains(" 200 "), "{answer}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

/// Raises the limit of open files for this process and its children to the maximum; returns that limit.
fn open_many_files() -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("up to the maximum");
    limit.current.map_or(usize::MAX, |files| files as usize)
}

/// Whether the other side has closed a connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("set");
    match stream.read(&mut [0; 256]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

#[test]
fn many_connections_and_slow_ones_keep_nobody_out() {
    let files = open_many_files();
    let fleet = Fleet::start(1);
    let is_full = std::env::var_os("SPROUTNET_FULL_TESTS").is_some();
    let wanted = if is_full { 10_000 } else { 3_000 };
    // Each connection is an open file here, and other tests need files too. With a low limit, the number is just above
    // the coordinator's own limit for one address over gRPC, a quarter of the files.
    let most = wanted.min(files / 4 + 10);
    println!("{most} of {wanted} connections to a port, since {files} files may be open");
    let [grpc, http] = fleet.addresses();
    let [one, other] = [66, 67].map(|last| Ipv4Addr::new(127, 0, 0, last));
    thread::scope(|scope| {
        scope.spawn(|| hold(&fleet, one, grpc, most, b"", b""));
        scope.spawn(|| hold(&fleet, one, http, most, b"GET / HTTP/1.1\r\nx: ", b"y"));
        scope.spawn(|| hold(&fleet, other, http, most / 10, b"", b""));
    });
    let peak = fleet.peak_memory();
    println!("the coordinator took {} MiB", peak >> 20);
    assert!(peak < MOST_MEMORY, "{peak}");
}

/// Opens connections, and writes on each repeatedly to keep it open, until the coordinator closes all: after half a
/// minute for the head of an HTTP request, after 40 seconds of silence for gRPC.
fn hold(
    fleet: &Fleet,
    ours: Ipv4Addr,
    address: SocketAddr,
    most: usize,
    first: &[u8],
    next: &[u8],
) {
    let open = |_| {
        let mut stream = from(ours, address);
        let _ = stream.write_all(first);
        stream
    };
    let mut held: Vec<TcpStream> = (0..most).map(open).collect();
    let began = Instant::now();
    eventually(Duration::from_secs(60), || {
        held.retain_mut(|stream| {
            let _ = stream.write_all(next);
            !is_closed(stream)
        });
        check_others_are_served(fleet);
        match held.len() {
            0 => Ok(()),
            open => Err(open),
        }
    });
    let took = began.elapsed();
    println!("{most} connections to {address} are closed after {took:?}");
}

#[test]
fn a_client_that_never_reads_is_closed() {
    let fleet = Fleet::start(0);
    let mut stream = from(Ipv4Addr::new(127, 0, 0, 68), fleet.addresses()[1]);
    stream.set_nonblocking(true).expect("set");
    // Writes until both sides wait for the other to read, then until the coordinator closes.
    eventually(Duration::from_secs(60), || {
        loop {
            match stream.write(&b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100)) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Err("it is open"),
                Err(_) => return Ok(()),
            }
        }
    });
    check_others_are_served(&fleet);
}

#[test]
fn requests_that_are_too_large_are_cut_short() {
    let fleet = Fleet::start(0);
    let before = fleet.peak_memory();
    let head = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "y".repeat(1 << 20));
    let refused = answer(&fleet, head.as_bytes());
    assert!(refused.is_empty() || refused.contains(" 431 "), "{refused}");
    // A request with an endless body.
    let head = "POST /computations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let mut stream = TcpStream::connect(fleet.addresses()[1]).expect("a connection");
    stream.set_write_timeout(Some(SOON)).expect("set");
    stream.write_all(head.as_bytes()).expect("sent");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(1 << 16));
    let sent = (0..4096).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok());
    assert!(sent.count() < 4096, "256 MiB were taken");
    check_others_are_served(&fleet);
    let grown = fleet.peak_memory() - before;
    assert!(grown < 32 << 20, "{grown} bytes more");
}

#[test]
fn guesses_of_the_token_are_refused_and_fill_no_log() {
    let fleet = Fleet::start(0);
    for guess in 0..2_000 {
        let refused = answer(
            &fleet,
            format!("GET /metrics HTTP/1.0\r\nauthorization: Bearer guess-{guess:016}\r\n\r\n")
                .as_bytes(),
        );
        assert!(refused.contains(" 401 "), "{refused}");
    }
    let log = fleet.log(Part::Coordinator);
    assert!(log.lines().count() < 200, "{} lines", log.lines().count());
    assert!(!log.contains("guess-"), "{log}");
}

#[test]
fn no_path_leads_to_a_file_and_no_word_becomes_a_header() {
    let fleet = Fleet::start_open(0);
    for path in [
        "/../../../etc/passwd",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/positions/..%2f..%2fetc%2fpasswd",
        "/static/../../etc/passwd",
        "/\\..\\..\\etc\\passwd",
    ] {
        let text = get(&fleet, path);
        let status = text.split(' ').nth(1).unwrap_or_default();
        assert!(["400", "404"].contains(&status), "{path}: {text}");
        assert!(!text.contains("root:"), "{path}: {text}");
    }
    for path in [
        "/positions?position=0*3%0d%0aset-cookie:%20stolen=1",
        "/match?position=0*3%0d%0aset-cookie:%20stolen=1&play=normal",
        "/positions/0*3%0d%0aset-cookie:%20stolen=1",
        "/login?next=/%0d%0aset-cookie:%20stolen=1",
    ] {
        let text = get(&fleet, path);
        let (head, _) = text.split_once("\r\n\r\n").expect("a head");
        let split = head
            .lines()
            .any(|line| line.starts_with("set-cookie: stolen"));
        assert!(!split, "{path}: {head}");
    }
}
