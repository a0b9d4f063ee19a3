// SHA-256 (FIPS 180-4).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

class Sha256 {
 public:
  void add(const char* bytes, size_t count);
  /// The digest as 64 lowercase hexadecimal digits. Ends the sum.
  std::string digest();

 private:
  void block(const uint8_t* bytes);

  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t rest[64] = {};
  uint64_t length = 0;
};
