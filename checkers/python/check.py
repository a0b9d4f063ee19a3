"""Checks a certificate: does it prove who wins a position of Sprouts?

    python3 checkers/python/check.py 7.sprout

It implements docs/reference/certificates.md, and shares nothing but that page with the other programs of Sproutnet.
docs/explanation/proofs.md says why these checks are enough. It is made to be read from top to bottom, so it is plain and
slow. It needs Python 3.11. The exit code is 0 if all certificates are accepted, 1 if one is beyond this checker, 2 if
there is no such file, and 4 if one is refused.
"""
import hashlib
import re
import sys
import time
import zlib
from collections import Counter, defaultdict
from functools import cached_property, lru_cache, reduce
from itertools import product
from math import prod

MOST_LIVES, MOST_BYTES = 1_000, 4_096  # of a position, also the highest rank; of a fact behind its position
MOST_HEAP, MOST_DEPTH = 99, 128  # of a value: its heaps, and its levels of parentheses
MOST_FOLLOWERS = 1_000_000  # of a sum of games
MOST_FACTS, MOST_TEXT = 1_000_000, 1 << 24  # what this checker reads of a certificate, in facts and bytes

class Refused(Exception):
    """Why a certificate is refused. Its arguments are the problem, the line, and the column, both from 1."""

class Undecided(Exception):
    """Why this checker can neither accept nor refuse a certificate."""

# ---- 1. The rules ---------------------------------------------------------------------------------------------
# A land is a tuple of regions, a region a tuple of boundaries, and a boundary a tuple of spots. The numbers 0, 1
# and 2 are spots with that many lines that occur once. A spot that occurs twice has two lines; both of its copies
# are the same number from NAME on. During a move, every spot has a name, and a dictionary has its lives.
NAME, ONE_MOVE = 4, (((1,),),)  # the latter stands for all lands with two lives

def lives_of(land):
    """The lives of a land. A spot that occurs twice has one, a half for each copy."""
    return sum(6 - 2 * spot if spot < NAME else 1 for region in land for boundary in region for spot in boundary) // 2

def alike(region):
    """The places of boundaries, in groups of those that look alike and share no spot with another region."""
    groups = defaultdict(list)
    for place, boundary in enumerate(region):
        alone = all(spot < NAME or boundary.count(spot) == 2 for spot in boundary)
        groups[look(boundary) if alone else place].append(place)
    return list(groups.values())

def moves(land):
    """The positions that one move leads to, before the equivalences: regions, and the lives of the spots."""
    new = 0  # the spot on the curve
    lives = {new: 1}
    after = lambda *joined: {spot: left - joined.count(spot) for spot, left in lives.items()}
    def name(spot):
        named = spot if spot >= NAME else -len(lives)
        lives[named] = 3 - spot if spot < NAME else 1
        return named
    regions = [[tuple(map(name, boundary)) for boundary in region] for region in land]
    for r, region in enumerate(regions):
        elsewhere = regions[:r] + regions[r + 1 :]
        groups = alike(land[r])
        for g, (first, *left) in enumerate(groups):  # a curve may as well start at the first one of each group
            u, rest = region[first], [*groups[:g], left, *groups[g + 1 :]]
            for i, j in product(range(len(u)), repeat=2):  # on one boundary
                if i < j and u[i] != u[j] or i == j and lives[u[i]] >= 2:
                    outside, inside = u[j:] + u[: i + 1] + (new,), u[i : j + 1] + (new,)
                    for counts in product(*(range(len(group) + 1) for group in rest)):
                        there = [region[b] for group, count in zip(rest, counts) for b in group[:count]]
                        here = [region[b] for group, count in zip(rest, counts) for b in group[count:]]
                        yield [*elsewhere, [outside, *here], [inside, *there]], after(u[i], u[j])
            for group in filter(None, rest[g:]):  # between two boundaries
                v = region[group[0]]
                others = [region[b] for b in range(len(region)) if b not in (first, group[0])]
                for i, j in product(range(len(u)), range(len(v))):
                    both = u[i:] + u[: i + 1] + (new,) + v[j:] + v[: j + 1] + (new,)
                    yield [*elsewhere, [both, *others]], after(u[i], v[j])

