// Reads a gzip file (RFC 1951 and 1952) piece by piece, so that a refused file is not unpacked to its end.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

/// Unpacks a file of one gzip member with nothing after it, and hands on its text in pieces. Throws `Refused` if it is
/// anything else, and `NoFile` if it cannot be opened.
void unpack(const std::string& path, const std::function<void(const char*, size_t)>& sink);
