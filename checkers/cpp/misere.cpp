// Misère play: values of lands, and lost sums (rules G, S and C4 to C7 of the specification).
#include <algorithm>
#include <unordered_map>

#include "certificate.h"
#include "known_lands.h"
#include "refusal.h"
#include "states.h"

namespace {
void add(std::vector<uint32_t>& sorted, uint32_t more) { sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), more), more); }

void add_game(GameSum& sum, uint32_t game) {
  uint32_t base = games.base(game, sum.one);
  if (base != 0) add(sum.bases, base);
}

class Misere : public Convention {
 public:
  explicit Misere(int small) : small(small) {}

  int read(const Sum& position, Text& rest, long line) override {
    int rank = 0;
    for (uint32_t land : position) rank += lands.lives[land];
    for (uint32_t land : position) lands.is_listed[land] = 1;
    if (rest.take(" = ")) {
      uint32_t game = rest.value();
      if (position.size() != 1) throw Refused("this is not a single land", line);
      uint32_t land = position[0];
      if (rank <= small) throw Refused("the land is small and needs no fact", line);
      if (games.longest[game] >= rank) throw Refused("the value has a longer play than the land", line);
      if (lands.value[land] >= 0) throw Refused("an earlier fact is about the same land", line);
      lands.value[land] = int32_t(game);
      values.push_back({land, line});
      return rank;
    }
    State state{position, {}};
    while (rest.take(" & ")) {
      uint32_t game = rest.value();
      add(state.values.bases, game);
      rank += games.longest[game];
      if (rank > MOST_LIVES) throw Refused("the rank is more than 1000", line);
    }
    if (!rest.take(" lost")) rest.refuse("expected ` = `, ` & ` or ` lost`");
    if (size_t before = written.size(); written.add(state) == before) lines.push_back(line);
    return rank;
  }

  void check() override {
    for (uint32_t k = 0; k < written.size(); k++) {
      State state = written.get(k), folded = fold(state.lands);
      for (uint32_t game : state.values.bases) add_game(folded.values, game);
      lost.add(folded);
      claims.push_back({std::move(folded), lines[k]});
    }
    known.note();
    size_t next = 0;  // in the order of the file
    for (auto& [state, line] : claims) {
      for (; next < values.size() && values[next].second < line; next++) check_value(values[next].first, values[next].second);
      check_lost(state, line);
    }
    for (; next < values.size(); next++) check_value(values[next].first, values[next].second);
  }

  bool follows(const Sum& root, bool is_win) override {
    State state = fold(root);
    return is_win ? is_known_won(state) : is_known_lost(state);
  }

 private:
  // ---- Values and folding ----

  /// The value of a land, or -1 if it has none.
  int32_t value_of(uint32_t land) {
    if (lands.value[land] < 0 && lands.lives[land] <= small) {
      std::vector<uint32_t> choices;
      for (const Sum& option : options_of(land, options)) {
        uint32_t total = 0;
        for (uint32_t part : option) total = games.sum(total, uint32_t(value_of(part)));
        choices.push_back(total);
      }
      lands.value[land] = int32_t(games.canonical(choices));
    }
    return lands.value[land];
  }

  State fold(const Sum& sum) {
    State state;
    for (uint32_t land : sum) {
      int32_t value = value_of(land);
      if (value >= 0)
        add_game(state.values, uint32_t(value));
      else
        state.lands.push_back(land);
    }
    return state;
  }

  /// All options of a land, folded.
  const std::vector<uint32_t>& all_options(uint32_t land) {
    auto [it, is_new] = of_land.try_emplace(land);
    if (is_new) {
      std::vector<uint32_t> found;
      for (const Sum& option : options_of(land, options)) found.push_back(folded.add(fold(option)));
      set_of(found);
      it->second = std::move(found);
    }
    return it->second;
  }

  /// The options of a land whose lands are listed or small. Leaving others out can only refuse more.
  const std::vector<uint32_t>& listed_options(uint32_t land) {
    auto [it, is_new] = listed_of_land.try_emplace(land);
    if (is_new) {
      std::vector<uint32_t> found;
      known.each_option(land, small, false, options, [&](const Sum& option) { found.push_back(folded.add(fold(option))); });
      set_of(found);
      it->second = std::move(found);
    }
    return it->second;
  }

  static void set_of(std::vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    list.shrink_to_fit();
  }

  // ---- Moves in folded sums ----

  State after_move(const State& state, uint32_t land, uint32_t option) const {
    State after = {without(state.lands, land), state.values}, part = folded.get(option);
    for (uint32_t other : part.lands) add(after.lands, other);
    for (uint32_t base : part.values.bases) add(after.values.bases, base);
    after.values.one ^= part.values.one;
    return after;
  }

  /// Hands on each state that a move in a value leads to, until `then` returns true.
  template <class Then>
  bool any_move_in_values(const State& state, Then then) {
    if (state.values.one) {
      State after = state;
      after.values.one = 0;
      if (then(after)) return true;
    }
    const auto& bases = state.values.bases;
    for (size_t i = 0; i < bases.size(); i++) {
      if (i > 0 && bases[i] == bases[i - 1]) continue;
      const std::vector<uint32_t> choices = games.options[bases[i]];
      for (uint32_t choice : choices) {
        State after = state;
        after.values.bases.erase(after.values.bases.begin() + long(i));
        add_game(after.values, choice);
        if (then(after)) return true;
      }
    }
    return false;
  }

  // ---- Known outcomes ----

