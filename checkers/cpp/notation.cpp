#include "notation.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "games.h"
#include "refusal.h"

namespace {
const int MOST_DEPTH = 128, MOST_HEAP = 99, MOST_NUMBER = 9999;
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// A letter, and where its first copy is.
struct Letter {
  Token token;
  int copies, boundary, region;
};
}  // namespace

void Text::refuse(const std::string& why) const { throw Refused("column " + std::to_string(at + 1) + ": " + why, line); }

bool Text::take(std::string_view expected) {
  if (text.substr(at, expected.size()) != expected) return false;
  at += expected.size();
  return true;
}

uint64_t Text::number(uint64_t most) {
  if (!is_digit(next())) refuse("expected a number");
  if (next() == '0' && is_digit(next(1))) refuse("a number has no leading zeros");
  uint64_t number = 0;
  for (; is_digit(next()); at++) {
    number = number * 10 + uint64_t(next() - '0');
    if (number > most) refuse("expected a number of at most " + std::to_string(most));
  }
  return number;
}

/// A number inside a position, where leading zeros are allowed.
int Text::number_of_digits() {
  if (!is_digit(next())) refuse("expected digits");
  int number = 0;
  for (; is_digit(next()); at++) {
    number = number * 10 + (next() - '0');
    if (number > MOST_NUMBER) refuse("numbers in a position go up to 9999");
  }
  return number;
}

void Text::position(const std::function<void(const Position&)>& sink) {
  if (take("!")) {
    if (!ended() && next() != ' ') refuse("`!` ends a position");
    return;
  }
  static Position land;
  land.count = 0, land.letters = LETTER;
  std::map<int, Letter> small, capital;  // by their numbers; small ones of this boundary, capitals of this land
  int lives = 0, boundary = 0, region = 0, spots = 0, of_boundary = 0, of_region = 0;
  auto count = [&](int more) {
    lives += more;
    if (lives > MOST_LIVES) refuse("the position has more than 1000 lives");
  };
  auto end_boundary = [&] {
    if (of_boundary > 0) land.put(END_OF_BOUNDARY), of_region++;
    of_boundary = 0, spots = 0, boundary++;
    small.clear();
  };
  auto end_region = [&] {
    if (of_region > 0) land.put(END_OF_REGION);
    of_region = 0, region++;
  };
  auto end_land = [&] {
    // A letter that occurs once needs nothing: E4 makes it a 2.
    sink(land);
    land.count = 0, land.letters = LETTER;
    capital.clear();
  };
  auto letter = [&](std::map<int, Letter>& scope, int name) {
    auto [it, is_new] = scope.try_emplace(name, Letter{land.letters, 0, boundary, region});
    Letter& found = it->second;
    if (is_new) count(1), land.letters++;
    if (++found.copies > 2) refuse("a letter occurs at most twice");
    if (found.region == region && found.boundary != boundary) refuse("both copies of a letter in one region are on one boundary");
    land.put(found.token);
    of_boundary++;
  };
  auto in_brackets = [&] {
    at += 2;
    int k = number_of_digits();
    if (k == 0) refuse("letters in brackets are numbered from 1");
    if (!take(")")) refuse("expected `)`");
    return 25 + k;
  };
  for (;;) {  // a spot, then what follows it
    char c = next();
    if (c == '0' && spots == 0) {
      at++;
      int times = take("*") ? number_of_digits() : 1;
      count(3 * times);
      for (int k = 0; k < times; k++) land.put(0), land.put(END_OF_BOUNDARY), of_region++;
      spots = -1;
    } else if (spots >= 0 && c >= '1' && c <= '3') {
      at++, spots++;
      if (c != '3') count('3' - c), land.put(Token(c - '0')), of_boundary++;
    } else if (spots >= 0 && (c == 'm' || c == 'n') && next(1) == '(') {
      spots++;
      int name = in_brackets();
      letter(c == 'm' ? small : capital, name);
    } else if (spots >= 0 && (is_small(c) || is_capital(c))) {
      at++, spots++;
      if (is_small(c))
        letter(small, c - 'a');
      else
        letter(capital, c - 'A');
    } else if (spots == 0) {
      refuse("expected a spot");
    } else {
      // The older marks: `}` ends a region, `]` a land, and `!` the position.
      bool stop = take(".");
      if (stop && next() != '}' && next() != ']' && next() != '!') {
        end_boundary();
        continue;
      }
      bool closed = false, closes_land = false;
      if (take("}")) closed = true;
      while (take("]")) closed = closes_land = true;
      if (stop && !closed && next() != '!') refuse("expected a spot");
      end_boundary();
      end_region();
      if (take("!")) {
        if (!ended() && next() != ' ') refuse("`!` ends a position");
        end_land();
        return;
      }
      bool plus = !stop || closed ? take("+") : false;
      bool bar = !plus && take("|");
      if (ended() || next() == ' ') {
        if (plus || bar) refuse("expected a spot");
        end_land();
        return;
      }
      if (!closed && !plus && !bar) refuse("expected a spot, a mark or the end of the position");
      if (plus || closes_land) end_land();
    }
  }
}

uint32_t Text::value(int depth) {
  size_t start = at;
  if (!take("(")) return games.heap(int(number(MOST_HEAP)));
  if (depth == MOST_DEPTH) refuse("the parentheses are too deep");
  std::vector<uint32_t> options;
  do options.push_back(value(depth + 1));
  while (take(" "));
  if (!take(")")) refuse("expected a blank or `)`");
  std::sort(options.begin(), options.end());
  bool is_twice = std::adjacent_find(options.begin(), options.end()) != options.end();
  uint32_t game = games.canonical(options);
  if (is_twice || games.options[game] != options) {
    at = start;
    refuse("the game is not in canonical form");
  }
  return take("+1") ? games.sum(game, games.heap(1)) : game;
}
