//! The functions of the WebAssembly module, for `site.js` of the site and for the Python package.
//!
//! The host, such as a page, calls `input` with a length, and writes its input to the returned address. Then it calls
//! `look_up`, `query`, `moves`, `board` or `check`, and reads that many bytes of JSON from `output`. Another call
//! overwrites both.
//! Addresses and lengths are in bytes. While a check is under way, the module calls `progress` of the host. If it fails,
//! it calls `failed`, and must not be used any more.
#![expect(
    unsafe_code,
    reason = "exported names take an unsafe attribute, and imports an unsafe block"
)]

use std::cell::RefCell;

use serde::Serialize;
use sproutnet_notation::Play;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the host how many facts of a certificate are checked, and how many there are.
    safe fn progress(begun: f64, all: f64);

    /// Tells the host why the module is about to fail: an address and a length of text.
    safe fn failed(address: *const u8, length: usize);
}

/// Tells the host of a panic, which ends the call.
fn tell_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
}

/// Makes room for input of this length, and returns its address.
#[unsafe(no_mangle)]
extern "C" fn input(length: usize) -> *mut u8 {
    tell_of_panics();
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

/// The address of the last output.
#[unsafe(no_mangle)]
extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Looks up the position whose text is the input.
#[unsafe(no_mangle)]
extern "C" fn look_up() -> usize {
    put(&INPUT.with_borrow(|text| crate::look_up(&String::from_utf8_lossy(text))))
}

/// Queries the position whose text is the input, with at most so many visits of states.
#[unsafe(no_mangle)]
extern "C" fn query(most_visits: u64) -> usize {
    put_result(INPUT.with_borrow(|text| crate::query(&String::from_utf8_lossy(text), most_visits)))
}

/// Lists the moves of the position whose text is the input, sorted by misère play or else by normal play.
#[unsafe(no_mangle)]
extern "C" fn moves(is_misere: u32, most_visits: u64) -> usize {
    let play = match is_misere {
        0 => Play::Normal,
        _ => Play::Misere,
    };
    let moves = |text: &Vec<u8>| crate::moves(&String::from_utf8_lossy(text), play, most_visits);
    put_result(INPUT.with_borrow(moves))
}

/// Opens the address of a page of the board that is the input. The number is random: the solver's random choices in a
/// new match follow from it.
#[unsafe(no_mangle)]
extern "C" fn board(random: u32) -> usize {
    put(&INPUT.with_borrow(|address| crate::board(&String::from_utf8_lossy(address), random)))
}

/// Checks the certificate that is the input.
#[unsafe(no_mangle)]
extern "C" fn check() -> usize {
    let told = |begun, all| progress(begun as f64, all as f64);
    put(&INPUT.with_borrow(|file| crate::check(file, told)))
}

/// Makes an answer or a problem the output, and returns its length.
fn put_result<T: Serialize>(result: Result<T, crate::Problem>) -> usize {
    match result {
        Ok(answer) => put(&answer),
        Err(problem) => put(&problem),
    }
}

/// Makes a value the output, and returns its length.
fn put(value: &impl Serialize) -> usize {
    let json = serde_json::to_vec(value).expect("values of this crate are JSON");
    OUTPUT.with_borrow_mut(|output| {
        *output = json;
        output.len()
    })
}
