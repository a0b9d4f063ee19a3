// The moves in a land (rules M of the specification).
#pragma once
#include <algorithm>
#include <vector>

#include "land.h"

/// Plays every move in a land, and hands on each position that it leads to, before the equivalences. Stops when `then`
/// returns false. Boundaries of a region that look alike and share no letter with another region are shared out by number,
/// and a curve starts at the first one of them.
template <class Then>
void each_move(const LandText& text, Then then) {
  struct Boundary {
    int from, length;
  };
  using Group = std::vector<Boundary>;
  std::vector<Token> spots;
  std::vector<std::vector<Group>> regions;
  int capitals = 0;
  for (char16_t spot : text)
    if (spot >= Split::CAPITAL && spot < END_OF_BOUNDARY) capitals = std::max(capitals, spot - Split::CAPITAL + 1);
  Token next = Token(LETTER + capitals);
  for (size_t i = 0; i < text.size(); i++) {
    auto& groups = regions.emplace_back();
    int isolated = text[i++];
    if (isolated) {
      groups.emplace_back();
      for (; isolated > 0; isolated--) groups.back().push_back({int(spots.size()), 1}), spots.push_back(0);
    }
    LandView last;
    while (text[i] != END_OF_REGION) {
      size_t end = text.find(char16_t(END_OF_BOUNDARY), i);
      LandView word = LandView(text).substr(i, end - i);
      int n = int(end - i), from = int(spots.size());
      bool has_capital = false;
      spots.resize(spots.size() + size_t(n), 0);
      for (int k = 0; k < n; k++) {
        char16_t spot = word[size_t(k)];
        Token& here = spots[size_t(from + k)];
        if (spot < Split::SAME) {
          here = spot;
        } else if (spot >= Split::CAPITAL) {
          here = Token(LETTER + spot - Split::CAPITAL), has_capital = true;
        } else {
          int other = (k + spot - Split::SAME) % n;
          if (other > k) here = spots[size_t(from + other)] = next++;
        }
      }
      bool is_alike = !has_capital && !last.empty() && word == last;
      if (!is_alike) groups.emplace_back();
      groups.back().push_back({from, n});
      last = has_capital ? LandView() : word;
      i = end + 1;
    }
  }
  // The new spot, and what is left of the spots that the curve joins.
  const Token curve = next, one = Token(next + 1), other = Token(next + 2);
  // What a spot becomes by the move: letters at an end of the curve die.
  std::vector<Token> after(size_t(next) + 3);
  for (size_t k = 0; k < after.size(); k++) after[k] = Token(k);
  Position out;  // not static: a caller may play moves in another land before it returns
  out.letters = Token(next + 3);
  auto put = [&](const Boundary& b) {
    for (int k = 0; k < b.length; k++) out.put(after[spots[size_t(b.from + k)]]);
    out.put(END_OF_BOUNDARY);
  };
  std::vector<Token> here, there;
  std::vector<int> share, most;
  for (size_t r = 0; r < regions.size(); r++) {
    auto& groups = regions[r];
    const size_t count = groups.size();
    auto put_elsewhere = [&] {
      for (size_t q = 0; q < regions.size(); q++) {
        if (q == r) continue;
        for (auto& group : regions[q])
          for (auto& b : group) put(b);
        out.put(END_OF_REGION);
      }
    };
    // Joins on one boundary (M2).
    for (size_t g = 0; g < count; g++) {
      const int n = groups[g][0].length;
      const Token* u = &spots[size_t(groups[g][0].from)];
      for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
          const Token first = u[i], second = u[j];
          bool is_even = false;  // whether both sides of the curve are alike
          here.clear(), there.clear();
          if (i == j) {
            if (first >= 2) continue;  // it has one life
            if (first == 0) {
              here = there = {one, curve};
              is_even = true;
            } else {
              for (int k = 1; k < n; k++) here.push_back(u[(i + k) % n]);
              here.push_back(curve);
              there.push_back(curve);
            }
          } else {
            if (first == second && first >= LETTER) continue;  // one spot with one life
            if (first >= LETTER) after[first] = DEAD;
            if (second >= LETTER) after[second] = DEAD;
            Token left = first == 1 ? one : DEAD, right = second == 1 ? other : DEAD;
            here.push_back(right);
            here.insert(here.end(), u + j + 1, u + n);
            here.insert(here.end(), u, u + i);
            here.insert(here.end(), {left, curve});
            there.push_back(left);
            there.insert(there.end(), u + i + 1, u + j);
            there.insert(there.end(), {right, curve});
          }
          share.assign(count, 0);
          most.clear();
          for (size_t q = 0; q < count; q++) most.push_back(int(groups[q].size()) - (q == g));
          for (;;) {
            bool is_mirror = false;  // of another way to share out
            if (is_even) {
              for (size_t q = 0; q < count && !is_mirror; q++) {
                if (2 * share[q] < most[q]) break;
                is_mirror = 2 * share[q] > most[q];
              }
            }
            if (!is_mirror) {
              out.count = 0;
              for (Token spot : here) out.put(after[spot]);
              out.put(END_OF_BOUNDARY);
              for (size_t q = 0; q < count; q++)
                for (int k = 0; k < share[q]; k++) put(groups[q][size_t(k + (q == g))]);
              out.put(END_OF_REGION);
              for (Token spot : there) out.put(after[spot]);
              out.put(END_OF_BOUNDARY);
              for (size_t q = 0; q < count; q++)
                for (int k = share[q]; k < most[q]; k++) put(groups[q][size_t(k + (q == g))]);
              out.put(END_OF_REGION);
              put_elsewhere();
              if (!then(out)) return;
            }
            size_t q = 0;
            while (q < count && share[q] == most[q]) share[q++] = 0;
            if (q == count) break;
            share[q]++;
          }
          after[first] = first, after[second] = second;
        }
      }
    }
    // Joins of two boundaries (M3).
    for (size_t g = 0; g < count; g++) {
      for (size_t h = g; h < count; h++) {
        const bool is_one_group = g == h;
        if (is_one_group && groups[g].size() < 2) continue;
        const Boundary u = groups[g][0], v = groups[h][is_one_group];
        for (int i = 0; i < u.length; i++) {
          for (int j = is_one_group ? i : 0; j < v.length; j++) {
            const Token first = spots[size_t(u.from + i)], second = spots[size_t(v.from + j)];
            if (first >= LETTER) after[first] = DEAD;
            if (second >= LETTER) after[second] = DEAD;
            out.count = 0;
            auto half = [&](const Boundary& b, int place, Token left) {
              Token end = spots[size_t(b.from + place)];
              if (end == 0) {
                out.put(1);
              } else {
                if (end == 1) out.put(left);
                for (int k = 1; k < b.length; k++) out.put(after[spots[size_t(b.from + (place + k) % b.length)]]);
                if (end == 1) out.put(left);
              }
              out.put(curve);
            };
            half(u, i, one);
            half(v, j, other);
            out.put(END_OF_BOUNDARY);
            for (size_t q = 0; q < count; q++)
              for (size_t k = 0; k < groups[q].size(); k++)
                if (!(q == g && k == 0) && !(q == h && k == size_t(is_one_group))) put(groups[q][k]);
            out.put(END_OF_REGION);
            put_elsewhere();
            after[first] = first, after[second] = second;
            if (!then(out)) return;
          }
        }
      }
    }
  }
}
