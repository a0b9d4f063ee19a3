#!/usr/bin/env python3
"""Writes the conformance files of certificates, and cases.tsv, which lists them.

    python3 checkers/conformance/make.py            # writes accept/, refuse/ and cases.tsv
    python3 checkers/conformance/make.py --check    # fails if they are not what this program would write

A case is a line below: its name, the rule of docs/reference/certificates.md that decides it, the reason, and what the
certificate is. What is not given is right: the count, the checksum and the compression. Most files are gzip streams
without compression, so that they are the same whatever compresses, and readable as they are.
"""
import hashlib
import struct
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).parent
FIELDS = ["file", "verdict", "game", "play", "root", "outcome", "small", "facts", "rule", "reason"]
cases = {}

# ---- Files -------------------------------------------------------------------------------------------------------

def stored(text):
    """A deflate stream of stored blocks."""
    parts = [text[i : i + 0xFFFF] for i in range(0, len(text), 0xFFFF)] or [b""]
    block = lambda part, is_last: struct.pack("<BHH", is_last, len(part), 0xFFFF ^ len(part)) + part
    return b"".join(block(part, i == len(parts) - 1) for i, part in enumerate(parts))

def deflated(text, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, strategy)
    return packer.compress(text) + packer.flush()

def gzip(text, deflate=stored, flags=0, extra=b"", crc=None, size=None):
    head = b"\x1f\x8b\x08" + bytes([flags]) + bytes(4) + b"\x00\xff" + extra
    crc = zlib.crc32(text) if crc is None else crc
    return head + deflate(text) + struct.pack("<II", crc, (len(text) if size is None else size) & 0xFFFFFFFF)

def certificate(play, root, outcome, facts=(), small=0, game="sprouts", tool="conformance", count=None, digest=None, edit=None):
    """The text of a certificate. `edit` changes it, given as pairs of what is there and what replaces it."""
    body = "".join(f"{fact}\n" for fact in facts).encode("latin-1")
    digest = hashlib.sha256(body).hexdigest() if digest is None else digest
    head = (f"sproutnet certificate 1\ngame: {game}\nplay: {play}\nposition: {root}\noutcome: {outcome}\nsmall: {small}\n"
            f"tool: {tool}\nfacts: {len(facts) if count is None else count}\nsha256: {digest}\n\n")
    text = head.encode("latin-1") + body
    for old, new in edit or ():
        assert text.count(old) >= 1, (old, text)
        text = text.replace(old, new, 1)
    return text

def case(verdict, name, rule, reason, claim, facts=(), pack=gzip, **more):
    """A case. `claim` is a word for the convention, the root and the outcome."""
    play, root, outcome = claim.split(" ")
    play = {"N": "normal", "M": "misere"}.get(play, play)
    text = certificate(play, root, outcome, facts, **more)
    path = f"{verdict}/{name}.sprout"
    assert path not in cases, path
    row = [path, verdict, more.get("game", "sprouts"), play, root, outcome, more.get("small", 0), len(facts), rule, reason]
    row = [str(cell) if len(str(cell)) <= 200 else f"{str(cell)[:40]}… ({len(str(cell))} characters)" for cell in row]
    cases[path] = (row, pack(text))

def accept(*args, **more):
    case("accept", *args, **more)

def refuse(*args, **more):
    case("refuse", *args, **more)

ONE = ["1 = 1"]
TWO_SPOTS = ["0 = 0", "ABCD|ABCD = 0", "0*2 = 0"]

# ---- The file ----------------------------------------------------------------------------------------------------

accept("two-spots", "C3", "the worked example of the specification", "N 0*2 loss", TWO_SPOTS)
accept("deflated", "F1", "a dynamic Huffman code", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t, deflated))
accept("fixed-code", "F1", "the fixed Huffman code", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t, lambda x: deflated(x, zlib.Z_FIXED)))
accept("gzip-name-comment-extra", "F1", "a gzip header with all optional fields", "N 1 win", pack=lambda t: gzip(
    t, flags=4 | 8 | 16, extra=b"\x03\x00abc" + b"name\x00" + b"comment\x00"))
