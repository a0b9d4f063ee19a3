#!/usr/bin/env python3
"""Checks certificates of theory: periods of nimbers, and misère quotients.

    python3 checkers/python/check_theory.py FILE...

The rules, their numbers and the theorems are in docs/reference/certificates-of-theory.md. Only the standard library
is used. Each nimber is found from all options, so that large certificates take long. The exit code is 1 if a file is
refused.
"""

import re
import sys

MOST_HEAPS = 10_000_000
MOST_VALUES = 10_000
MOST_ELEMENTS = 1000


class Refused(Exception):
    """The reason why a certificate is not accepted."""


def demand(holds, why):
    if not holds:
        raise Refused(why)


# The text: rules 1 to 4.


class Lines:
    """The lines of a file, one after the other."""

    def __init__(self, data):
        demand(data.endswith(b"\n"), "the file ends before its last line does")
        self.lines = data.split(b"\n")[:-1]
        self.number = 0

    def fail(self, why):
        raise Refused(f"line {self.number}: {why}")

    def next(self):
        self.number += 1
        if self.number > len(self.lines):
            self.fail("the file ends before this line")
        line = self.lines[self.number - 1]
        if not re.fullmatch(rb"[ -~]*", line):
            self.fail("expected printable ASCII")
        return line.decode("ascii")

    def match(self, pattern):
        line = self.next()
        found = re.fullmatch(pattern, line)
        if not found:
            self.fail(f"expected {pattern}, found {line}")
        return found

    def whole(self, text, most):
        if not re.fullmatch(r"0|[1-9][0-9]{0,9}", text) or int(text) > most:
            self.fail(f"expected a number up to {most}, found {text}")
        return int(text)

    def row(self, length, most):
        numbers = [self.whole(text, most) for text in self.next().split(" ")]
        if len(numbers) != length:
            self.fail(f"expected {length} numbers, found {len(numbers)}")
        return numbers

    def list(self, length, most):
        numbers = []
        while len(numbers) < length:
            numbers += self.row(min(20, length - len(numbers)), most)
        return numbers

    def end(self):
        self.match("end")
        if self.number != len(self.lines):
            self.fail("expected nothing after `end`")


