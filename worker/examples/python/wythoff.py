"""Wythoff's game: its rules, a search under both conventions, and the bytes of states and records."""

import time
from itertools import chain, groupby, islice
from os.path import commonprefix

import xxhash

NAME, CODE, ENCODING = "wythoff", b"W", 1
NORMAL, MISERE = 1, 2  # as in common.proto

# A position is a sorted tuple of parts. A part is a pair of heaps, or a value: the tuple of its options, each of them a
# position.


def options(part):
    """The positions to which a move in one part leads, small ones first. A heap of Nim, *k, is the pair (0, k)."""
    if isinstance(part[0], tuple):
        yield from part
        return
    a, b = part
    of_one, of_both = ((left, b) for left in range(a)), ((left, b - a + left) for left in range(a))
    of_other = ((a, left) for left in range(b))
    for pair in chain(of_both, of_one, of_other):
        yield (tuple(sorted(pair)),) if any(pair) else ()


class Stopped(Exception):
    """The search was stopped."""


class Search:
    """What is known, by the search of all jobs so far."""

    def __init__(self):
        self.nimbers, self.wins = {}, {}  # of pairs under normal play; of positions under misère play
        self.new = []  # facts to be reported: worth, key, value
        self.visits, self.least_worth, self.until, self.unwanted = 0, 1, 0, False

    def solve(self, state, play):
        """Whether the player to move wins. Raises `Stopped` when the time is over or the job is unwanted."""
        position = read_state(state, play)
        if play == MISERE:
            return self.win(position)
        total = 0
        for pair in position:
            total ^= self.nimber(pair)
        return total != 0

    def nimber(self, pair):
        """Normal play: the least number that is not the nimber of an option."""
        if pair not in self.nimbers:
            before = self.visit()
            met = {self.nimber(option[0]) if option else 0 for option in options(pair)}
            found = self.nimbers[pair] = next(number for number in range(len(met) + 1) if number not in met)
            if sum(pair) > 5:  # everyone evaluates smaller lands at once
                self.learn(before, b"n" + land(pair), 2 * found + 1)
        return self.nimbers[pair]

    def win(self, position):
        """Misère play: a move to a loss wins, and so does a position without a move."""
        if position not in self.wins:
            before, won = self.visit(), not position
            for at, part in enumerate(position):
                for option in options(part):
                    if won:
                        break
                    left = position[:at] + option + position[at + 1 :]
                    won = not self.win(tuple(sorted(left, key=repr)))
            self.wins[position] = won
            # A win follows from a loss below it. Lands with few moves are known as values.
            if not won and all(isinstance(part[0], int) and sum(part) > 8 for part in position):
                lands = [b"\4" + pair for pair in sorted(map(land, position))]
                self.learn(before, b"m" + varint(len(lands)) + b"".join(lands) + b"\0\0", 0)
        return self.wins[position]

    def visit(self):
        if self.unwanted or time.monotonic() > self.until:
            raise Stopped
        self.visits += 1
        return self.visits

    def learn(self, before, subject, value):
        visits = self.visits - before + 1
        if visits >= self.least_worth:
            self.new.append((visits.bit_length() - 1, CODE + subject, value))

    def blocks(self):
        """The new facts as blocks of records, each block with facts of one worth."""
        facts, self.new = iter(sorted(self.new)), []
        for worth, of_worth in groupby(facts, key=lambda fact: fact[0]):
            while records := [fact[1:] for fact in islice(of_worth, 256)]:
                yield block(worth, records)


def land(pair):
    return pair[0].to_bytes(2, "big") + pair[1].to_bytes(2, "big")


def varint(number):
    """LEB128: seven bits a byte, the lowest first."""
    low = bytes([number & 127 | (128 if number > 127 else 0)])
    return low + varint(number >> 7) if number > 127 else low


def read_varint(data):
    low, data = data[0], data[1:]
    if low < 128:
        return low, data
    high, data = read_varint(data)
    return low - 128 + (high << 7), data


def read_state(data, play):
    """A state as a position: its lands, and the value of the lands that were known."""
    count, data = read_varint(data)
    parts = []
    for _ in range(count):
        length, data = read_varint(data)
        parts.append((int.from_bytes(data[:2], "big"), int.from_bytes(data[2:4], "big")))
        data = data[length:]
    if play == NORMAL:
        nimber = int.from_bytes(data, "big")
        parts += [(0, nimber)] if nimber else []
    else:
        count, data = read_varint(data)
        for _ in range(count):
            value, data = read_value(data)
            parts += value
        parts += [(0, 1)] if data[0] else []
    return tuple(sorted(parts, key=repr))


def read_value(data):
    """The canonical form of a value: a heap, or its options; as a position."""
    tag, data = data[0], data[1:]
    if tag < 0xE0:
        return ((0, tag),) if tag else (), data
    count, data = read_varint(data)
    base = []
    for _ in range(count):
        option, data = read_value(data)
        base.append(option)
    return (tuple(base),) + (((0, 1),) if tag == 0xF1 else ()), data


def block(worth, records):
    """A block of up to 256 records with ascending keys, all of one worth."""
    data, last = b"\3" + varint(len(records)) + b"\1" + varint(worth), b""
    for key, value in records:
        shared = len(commonprefix([last, key]))
        data += varint(shared) + varint(len(key) - shared) + key[shared:] + varint(value)
        last = key
    return data + xxhash.xxh3_64_intdigest(data).to_bytes(8, "little")
