"""A what-if for people, for programs, and in files; and what became of a ladder."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from matchmaker.cli import output
from matchmaker.cli.report_output import show_sheets, write_page, write_picture

if TYPE_CHECKING:
    from matchmaker.rating.rule import PlayerState
    from matchmaker.replay.comparison import Comparison
    from matchmaker.store.generations import Kept
    from matchmaker.store.ladders import Edition
    from matchmaker.verification import Verdict

_MOST_SHOWN: Final = 20


def show(comparison: "Comparison", as_json: bool) -> None:
    """Writes all of it to stdout."""
    from matchmaker.replay.sheets import sheets

    if as_json:
        document = asdict(comparison)
        del document["pairs"]
        document["identical"] = not comparison.rerated
        output.write_json(document)
        return
    if not comparison.rerated:
        print(f"The board is identical: {_size(comparison.players, comparison.results)}.")
        return
    show_sheets(sheets(comparison))


def write_files(plot: Path | None, html: Path | None, ladder: str, comparison: "Comparison") -> None:
    """Draws it, and writes one page with all tables, where somebody wants that."""
    from matchmaker.replay.plots import picture
    from matchmaker.replay.sheets import sheets

    if plot:
        write_picture(plot, partial(picture, comparison))
    if html:
        write_page(html, f"{ladder}: what if?", partial(picture, comparison), sheets(comparison))


def show_verdict(verdict: "Verdict", as_json: bool) -> None:
    """Says whether the board is what the log makes of it, and who is not."""
    wrong = verdict.differences
    if as_json:
        output.write_json(
            {
                "identical": not wrong,
                "players": verdict.players,
                "results": verdict.results,
                "differences": [asdict(each) | _states(each.stored, each.by_log) for each in wrong],
            }
        )
        return
    size = _size(verdict.players, verdict.results)
    if not wrong:
        print(f"The board is identical with what the log makes of it, rank and rating, bit for bit: {size}.")
        return
    print(f"{output.counted(len(wrong), 'player')} not as the log makes them, of {size}:")
    table = output.table("Player", "Rating", "By the log", "Games", "By the log", right=("Rating", "Games"))
    for each in wrong[:_MOST_SHOWN]:
        table.add_row(
            output.name(each.player),
            *(repr(rating) if rating is not None else "-" for rating in (each.rating, each.rating_by_log)),
            *(str(state.games) if state else "-" for state in (each.stored, each.by_log)),
        )
    output.show(table)


def _states(stored: "PlayerState | None", by_log: "PlayerState | None") -> dict[str, Any]:
    """With the names of their fields."""
    return {"stored": stored and stored._asdict(), "by_log": by_log and by_log._asdict()}


def _size(players: int, results: int) -> str:
    return f"{output.counted(players, 'player')}, {output.counted(results, 'result')}"


def show_swap(edition: "Edition", kept: "Kept | None", entries: int, seconds: float, as_json: bool) -> None:
    """Says which generation is live by now, and which is kept."""
    ladder, speed = edition.ladder, entries / seconds
    if as_json:
        output.write_json(
            {
                "ladder": ladder.id,
                "generation": edition.generation,
                "rule": ladder.rule.model_dump(mode="json"),
                "initial_rating": ladder.initial_rating,
                "kept": kept and kept.number,
                "entries": entries,
                "entries_per_second": speed,
            }
        )
        return
    rated = "1 entry" if entries == 1 else f"{entries:,} entries"
    print(f"{rated} of the log in {seconds:.1f} s ({speed:,.0f}/s); generation {edition.generation} is live")
    if kept:
        print(
            f"Generation {kept.number} is kept: `matchmaker replay {ladder.id} --undo` brings it back, "
            "--forget frees it"
        )
