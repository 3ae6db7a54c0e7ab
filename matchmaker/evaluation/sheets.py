"""An evaluation as tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from matchmaker.dispute import Felt
from matchmaker.evaluation.calibration import Bucket
from matchmaker.evaluation.distribution import titled
from matchmaker.evaluation.fitting import Fit
from matchmaker.evaluation.scores import Scores
from matchmaker.evaluation.trial import Evaluation, Report
from matchmaker.rating.explanation import number
from matchmaker.report.sheet import Sheet, percent


def sheets(evaluation: Evaluation, fit: Fit | None, disputes: Mapping[Felt, int]) -> Iterator[Sheet]:
    """All tables of it; `disputes` is how many players have filed, by what they felt."""
    yield _scores(evaluation)
    if fit:
        yield _coefficients(fit)
    for report in evaluation.reports:
        yield _calibration(report, "initiators by what they could expect", _chances(report.by_chance))
        yield _calibration(report, "the better rated by points ahead", _gaps(report.by_gap))
    yield _ratings(evaluation.reports)
    if any(disputes.values()):
        yield _disputed(disputes, evaluation.results)


def _scores(evaluation: Evaluation) -> Sheet:
    return Sheet(
        f"Predictions of {evaluation.without_ratings.results:,} results",
        (
            *("", "log loss", "against the first", "Brier", "favourites won"),
            *("initiators expected", "scored", "calibration error"),
        ),
        (
            *(
                (
                    report.label,
                    f"{report.scores.log_loss:.4f}",
                    _margin(report),
                    *_rest(report.scores),
                    percent(report.calibration_error),
                )
                for report in evaluation.reports
            ),
            (
                "(without ratings)",
                f"{evaluation.without_ratings.log_loss:.4f}",
                "",
                *_rest(evaluation.without_ratings),
                "",
            ),
        ),
    )


def _margin(report: Report) -> str:
    margin = report.against_first
    return f"{margin.mean:+.4f} ± {margin.high - margin.mean:.4f}" if margin else ""


def _rest(scores: Scores) -> tuple[str, ...]:
    accuracy = "" if scores.accuracy is None else percent(scores.accuracy)
    return f"{scores.brier:.4f}", accuracy, percent(scores.expected), percent(scores.observed)


def _coefficients(fit: Fit) -> Sheet:
    return Sheet(
        f"Fitted to the first {fit.training:,} results: log loss there "
        f"{fit.loss_before:.4f} before, {fit.loss_after:.4f} after {fit.trials} trials",
        ("", "before", "fitted"),
        tuple(
            (each.name, number(each.before), number(each.after) if each.matters else "makes no difference")
            for each in fit.coefficients
        ),
    )


def _calibration(report: Report, by: str, buckets: Iterable[tuple[str, Bucket]]) -> Sheet:
    return Sheet(
        f"{report.label}: {by}",
        ("", "results", "expected", "scored", "band of 95 %", ""),
        tuple(
            (
                name,
                f"{bucket.results:,}",
                percent(bucket.expected),
                percent(bucket.observed),
                f"{100 * bucket.band_low:.1f} to {percent(bucket.band_high)}",
                "" if bucket.kept else "more" if bucket.observed > bucket.expected else "less",
            )
            for name, bucket in buckets
        ),
    )


def _chances(buckets: Sequence[Bucket]) -> Iterator[tuple[str, Bucket]]:
    for bucket in buckets:
        yield f"{100 * bucket.low:.0f} to {100 * (bucket.high or 1):.0f} %", bucket


def _gaps(buckets: Sequence[Bucket]) -> Iterator[tuple[str, Bucket]]:
    for bucket in buckets:
        end = " and more" if bucket.high is None else f" to {bucket.high:.0f}"
        yield f"{bucket.low:.0f}{end}", bucket


def _ratings(reports: Sequence[Report]) -> Sheet:
    return Sheet(
        titled("Ratings in the end", (report.rule for report in reports)),
        (
            *("", "players", "mean", "deviation", "lowest", "quarter", "half", "three quarters", "highest"),
            "inflation",
        ),
        tuple(
            (
                report.label,
                f"{report.ratings.players:,}",
                *(
                    f"{points:.1f}"
                    for points in (
                        report.ratings.mean,
                        report.ratings.deviation,
                        report.ratings.lowest,
                        *report.ratings.quartiles,
                        report.ratings.highest,
                    )
                ),
                f"{report.ratings.inflation:+.1f}",
            )
            for report in reports
        ),
    )


def _disputed(disputes: Mapping[Felt, int], results: int) -> Sheet:
    """What players thought of the changes that were made, whatever rule is on trial."""
    return Sheet(
        "What players disputed",
        ("", "disputes", "in 1,000 results"),
        tuple(
            (felt.replace("_", " "), f"{filed:,}", f"{1000 * filed / max(results, 1):.1f}")
            for felt, filed in disputes.items()
        ),
    )
