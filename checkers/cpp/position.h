// Positions as strings of tokens, and the equivalences E1 to E5.
#pragma once
#include <cstdint>
#include <cstring>

/// A spot on a boundary, or the end of a boundary or of a region. 0, 1 and 2 are living spots with that many lines that
/// occur once. The copies of a spot that occurs twice are one letter, a number from LETTER on.
using Token = uint16_t;
inline constexpr Token DEAD = 3, LETTER = 4, END_OF_BOUNDARY = 0xfffe, END_OF_REGION = 0xffff;

/// The most lives of a position, and the highest rank.
inline constexpr int MOST_LIVES = 1000;
/// Bounds of a position with at most that many lives, also after a move.
inline constexpr int MOST_REGIONS = 1024, MOST_BOUNDARIES = 2064, MOST_SPOTS = 2064, MOST_LETTERS = 1024;

/// Regions one after the other, boundary by boundary.
struct Position {
  int count = 0;
  /// All letters are less than this.
  Token letters = LETTER;
  Token tokens[8192];

  void put(Token token) { tokens[count++] = token; }
  void copy(const Position& other) {
    count = other.count, letters = other.letters;
    memcpy(tokens, other.tokens, size_t(count) * sizeof tokens[0]);
  }
};

/// Applies the equivalences E1 to E5 until they change nothing.
void simplify(const Position& in, Position& out);