accept("gzip-header-checksum", "F1", "a gzip header with its checksum", "N 1 win", pack=lambda t: gzip(
    t, flags=2, extra=struct.pack("<H", zlib.crc32(b"\x1f\x8b\x08\x02\0\0\0\0\0\xff") & 0xFFFF)))
refuse("not-gzip", "F1", "the text is not compressed", "N 1 win", pack=lambda t: t)
refuse("empty-file", "F1", "there are no bytes", "N 1 win", pack=lambda t: b"")
refuse("cut-in-header-of-gzip", "F1", "the gzip stream is cut off after 5 bytes", "N 1 win", pack=lambda t: gzip(t)[:5])
refuse("cut-in-text", "F1", "the gzip stream is cut off in the text", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t)[:-20])
refuse("cut-in-trailer", "F1", "the gzip stream is cut off in its trailer", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t)[:-3])
refuse("cut-deflated", "F1", "the deflate stream is cut off", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t, deflated)[:100])
refuse("trailing-byte", "F1", "a byte follows the gzip member", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t) + b"\0")
refuse("second-member", "F1", "a second gzip member follows, with nothing in it", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t) + gzip(b""))
refuse("two-members", "F1", "the text is spread over two gzip members", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t[:200]) + gzip(t[200:]))
refuse("wrong-crc", "F1", "the CRC-32 of the gzip member is wrong", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t, crc=0x12345678))
refuse("wrong-length", "F1", "the length in the gzip trailer is wrong", "N 0*2 loss", TWO_SPOTS, pack=lambda t: gzip(t, size=1))
refuse("damaged-code", "F1", "a block of the deflate stream has the reserved kind", "N 1 win", pack=lambda t: gzip(t, lambda x: b"\x07" + x))
refuse("reserved-flag", "F1", "a reserved flag of the gzip header is set", "N 1 win", pack=lambda t: gzip(t, flags=32))
refuse("no-last-end", "F2", "the last line has no end", "N 0*2 loss", TWO_SPOTS, edit=[(b"0*2 = 0\n", b"0*2 = 0")])
refuse("carriage-return", "F2", "lines end in CR LF", "N 1 win", edit=[(b"game: sprouts\n", b"game: sprouts\r\n")])
refuse("tab", "F2", "a tab in the name of the tool", "N 1 win", tool="a\tb")
refuse("not-ascii", "F2", "a byte above 126 in the name of the tool", "N 1 win", tool="spr\xfcche")
refuse("delete", "F2", "the byte 127 in the name of the tool", "N 1 win", tool="a\x7fb")
refuse("nul", "F2", "the byte 0 in a fact", "N 1 win", ["1 = 1\0"])
DEAD = lambda length: ["1" + "3" * (length - 5) + " = 1"]
accept("longest-line", "F3", "a line of 1,048,576 bytes, nearly all of it dead spots", "N 1 win", DEAD(1 << 20), pack=lambda t: gzip(t, deflated))
refuse("too-long-line", "F3", "a line of 1,048,577 bytes, right but for that", "N 1 win", DEAD((1 << 20) + 1), pack=lambda t: gzip(t, deflated))
refuse("endless-line", "F3", "a line of 50 MB without an end", "N 1 win", DEAD(50_000_000), pack=lambda t: gzip(t[:-1], deflated))

# ---- The header --------------------------------------------------------------------------------------------------

