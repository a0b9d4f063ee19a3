#include "land.h"

#include <algorithm>
#include <set>

#include "notation.h"
#include "refusal.h"

Lands lands;
const LandText TWO_LIVES = {0, 1, END_OF_BOUNDARY, END_OF_REGION};

// ---- Splitting ----

void Split::read(const Position& position) {
  const Token BACK = 0x8000;  // plus the way back to the first copy; the length of the boundary is not known yet
  static short first[65536], boundary_of[65536];  // of each letter: the place of its first copy, -1 before it is met
  static short parent[MOST_REGIONS], lives_of[MOST_REGIONS];
  auto top = [&](int region) {
    while (parent[region] != region) region = parent[region];
    return region;
  };
  std::fill(first + LETTER, first + position.letters, short(-1));
  regions = boundaries = count = capitals = 0;
  first_boundary[0] = first_spot[0] = 0;
  for (int i = 0; i < position.count; i++) {
    lives_of[regions] = 0, parent[regions] = short(regions);
    for (; position.tokens[i] != END_OF_REGION; i++) {
      int from = count;
      for (; position.tokens[i] != END_OF_BOUNDARY; i++) {
        Token spot = position.tokens[i];
        if (spot < LETTER) {
          spots[count++] = spot;
          lives_of[regions] = short(lives_of[regions] + 3 - spot);
        } else if (first[spot] < 0) {
          first[spot] = short(count), boundary_of[spot] = short(boundaries);
          lives_of[regions]++;
          spots[count++] = spot;
        } else if (boundary_of[spot] == boundaries) {
          spots[first[spot]] = Token(SAME + count - first[spot]);
          spots[count] = Token(BACK + count - first[spot]);
          count++;
        } else {
          int capital = capitals++, before = boundary_of[spot];
          spots[first[spot]] = spots[count] = Token(CAPITAL + capital);
          capital_spot[capital][0] = first[spot], capital_boundary[capital][0] = short(before);
          capital_spot[capital][1] = short(count), capital_boundary[capital][1] = short(boundaries);
          count++;
          parent[top(region_of[before])] = short(top(regions));
        }
      }
      for (int k = from; k < count; k++)
        if (spots[k] >= BACK) spots[k] = Token(SAME + count - from - (spots[k] - BACK));
      region_of[boundaries++] = short(regions);
      first_spot[boundaries] = short(count);
    }
    first_boundary[++regions] = short(boundaries);
  }
  static short number[MOST_REGIONS];
  std::fill(number, number + regions, short(-1));
  lands = 0;
  for (int region = 0; region < regions; region++) {
    short& land = number[top(region)];
    if (land < 0) land = short(lands++), lives[land] = 0;
    land_of[region] = land;
    lives[land] = short(lives[land] + lives_of[region]);
  }
}

void Part::choose(const Split& split, int land) {
  regions = capitals = 0;
  for (int region = 0; region < split.regions; region++)
    if (split.land_of[region] == land) this->region[regions++] = short(region);
  for (int c = 0; c < split.capitals; c++)
    if (split.land_of[split.region_of[split.capital_boundary[c][0]]] == land) capital[capitals++] = short(c);
  lives = split.lives[land];
}

// ---- Hashes ----

namespace {
uint64_t mix_once(uint64_t x) {
  x *= 0x9E3779B97F4A7C15;
  return x ^ x >> 31;
}

const uint64_t BASE = 0x5851F42D4C957F2D, FIRST_COLOUR = mix(0x1234567 + 977 * 255);

struct Tables {
  uint64_t spot[Split::CAPITAL], power[MOST_SPOTS], inverse;
  Tables() {
    for (uint64_t i = 0; i < Split::CAPITAL; i++) spot[i] = mix(0x1234567 + 977 * (i < 255 ? i : i + 1));
    power[0] = 1;
    for (int i = 1; i < MOST_SPOTS; i++) power[i] = power[i - 1] * BASE;
    inverse = BASE;  // of BASE modulo 2^64, by Newton's method
    for (int k = 0; k < 6; k++) inverse *= 2 - BASE * inverse;
  }
};
const Tables TABLES;
}  // namespace

