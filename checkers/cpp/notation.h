// Reads positions and values as they are written (rules N and V of the specification).
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "position.h"

/// Reads one line from left to right.
class Text {
 public:
  Text(std::string_view text, long line) : text(text), line(line) {}

  bool ended() const { return at == text.size(); }
  size_t place() const { return at; }
  size_t left() const { return text.size() - at; }
  char next(size_t further = 0) const { return at + further < text.size() ? text[at + further] : '\0'; }
  /// Takes these characters if they come next.
  bool take(std::string_view expected);
  /// A number without leading zeros.
  uint64_t number(uint64_t most);
  [[noreturn]] void refuse(const std::string& why) const;

  /// A position, up to a blank or the end of the line. Hands on each part between two `+` before the equivalences.
  void position(const std::function<void(const Position&)>& land);
  /// A value under misère play: the number of its canonical form.
  uint32_t value(int depth = 0);

 private:
  int number_of_digits();

  std::string_view text;
  long line;
  size_t at = 0;
};
