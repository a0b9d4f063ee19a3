#include "games.h"

#include <algorithm>
#include <unordered_set>

#include "land.h"

Games games;

namespace {
const uint64_t MOST_FOLLOWERS = 1'000'000;
}

size_t Games::Hash::operator()(const std::vector<uint32_t>& key) const {
  uint64_t hash = key.size();
  for (uint32_t part : key) hash = mix(hash * 31 + part);
  return hash;
}

Games::Games() { heap(0); }

uint32_t Games::number(const std::vector<uint32_t>& choices) {
  auto [it, is_new] = numbers.try_emplace(choices, uint32_t(options.size()));
  if (!is_new) return it->second;
  int plays = 0;
  bool is_won = choices.empty();  // a player without a move wins
  for (uint32_t choice : choices) {
    plays = std::max(plays, longest[choice] + 1);
    if (!won[choice]) is_won = true;
  }
  options.push_back(choices);
  longest.push_back(plays);
  won.push_back(is_won);
  with_one.push_back(-1);
  follower_counts.push_back(0);
  heap_size.push_back(-1);
  return it->second;
}

uint32_t Games::heap(int size) {
  while (int(heaps.size()) <= size) {
    std::vector<uint32_t> choices(heaps);
    std::sort(choices.begin(), choices.end());
    uint32_t game = number(choices);
    heap_size[game] = int(heaps.size());
    heaps.push_back(game);
  }
  return heaps[size_t(size)];
}

bool Games::has_option(uint32_t game, uint32_t option) const { return std::binary_search(options[game].begin(), options[game].end(), option); }

uint32_t Games::canonical(std::vector<uint32_t> choices) {
  std::sort(choices.begin(), choices.end());
  choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
  if (choices.empty()) return 0;
  // A simpler game is an option of each choice that it lacks. It lacks the one with the longest play: otherwise it would
  // have a longer play itself, and then it lacks none and is this game.
  uint32_t deepest = *std::max_element(choices.begin(), choices.end(), [&](uint32_t a, uint32_t b) { return longest[a] < longest[b]; });
  bool has_lost = std::any_of(choices.begin(), choices.end(), [&](uint32_t choice) { return !won[choice]; });
  for (uint32_t simpler : options[deepest]) {
    if (simpler == 0 && !has_lost) continue;  // the proviso
    auto& its = options[simpler];
    bool is_equal = std::includes(choices.begin(), choices.end(), its.begin(), its.end()) &&
                    std::all_of(choices.begin(), choices.end(),
                                [&](uint32_t choice) { return has_option(choice, simpler) || has_option(simpler, choice); });
    if (is_equal) return simpler;
  }
  return number(choices);
}

uint32_t Games::sum(uint32_t one, uint32_t other) {
  if (one > other) std::swap(one, other);
  if (one == 0) return other;
  uint64_t key = uint64_t(one) << 32 | other;
  if (auto it = sums.find(key); it != sums.end()) return it->second;
  // Copies, because new games move the lists.
  const std::vector<uint32_t> left = options[one], right = options[other];
  std::vector<uint32_t> choices;
  for (uint32_t choice : left) choices.push_back(sum(choice, other));
  for (uint32_t choice : right) choices.push_back(sum(one, choice));
  return sums[key] = canonical(choices);
}

uint32_t Games::base(uint32_t game, int& one) {
  if (with_one[game] < 0) {
    uint32_t more = sum(game, heap(1));
    with_one[game] = more;
    with_one[more] = game;  // two heaps of one cancel
  }
  uint32_t more = uint32_t(with_one[game]);
  if (longest[more] >= longest[game]) return game;
  one ^= 1;
  return more;
}

uint32_t Games::followers(uint32_t game) {
  if (follower_counts[game] == 0) {
    std::unordered_set<uint32_t> met = {game};
    std::vector<uint32_t> open = {game};
    while (!open.empty()) {
      uint32_t from = open.back();
      open.pop_back();
      for (uint32_t option : options[from])
        if (met.insert(option).second) open.push_back(option);
    }
    follower_counts[game] = uint32_t(met.size());
  }
  return follower_counts[game];
}

bool Games::is_within_limit(const std::vector<uint32_t>& bases, int one) {
  uint64_t product = uint64_t(1) + uint64_t(one);
  for (uint32_t base : bases) {
    product *= followers(base);
    if (product > MOST_FOLLOWERS) return false;
  }
  return true;
}

bool Games::wins(const std::vector<uint32_t>& bases, int one) {
  if (bases.empty()) return one == 0;
  if (bases.size() == 1 && one == 0) return won[bases[0]];
  std::vector<uint32_t> key = bases;
  key.push_back(uint32_t(one));
  if (auto it = outcomes.find(key); it != outcomes.end()) return it->second;
  bool is_won = one == 1 && !wins(bases, 0);
  for (size_t i = 0; !is_won && i < bases.size(); i++) {
    if (i > 0 && bases[i] == bases[i - 1]) continue;
    const std::vector<uint32_t> choices = options[bases[i]];
    for (uint32_t choice : choices) {
      int ones = one;
      uint32_t left = base(choice, ones);
      std::vector<uint32_t> after = bases;
      after.erase(after.begin() + long(i));
      if (left != 0) after.insert(std::upper_bound(after.begin(), after.end(), left), left);
      if (!wins(after, ones)) {
        is_won = true;
        break;
      }
    }
  }
  outcomes[key] = is_won;
  return is_won;
}

uint32_t Games::total(const std::vector<uint32_t>& bases, int one) {
  uint32_t total = one ? heap(1) : 0;
  for (uint32_t base : bases) total = sum(total, base);
  return total;
}

std::string Games::show(uint32_t game) {
  if (heap_size[game] >= 0) return std::to_string(heap_size[game]);
  int one = 0;
  uint32_t left = base(game, one);
  if (one == 1) return show(left) + "+1";
  std::string text;
  for (uint32_t option : std::vector<uint32_t>(options[game])) text += (text.empty() ? "(" : " ") + show(option);
  return text + ")";
}