accept("no-move", "C3", "no move and no facts: the player to move loses normal play", "N ! loss")
accept("no-move-misere", "C7", "no move and no facts: the player to move wins misère play", "M ! win")
refuse("no-move-win", "C3", "the player to move has no move, so loses normal play", "N ! win")
refuse("no-move-misere-loss", "C7", "the player to move has no move, so wins misère play", "M ! loss")
accept("empty-tool", "F10", "a tool without a name", "N 1 win", tool="")
accept("long-tool", "F10", "a tool of 200 bytes", "N 1 win", tool="~" * 200)
refuse("too-long-tool", "F10", "a tool of 201 bytes", "N 1 win", tool="~" * 201)
for name, rule, reason, edit in [
    ("version-2", "F4", "another version", (b"certificate 1", b"certificate 2")),
    ("blank-after-version", "F4", "a blank at the end of the first line", (b"certificate 1\n", b"certificate 1 \n")),
    ("no-game", "F4", "a field is missing", (b"game: sprouts\n", b"")),
    ("fields-swapped", "F4", "two fields in the wrong order", (b"game: sprouts\nplay: normal\n", b"play: normal\ngame: sprouts\n")),
    ("field-twice", "F4", "a field occurs twice", (b"game: sprouts\n", b"game: sprouts\ngame: sprouts\n")),
    ("unknown-field", "F4", "a field that is not known", (b"tool:", b"date: 2026-11-28\ntool:")),
    ("no-blank-after-colon", "F4", "no blank after the colon", (b"play: normal", b"play:normal")),
    ("two-blanks-after-colon", "F4", "two blanks after the colon", (b"play: normal", b"play:  normal")),
    ("capital-field", "F4", "the name of a field in capitals", (b"play: normal", b"Play: normal")),
    ("header-only", "F4", "nothing follows the checksum", (b"\n\n", b"\n")),
    ("header-cut", "F4", "the text ends after the play convention", None),
    ("no-empty-line", "F4", "a fact where the empty line should be", (b"\n\n", b"\n1 = 1\n")),
    ("blank-in-empty-line", "F4", "a blank in the empty line", (b"\n\n", b"\n \n")),
    ("unknown-game", "F5", "a game without certificates", (b"game: sprouts", b"game: kayles")),
    ("unknown-play", "F6", "an unknown play convention", (b"play: normal", b"play: reverse")),
    ("accented-play", "F6", "the convention is written `misere`, without an accent", (b"play: normal", "play: misère".encode())),
    ("no-position", "F7", "the position is empty", (b"position: 1", b"position: ")),
    ("blank-in-position", "F7", "a blank in the position", (b"position: 1", b"position: 1 +1")),
    ("blank-after-position", "F7", "a blank after the position", (b"position: 1", b"position: 1 ")),
    ("draw", "F8", "an outcome that is none", (b"outcome: win", b"outcome: draw")),
    ("small-under-normal", "F9", "`small` is 0 under normal play", (b"small: 0", b"small: 1")),
    ("no-small", "F13", "`small` is no number", (b"small: 0", b"small: ")),
    ("signed-count", "F13", "a sign before a number", (b"facts: 0", b"facts: +0")),
    ("leading-zero-in-count", "F13", "a leading zero in the number of facts", (b"facts: 0", b"facts: 00")),
    ("count-too-large", "F11", "the number of facts exceeds 4,294,967,295", (b"facts: 0", b"facts: 4294967296")),
    ("count-of-nobody", "F11", "a number of facts with 30 digits", (b"facts: 0", b"facts: " + b"9" * 30)),
    ("short-checksum", "F12", "a checksum of 63 digits", (b"b855\n", b"b85\n")),
    ("capital-checksum", "F12", "a checksum in capital digits", (b"b855\n", b"B855\n")),
]:
    pack = gzip if edit else lambda t: gzip(t[: t.index(b"position")])
    refuse(name, rule, reason, "N 1 win", edit=[edit] if edit else None, pack=pack)
refuse("wrong-checksum", "F12", "a checksum of other facts", "N 1 win", ["1 = 1"], digest=hashlib.sha256(b"1 = 1").hexdigest())
refuse("more-facts", "F11", "more facts than announced", "N 0*2 loss", TWO_SPOTS, count=2)
refuse("fewer-facts", "F11", "fewer facts than announced", "N 0*2 loss", TWO_SPOTS, count=4)
refuse("bomb", "F16", "twenty million lines, of which none is announced", "N 1 win", pack=lambda t: gzip(t + b"\n" * 20_000_000, deflated))
refuse("bomb-announced", "F14", "twenty million lines, of which half a million are announced, and the first is no fact", "N 1 win", count=500_000,
       pack=lambda t: gzip(t + b"\n" * 20_000_000, deflated))
