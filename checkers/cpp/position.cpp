#include "position.h"

namespace {
/// Applies each equivalence once. Returns whether another pass may find more: a letter has lost one of its copies.
bool pass(const Position& in, Position& out) {
  static uint8_t copies[65536], here[65536];  // of each letter: in the position, and in this region
  static Token letters[MOST_SPOTS];
  memset(copies + LETTER, 0, size_t(in.letters - LETTER));
  for (int i = 0; i < in.count; i++)
    if (in.tokens[i] >= LETTER && in.tokens[i] < END_OF_BOUNDARY) copies[in.tokens[i]]++;
  out.count = 0, out.letters = in.letters;
  bool again = false;
  for (int i = 0; i < in.count; i++) {
    int region = out.count;
    for (; in.tokens[i] != END_OF_REGION; i++) {
      int boundary = out.count;
      for (; in.tokens[i] != END_OF_BOUNDARY; i++) {
        Token spot = in.tokens[i];
        if (spot == DEAD) continue;  // E1
        if (spot >= LETTER) {
          if (copies[spot] == 1) {
            spot = 2;  // E4
          } else if (out.count > boundary && out.tokens[out.count - 1] == spot) {
            out.tokens[out.count - 1] = 2;  // E2
            continue;
          }
        }
        out.put(spot);
      }
      if (out.count - boundary >= 2 && out.tokens[boundary] >= LETTER && out.tokens[boundary] == out.tokens[out.count - 1]) {
        out.tokens[boundary] = 2;  // E2: a boundary is a cycle
        out.count--;
      }
      if (out.count > boundary) out.put(END_OF_BOUNDARY);  // E3
    }
    int lives = 0, different = 0;
    for (int k = region; k < out.count; k++) {
      Token spot = out.tokens[k];
      if (spot == END_OF_BOUNDARY) continue;
      if (spot < LETTER) {
        lives += 3 - spot;
      } else if (here[spot]++ == 0) {
        lives++;
        letters[different++] = spot;
      }
    }
    if (lives < 2) {  // E3
      for (int k = 0; k < different; k++) again |= here[letters[k]] < 2;
      out.count = region;
    } else {
      if (lives <= 3) {  // E5
        Token spots[3];
        int count = 0;
        for (int k = region; k < out.count; k++)
          if (out.tokens[k] < LETTER) spots[count++] = out.tokens[k];
        for (int k = 0; k < different; k++) spots[count++] = here[letters[k]] == 2 ? Token(2) : letters[k];
        out.count = region;
        for (int k = 0; k < count; k++) out.put(spots[k]);
        out.put(END_OF_BOUNDARY);
      }
      out.put(END_OF_REGION);
    }
    for (int k = 0; k < different; k++) here[letters[k]] = 0;
  }
  return again;
}
}  // namespace

void simplify(const Position& in, Position& out) {
  static Position other;
  if (!pass(in, out)) return;
  while (pass(out, other)) out.copy(other);
  out.copy(other);
}
