"""Reports that come once more when their ladder has gone over to another rule.

What was accepted then may make no sense under the rule of now. All the same it is a duplicate, and is told
so.
"""

from collections.abc import Callable

from api.engine import Engine
from matchmaker.eras import era_of
from matchmaker.errors import InvalidInputError, NotFoundError
from matchmaker.rating.rule import Rule
from matchmaker.results import Result
from matchmaker.store import reports
from matchmaker.store.ladders import Edition
from matchmaker.store.reports import Receipt


async def receipt_of_then(
    engine: Engine, edition: Edition, result_id: str, read: Callable[[Rule], Result]
) -> Receipt | None:
    """The receipt of a report that the rule of now refuses, if it was accepted, with this content, in an era.

    `read` says what the report means under a rule, or raises InvalidInputError.
    """
    if not edition.eras:
        return None
    try:
        logged = (await engine.store.run(reports.find(edition.keys, result_id))).logged
    except NotFoundError:
        return None
    era = era_of(edition.eras, logged.log_id)
    try:
        is_same = era is not None and read(era.rule) == logged.result
    except InvalidInputError:
        return None
    return Receipt(result_id, logged.log_id, duplicate=True) if is_same else None