accept("largest-small", "F9", "the largest `small`", "M 0*3 loss", small=99)
refuse("too-large-small", "F9", "`small` is at most 99", "M 0*3 loss", small=100)
refuse("leading-zero-in-small", "F13", "a leading zero in `small`", "M 0*3 loss", small="09")
refuse("wrong-outcome", "C3", "the facts are right, and the outcome is not", "N 0*2 win", TWO_SPOTS)
refuse("wrong-outcome-misere", "C7", "the first player loses misère play from two spots", "M 0*2 win", small=6)

# ---- Positions ---------------------------------------------------------------------------------------------------

for name, rule, reason, root in [
    ("count-of-spots", "N1", "`0*2` is two boundaries `0`", "0*2"),
    ("leading-zeros", "N4", "leading zeros in a number of a position", "0*0002"),
    ("one-by-one", "N1", "the spots one by one", "0.0"),
    ("no-spots", "N4", "`0*0` is no boundary, beside two spots", "0*0.0*2"),
    ("dead-spots", "N5", "dead spots on boundaries of their own and in a dead region", "0*2.3.333|33"),
    ("older-marks", "N7", "the older marks", "0.0.}]!"),
    ("older-mark-and-plus", "N7", "the older marks, with `+`", "0.0}]]+3.}]!"),
    ("stop-at-the-end", "N7", "a `.` may end the last boundary before `!`", "0.0.!"),
    ("beside-dead-lands", "E3", "lands without moves are nothing", "2+0*2+A|A+3"),
]:
    accept("position-" + name, rule, reason, f"N {root} loss", TWO_SPOTS)
accept("position-zero-spots", "N4", "`0*0` alone is the position without spots", "N 0*0 loss")
accept("single-letters", "N3", "a letter that occurs once is a `2`", "N AB+ab loss")
accept("letters-in-brackets", "N4", "letters beyond the alphabet, with leading zeros", "N 2n(1)n(09999)|n(01)n(9999) win", ["1 = 1", "2AB|AB = 2"])
accept("m-and-n", "N2", "`m` and `n` without a bracket are small letters", "N nm win")
accept("scope-of-small-letters", "N2", "a small letter on two boundaries means two spots", "N a.a win")
accept("capital-twice-on-a-boundary", "N2", "a capital letter twice on one boundary is a small one", "N A2A22 win", ["1 = 1", "2A|2A = 1", "222 = 0", "2AB|AB = 2", "a2a22 = 3"])
accept("scope-of-capitals", "N2", "capital letters of two lands are different", "N 2AB|AB+2AB|AB loss")
accept("most-lives", "N6", "996 lives in two equal lands, which cancel", "N 0*166+0*166 loss")
LETTERS = "".join(f"n({k})" for k in range(1, 41))
accept("many-letters", "N4", "40 letters beyond the alphabet, met by two regions", f"N {LETTERS}|{LETTERS}+{LETTERS}|{LETTERS} loss")
for name, rule, reason, root in [
    ("unknown-spot", "N1", "`4` is no spot", "4"),
    ("count-without-number", "N1", "no number after `0*`", "0*"),
    ("count-of-another", "N1", "only `0` is counted", "1*2"),
    ("spot-after-zero", "N1", "`0` is a boundary of its own", "01"),
    ("zero-after-spot", "N1", "`0` is a boundary of its own", "10"),
    ("empty-boundary", "N1", "nothing between two `.`", "0..0"),
    ("empty-region", "N1", "nothing between two `|`", "0||0"),
    ("empty-land", "N1", "nothing between two `+`", "0++0"),
    ("starts-with-mark", "N1", "nothing before `|`", "|0"),
    ("ends-with-plus", "N1", "nothing after `+`", "0+"),
    ("ends-with-stop", "N1", "nothing after `.`", "0."),
    ("after-end", "N7", "something after `!`", "0!0"),
    ("end-after-plus", "N7", "`!` after `+`", "0+!"),
    ("two-closed-regions", "N7", "`}` closes a region that was not opened", "0}}"),
    ("surface", "N1", "regions of certificates have no surfaces", "0*2@1"),
    ("name-of-game", "N1", "a position has no name of a game before it", "sprouts:0*2"),
    ("three-copies", "N3", "a letter three times", "AAA"),
    ("three-regions", "N3", "a letter in three regions", "2A|2A|2A"),
    ("two-boundaries-of-a-region", "N3", "a letter on two boundaries of one region", "1A.1A"),
    ("letter-zero", "N4", "`m(k)` is numbered from 1", "m(0)1"),
    ("letter-too-large", "N4", "`n(k)` goes up to 9999", "n(10000)1"),
    ("open-bracket", "N1", "no `)` after the number", "m(1"),
    ("count-too-large", "N4", "numbers in a position go up to 9999", "0*10000"),
    ("too-many-lives", "N6", "1,002 lives", "0*334"),
    ("one-life-too-many", "N6", "1,001 lives", "0*333.1"),
]:
    refuse("position-" + name, rule, reason, f"N {root} loss")