def lands(regions, lives):
    """The lands of a position after the equivalences; the comments give their numbers."""
    kept = []
    for region in regions:
        boundaries = []
        for boundary in region:
            alive = [spot for spot in boundary if lives[spot]]  # 1
            spots = [spot for i, spot in enumerate(alive) if spot != alive[i - 1]] or alive[:1]  # 2
            boundaries += [spots] if spots else []  # 3
        spots = list(dict.fromkeys(spot for boundary in boundaries for spot in boundary))
        left = sum(lives[spot] for spot in spots)
        kept += [[spots] if left <= 3 else boundaries] if left >= 2 else []  # 3, 5
    copies = Counter(spot for region in kept for boundary in region for spot in boundary)
    found = []  # 7: the lands as far as they are known, each with its spots
    for region in kept:
        land, spots = [region], {spot for boundary in region for spot in boundary}
        for other in [other for other in found if other[1] & spots]:
            found.remove(other)
            land, spots = land + other[0], spots | other[1]
        found.append((land, spots))
    numbers = {spot: NAME + place for place, spot in enumerate(copies)}
    write = lambda spot: numbers[spot] if copies[spot] == 2 else 3 - lives[spot]  # 4
    return tuple(ONE_MOVE if sum(lives[spot] for spot in spots) == 2  # 8
                 else canonical(arranged([[tuple(map(write, boundary)) for boundary in region] for region in land]))
                 for land, spots in found)  # fmt: skip

@lru_cache(maxsize=20_000)
def options(land):
    """The positions that one move in a land leads to, each as a tuple of lands."""
    return tuple({lands(*position) for position in moves(land)})

def replies(position):
    """The positions that one move in a sum of lands leads to."""
    return (position[:i] + option + position[i + 1 :] for i, land in enumerate(position) for option in options(land))

# ---- 2. Which lands are the same (rule E6) --------------------------------------------------------------------
# Each land is written in one way: boundaries turned, regions mirrored, everything in order of how it looks. For that,
# spots between two regions get colours: numbers that depend on what is around them, and not on how the land was
# written. If spots keep one colour, any of them comes first. Usually all lead to the same, because of a symmetry. If
# not, one land is written in two ways, and more is refused. No two different lands are ever written in the same way.

def look(boundary, colour={}):
    """What is met: spots that occur twice here by the way to the other copy, or by colour, or else by lines."""
    seen = []
    for place, spot in enumerate(boundary):
        if spot >= NAME and boundary.count(spot) == 2:
            seen.append(next(-way for way in range(1, len(boundary)) if boundary[place - way] == spot))
        else:
            seen.append(spot if spot < NAME else NAME + colour.get(spot, 0))
    return tuple(seen)

def sides(region, colour):
    """A region and its mirror image: the looks of boundaries, each with its boundary, turned and in order."""
    for side in (region, [boundary[::-1] for boundary in region]):
        looks = [(look(boundary, colour), boundary) for boundary in side]
        yield sorted(min((seen[i:] + seen[:i], b[i:] + b[:i]) for i in range(len(b))) for seen, b in looks)

def arranged(land, colour={}):
    """The land as it is written with these colours."""
    names = {}
    rename = lambda spot: spot if spot < NAME else names.setdefault(spot, NAME + len(names))
    regions = sorted(min(sides(region, colour)) for region in land)
    return tuple(tuple(tuple(map(rename, boundary)) for _, boundary in region) for region in regions)

@lru_cache(maxsize=1_000_000)
def canonical(land):
    """The one way to write a land."""
    places = [(spot, region) for region in land for boundary in region for spot in boundary
              if spot >= NAME and boundary.count(spot) == 1]  # fmt: skip
    colour = {spot: 0 for spot, _ in places}
    while True:
        views = {spot: [] for spot in colour}
        for spot, region in places:  # how the region looks if this spot is known in it
            views[spot].append(min([seen for seen, _ in side] for side in sides(region, {**colour, spot: -1})))
        views = {spot: (colour[spot], sorted(views[spot])) for spot in colour}
        kinds = sorted(views.values())
        finer = {spot: kinds.index(views[spot]) for spot in colour}
        if len(set(finer.values())) == len(set(colour.values())):
            unclear = [spot for spot in finer if kinds.count(views[spot]) > 1]
            if not unclear:
                return arranged(land, finer)
            finer[min(unclear, key=finer.get)] = len(finer)
        colour = finer

