// Normal play: nimbers of lands (rules C1 to C3 of the specification).
#include <bitset>
#include <unordered_map>

#include "certificate.h"
#include "known_lands.h"
#include "refusal.h"

namespace {
const uint64_t MOST_NIMBER = 99;

/// A sum, after the nimbers of lands with facts are added up, and other lands cancelled in pairs.
struct Folded {
  Sum unknown;
  uint32_t nimber = 0;
};

Folded fold(const Sum& sum) {
  Folded folded;
  for (uint32_t land : sum) {
    if (lands.value[land] >= 0)
      folded.nimber ^= uint32_t(lands.value[land]);
    else if (!folded.unknown.empty() && folded.unknown.back() == land)
      folded.unknown.pop_back();
    else
      folded.unknown.push_back(land);
  }
  return folded;
}

class Normal : public Convention {
 public:
  int read(const Sum& position, Text& rest, long line) override {
    if (!rest.take(" = ")) rest.refuse("expected ` = `");
    uint32_t nimber = uint32_t(rest.number(MOST_NIMBER));
    if (position.size() != 1) throw Refused("this is not a single land", line);
    uint32_t land = position[0];
    if (lands.value[land] >= 0) throw Refused("an earlier fact is about the same land", line);
    lands.value[land] = int32_t(nimber);
    lands.is_listed[land] = 1;
    facts.push_back({land, line});
    return lands.lives[land];
  }

  void check() override {
    known.note();
    for (auto [land, line] : facts) check(land, line);
  }

  bool follows(const Sum& root, bool is_win) override {
    Folded folded = fold(root);
    if (folded.unknown.empty()) return is_win == (folded.nimber != 0);
    return is_win && has_option(root, 0);
  }

 private:
  using Nimbers = std::bitset<128>;

  void check(uint32_t land, long line) {
    uint32_t nimber = uint32_t(lands.value[land]);
    Nimbers lesser;
    for (const Sum& option : options_of(land, options)) {
      Folded folded = fold(option);
      bool is_known = folded.unknown.empty();
      if (is_known && folded.nimber < nimber) lesser.set(folded.nimber);
      if (is_known ? folded.nimber == nimber : !has_option(option, nimber))
        throw Refused("an option is not shown to have another nimber than " + std::to_string(nimber) + ": " + show(option), line);
    }
    for (uint32_t less = 0; less < nimber; less++)
      if (!lesser[less]) throw Refused("no option is shown to have the nimber " + std::to_string(less), line);
  }

  /// Whether some option of a sum is known to have a nimber.
  bool has_option(const Sum& sum, uint32_t nimber) {
    for (size_t i = 0; i < sum.size(); i++) {
      if (i > 0 && sum[i] == sum[i - 1]) continue;
      Folded rest = fold(without(sum, sum[i]));
      if (rest.unknown.empty() && nimbers_after(sum[i])[nimber ^ rest.nimber]) return true;
    }
    // Rare: the lands of the option cancel lands beside it.
    for (size_t i = 0; i < sum.size(); i++) {
      if (i > 0 && sum[i] == sum[i - 1]) continue;
      Folded rest = fold(without(sum, sum[i]));
      if (rest.unknown.empty()) continue;
      for (const Sum& option : options_of(sum[i], options)) {
        Folded folded = fold(option);
        if (folded.unknown == rest.unknown && (folded.nimber ^ rest.nimber) == nimber) return true;
      }
    }
    return false;
  }

  /// The known nimbers of the options of a land.
  const Nimbers& nimbers_after(uint32_t land) {
    auto [it, is_new] = after.try_emplace(land);
    if (is_new) {
      Nimbers& found = it->second;
      known.each_option(land, 0, true, options, [&](const Sum& option) {
        Folded folded = fold(option);
        if (folded.unknown.empty()) found.set(folded.nimber);
      });
    }
    return it->second;
  }

  static std::string show(const Sum& sum) {
    std::string text;
    for (uint32_t land : sum) text += (text.empty() ? "" : "+") + lands.show(land);
    return text.empty() ? "!" : text;
  }

  KnownLands known;
  std::vector<std::pair<uint32_t, long>> facts;
  std::unordered_map<uint32_t, Nimbers> after;
};
}  // namespace

std::unique_ptr<Convention> normal_play() { return std::make_unique<Normal>(); }
