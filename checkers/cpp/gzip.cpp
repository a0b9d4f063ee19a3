#include "gzip.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "refusal.h"

namespace {
const std::array<uint32_t, 256> CRC = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  return table;
}();

uint32_t crc(uint32_t sum, const uint8_t* bytes, size_t count) {
  sum = ~sum;
  for (size_t i = 0; i < count; i++) sum = CRC[(sum ^ bytes[i]) & 255] ^ sum >> 8;
  return ~sum;
}

/// The bits of a file, from the lowest bit of each byte on.
class Bits {
 public:
  explicit Bits(FILE* file) : file(file) {}

  /// The next bits, which stay; zeros after the end of the file.
  uint32_t peek(int count) {
    for (; have < count; have += 8) {
      int byte = read();
      if (byte < 0)
        missing += 8;
      else
        bits |= uint64_t(byte) << have;
    }
    return uint32_t(bits & ((uint64_t(1) << count) - 1));
  }
  void drop(int count) {
    bits >>= count, have -= count;
    if (have < missing) throw Refused("the gzip stream is cut off");
  }
  uint32_t take(int count) {
    uint32_t value = peek(count);
    drop(count);
    return value;
  }
  void align() { drop(have % 8); }
  bool ended() {
    align();
    peek(8);
    return have == missing;
  }

 private:
  int read() {
    if (at == filled) {
      filled = fread(buffer, 1, sizeof buffer, file);
      at = 0;
      if (ferror(file)) throw Undecided("the file cannot be read");
      if (filled == 0) return -1;
    }
    return buffer[at++];
  }

  FILE* file;
  uint64_t bits = 0;
  int have = 0, missing = 0;
  size_t at = 0, filled = 0;
  uint8_t buffer[1 << 16];
};

/// A Huffman code: for any next 15 bits, the symbol times 16 plus the length of its code, or 0.
class Code {
 public:
  Code() : table(1 << LONGEST) {}
  void make(const uint8_t* lengths, int count) {
    std::fill(table.begin(), table.end(), 0);
    int next = 0;
    for (int length = 1; length <= LONGEST; length++, next <<= 1) {
      for (int symbol = 0; symbol < count; symbol++) {
        if (lengths[symbol] != length) continue;
        if (next >> length) throw Refused("the gzip stream has a wrong code");
        int reversed = 0;
        for (int bit = 0; bit < length; bit++) reversed |= (next >> bit & 1) << (length - 1 - bit);
        for (int i = reversed; i < 1 << LONGEST; i += 1 << length) table[i] = uint16_t(symbol << 4 | length);
        next++;
      }
    }
  }
  int next(Bits& in) const {
    uint16_t entry = table[in.peek(LONGEST)];
    if (entry == 0) throw Refused("the gzip stream has an unknown code");
    in.drop(entry & 15);
    return entry >> 4;
  }

 private:
  static constexpr int LONGEST = 15;
  std::vector<uint16_t> table;
};

class Inflater {
 public:
  Inflater(Bits& in, const std::function<void(const char*, size_t)>& sink) : in(in), sink(sink) {}

  /// Unpacks all blocks, and compares the text with its checksum and length.
  void run() {
    bool is_last;
    do {
      is_last = in.take(1);
      switch (in.take(2)) {
        case 0: stored(); break;
        case 1: fixed(); break;
        case 2: dynamic(); break;
        default: throw Refused("the gzip stream has a block of no known kind");
      }
    } while (!is_last);
    flush();
    in.align();
    uint32_t sum_of_file = in.take(16);
    sum_of_file |= in.take(16) << 16;
    uint32_t length_of_file = in.take(16);
    length_of_file |= in.take(16) << 16;
    if (sum_of_file != sum || length_of_file != uint32_t(total)) throw Refused("the gzip stream is damaged");
  }

 private:
  static constexpr size_t WINDOW = 1 << 15, SIZE = 1 << 17;