refuse("capital-in-two-lands", "N2", "the scope of a capital is its land: here each is a `2`, without a move", "N A+A win")

# ---- Facts -------------------------------------------------------------------------------------------------------

accept("spelled-otherwise", "N1", "facts and root are written in different ways", "N 0.0 loss", ["0*1 = 0", "BADC|DCBA = 0", "0*02 = 0"])
accept("same-rank-either-order", "R2", "facts of equal rank in any order", "N 2AB|AB+12 win", ["1 = 1", "2AB|AB = 2", "12 = 0", "222 = 0"])
accept("unused-facts", "R2", "true facts on which nothing rests", "N ! loss", ["1 = 1", "12 = 0"])
for name, rule, reason, facts in [
    ("empty-fact", "F14", "an empty line among the facts", ["1 = 1", ""]),
    ("no-value", "F14", "a fact without a value", ["1"]),
    ("no-blanks", "F14", "no blanks around `=`", ["1=1"]),
    ("two-blanks", "F14", "two blanks before the value", ["1 =  1"]),
    ("blank-at-end", "F14", "a blank after the fact", ["1 = 1 "]),
    ("blank-at-start", "F14", "a blank before the fact", [" 1 = 1"]),
    ("no-land", "F14", "nothing before `=`", [" = 1"]),
    ("two-values", "F14", "two values", ["1 = 1 1"]),
    ("comment", "F14", "a comment", ["1 = 1 # one move"]),
    ("lost-under-normal", "F14", "`lost` is of misère play", ["! lost"]),
    ("game-under-normal", "F14", "a value under normal play is a number", ["1 = (0)"]),
    ("signed-nimber", "F13", "a sign before a nimber", ["1 = +1"]),
    ("leading-zero-in-nimber", "F13", "a leading zero in a nimber", ["1 = 01"]),
    ("nimber-100", "V1", "a nimber above 99", ["1 = 100"]),
    ("nimber-of-25-digits", "V1", "a nimber of 25 digits", ["1 = " + "1" * 25]),
    ("sum-with-nimber", "R4", "a fact `=` about two lands", ["1+1 = 0"]),
    ("nothing-with-nimber", "R4", "a fact `=` about no land", ["! = 0"]),
    ("dead-with-nimber", "R4", "a fact `=` about what is no land after the equivalences", ["2 = 0"]),
    ("twice", "R5", "two facts about one land", ["1 = 1", "1 = 1"]),
    ("twice-by-equivalence", "R5", "two facts about one land, written in two ways", ["1 = 1", "22 = 1"]),
    ("twice-mirrored", "R5", "two facts about one land, mirrored", ["1 = 1", "12 = 0", "21 = 0"]),
    ("rank-falls", "R2", "the rank falls", ["12 = 0", "1 = 1"]),
    ("many-bytes", "F15", "more than 4,096 bytes follow the position", ["1 = 1" + " " * 4093]),
    ("position-malformed", "N1", "a position in a fact is malformed", ["1..1 = 0"]),
    ("position-too-large", "N6", "a position in a fact has more than 1,000 lives", ["0*334 = 0"]),
]:
    refuse("fact-" + name, rule, reason, "N 1 win", facts)