class Code:
    """An octal or hexadecimal code: rule 3."""

    def __init__(self, text):
        found = re.fullmatch(r"([048C])\.([0-9A-F]{1,10000})(\.\.\.)?", text)
        demand(found, f"{text} is not a code")
        self.text = text
        self.digits = [int(digit, 16) for digit in found[1] + found[2]]
        self.repeated = self.digits.pop() if found[3] else 0
        demand(not found[3] or self.repeated in (1, 2, 3), "the repeated digit is not 1, 2 or 3")
        self.k = len(self.digits) - 1
        every = self.repeated
        for digit in self.digits:
            every |= digit
        self.most_left = 3 if every >= 8 else 2 if every >= 4 else 1
        self.takes_any = self.repeated & 2 > 0

    def ends(self, n):
        digit = self.digits[n] if n <= self.k else self.repeated
        return digit & 1 > 0

    def totals(self, n, bit):
        """What the moves of at most k tokens that leave these heaps leave together."""
        return [n - t for t in range(min(n, self.k + 1)) if self.digits[t] & bit]

    def far(self, n):
        """The single heaps that moves of more than k tokens leave."""
        return range(1, n - self.k) if self.takes_any else range(0)

    def options(self, n, value, times):
        """The values of all options of a heap, where heaps have values, and values multiply."""
        found = {0} if self.ends(n) else set()
        found.update(value[m] for m in self.totals(n, 2))
        found.update(value[m] for m in self.far(n))
        for total in self.totals(n, 4):
            found.update(times(value[a], value[total - a]) for a in range(1, total // 2 + 1))
        for total in self.totals(n, 8):
            for a in range(1, total // 3 + 1):
                for b in range(a, (total - a) // 2 + 1):
                    found.add(times(times(value[a], value[b]), value[total - a - b]))
        return found

    def needed(self, start, length):
        """The number of values that prove a period: rule 8."""
        demand(not self.takes_any, "moves that take any number of tokens leave no such period")
        start = max(start, 1)
        return self.most_left * start + (self.most_left - 1) * length + self.k + length


def read_code(lines):
    return Code(lines.match(r"code (.*)")[1])


# Periods: rules 5 to 10.


def check_period(lines):
    code = read_code(lines)
    found = lines.match(r"period (\S+) from (\S+) saltus (\S+)")
    length, start, saltus = (lines.whole(text, MOST_HEAPS) for text in found.groups())
    demand(length > 0, "a period of length 0")
    count = lines.whole(lines.match(r"nimbers (\S+)")[1], MOST_HEAPS)
    nimbers = lines.list(count, 2 * MOST_HEAPS)
    lines.end()

    def repeats(start, length, saltus):
        return all(nimbers[n] == nimbers[n - length] + saltus for n in range(start + length, count))

    demand(count >= start + 2 * length, "the nimbers do not reach the end of the second period")
    demand(repeats(start, length, saltus), "the nimbers do not repeat as stated")
    demand(start == 0 or not repeats(start - 1, length, saltus), "they repeat from an earlier heap on")
    for part in range(2, length + 1):
        if length % part == 0 and saltus % part == 0:
            shorter = repeats(start, length // part, saltus // part)
            demand(not shorter, "the nimbers have a shorter period")
    if saltus == 0:
        demand(count >= code.needed(start, length), "too few nimbers prove no period")
    for n in range(count):
        options = code.options(n, nimbers, int.__xor__)
        demand(nimbers[n] not in options, f"heap {n}: an option has the nimber {nimbers[n]}")
        for smaller in range(nimbers[n]):
            demand(smaller in options, f"heap {n}: no option has the nimber {smaller}")
    if saltus > 0:
        check_arithmetic(code, nimbers, max(start, 1), length, saltus)
    return f"{code.text}: period {length} from {start} with saltus {saltus}"


def check_arithmetic(code, nimbers, e, p, s):
    """Rules 9 and 10: one of seven doublings is enough."""
    if code.takes_any and code.most_left <= 2:
        theorem, longest = AnyNumber, 4096
    elif not code.takes_any and code.most_left == 3:
        theorem, longest = ThreeHeaps, 128
    else:
        raise Refused("no theorem of arithmetic periods is about such codes")
    reasons = []
    for doubled in range(7):
        claim = theorem(code, nimbers, e, p << doubled, s << doubled)
        reason = "the period is too long" if claim.p > longest else claim.why_not()
        if reason is None:
            return
        reasons.append(reason)
    raise Refused(f"no theorem proves the arithmetic period: {reasons[0]}")


class Arithmetic:
    """The claim of a theorem of arithmetic periods. The names are those of the theorems."""

    def __init__(self, code, nimbers, e, p, s):
        self.code, self.nimbers, self.e, self.p, self.s = code, nimbers, e, p, s

    def f(self, n):
        periods = max(0, n - self.e) // self.p
        return self.nimbers[n - periods * self.p] + periods * self.s

    def why_not(self):
        """Why the theorem does not prove the period; None if it does."""
        limit = len(self.nimbers)
        if limit < max(2, self.code.most_left) * (self.e + self.p) + self.code.k:
            return "too few nimbers are stated"
        if self.code.most_left > 1 and (
            self.s & (self.s - 1) or any(self.f(a) >= self.s for a in range(self.e))
        ):
            return "the saltus is no power of two, or not above the nimbers before the period"
        for n in range(limit, limit + self.p):
            failed = self.failed(n)
            if failed:
                return f"condition {failed}, heap {n}"
        return None

    def excess(self, total, heaps, target):
        """Whether large heaps like these, which have this total, may have the nimber."""
        if (total - sum(heaps)) % self.p:
            return False
        rest, quotients = target, 0
        for heap in heaps:
            rest ^= self.f(heap)
            quotients += self.f(heap) // self.s
        excess = quotients + (total - sum(heaps)) // self.p - target // self.s
        return rest % self.s == 0 and excess >= 0 and excess % 2 == 0


class AnyNumber(Arithmetic):
    """The theorem about moves that take any number of tokens: rule 9."""

    def failed(self, n):
        """The number of a condition that does not hold for a heap of the window."""
        code, e, p, s, f = self.code, self.e, self.p, self.s, self.f
        most = max(f(n) for n in range(e + p))
        target = f(n)
        far = {f(m) for m in code.far(n)} | ({0} if code.ends(n) else set())
        options = far | {f(m) for m in code.totals(n, 2)}
        if target <= most:
            return 1
        if target in options:
            return 2
        for total in code.totals(n, 4):
            for a in range(1, e + p):
                both = f(a) ^ f(total - a)
                if a < e and both == target:
                    return 3
                if f(a) < s:
                    options.add(both)
            period = range(e, e + p)
            if any(self.excess(total, [i, j], target) for i in period for j in period):
                return 4
        if not all(value in options for value in range(most + 1, target)):
            return 5
        if not all(value in far for value in range(most + s + 1)):
            return 6
        return None


class ThreeHeaps(Arithmetic):
    """The theorem about moves that leave three heaps: rule 10."""

    def failed(self, n):
        """The number of a condition that does not hold for a heap of the window."""
        code, e, p, s, f = self.code, self.e, self.p, self.s, self.f
        target = f(n)
        small = [a for a in range(1, e + p) if f(a) < s]
        options = {f(m) for m in code.totals(n, 2)}
        if target in options:
            return 1
        # For each rest and parity: the pairs of `ways`, and whether a quotient of 0 has a way of its own.
        classes = {}

        def note(total, first, second):
            """Notes the ways in which two heaps like `second` and its partner have the same quotient."""
            third = e + (total - first - second - e) % p
            q = [f(heap) // s if heap else 0 for heap in (first, second, third)]
            whole = sum(q) + (total - first - second - third) // p
            rest = (f(first) if first else 0) ^ f(second) ^ f(third)
            most = whole - 2 * max(q[1:])
            classes.setdefault((rest % s, whole % 2), []).append((first >= e, q[0], most))
            heaps = [second, third] + [first] * (first > 0)
            return self.excess(total, heaps, target)

        for total in code.totals(n, 4):
            for a in range(1, e + p):
                both = f(a) ^ f(total - a)
                if a < e and both == target:
                    return 2
                if f(a) < s:
                    options.add(both)
            if any(note(total, 0, j) for j in range(e, e + p)):
                return 3
        for total in code.totals(n, 8):
            for a in range(1, e):
                for b in range(a, e):
                    if f(a) ^ f(b) ^ f(total - a - b) == target:
                        return 2
            options |= {f(a) ^ f(b) ^ f(total - a - b) for a in small for b in small}
            if any([note(total, i, j) for i in range(1, e + p) for j in range(e, e + p)]):
                return 3
        lowest = target
        while lowest > 0 and lowest - 1 in options:
            lowest -= 1
        quotient = -(-lowest // s)
        for rest in range(s):
            for parity in range(2):
                ways = classes.get((rest, parity), [])
                least = min((q for moves, q, most in ways if moves and most >= quotient - 1), default=2)
                has_zero = any(not moves and most >= 0 for moves, _, most in ways)
                if least > 1 or least == 1 and not has_zero:
                    return 5
        return None


# Misère quotients: rules 11 to 16.


def check_quotient(lines):
    code = read_code(lines)
    found = lines.match(r"period (?:none|(\S+) from (\S+))")
    period = None
    if found[1]:
        period = [lines.whole(text, MOST_HEAPS) for text in found.groups()]
        demand(period[0] > 0, "a period of length 0")
    order = lines.whole(lines.match(r"elements (\S+)")[1], MOST_ELEMENTS)
    demand(order > 0, "a monoid has an identity")
    products = [lines.row(order, order - 1) for _ in range(order)]
    lost = lines.list(lines.whole(lines.match(r"lost (\S+)")[1], order), order - 1)
    demand(lost == sorted(set(lost)), "the lost elements are not in ascending order")
    count = lines.whole(lines.match(r"values (\S+)")[1], MOST_VALUES)
    values = lines.list(count, order - 1)
    demand(count > 0, "the empty heap has a value")
    lines.end()
    lost = set(lost)

    def times(one, other):
        return products[one][other]

    check_monoid(products, lost)
    if period:
        length, start = period
        demand(count >= code.needed(start, length), "too few values prove no period")
        for n in range(start + length, count):
            demand(values[n] == values[n - length], f"heap {n}: the value does not repeat")
    letters = set()
    for n in range(count):
        options = code.options(n, values, times)
        if options:
            letters.add((values[n], frozenset(options)))
        else:
            demand(values[n] == 0, f"heap {n} has no move, and its value is not the identity")
    # The elements beside which a value is lost, as the bits of a number.
    beside = [sum(1 << q for q in range(order) if times(x, q) in lost) for x in range(order)]
    wins = {}
    for value, options in letters:
        for option in options:
            demand(not beside[value] & beside[option], f"a lost sum has a lost option: {value}, {option}")
        wins[value, options] = 0
        for option in options:
            wins[value, options] |= beside[option]
    check_all_sums(order, times, lost, [(value, won) for (value, _), won in wins.items()])
    reached, left = {0}, [0]
    while left:
        element = left.pop()
        for value in set(values):
            if times(element, value) not in reached:
                reached.add(times(element, value))
                left.append(times(element, value))
    demand(len(reached) == order, "an element is not the value of any sum")
    demand(len(set(beside)) == order, "two elements are equivalent")
    game = "the whole game" if period else f"heaps up to {count - 1}"
    return f"{code.text}: misère quotient of order {order} of {game}"


def check_monoid(products, lost):
    order = len(products)
    demand(products[0] == list(range(order)), "0 is not the identity")
    for one in range(order):
        for other in range(order):
            product = products[one][other]
            demand(product == products[other][one], f"{one} and {other} do not commute")
            row = [products[one][third] for third in products[other]]
            demand(products[product] == row, f"the products of {one} and {other} depend on their order")
    demand(0 not in lost, "the empty sum is lost")


def check_all_sums(order, times, lost, letters):
    """Rule 15: the pairs of all sums, of which those with the smallest W are kept."""
    kept = [[] for _ in range(order)]
    left = list(letters)
    while left:
        value, won = left.pop()
        if any(smaller & ~won == 0 for smaller in kept[value]):
            continue
        demand(value in lost or won & 1, f"a sum of value {value} is not lost, and has no lost option")
        kept[value] = [larger for larger in kept[value] if won & ~larger] + [won]
        for letter, of_letter in letters:
            both = 0
            for q in range(order):
                if won >> times(q, letter) & 1 or of_letter >> times(q, value) & 1:
                    both |= 1 << q
            left.append((times(value, letter), both))


def check(data):
    lines = Lines(data)
    kind = lines.next()
    if kind == "sproutnet-period 1":
        return check_period(lines)
    if kind == "sproutnet-quotient 1":
        return check_quotient(lines)
    return lines.fail("expected `sproutnet-period 1` or `sproutnet-quotient 1`")


def main():
    files = sys.argv[1:]
    if not files:
        sys.exit(__doc__)
    worst = 0
    for name in files:
        try:
            with open(name, "rb") as file:
                claim = check(file.read())
            print(f"{name}: {claim}")
        except Refused as why:
            print(f"error: {name}: {why}", file=sys.stderr)
            worst = 1
    sys.exit(worst)


if __name__ == "__main__":
    main()