  /// Whether a sum without lands has this outcome.
  bool is_played_out(const GameSum& sum, bool is_win) { return games.is_within_limit(sum.bases, sum.one) && games.wins(sum.bases, sum.one) == is_win; }

  bool is_known_lost(const State& state) { return state.lands.empty() ? is_played_out(state.values, false) : lost.has(state); }

  bool is_known_won(const State& state) {
    if (state.lands.empty()) return is_played_out(state.values, true);
    int unlisted = 0;
    uint32_t which = 0;
    for (uint32_t land : state.lands)
      if (!lands.is_listed[land]) unlisted++, which = land;
    // A known state has no unlisted land, and a move gets rid of one at most.
    if (unlisted > 1) return false;
    uint64_t hash = States::hash_of(state);
    auto is_won_by = [&](uint32_t land) {
      for (uint32_t option : listed_options(land)) {
        bool has_no_land = state.lands.size() == 1 && folded.land_count(option) == 0;
        uint64_t after = hash - States::of_land(land) + folded.hash(option);
        if ((has_no_land || lost.may_have(after, state.values.one ^ folded.one(option))) && is_known_lost(after_move(state, land, option))) return true;
      }
      return false;
    };
    if (unlisted == 1) return is_won_by(which);
    if (any_move_in_values(state, [&](const State& after) { return is_known_lost(after); })) return true;
    for (size_t i = 0; i < state.lands.size(); i++)
      if ((i == 0 || state.lands[i] != state.lands[i - 1]) && is_won_by(state.lands[i])) return true;
    return false;
  }

  // ---- Facts ----

  void check_lost(const State& state, long line) {
    bool has_option = false;
    auto is_not_won = [&](const State& option) {
      has_option = true;
      if (!is_known_won(option)) throw Refused("an option is not shown to be won: " + show(option), line);
      return false;
    };
    any_move_in_values(state, is_not_won);
    for (size_t i = 0; i < state.lands.size(); i++) {
      if (i > 0 && state.lands[i] == state.lands[i - 1]) continue;
      const std::vector<uint32_t> found = all_options(state.lands[i]);
      for (uint32_t option : found) is_not_won(after_move(state, state.lands[i], option));
    }
    if (!has_option) throw Refused("a player without a move wins", line);
  }

  void check_value(uint32_t land, long line) {
    const uint32_t game = uint32_t(lands.value[land]);
    const std::vector<uint32_t> wanted = games.options[game], found = all_options(land);
    std::vector<char> is_found(wanted.size());
    bool has_lost = false;
    for (uint32_t number : found) {
      State option = folded.get(number);
      if (game == 0 && !has_lost) has_lost = is_known_lost(option);
      if (!is_shown(option, game, wanted, is_found))
        throw Refused("an option is not shown to be an option of " + games.show(game) + ", or to have it as an option: " + show(option), line);
    }
    for (size_t i = 0; i < wanted.size(); i++)
      if (!is_found[i]) throw Refused("no option is shown to be equal to " + games.show(wanted[i]), line);
    if (game == 0 && !has_lost) throw Refused("no option is shown to be lost", line);
  }

  /// Whether an option is shown to be an option of a game, or to have this game as an option.
  bool is_shown(const State& option, uint32_t game, const std::vector<uint32_t>& wanted, std::vector<char>& is_found) {
    if (option.lands.empty()) {
      if (!games.is_within_limit(option.values.bases, option.values.one)) return false;
      uint32_t total = games.total(option.values.bases, option.values.one);
      auto place = std::lower_bound(wanted.begin(), wanted.end(), total);
      if (place == wanted.end() || *place != total) return games.has_option(total, game);
      is_found[size_t(place - wanted.begin())] = 1;
      return true;
    }
    if (option.lands.size() != 1) return false;
    uint32_t land = option.lands[0];
    const std::vector<uint32_t> replies = listed_options(land);
    return std::any_of(replies.begin(), replies.end(), [&](uint32_t reply) {
      if (folded.land_count(reply) > 0) return false;
      GameSum sum = after_move(option, land, reply).values;
      return games.is_within_limit(sum.bases, sum.one) && is_equal(sum, game);
    });
  }

  /// Whether a sum is equal to a game. Outcomes are compared first, because they cost less than canonical forms.
  bool is_equal(const GameSum& sum, uint32_t game) {
    GameSum other;
    add_game(other, game);
    if (sum.bases.size() <= 1) return sum.bases == other.bases && sum.one == other.one;
    return games.wins(sum.bases, sum.one) == games.is_won(game) && games.wins(sum.bases, sum.one ^ 1) == games.wins(other.bases, other.one ^ 1) &&
           games.total(sum.bases, sum.one) == game;
  }

  static std::string show(const State& state) {
    std::string text;
    for (uint32_t land : state.lands) text += (text.empty() ? "" : "+") + lands.show(land);
    if (text.empty()) text = "!";
    for (uint32_t base : state.values.bases) text += " & " + games.show(base);
    return state.values.one ? text + " & 1" : text;
  }

  const int small;
  KnownLands known;
  std::vector<std::pair<uint32_t, long>> values;
  States written, lost;  // lost sums as they are written, and folded
  std::vector<long> lines;
  std::vector<std::pair<State, long>> claims;
  States folded;  // options of lands
  std::unordered_map<uint32_t, std::vector<uint32_t>> of_land, listed_of_land;
};
}  // namespace

std::unique_ptr<Convention> misere_play(int small) { return std::make_unique<Misere>(small); }
