// The options of a land whose lands are all in facts, or small. Nothing is known of any other option of a land without
// a fact, so it need not be brought into canonical form.
#pragma once
#include <unordered_set>
#include <vector>

#include "moves.h"

class KnownLands {
 public:
  /// Takes note of all lands that are listed in facts.
  void note() {
    filter.assign(FILTER / 64, 0);
    for (uint32_t land = 0; land < lands.size(); land++) {
      if (!lands.is_listed[land]) continue;
      uint64_t invariant = lands.invariants[land], bit = invariant % FILTER;
      invariants.insert(invariant);
      filter[bit / 64] |= uint64_t(1) << bit % 64;
    }
  }

  /// Whether a listed land may have this invariant.
  bool may_have(uint64_t invariant) const {
    uint64_t bit = invariant % FILTER;
    return filter[bit / 64] >> bit % 64 & 1 && invariants.count(invariant);
  }

  /// Hands on each option of a land all of whose lands are listed or have at most `small` lives. With `pairs`, also those
  /// in which all other lands may be equal in pairs.
  template <class Then>
  void each_option(uint32_t land, int small, bool pairs, uint64_t& count, Then then) {
    const LandText text(lands.text(land));
    Position simplified;
    Sum option;
    LandText its_text;
    uint64_t colours[MOST_LETTERS];
    std::vector<uint64_t> hashes, others;
    each_move(text, [&](const Position& position) {
      count++;
      simplify(position, simplified);
      split.read(simplified);
      hashes.clear(), others.clear();
      for (int l = 0; l < split.lands; l++) {
        if (split.lives[l] == 2) {
          hashes.push_back(TWO_LIVES_INVARIANT);
        } else {
          part.choose(split, l);
          hashes.push_back(invariant(split, part, colours));
        }
        if (split.lives[l] <= small || may_have(hashes.back())) continue;
        if (!pairs) return true;
        others.push_back(hashes.back());
      }
      if (!are_paired(others)) return true;
      option.clear();
      for (int l = 0; l < split.lands; l++) {
        if (split.lives[l] == 2) {
          option.push_back(lands.add(TWO_LIVES, TWO_LIVES_INVARIANT, 2));
        } else {
          part.choose(split, l);
          invariant(split, part, colours);
          canonical(split, part, colours, its_text);
          if (pairs || part.lives <= small) {
            option.push_back(lands.add(its_text, hashes[size_t(l)], part.lives));
          } else {
            int64_t found = lands.find(its_text);
            if (found < 0) return true;
            option.push_back(uint32_t(found));
          }
        }
        uint32_t last = option.back();
        if (!pairs && lands.lives[last] > small && !lands.is_listed[last]) return true;
      }
      std::sort(option.begin(), option.end());
      then(option);
      return true;
    });
  }

 private:
  static constexpr uint64_t FILTER = 1 << 25;

  static bool are_paired(std::vector<uint64_t>& hashes) {
    if (hashes.size() % 2 != 0) return false;
    std::sort(hashes.begin(), hashes.end());
    for (size_t k = 0; k < hashes.size(); k += 2)
      if (hashes[k] != hashes[k + 1]) return false;
    return true;
  }

  Split split;
  Part part;
  std::unordered_set<uint64_t> invariants;
  std::vector<uint64_t> filter;
};

/// The different options of a land.
inline std::vector<Sum> options_of(uint32_t land, uint64_t& count) {
  const LandText text(lands.text(land));
  static Position simplified;
  std::vector<Sum> options;
  each_move(text, [&](const Position& position) {
    count++;
    simplify(position, simplified);
    lands.of(simplified, options.emplace_back());
    return true;
  });
  std::sort(options.begin(), options.end());
  options.erase(std::unique(options.begin(), options.end()), options.end());
  return options;
}

/// A sum without one of its lands.
inline Sum without(const Sum& sum, uint32_t land) {
  Sum rest = sum;
  rest.erase(std::lower_bound(rest.begin(), rest.end(), land));
  return rest;
}