# ---- 3. Games under misère play (rules G) ---------------------------------------------------------------------
# A canonical game is a number, and `games` has its options. Equal games are equal numbers.
NOTHING, ONE = 0, 1  # the heaps of none and of one
games, longest = [], []  # the options and the longest play of each game

@lru_cache(maxsize=None)
def game(choices):
    """The canonical form of the game with this set of options, which are canonical (rules G1 and G2)."""
    # A simpler game is an option of each option that it lacks. So it is an option of an option.
    for simpler in {simpler for choice in choices for simpler in games[choice]}:
        lacks = choices - games[simpler]
        if games[simpler] <= choices and all(simpler in games[choice] for choice in lacks):
            if simpler != NOTHING or any(map(is_lost, choices)):
                return simpler
    games.append(choices)
    longest.append(1 + max((longest[choice] for choice in choices), default=-1))
    return len(games) - 1

@lru_cache(maxsize=None)
def is_lost(one):
    """Whether the player to move loses a game. A player without a move wins."""
    return one != NOTHING and not any(map(is_lost, games[one]))

@lru_cache(maxsize=None)
def plus(one, other):
    """The canonical form of a sum."""
    return game(frozenset([plus(o, other) for o in games[one]] + [plus(one, o) for o in games[other]]))

heaps = []
while len(heaps) <= MOST_HEAP:
    heaps.append(game(frozenset(heaps)))

@lru_cache(maxsize=None)
def split(value):
    """The base of a game, and how many heaps of one are beside it: none or one."""
    base = plus(value, ONE)
    return (base, 1) if longest[base] < longest[value] else (value, 0)

def folded(values):
    """The bases of a sum of games, in order, and how many heaps of one are beside them: none or one."""
    parts = [split(value) for value in values]
    return tuple(sorted(base for base, _ in parts if base != NOTHING)), sum(ones for _, ones in parts) % 2

@lru_cache(maxsize=None)
def followers(one):
    """A game, and all that play can make of it."""
    return frozenset([one]).union(*map(followers, games[one]))

def is_known(bases, ones):
    """Whether few enough sums follow a folded sum to know anything about it."""
    return prod(len(followers(base)) for base in bases) * (1 + ones) <= MOST_FOLLOWERS

def sums_after(bases, ones):
    """The sums that one move in a folded sum leads to."""
    yield from [(bases, 0)] * ones
    for i, base in enumerate(bases):
        for choice in games[base] if base not in bases[:i] else ():
            more, also = folded([choice])
            yield tuple(sorted(bases[:i] + bases[i + 1 :] + more)), (ones + also) % 2

@lru_cache(maxsize=1_000_000)
def sum_is_lost(bases, ones):
    """Whether the player to move loses a folded sum."""
    return bool(bases or ones) and not any(sum_is_lost(*after) for after in sums_after(bases, ones))

# ---- 4. Reading a certificate ---------------------------------------------------------------------------------
HEADER = ["sproutnet certificate 1", "game: sprouts", "play: (normal|misere)", "position: (?=[^ ])",
          "outcome: (win|loss)", "small: (0|[1-9][0-9]?)", "tool: ([ -~]{0,200})", "facts: (0|[1-9][0-9]{0,9})",
          "sha256: ([0-9a-f]{64})", ""]  # fmt: skip
BOUNDARY = r"(?:0(?:\*0*[0-9]{1,4}(?![0-9]))?|(?:[mn]\(0*[1-9][0-9]{0,3}\)|[1-3A-Za-z])+)"
REGION = rf"{BOUNDARY}(?:\.{BOUNDARY})*"
CLOSE = r"\.?(?:\}\]*|\]+)"
POSITION = rf"!|{REGION}(?:(?:{CLOSE}[|+]?|[|+]){REGION})*(?:\.!|(?:{CLOSE})?!?)"
SPOT = r"0(?:\*0*(?P<many>[0-9]+))?|(?P<kind>[mn])\(0*(?P<beyond>[0-9]+)\)|[1-3A-Za-z]"
TOKEN = re.compile(rf"{SPOT}|{CLOSE}[|+]?|[.|+!]")

