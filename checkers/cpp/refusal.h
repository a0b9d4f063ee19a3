// Why a check ends early.
#pragma once
#include <stdexcept>
#include <string>

/// The certificate breaks a rule. `line` is 0 if the fault is not on one line.
struct Refused : std::runtime_error {
  long line;
  explicit Refused(const std::string& why, long line = 0) : std::runtime_error(why), line(line) {}
};

/// This checker cannot decide: it does not know the game, or the file cannot be opened.
struct Undecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};
