"""Plots the tables of a coordinator: who wins the start positions of Sprouts.

    python3 docs/table.py http://127.0.0.1:7351 table.png

Needs matplotlib. Where the coordinator has a token, SPROUTNET_TOKEN is sent.
"""

import json
import os
import sys
import urllib.request

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def get(base, path):
    """One JSON answer of the coordinator."""
    request = urllib.request.Request(f"{base}/api/v1/{path}")
    if token := os.environ.get("SPROUTNET_TOKEN"):
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def pages(base, path):
    """All entries of a list, page by page."""
    offset = 0
    while offset is not None:
        page = get(base, f"{path}?offset={offset}")
        yield from page["items"]
        offset = page["next"]


def main(base, output):
    """Draws a square for each start position: above those of normal play, below those of misère play."""
    figure, axes = plt.subplots(figsize=(12, 2.6), layout="constrained")
    for row, play in enumerate(["misere", "normal"]):
        for entry in pages(base, f"tables/{play}"):
            wins = entry["outcome"] == "win"
            here = entry["source"] == "store"
            axes.text(entry["size"], row, "W" if wins else "L", ha="center", va="center", size=6)
            axes.add_patch(
                plt.Rectangle(
                    (entry["size"] - 0.45, row - 0.4),
                    0.9,
                    0.8,
                    facecolor="#8fd0a5" if wins else "#eba69c",
                    edgecolor="black" if here else "none",
                )
            )
    axes.set(xlabel="spots", xlim=(-1, 106), ylim=(-0.6, 1.6))
    axes.set_yticks([0, 1], ["misère", "normal"])
    axes.set_title("Who wins: W the player to move, L the other; framed if solved here")
    figure.savefig(output, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
