// Folded sums under misère play, each kept once.
#pragma once
#include <cstdint>
#include <vector>

#include "games.h"
#include "land.h"

/// A sum: its lands without a value, and its values. Both are in order, and equal ones do not cancel.
struct State {
  Sum lands;
  GameSum values;
};

/// A set of states, numbered. The hash of a sum of two states is the sum of their hashes.
class States {
 public:
  static uint64_t of_land(uint32_t land) { return mix(0xABCDEF1234567 + uint64_t(land)); }
  static uint64_t hash_of(const State& state) {
    uint64_t hash = 0;
    for (uint32_t land : state.lands) hash += of_land(land);
    for (uint32_t base : state.values.bases) hash += mix(0x155F4F3FC6917E2E + uint64_t(base));
    return hash;
  }

  size_t size() const { return start.size(); }
  uint64_t hash(uint32_t state) const { return hashes[state]; }
  int one(uint32_t state) const { return int(data[start[state]] & 1); }
  uint32_t land_count(uint32_t state) const { return data[start[state]] >> 1; }
  State get(uint32_t state) const {
    const uint32_t *from = &data[start[state]], *bases = from + 2 + land_count(state);
    return {Sum(from + 2, bases), {std::vector<uint32_t>(bases, bases + from[1]), one(state)}};
  }
  /// Whether a state of this hash may be here.
  bool may_have(uint64_t hash, int one) const { return search(hash, one, [](uint32_t) { return true; }) >= 0; }
  bool has(const State& state) const { return find(state) >= 0; }
  uint32_t add(const State& state) {
    if (int64_t known = find(state); known >= 0) return uint32_t(known);
    if ((size() + 1) * 2 > slots.size()) grow();
    uint32_t number = uint32_t(size());
    start.push_back(data.size());
    data.push_back(uint32_t(state.lands.size()) << 1 | uint32_t(state.values.one));
    data.push_back(uint32_t(state.values.bases.size()));
    data.insert(data.end(), state.lands.begin(), state.lands.end());
    data.insert(data.end(), state.values.bases.begin(), state.values.bases.end());
    hashes.push_back(hash_of(state));
    place(number);
    return number;
  }

 private:
  template <class Test>
  int64_t search(uint64_t hash, int its_one, Test is_it) const {
    if (slots.empty()) return -1;
    for (uint64_t k = mix(hash + uint64_t(its_one)) & mask; slots[k]; k = (k + 1) & mask) {
      uint32_t state = slots[k] - 1;
      if (hashes[state] == hash && one(state) == its_one && is_it(state)) return state;
    }
    return -1;
  }
  int64_t find(const State& state) const {
    return search(hash_of(state), state.values.one, [&](uint32_t number) {
      State other = get(number);
      return other.lands == state.lands && other.values.bases == state.values.bases;
    });
  }
  void place(uint32_t state) {
    uint64_t k = mix(hashes[state] + uint64_t(one(state))) & mask;
    while (slots[k]) k = (k + 1) & mask;
    slots[k] = state + 1;
  }
  void grow() {
    slots.assign(slots.empty() ? 1 << 12 : slots.size() * 2, 0);
    mask = slots.size() - 1;
    for (uint32_t state = 0; state < size(); state++) place(state);
  }

  std::vector<uint32_t> data, slots;
  std::vector<uint64_t> start, hashes;
  uint64_t mask = 0;
};