class Line:
    """A line that is read from left to right."""
    def __init__(self, text, line):
        self.text, self.line, self.at = text, line, 0

    def refuse(self, problem, at=None):
        raise Refused(problem, self.line, 1 + (self.at if at is None else at))

    def take(self, expected):
        """Reads what comes next, if it is that."""
        if found := re.compile(expected).match(self.text, self.at):
            self.at = found.end()
        return found

    def number(self, most):
        start, number = self.at, self.take("(?:0|[1-9][0-9]{0,8})(?![0-9])")
        if not number or int(number[0]) > most:
            self.refuse(f"expected a number of at most {most}", start)
        return int(number[0])

    def position(self):
        """A position; its lands after the equivalences."""
        regions, region, boundary, lives, letters = [], [], [], {}, defaultdict(list)
        left = in_land = on_boundary = 0
        start, text = self.at, self.take(POSITION)
        if not text or self.text[self.at :][:1] not in ("", " "):
            self.refuse("this does not continue a position")
        for token in TOKEN.finditer(text[0]):
            here, first = token.start(), token[0][0]
            if first == "0":
                for k in range(int(token["many"] or 1)):
                    region.append([(here, k)])
                    lives[here, k] = 3
                    left += 3
            elif first in "123":
                boundary.append(here)
                lives[here] = 3 - int(first)
                left += lives[here]
            elif first.isalpha():
                small = token["kind"] == "m" if token["kind"] else first.islower()
                name = (token["beyond"] or first, small, on_boundary if small else in_land)
                boundary.append(name)
                left += name not in lives
                lives[name] = 1
                copies = letters[name] = [*letters[name], (len(regions), on_boundary)]  # where they are
                if len(copies) > 2 or copies[0] != copies[-1] and copies[0][0] == copies[-1][0]:
                    self.refuse("a letter occurs at most twice, on one boundary or in two regions", start + here)
            else:
                region, boundary, on_boundary = [*region, boundary], [], on_boundary + 1
                if token[0] != ".":
                    regions, region = [*regions, region], []
                in_land += "+" in token[0] or "]" in token[0]
            if left > MOST_LIVES:
                self.refuse(f"the position has more than {MOST_LIVES} lives", start + here)
        return lands([*regions, [*region, boundary]], lives)

    def value(self, depth=0):
        """A value under misère play; its canonical form."""
        start = self.at
        if depth == MOST_DEPTH or not self.take(r"\("):
            return heaps[self.number(MOST_HEAP)]
        choices = [self.value(depth + 1)]
        while self.take(" "):
            choices.append(self.value(depth + 1))
        if not self.take(r"\)"):
            self.refuse("expected ` ` or `)`")
        value = game(frozenset(choices))
        if sorted(games[value]) != sorted(choices):
            self.refuse("the game is not in canonical form", start)
        return plus(value, ONE) if self.take(r"\+1") else value

def lines_of(path):
    """The lines of a certificate, one by one: a file that is refused is not unpacked to its end."""
    unpacker, rest, number, size = zlib.decompressobj(wbits=31), b"", 0, 0
    with open(path, "rb") as file:
        while not unpacker.eof:
            packed = unpacker.unconsumed_tail or file.read(1 << 16)
            text = unpacker.decompress(packed, 1 << 16)
            if not packed and not text:
                raise Refused("the gzip stream is cut off")
            size += len(text)
            if size > MOST_TEXT:
                raise Undecided(f"this checker reads at most {MOST_TEXT} bytes of text")
            *lines, rest = (rest + text).split(b"\n")
            for n, line in enumerate([*lines, rest], number + 1):
                if bad := re.search(rb"[^ -~]", line):
                    raise Refused("this is not a printable ASCII character", n, bad.start() + 1)
                if len(line) > 1 << 20:
                    raise Refused("the line is too long", n, (1 << 20) + 1)
            yield from map(bytes.decode, lines)
            number += len(lines)
        if unpacker.unused_data or file.read(1):
            raise Refused("something follows the gzip stream")
    if rest:
        raise Refused("the last line has no end", number + 1, len(rest) + 1)