refuse("wrong-nimber", "C2", "the nimber of `1` is 1: no option has nimber 1", "N 1 win", ["1 = 2"])
refuse("nimber-of-option", "C2", "an option has the nimber that is claimed", "N 1 win", ["1 = 0"])
refuse("nimber-99", "C2", "the nimber is in the format, and wrong", "N 1 win", ["1 = 99"])
refuse("lesser-nimber-missing", "C2", "nothing is known of the option `1`: the fact about it is missing", "N 2AB|AB win", ["2AB|AB = 2"])
refuse("option-unknown", "C2", "nothing is known of the option `1a1a`: the fact about its option `ABCD|ABCD` is missing", "N 0*2 loss", ["0 = 0", "0*2 = 0"])
refuse("false-fact-unused", "C2", "a false fact on which nothing rests", "N ! loss", ["1 = 1", "12 = 1"])
refuse("false-fact-supports", "C2", "the root follows from a false fact", "N 12 win", ["12 = 1"])
refuse("root-unknown", "C3", "no fact is about the root", "N 0*2 loss", TWO_SPOTS[:2])
refuse("root-win-unknown", "C3", "no option of the root is known to have nimber 0", "N 0*3 win", TWO_SPOTS[:1])
accept("root-by-option", "C3", "a win by an option of nimber 0", "N 1 win")
accept("root-by-nimber", "C3", "a win by a nimber that is not 0", "N 2AB|AB win", ["1 = 1", "2AB|AB = 2"])
accept("root-cancels", "C1", "equal lands without facts cancel", "N 1+0*2+1 loss", TWO_SPOTS)
accept("reply-cancels", "C2", "an option is answered by a move in one of two equal lands", "N 12+1+1 loss", ["12 = 0"])
refuse("three-do-not-cancel", "C1", "of three equal lands one is left, and has no fact", "N 1+1+1 loss")

# ---- Misère play -------------------------------------------------------------------------------------------------

