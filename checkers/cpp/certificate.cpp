#include "certificate.h"

#include "gzip.h"
#include "refusal.h"
#include "sha256.h"

namespace {
const size_t MOST_LINE = 1 << 20, MOST_BEHIND = 4096, MOST_TOOL = 200;
const long HEADER_LINES = 10, POSITION_LINE = 4, OUTCOME_LINE = 5;
const uint64_t MOST_FACTS = 4'294'967'295;
const int MOST_SMALL = 99;

class Certificate {
 public:
  void add(const char* bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
      char c = bytes[i];
      if (c == '\n') {
        end_line();
        continue;
      }
      if (c < ' ' || c > '~') refuse("this is not printable ASCII", line.size() + 1);
      line += c;
      if (line.size() > MOST_LINE) refuse("the line is too long", line.size());
    }
  }

  /// Checks what needs the whole file, then the facts and the root.
  Header check(Counts& counts) {
    if (!line.empty()) refuse("the last line has no end", line.size() + 1);
    if (number < HEADER_LINES) refuse("the header ends early", 1);
    if (facts != header.facts) throw Refused("the header announces another number of facts");
    if (sha256.digest() != header.digest) throw Refused("the checksum does not match the facts");
    convention->check();
    if (!convention->follows(root, header.is_win)) throw Refused("the outcome does not follow from the facts", OUTCOME_LINE);
    counts = {facts, convention->options};
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& why, size_t column) { throw Refused("column " + std::to_string(column) + ": " + why, number + 1); }

  void end_line() {
    number++;
    if (number <= HEADER_LINES) {
      field();
    } else {
      sha256.add(line.data(), line.size());
      sha256.add("\n", 1);
      if (++facts > header.facts) throw Refused("there are more facts than the header announces", number);
      fact();
    }
    line.clear();
  }

  void field() {
    static const char* const NAMES[] = {"sproutnet certificate 1", "game: ", "play: ", "position: ", "outcome: ", "small: ", "tool: ", "facts: ", "sha256: ", ""};
    Text text(line, number);
    if (!text.take(NAMES[number - 1])) text.refuse("expected `" + std::string(NAMES[number - 1]) + "`");
    std::string rest = line.substr(text.place());
    auto one_of = [&](const char* first, const char* second) {
      if (rest != first && rest != second) text.refuse(std::string("expected ") + first + " or " + second);
      return rest == first;
    };
    switch (number) {
      case 1: break;
      case 2:
        if (rest == "mixed") throw Undecided("this checker knows Sprouts alone");
        if (rest != "sprouts") text.refuse("expected sprouts");
        return;
      case 3: header.is_misere = one_of("misere", "normal"); return;
      case POSITION_LINE:
        root = read_sum(text);
        header.position = rest;
        break;
      case OUTCOME_LINE: header.is_win = one_of("win", "loss"); return;
      case 6: header.small = int(text.number(header.is_misere ? MOST_SMALL : 0)); break;
      case 7:
        if (rest.size() > MOST_TOOL) text.refuse("the tool has more than 200 bytes");
        return;
      case 8: header.facts = text.number(MOST_FACTS); break;
      case 9:
        if (rest.size() != 64 || rest.find_first_not_of("0123456789abcdef") != std::string::npos) text.refuse("expected 64 lowercase hexadecimal digits");
        header.digest = rest;
        return;
      case HEADER_LINES: convention = header.is_misere ? misere_play(header.small) : normal_play(); break;
    }
    if (!text.ended()) text.refuse("expected the end of the line");
  }

  void fact() {
    Text text(line, number);
    Sum position = read_sum(text);
    if (text.left() > MOST_BEHIND) text.refuse("more than 4096 bytes follow the position");
    int its_rank = convention->read(position, text, number);
    if (!text.ended()) text.refuse("expected the end of the line");
    if (its_rank > MOST_LIVES) throw Refused("the rank " + std::to_string(its_rank) + " is more than 1000", number);
    if (its_rank < rank) throw Refused("the rank " + std::to_string(its_rank) + " is lower than that of the fact before", number);
    rank = its_rank;
  }

  std::string line;
  long number = 0;  // of the last whole line
  uint64_t facts = 0;
  int rank = 0;
  Header header;
  Sum root;
  Sha256 sha256;
  std::unique_ptr<Convention> convention;
};
}  // namespace

Header check_certificate(const std::string& path, Counts& counts) {
  Certificate certificate;
  unpack(path, [&](const char* bytes, size_t count) { certificate.add(bytes, count); });
  return certificate.check(counts);
}