  void flush() {
    const uint8_t* from = text + flushed;
    sum = crc(sum, from, filled - flushed);
    total += filled - flushed;
    sink(reinterpret_cast<const char*>(from), filled - flushed);
    if (filled > WINDOW) {
      memmove(text, text + filled - WINDOW, WINDOW);
      filled = WINDOW;
    }
    flushed = filled;
  }
  void put(uint8_t byte) {
    if (filled == SIZE) flush();
    text[filled++] = byte;
  }
  void stored() {
    in.align();
    uint32_t length = in.take(16);
    if ((in.take(16) ^ length) != 0xffff) throw Refused("the gzip stream has a block of wrong length");
    while (length-- > 0) put(uint8_t(in.take(8)));
  }
  void fixed() {
    uint8_t lengths[288 + 30];
    for (int i = 0; i < 288; i++) lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    std::fill(lengths + 288, lengths + 318, 5);
    literals.make(lengths, 288);
    distances.make(lengths + 288, 30);
    symbols();
  }
  void dynamic() {
    int many = int(in.take(5)) + 257, far = int(in.take(5)) + 1, kinds = int(in.take(4)) + 4;
    static const int ORDER[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320 + 138] = {};
    for (int i = 0; i < kinds; i++) lengths[ORDER[i]] = uint8_t(in.take(3));
    literals.make(lengths, 19);
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < many + far;) {
      int symbol = literals.next(in);
      if (symbol < 16) {
        lengths[i++] = uint8_t(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) throw Refused("the gzip stream repeats nothing");
      uint8_t length = symbol == 16 ? lengths[i - 1] : 0;
      int times = symbol == 16 ? 3 + int(in.take(2)) : symbol == 17 ? 3 + int(in.take(3)) : 11 + int(in.take(7));
      if (i + times > many + far) throw Refused("the gzip stream has too many codes");
      while (times-- > 0) lengths[i++] = length;
    }
    literals.make(lengths, many);
    distances.make(lengths + many, far);
    symbols();
  }
  void symbols() {
    static const int LENGTH[29] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const int DISTANCE[30] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                     193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    for (;;) {
      int symbol = literals.next(in);
      if (symbol < 256) {
        put(uint8_t(symbol));
        continue;
      }
      if (symbol == 256) return;
      int kind = symbol - 257;
      if (kind > 28) throw Refused("the gzip stream has an unknown length");
      int more = kind < 8 || kind == 28 ? 0 : kind / 4 - 1;
      int length = LENGTH[kind] + int(in.take(more));
      int how_far = distances.next(in);
      if (how_far > 29) throw Refused("the gzip stream has an unknown distance");
      size_t distance = size_t(DISTANCE[how_far]) + in.take(how_far < 2 ? 0 : how_far / 2 - 1);
      while (length-- > 0) {
        if (filled == SIZE) flush();
        if (distance > filled) throw Refused("the gzip stream reaches back too far");
        text[filled] = text[filled - distance];
        filled++;
      }
    }
  }

  Bits& in;
  const std::function<void(const char*, size_t)>& sink;
  Code literals, distances;
  uint8_t text[SIZE];
  size_t filled = 0, flushed = 0;
  uint64_t total = 0;
  uint32_t sum = 0;
};

/// Reads the header of a member (RFC 1952, 2.3).
void header(Bits& in) {
  enum { TEXT = 1, CHECKSUM = 2, EXTRA = 4, NAME = 8, COMMENT = 16, RESERVED = 224 };
  uint32_t sum = 0;
  auto byte = [&] {
    uint8_t value = uint8_t(in.take(8));
    sum = crc(sum, &value, 1);
    return value;
  };
  if (byte() != 0x1f || byte() != 0x8b || byte() != 8) throw Refused("this is not a gzip stream");
  int flags = byte();
  if (flags & RESERVED) throw Refused("the gzip stream has unknown flags");
  for (int i = 0; i < 6; i++) byte();
  if (flags & EXTRA) {
    int length = byte();
    length |= byte() << 8;
    while (length-- > 0) byte();
  }
  for (int text : {NAME, COMMENT})
    if (flags & text)
      while (byte() != 0) {
      }
  if (flags & CHECKSUM) {
    uint32_t expected = sum & 0xffff;
    if (in.take(16) != expected) throw Refused("the header of the gzip stream is damaged");
  }
}
}  // namespace

void unpack(const std::string& path, const std::function<void(const char*, size_t)>& sink) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(path.c_str(), "rb"), fclose);
  if (!file) throw NoFile(strerror(errno));
  auto in = std::make_unique<Bits>(file.get());
  header(*in);
  auto inflater = std::make_unique<Inflater>(*in, sink);
  inflater->run();
  if (!in->ended()) throw Refused("something follows the gzip stream");
}