accept("lost-fact", "C5", "a loss by a fact", "M 1 loss", ["1 lost"])
accept("won-by-lost-fact", "C7", "a win by a fact about an option", "M 0 win", ["1 lost"])
accept("lost-twice", "R5", "a fact `lost` may be repeated", "M 1 loss", ["1 lost", "1 lost", "22 lost"])
accept("small-values", "S1", "the checker values all lands by itself", "M 0*2 loss", small=6)
accept("value-of-one", "C6", "a value that is a heap", "M 1 loss", ["1 = 1"])
accept("value-spelled", "V4", "`(0)` is the heap of one", "M 1 loss", ["1 = (0)"])
accept("value-zero", "C6", "a value 0: an option is known to be lost", "M 0 win", ["1 lost", "0 = 0"])
accept("value-zero-spelled", "V4", "`(0)+1` is 0", "M 0 win", ["1 lost", "0 = (0)+1"])
accept("value-two", "C6", "a value 2, with the options in another order", "M 2AB|AB win", ["2AB|AB = (1 0)"], small=2)
accept("value-no-heap", "C6", "a value that is no heap", "M AB|AC|BDE|DCE loss", ["AB|AC|BDE|DCE = (2)"], small=4)
accept("two-spots-misere", "C6", "two spots are the game whose one option is the heap of two", "M 0*2 loss", ["0*2 = (2)"], small=5)
accept("four-spots-misere", "C5", "the worked example of the specification", "M 0*4 loss", ["0.A|0.1aAa = 1", "0*4 lost"], small=9)
accept("sum-of-values", "C5", "a lost sum of values, of which the file uses nothing", "M ! win", ["! & 2 & 2 lost"])
accept("heap-one-lost", "C5", "a heap of one is lost", "M ! win", ["! & 1 lost"])
accept("odd-heap", "S3", "3 is split into 2 and 1", "M ! win", ["! & 2 & 3 & 1 lost", "! & 3 & 3 lost"])
accept("value-beside-land", "S2", "a land with a value beside one without", "M 1 loss", ["1 lost", "1 & 0 lost", "1+2 & 1 & 1 lost"])
accept("followers", "G6", "531,441 sums follow", "M ! win", ["! & 8 & 8 & 8 & 8 & 8 & 8 lost"])
accept("deep", "V2", "a value with 128 levels of parentheses", "M ! win", ["! & " + "(" * 128 + "0 1" + ")" * 128 + " lost"])
accept("longest-values", "F15", "4,096 bytes follow the position", "M ! win", ["!" + " & 0" * 1019 + " & 11 & 20 & 31" + " lost"])
accept("heap-99", "V1", "the largest heap", "M ! win", ["! & 99 & 99 lost"])
for name, rule, reason, facts in [
    ("empty-list", "V3", "a list without options", ["! & () lost"]),
    ("option-twice", "V3", "an option twice in a list", ["! & (2 2) lost"]),
    ("equal-options", "V3", "two spellings of one option", ["! & (1 (0) 3) lost"]),
    ("not-canonical", "V3", "`(1)` is equal to 0", ["1 lost", "0 = (1)"]),
    ("reversible", "V3", "`(0 2)` is equal to 1", ["! & (0 2) lost"]),
    ("not-canonical-inside", "V3", "an option is not canonical", ["! & ((1) 2) lost"]),
    ("two-blanks-in-list", "V2", "two blanks between options", ["! & (2  3) lost"]),
    ("blank-at-end-of-list", "V2", "a blank before `)`", ["! & (2 ) lost"]),
    ("open-list", "V2", "a list without `)`", ["! & (2 lost"]),
    ("plus-two", "V4", "only `+1` may follow a list", ["! & (2 3)+2 lost"]),
    ("plus-after-heap", "V4", "`+1` may not follow a heap", ["! & 2+1 lost"]),
    ("too-deep", "V2", "a value with 129 levels of parentheses", ["! & " + "(" * 129 + "0 1" + ")" * 129 + " & 1 lost"]),
    ("heap-100", "V1", "a heap above 99", ["! & 100 & 100 lost"]),
    ("leading-zero-in-heap", "F13", "a leading zero in a heap", ["1 = 01"]),
    ("no-word-lost", "F14", "a fact that says nothing", ["1 & 1"]),
    ("won", "F14", "facts say `lost`, not `won`", ["12 won"]),
    ("two-blanks-before-lost", "F14", "two blanks before `lost`", ["1  lost"]),
    ("after-lost", "F14", "something after `lost`", ["1 lost."]),
    ("many-values", "F15", "4,097 bytes follow the position", ["! & 1" + " & 0" * 1022 + " lost"]),
    ("large-rank", "R3", "a rank above 1,000", ["!" + " & 99 & 99" * 6 + " lost"]),
    ("rank-falls-misere", "R2", "the rank falls, counting the values as they are listed", ["! & 2 & 2 lost", "1 lost"]),
    ("value-of-sum", "R4", "a fact `=` about two lands", ["1+1 = 0"]),
    ("value-twice", "R5", "two facts `=` about one land", ["1 = 1", "22 = 1"]),
    ("value-too-long", "R7", "the value has a play as long as the land has lives", ["1 = 2"]),
    ("value-far-too-long", "R7", "a value of 99 for a land with two lives", ["1 = 99"]),
    ("proviso", "C6", "no option is shown to be lost, so the land could be lost itself", ["0 = 0"]),
    ("wrong-value", "C6", "the option of the land is not shown to be an option of the value", ["1 = 0"]),
    ("nothing-lost", "C5", "a player without a move wins", ["! lost"]),
    ("zero-lost", "C5", "a player without a move wins, and 0 is none", ["! & 0 & 1 & 1 lost"]),
    ("cancelling-lost", "C5", "equal heaps of one cancel, and the rest is not lost", ["! & 1 & 1 & 3 lost"]),
    ("won-called-lost", "C5", "the heap of two is won", ["! & 2 lost"]),
    ("option-not-won", "C5", "no option is shown to be won", ["0*2 lost"]),
    ("too-many-followers", "G6", "more than a million sums follow, so nothing is known", ["!" + " & 8" * 8 + " lost"]),
]:
    refuse("misere-" + name, rule, reason, "M ! win", facts)
