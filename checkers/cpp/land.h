// Lands: the parts of a position that share no spot, each written in one way (E6 to E8).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "position.h"

/// Mixes all bits of a number.
inline uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93;
  return x ^ x >> 32;
}

/// A simplified position, split into lands. In `spots`, a spot that occurs twice on one boundary is written as SAME plus
/// the way to its other copy, and a letter on two boundaries as CAPITAL plus its number.
struct Split {
  static constexpr Token SAME = 3, CAPITAL = 4096;

  int regions, boundaries, count, capitals, lands;
  short first_boundary[MOST_REGIONS + 1], first_spot[MOST_BOUNDARIES + 1], region_of[MOST_BOUNDARIES];
  Token spots[MOST_SPOTS];
  short capital_spot[MOST_LETTERS][2], capital_boundary[MOST_LETTERS][2];
  short land_of[MOST_REGIONS], lives[MOST_REGIONS];  // of a region, and of a land

  void read(const Position& position);
};

/// The regions and the capitals of one land of a split position.
struct Part {
  int regions, capitals, lives;
  short region[MOST_REGIONS], capital[MOST_LETTERS];

  Part() = default;
  void choose(const Split& split, int land);
};

/// A number that does not depend on how a land is written. Different lands may share it. Fills in a first colour of each
/// capital.
uint64_t invariant(const Split& split, const Part& part, uint64_t* colours);

/// The canonical text of a land: for each region the number of its boundaries `0`, then its other boundaries, each ended
/// by END_OF_BOUNDARY, then END_OF_REGION. Two lands with equal texts are the same land.
using LandText = std::u16string;
using LandView = std::u16string_view;
void canonical(const Split& split, const Part& part, const uint64_t* colours, LandText& out);

/// The canonical text and the invariant of all lands with two lives (E8).
extern const LandText TWO_LIVES;
inline constexpr uint64_t TWO_LIVES_INVARIANT = 42;

/// All lands that were met, numbered.
class Lands {
 public:
  std::vector<uint64_t> invariants;
  std::vector<short> lives;
  /// The nimber or the number of the game that a land is equal to, or -1.
  std::vector<int32_t> value;
  /// Whether a land is in a fact.
  std::vector<uint8_t> is_listed;

  size_t size() const { return start.size(); }
  LandView text(uint32_t land) const { return LandView(letters.data() + start[land], length[land]); }
  /// The number of a land, or -1 if it was not met.
  int64_t find(LandView text) const;
  uint32_t add(LandView text, uint64_t invariant, int lives);
  /// Adds the lands of a simplified position, and lists their numbers in order.
  void of(const Position& simplified, std::vector<uint32_t>& out);
  /// The land as people write it.
  std::string show(uint32_t land) const;

 private:
  void grow();

  std::vector<char16_t> letters;
  std::vector<uint64_t> start;
  std::vector<uint32_t> length, slots;
  uint64_t mask = 0;
};
extern Lands lands;

class Text;
/// A sum of lands: their numbers in order.
using Sum = std::vector<uint32_t>;
/// Reads a position as it is written in a certificate.
Sum read_sum(Text& text);