uint64_t invariant(const Split& split, const Part& part, uint64_t* colours) {
  static uint64_t of_boundary[MOST_BOUNDARIES], of_region[MOST_REGIONS];
  for (int k = 0; k < part.capitals; k++) colours[part.capital[k]] = FIRST_COLOUR;
  for (int round = 0;; round++) {
    uint64_t total = uint64_t(part.lives);
    for (int a = 0; a < part.regions; a++) {
      int region = part.region[a];
      uint64_t boundaries = 0;
      for (int b = split.first_boundary[region]; b < split.first_boundary[region + 1]; b++) {
        int from = split.first_spot[b], to = split.first_spot[b + 1], n = to - from;
        uint64_t sum = 0, before = 0, here = 0, first = 0;
        for (int k = from; k < to; k++) {
          Token spot = split.spots[k];
          if (spot < Split::SAME) {
            here = TABLES.spot[spot];
          } else if (spot < Split::CAPITAL) {
            int way = spot - Split::SAME;
            here = TABLES.spot[Split::SAME + std::min(way, n - way)];
          } else {
            here = colours[spot - Split::CAPITAL];
          }
          if (k == from)
            first = here;
          else
            sum += mix_once(before + here);
          before = here;
        }
        sum += mix_once(before + first);
        of_boundary[b] = mix_once(sum + uint64_t(n));
        boundaries += of_boundary[b];
      }
      of_region[region] = mix(boundaries);
      total += of_region[region];
    }
    if (round == 2 || part.capitals == 0) return mix(total);
    for (int k = 0; k < part.capitals; k++) {
      int capital = part.capital[k];
      auto around = [&](int copy) {
        int b = split.capital_boundary[capital][copy];
        return mix_once(of_boundary[b] + 3 * of_region[split.region_of[b]]);
      };
      colours[capital] = mix(colours[capital] + around(0) + around(1));
    }
  }
}

// ---- Canonical form ----

namespace {
/// Gives each letter on two boundaries a colour that depends on what is around it. If letters keep one colour, each of
/// them is tried as the first in turn, and the least text is taken.
class Canoniser {
 public:
  Canoniser(const Split& split, const Part& part) : split(split), part(part) {}

  void run(const uint64_t* colours, LandText& out) {
    if (part.capitals == 0) {
      write(colours, out);
      return;
    }
    search(colours, nullptr);
    out = best.substr(0, best.size() - chosen_in_best);
  }

 private:
  using Coloured = std::pair<uint64_t, int>;

  int different(const uint64_t* colours) const {
    uint64_t sorted[MOST_LETTERS];
    for (int k = 0; k < part.capitals; k++) sorted[k] = colours[part.capital[k]];
    std::sort(sorted, sorted + part.capitals);
    return int(std::unique(sorted, sorted + part.capitals) - sorted);
  }

  /// Makes colours finer until they stay as they are.
  void refine(uint64_t* colours) const {
    static uint64_t forwards[MOST_SPOTS], backwards[MOST_SPOTS], of_region[MOST_REGIONS][2], word[MOST_SPOTS];
    int classes = different(colours);
    while (classes < part.capitals) {
      for (int a = 0; a < part.regions; a++) {
        int region = part.region[a];
        uint64_t sums[2] = {0, 0};
        for (int b = split.first_boundary[region]; b < split.first_boundary[region + 1]; b++) {
          int from = split.first_spot[b], n = split.first_spot[b + 1] - from;
          for (int mirrored = 0; mirrored < 2; mirrored++) {
            for (int k = 0; k < n; k++) {
              Token spot = split.spots[from + (mirrored ? n - 1 - k : k)];
              bool is_same = spot >= Split::SAME && spot < Split::CAPITAL;
              if (is_same && mirrored) spot = Token(2 * Split::SAME + n - spot);
              word[k] = spot < Split::CAPITAL ? TABLES.spot[spot] : colours[spot - Split::CAPITAL];
            }
            // The hash of the boundary as it is read from each place.
            uint64_t hash = 0, sum = 0;
            for (int k = 0; k < n; k++) hash += word[k] * TABLES.power[k];
            for (int k = 0; k < n; k++) {
              (mirrored ? backwards[from + n - 1 - k] : forwards[from + k]) = hash;
              sum += mix(hash);
              hash = (hash - word[k]) * TABLES.inverse + word[k] * TABLES.power[n - 1];
            }
            sums[mirrored] += mix(sum + uint64_t(n));
          }
        }
        of_region[region][0] = mix(sums[0]), of_region[region][1] = mix(sums[1]);
      }
      uint64_t finer[MOST_LETTERS];
      for (int k = 0; k < part.capitals; k++) {
        int capital = part.capital[k];
        uint64_t sum = 0;
        for (int copy = 0; copy < 2; copy++) {
          int place = split.capital_spot[capital][copy], region = split.region_of[split.capital_boundary[capital][copy]];
          sum += mix(mix(forwards[place] + 5 * of_region[region][0]) + mix(backwards[place] + 5 * of_region[region][1]));
        }
        finer[k] = mix(colours[capital] * 0x9E3779B97F4A7C15 + sum);
      }
      for (int k = 0; k < part.capitals; k++) colours[part.capital[k]] = finer[k];
      int now = different(colours);
      if (now == classes) return;
      classes = now;
    }
  }