class Certificate:
    def __init__(self, header, lines):
        found = []
        for n, (text, expected) in enumerate(zip(header, HEADER), 1):
            line = Line(text, n)
            if text == "game: mixed" and n == 2:
                raise Undecided("this checker knows Sprouts alone")
            if not (taken := line.take(expected)):
                line.refuse(f"expected `{expected}`")
            if n == 4:
                self.written, self.root = line.text[line.at :], line.position()
            line.take("$") or line.refuse("expected the end of the line")
            found += taken.groups()
        self.play, self.outcome, small, _, count, digest = found
        self.small, self.count = int(small), int(count)
        if self.small and self.play == "normal":
            raise Refused("expected `0` under normal play", 6)
        if self.count >= 1 << 32:
            raise Refused(f"expected a number of at most {(1 << 32) - 1}", 8)
        if self.count > MOST_FACTS:
            raise Undecided(f"this checker reads at most {MOST_FACTS} facts")
        self.values, rank = {}, 0  # the nimber or the game that a fact gives a land
        self.facts = {}  # the line of each fact: of lands and a value, or of lands and a tuple of values if it says `lost`
        n, checksum = len(HEADER), hashlib.sha256()
        for n, text in enumerate(lines, n + 1):
            if n > len(HEADER) + self.count:
                raise Refused("there are more facts than the header announces", n)
            checksum.update(text.encode() + b"\n")
            before, rank = rank, self.read(Line(text, n))
            if not before <= rank <= MOST_LIVES:
                raise Refused(f"the rank {rank} exceeds {MOST_LIVES}, or is lower than {before}, the one before", n)
        if n < len(HEADER) + self.count:
            raise Refused("there are fewer facts than the header announces", n)
        if digest != checksum.hexdigest():
            raise Refused("the checksum does not match the facts", 9)

    def read(self, line):
        """Reads a fact, and returns its rank."""
        position = line.position()
        rank = sum(map(lives_of, position))
        if len(line.text) - line.at > MOST_BYTES:
            line.refuse(f"more than {MOST_BYTES} bytes follow the position")
        if line.take(" = "):
            value = line.value() if self.play == "misere" else line.number(MOST_HEAP)
            if len(position) != 1 or position[0] in self.values:
                line.refuse("expected one land that no earlier fact is about", 0)
            if self.play == "misere" and (rank <= self.small or longest[value] >= rank):
                line.refuse(f"the land has no more than {self.small} lives, or the value has too long a play", 0)
            self.values[position[0]] = value
        else:
            value = ()
            while self.play == "misere" and line.take(" & "):
                value += (line.value(),)
                rank += longest[value[-1]]
            if self.play == "normal" or not line.take(" lost"):
                line.refuse("expected ` = `" + (", ` & ` or ` lost`" if self.play == "misere" else ""))
        line.take("$") or line.refuse("expected the end of the line")
        self.facts.setdefault((position, value), line.line)
        return rank

# ---- 5. What is checked: normal play --------------------------------------------------------------------------
class Normal(Certificate):
    def nimber(self, position):
        """The nimber of a sum of lands, or None if it is not known."""
        unknown = Counter(land for land in position if land not in self.values)
        if all(times % 2 == 0 for times in unknown.values()):
            return reduce(int.__xor__, (self.values[land] for land in position if land in self.values), 0)

    def check(self, line, position, value):
        """Checks that a land has a nimber."""
        lesser = set(range(value))
        for option in options(position[0]):
            nimber = self.nimber(option)
            lesser.discard(nimber)
            if nimber == value or nimber is None and all(self.nimber(reply) != value for reply in replies(option)):
                raise Refused(f"an option is not shown to have another nimber than {value}", line)
        if lesser:
            raise Refused(f"no option is shown to have the nimber {min(lesser)}", line)

    def follows(self):
        """Whether the outcome of the root follows from the facts."""
        nimber = self.nimber(self.root)
        if nimber is not None:
            return self.outcome == ("win" if nimber else "loss")
        return self.outcome == "win" and any(self.nimber(option) == 0 for option in replies(self.root))

