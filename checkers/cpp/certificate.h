// The file: its header, and its facts line by line (rules F of the specification).
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "land.h"
#include "notation.h"

struct Header {
  std::string position;
  bool is_misere = false, is_win = false;
  int small = 0;
  uint64_t facts = 0;
  std::string digest;
};

/// The number of facts, and of positions that were met while they were checked.
struct Counts {
  uint64_t facts = 0, options = 0;
};

/// What is checked under one play convention.
class Convention {
 public:
  virtual ~Convention() = default;
  /// Reads what follows the position of a fact, and keeps the fact. Returns its rank.
  virtual int read(const Sum& position, Text& rest, long line) = 0;
  /// Checks all facts. Throws `Refused` at the first one that does not follow.
  virtual void check() = 0;
  /// Whether the outcome of the root follows from the facts.
  virtual bool follows(const Sum& root, bool is_win) = 0;

  uint64_t options = 0;
};
std::unique_ptr<Convention> normal_play();
std::unique_ptr<Convention> misere_play(int small);

/// Checks the certificate in a file, and returns its header. Throws `Refused`, `Undecided` or `NoFile`.
Header check_certificate(const std::string& path, Counts& counts);