  std::vector<Coloured> in_order(const uint64_t* colours) const {
    std::vector<Coloured> order;
    for (int k = 0; k < part.capitals; k++) order.push_back({colours[part.capital[k]], part.capital[k]});
    std::sort(order.begin(), order.end());
    return order;
  }

  /// The text with letters numbered in the order of their colours, and then the numbers of the letters that were chosen.
  void write(const uint64_t* colours, LandText& out) const {
    static char16_t label[MOST_LETTERS];
    char16_t next = 0;
    for (auto& coloured : in_order(colours)) label[coloured.second] = next++;
    std::vector<LandText> regions;
    for (int a = 0; a < part.regions; a++) {
      LandText least;
      for (int mirrored = 0; mirrored < 2; mirrored++) {
        LandText region = side(part.region[a], mirrored, label);
        if (mirrored == 0 || region < least) least = region;
      }
      regions.push_back(least);
    }
    std::sort(regions.begin(), regions.end());
    out.clear();
    for (auto& region : regions) out += region;
    for (int capital : chosen) out += label[capital];
  }

  /// A region or its mirror image: boundaries turned to their least form, in order.
  LandText side(int region, bool mirrored, const char16_t* label) const {
    std::vector<LandText> boundaries;
    char16_t isolated = 0;
    for (int b = split.first_boundary[region]; b < split.first_boundary[region + 1]; b++) {
      int from = split.first_spot[b], n = split.first_spot[b + 1] - from;
      if (n == 1 && split.spots[from] == 0) {
        isolated++;
        continue;
      }
      LandText word(size_t(n), 0);
      for (int k = 0; k < n; k++) {
        Token spot = split.spots[from + (mirrored ? n - 1 - k : k)];
        if (spot >= Split::CAPITAL)
          spot = Token(Split::CAPITAL + label[spot - Split::CAPITAL]);
        else if (spot >= Split::SAME && mirrored)
          spot = Token(2 * Split::SAME + n - spot);
        word[size_t(k)] = spot;
      }
      int least = 0;
      for (int i = 1; i < n; i++) {
        for (int k = 0; k < n; k++) {
          char16_t x = word[size_t(i + k < n ? i + k : i + k - n)], y = word[size_t(least + k < n ? least + k : least + k - n)];
          if (x == y) continue;
          if (x < y) least = i;
          break;
        }
      }
      boundaries.push_back(word.substr(size_t(least)) + word.substr(0, size_t(least)) + char16_t(END_OF_BOUNDARY));
    }
    std::sort(boundaries.begin(), boundaries.end());
    LandText text(1, isolated);
    for (auto& boundary : boundaries) text += boundary;
    return text + char16_t(END_OF_REGION);
  }

  /// Refines, then returns the letters in order, and the smallest group of one colour: its place and size.
  std::pair<int, int> group(uint64_t* colours, std::vector<Coloured>& order) const {
    refine(colours);
    order = in_order(colours);
    int at = -1, size = MOST_LETTERS + 1;
    for (int i = 0, j = 0; i < int(order.size()); i = j) {
      while (j < int(order.size()) && order[size_t(j)].first == order[size_t(i)].first) j++;
      if (j - i > 1 && j - i < size) at = i, size = j - i;
    }
    return {at, size};
  }

  void choose(uint64_t* colours, int capital) {
    colours[capital] = mix(colours[capital] + 0x777);
    chosen.push_back(capital);
  }

  /// The text that follows from always choosing the first letter of a group.
  LandText first_text(const uint64_t* given) {
    uint64_t colours[MOST_LETTERS];
    std::copy(given, given + split.capitals, colours);
    std::vector<Coloured> order;
    size_t before = chosen.size();
    for (;;) {
      auto [at, size] = group(colours, order);
      if (at < 0) break;
      choose(colours, order[size_t(at)].second);
    }
    LandText text;
    write(colours, text);
    texts++;
    chosen.resize(before);
    return text;
  }

  void search(const uint64_t* given, std::set<LandText>* seen) {
    uint64_t colours[MOST_LETTERS];
    std::copy(given, given + split.capitals, colours);
    std::vector<Coloured> order;
    auto [at, size] = group(colours, order);
    if (at < 0) {
      LandText text;
      write(colours, text);
      texts++;
      keep(text);
      if (seen) seen->insert(text);
      return;
    }
    std::set<LandText> found;
    for (int i = 0; i < size; i++) {
      uint64_t one_more[MOST_LETTERS];
      std::copy(colours, colours + split.capitals, one_more);
      choose(one_more, order[size_t(at + i)].second);
      bool is_done = false;
      if (i > 0) {
        // A text that was found means a symmetry: below this letter is what is below an earlier one.
        LandText text = first_text(one_more);
        is_done = found.count(text) > 0 || texts > MOST_TEXTS;
        keep(text);
      }
      if (!is_done) search(one_more, &found);
      chosen.pop_back();
    }
    if (seen) seen->insert(found.begin(), found.end());
  }