refuse("misere-small-land", "R6", "a fact `=` about a land that the checker values", "M 1 loss", ["1 = 1"], small=2)
refuse("misere-value-option-missing", "C6", "nothing is known of the option `1`: the fact about it is missing", "M 2AB|AB win", ["2AB|AB = 2"])
refuse("misere-value-wrong-tree", "C6", "two spots are not the heap of two", "M 0*2 win", ["0*2 = 2"], small=5)
refuse("misere-do-not-cancel", "S4", "equal lands do not cancel under misère play", "M 12+12+1 loss", ["1 lost"])
refuse("misere-root-unknown", "C7", "no fact says that the root is lost", "M 0*4 loss", ["0.A|0.1aAa = 1"], small=9)
refuse("misere-root-win-unknown", "C7", "no option of the root is known to be lost", "M 0 win")
refuse("misere-support-missing", "C5", "an option of the root is won only by a value that is missing", "M 0*4 loss", ["0*4 lost"], small=9)

# ---- Mixed Sprouts -----------------------------------------------------------------------------------------------

accept("mixed-free-ends", "X2", "two free ends: one move, after which no life has a partner", "N 22 win", game="mixed")
accept("mixed-nimber", "X4", "the rank of `22` is 1", "N 22 win", ["22 = 1"], game="mixed")
accept("mixed-cross", "X1", "`x` is `2222`", "N x+2222 loss", game="mixed")
accept("mixed-crosses", "X1", "`x*2` is two crosses", "N x*2+x.x loss", game="mixed")
accept("mixed-misere", "X4", "`small` is a rank", "M 22 loss", game="mixed", small=1)
refuse("mixed-wrong", "C3", "the player to move wins", "N 22 loss", game="mixed")
refuse("mixed-rank-falls", "X4", "ranks are not lives: that of `22` is 1, and that of `2.2` is 2", "N 22 win", ["2.2 = 0", "22 = 1"], game="mixed")
refuse("mixed-cross-in-boundary", "X1", "`x` is a boundary of its own", "N x1 win", game="mixed")
refuse("cross-in-sprouts", "X1", "in Sprouts, `x` is a letter, and `x*2` is nothing", "N x*2 win")

# ---- Writing -----------------------------------------------------------------------------------------------------

def unpacked(data):
    """The text of a stream, if it is one: compressors differ in how they pack it."""
    try:
        return zlib.decompress(data, 31)
    except zlib.error:
        return data

def main(check):
    table = ["\t".join(FIELDS)] + ["\t".join(row) for row, _ in cases.values()]
    wanted = {path: data for path, (_, data) in cases.items()} | {"cases.tsv": ("\n".join(table) + "\n").encode()}
    found = {str(path.relative_to(HERE)) for folder in ("accept", "refuse") for path in (HERE / folder).glob("*")} | {"cases.tsv"}
    if check:
        wrong = sorted(found ^ wanted.keys())
        wrong += [path for path, data in wanted.items() if path not in wrong and unpacked((HERE / path).read_bytes()) != unpacked(data)]
        for path in wrong:
            print(f"{path} is not what make.py would write", file=sys.stderr)
        return 1 if wrong else 0
    for path in found - wanted.keys():
        (HERE / path).unlink()
    for path, data in wanted.items():
        (HERE / path).parent.mkdir(exist_ok=True)
        (HERE / path).write_bytes(data)
    print(sum("accept" in path for path in cases), "to accept,", sum("refuse" in path for path in cases), "to refuse")
    return 0

if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
