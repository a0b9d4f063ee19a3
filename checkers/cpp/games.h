// Games under misère play, and sums of them (rules G of the specification).
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

/// A sum of bases, in order, and a heap of one if `one` is 1.
struct GameSum {
  std::vector<uint32_t> bases;
  int one = 0;
};

/// All canonical games that were met, numbered. Equal games have one number. Game 0 has no options.
class Games {
 public:
  /// The options of each game, in the order of their numbers.
  std::vector<std::vector<uint32_t>> options;
  /// The number of moves in the longest play.
  std::vector<int> longest;

  Games();
  uint32_t heap(int size);
  /// The canonical form of the game with these canonical options.
  uint32_t canonical(std::vector<uint32_t> choices);
  uint32_t sum(uint32_t one, uint32_t other);
  bool has_option(uint32_t game, uint32_t option) const;
  /// Splits a game into its base, which is returned, and a heap of one or none, which is added to `one`.
  uint32_t base(uint32_t game, int& one);
  /// Whether few enough sums follow to know anything about a sum (G6).
  bool is_within_limit(const std::vector<uint32_t>& bases, int one);
  /// Whether the player to move wins a sum, by playing it out.
  bool wins(const std::vector<uint32_t>& bases, int one);
  /// The canonical form of a sum.
  uint32_t total(const std::vector<uint32_t>& bases, int one);
  bool is_won(uint32_t game) const { return won[game]; }
  std::string show(uint32_t game);

 private:
  uint32_t number(const std::vector<uint32_t>& choices);
  uint32_t followers(uint32_t game);

  struct Hash {
    size_t operator()(const std::vector<uint32_t>& key) const;
  };

  std::vector<char> won;
  std::vector<int64_t> with_one;      // the sum with a heap of one, or -1
  std::vector<uint32_t> follower_counts;  // or 0
  std::vector<int> heap_size;         // or -1
  std::vector<uint32_t> heaps;
  std::map<std::vector<uint32_t>, uint32_t> numbers;
  std::unordered_map<uint64_t, uint32_t> sums;
  std::unordered_map<std::vector<uint32_t>, char, Hash> outcomes;
};
extern Games games;