# ---- 6. What is checked: misère play --------------------------------------------------------------------------
class Misere(Certificate):
    """A state is a tuple: its lands without values, its bases in order, and its heaps of one: none or one."""
    @lru_cache(maxsize=1_000_000)
    def value(self, land):
        """The value of a land, or None if it is not known."""
        if lives_of(land) > self.small:
            return self.values.get(land)
        return game(frozenset(reduce(plus, map(self.value, option), NOTHING) for option in options(land)))

    def sum(self, position):
        """The sum of the values of lands, or None if it is not known."""
        values = [self.value(land) for land in position]
        return reduce(plus, values, NOTHING) if None not in values and is_known(*folded(values)) else None

    def fold(self, position, bases=(), ones=0):
        """The state of lands beside a folded sum of games."""
        values = [self.value(land) for land in position]
        more, also = folded(value for value in values if value is not None)
        rest = sorted(land for land, value in zip(position, values) if value is None)
        return tuple(rest), tuple(sorted(bases + more)), (ones + also) % 2

    def options(self, state):
        """The states that one move leads to."""
        position, *sum = state
        yield from ((position, *after) for after in sums_after(*sum))
        yield from (self.fold(option, *sum) for option in replies(position))

    @cached_property
    def lost(self):
        """The states that a fact says are lost. They are folded when all values are known."""
        facts = (fact for fact in self.facts if isinstance(fact[1], tuple))
        return {self.fold(position, *folded(values)) for position, values in facts}

    def known(self, state, lost):
        """Whether it is known that the player to move loses, or wins, as asked."""
        position, *sum = state
        if not position:
            return is_known(*sum) and sum_is_lost(*sum) == lost
        return state in self.lost if lost else any(self.known(option, True) for option in self.options(state))

    def check(self, line, position, value):
        """Checks that a land is equal to a game, or that the player to move loses a sum."""
        if isinstance(value, tuple):
            found = list(self.options(self.fold(position, *folded(value))))
            if not found or not all(self.known(option, False) for option in found):
                raise Refused("an option is not shown to be won" if found else "without a move, it is won", line)
            return
        missing = set(games[value])
        for option in options(position[0]):
            known = self.sum(option)
            missing.discard(known)
            if known not in games[value] and not self.reverses(option, known, value):
                raise Refused("an option is not shown to be an option of the value, or to have one equal to it", line)
        if missing:
            raise Refused("no option is shown to be equal to some option of the value", line)
        if value == NOTHING and not any(self.known(self.fold(option), True) for option in options(position[0])):
            raise Refused("no option is shown to be lost, as one has to be if the land is equal to 0", line)

    def reverses(self, option, known, value):
        """Whether an option of a sum of lands is shown to be equal to a value."""
        if known is not None:
            return value in games[known]
        unknown = [land for land in option if self.value(land) is None]
        rest = [land for land in option if land not in unknown]
        return len(unknown) == 1 and any(self.sum([*rest, *reply]) == value for reply in options(unknown[0]))

    def follows(self):
        """Whether the outcome of the root follows from the facts."""
        return self.known(self.fold(self.root), self.outcome == "loss")

# ---- 7. The program -------------------------------------------------------------------------------------------
def verified(path):
    """The certificate in a file, after it was checked."""
    lines = lines_of(path)
    header = [next(lines, "") for _ in HEADER[:-1]] + [next(lines, "the end")]
    certificate = (Misere if header[2] == "play: misere" else Normal)(header, lines)
    for fact, line in certificate.facts.items():
        certificate.check(line, *fact)
    if not certificate.follows():
        raise Refused(f"{certificate.written} is a {certificate.outcome}: this does not follow from the facts", 5)
    return certificate

def main(paths):
    if not paths or paths[0].startswith("-"):
        print("usage: python3 check.py CERTIFICATE...", file=sys.stderr)
        return 2
    code, row = 0, "{:16}  {:6}  {:7}  {:>9}  {:>13}  {:>8}  {}"
    head = row.format("position", "play", "outcome", "facts", "positions met", "time", "file") + "\n"
    sys.setrecursionlimit(20_000)
    for path in paths:
        start, before = time.monotonic(), canonical.cache_info().misses
        try:
            it = verified(path)
            counts = f"{it.count:,}", f"{canonical.cache_info().misses - before:,}"
            took = f"{time.monotonic() - start:.3f} s"
            print(head + row.format(it.written, it.play, it.outcome, *counts, took, path), flush=True)
            head = ""
        except OSError as problem:
            print(f"error: {path}: {problem.strerror}", file=sys.stderr)
            code = max(code, 2)
        except (Refused, zlib.error) as why:
            where = ", ".join(f"{name} {n}" for name, n in zip(("line", "column"), why.args[1:]))
            print("error: " + ": ".join(filter(None, [path, where, why.args[0]])), file=sys.stderr)
            code = max(code, 4)
        except Undecided as why:
            print(f"undecided: {path}: {why}", file=sys.stderr)
            code = max(code, 1)
    return code

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
