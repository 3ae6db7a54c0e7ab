"""What the store knows of each ladder, as metrics; read when somebody asks, by a short script."""

import asyncio
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from matchmaker.store import counters, ladders
from matchmaker.store.client import AsyncStore
from matchmaker.store.counters import Pulse
from matchmaker.store.keys import LadderKeys

_GAUGES = {
    "players": "Players in the ladder.",
    "on_board": "Players on the board: those in the ladder without the suspended.",
    "backlog": "Log entries that are not folded yet.",
    "lag_seconds": "Age of the oldest log entry that is not folded yet.",
    "to_review": "Players who have played since they were reviewed.",
    "flags": "Flags of fair play that wait for a moderator.",
    "open_disputes": "Disputes that wait for a moderator.",
    "archived_at": "When nothing was left to archive, in seconds since the epoch; 0 for never.",
}
_COUNTERS = {
    "folded": "Log entries that were folded.",
    "rated": "Results that were rated.",
    "superseded": "Folded batches that changed nothing, because another job was faster.",
    "reviewed": "Reviews of players.",
    "archived": "Log entries that have gone from the store to the archive.",
    "archive_failures": "Attempts to archive that failed; everything stays in the store.",
}
_DISPUTES = "Disputes that players have filed, by what they felt."
_BATCHES = "Log entries per committed batch."
_SECONDS = "Seconds from reading the cursor until a batch was ready to be committed."


async def store_metrics(store: AsyncStore) -> bytes:
    """The metrics in Prometheus' text format. Without the store, the one that says so."""
    try:
        index = await store.run(ladders.index())
        pulses = await asyncio.gather(*(store.run(counters.pulse(LadderKeys(each))) for each in index))
    except RedisError:
        return _text(_Ladders({}, up=False))
    return _text(_Ladders({each: pulse for each, pulse in zip(index, pulses, strict=True) if pulse}, up=True))


def _text(collector: Collector) -> bytes:
    registry = CollectorRegistry()
    registry.register(collector)
    return generate_latest(registry)


class _Ladders(Collector):
    def __init__(self, pulses: Mapping[str, Pulse], *, up: bool) -> None:
        self._pulses = pulses
        self._up = up

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("matchmaker_store_up", "Whether the store answered.", value=self._up)
        for name, text in _GAUGES.items():
            yield self._filled(GaugeMetricFamily(f"matchmaker_{name}", text, labels=("ladder",)), name)
        for name, text in _COUNTERS.items():
            yield self._filled(CounterMetricFamily(f"matchmaker_{name}", text, labels=("ladder",)), name)
        disputes = CounterMetricFamily("matchmaker_disputes", _DISPUTES, labels=("ladder", "felt"))
        for ladder, pulse in self._pulses.items():
            for felt, number in pulse.disputes.items():
                disputes.add_metric((ladder, felt), number)
        yield disputes
        sizes = HistogramMetricFamily("matchmaker_fold_batch_entries", _BATCHES, labels=("ladder",))
        seconds = HistogramMetricFamily("matchmaker_fold_seconds", _SECONDS, labels=("ladder",))
        for ladder, pulse in self._pulses.items():
            sizes.add_metric((ladder,), pulse.batch_sizes, pulse.folded)
            seconds.add_metric((ladder,), pulse.fold_seconds, pulse.busy_seconds)
        yield sizes
        yield seconds

    def _filled(self, family: GaugeMetricFamily | CounterMetricFamily, field: str) -> Metric:
        for ladder, pulse in self._pulses.items():
            family.add_metric((ladder,), getattr(pulse, field))
        return family