  void keep(const LandText& text) {
    if (best.empty() || text < best) best = text, chosen_in_best = text.size() - length_of_regions(text);
  }

  size_t length_of_regions(const LandText& text) const {
    size_t at = 0;
    for (int region = 0; region < part.regions; region++) at = text.find(char16_t(END_OF_REGION), at) + 1;
    return at;
  }

  /// With more texts than this, one land may be written in two ways. Then more is refused, and nothing wrong accepted.
  static constexpr long MOST_TEXTS = 5000;

  const Split& split;
  const Part& part;
  std::vector<int> chosen;
  LandText best;
  size_t chosen_in_best = 0;
  long texts = 0;
};
}  // namespace

void canonical(const Split& split, const Part& part, const uint64_t* colours, LandText& out) { Canoniser(split, part).run(colours, out); }

// ---- The table of lands ----

namespace {
uint64_t hash_of(LandView text) {
  uint64_t hash = text.size();
  for (char16_t letter : text) hash = mix_once(hash ^ letter) * BASE;
  return mix(hash);
}
}  // namespace

void Lands::grow() {
  slots.assign(slots.empty() ? 1 << 12 : slots.size() * 2, 0);
  mask = slots.size() - 1;
  for (uint32_t land = 0; land < size(); land++) {
    uint64_t k = hash_of(text(land)) & mask;
    while (slots[k]) k = (k + 1) & mask;
    slots[k] = land + 1;
  }
}

int64_t Lands::find(LandView wanted) const {
  if (slots.empty()) return -1;
  for (uint64_t k = hash_of(wanted) & mask; slots[k]; k = (k + 1) & mask)
    if (text(slots[k] - 1) == wanted) return slots[k] - 1;
  return -1;
}

uint32_t Lands::add(LandView wanted, uint64_t its_invariant, int its_lives) {
  if ((size() + 1) * 2 > slots.size()) grow();
  uint64_t k = hash_of(wanted) & mask;
  for (; slots[k]; k = (k + 1) & mask)
    if (text(slots[k] - 1) == wanted) return slots[k] - 1;
  uint32_t land = uint32_t(size());
  start.push_back(letters.size());
  length.push_back(uint32_t(wanted.size()));
  letters.insert(letters.end(), wanted.begin(), wanted.end());
  invariants.push_back(its_invariant);
  lives.push_back(short(its_lives));
  value.push_back(-1);
  is_listed.push_back(0);
  slots[k] = land + 1;
  return land;
}

void Lands::of(const Position& simplified, std::vector<uint32_t>& out) {
  static Split split;
  static Part part;
  uint64_t colours[MOST_LETTERS];
  LandText text;
  split.read(simplified);
  for (int land = 0; land < split.lands; land++) {
    if (split.lives[land] == 2) {  // E8
      out.push_back(add(TWO_LIVES, TWO_LIVES_INVARIANT, 2));
      continue;
    }
    part.choose(split, land);
    uint64_t its_invariant = invariant(split, part, colours);
    canonical(split, part, colours, text);
    out.push_back(add(text, its_invariant, part.lives));
  }
  std::sort(out.begin(), out.end());
}

std::string Lands::show(uint32_t land) const {
  LandView from = text(land);
  std::string out;
  auto name = [&](char first, char more, int number) {
    if (number < 26)
      out += char(first + number);
    else
      out += more + ("(" + std::to_string(number - 25) + ")");
  };
  for (size_t i = 0; i < from.size(); i++) {
    if (!out.empty()) out += '|';
    int isolated = from[i++];
    if (isolated) out += isolated == 1 ? "0" : "0*" + std::to_string(isolated);
    bool is_first = isolated == 0;
    while (from[i] != END_OF_REGION) {
      if (!is_first) out += '.';
      is_first = false;
      size_t end = from.find(char16_t(END_OF_BOUNDARY), i);
      int n = int(end - i), next = 0;
      std::vector<int> small(size_t(n), -1);
      for (int k = 0; k < n; k++) {
        char16_t spot = from[i + size_t(k)];
        if (spot < Split::SAME) {
          out += char('0' + spot);
        } else if (spot >= Split::CAPITAL) {
          name('A', 'n', spot - Split::CAPITAL);
        } else {
          int other = (k + spot - Split::SAME) % n;
          if (small[size_t(k)] < 0) small[size_t(k)] = small[size_t(other)] = next++;
          name('a', 'm', small[size_t(k)]);
        }
      }
      i = end + 1;
    }
  }
  return out;
}

Sum read_sum(Text& text) {
  Sum sum;
  static Position simplified;
  text.position([&](const Position& land) {
    simplify(land, simplified);
    lands.of(simplified, sum);
  });
  return sum;
}
