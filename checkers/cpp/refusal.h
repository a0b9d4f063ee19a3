// Why a check ends early.
#pragma once
#include <stdexcept>
#include <string>

/// The certificate breaks a rule. `line` is 0 if the fault is not on one line.
struct Refused : std::runtime_error {
  long line;
  explicit Refused(const std::string& why, long line = 0) : std::runtime_error(why), line(line) {}
};

/// This checker cannot decide, for example because it does not know the game.
struct Undecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The file cannot be opened.
struct NoFile : std::runtime_error {
  using std::runtime_error::runtime_error;
};
