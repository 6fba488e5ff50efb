"""The table of a run: a row for each setting and fault."""

from collections.abc import Sequence

from bench.chaos.cycles import Outcome

_HEAD = (
    "| setting | fault | cycles | acknowledged | lost, as allowed | violations | longest outage |\n"
    "|---|---|---|---|---|---|---|"
)


def table(outcomes: Sequence[Outcome]) -> str:
    """Write the table, as Markdown; its last row sums up."""
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.setting, outcome.fault), []).append(outcome)
    rows = [_row(setting, fault, group) for (setting, fault), group in sorted(groups.items())]
    cycles = [outcome for outcome in outcomes if outcome.acknowledged]
    return "\n".join([_HEAD, *rows, _row("all", "all", cycles), "", _sums(cycles)])


def _row(setting: str, fault: str, group: Sequence[Outcome]) -> str:
    cycles = len(group)
    acknowledged = sum(outcome.acknowledged for outcome in group)
    wrong = sum(len(outcome.wrong) for outcome in group)
    allowed = sum(len(set(outcome.lost) - set(outcome.wrong)) for outcome in group)
    outage = max((outcome.outage for outcome in group), default=0.0)
    name = fault.replace("_", " ")
    return f"| {setting} | {name} | {cycles} | {acknowledged:,} | {allowed} | {wrong} | {outage:.1f} s |"


def _sums(cycles: Sequence[Outcome]) -> str:
    return (
        f"games {sum(each.games for each in cycles):,}, "
        f"turns that timed out {sum(each.timeouts for each in cycles):,}, "
        f"requests refused {sum(each.refused for each in cycles)}, "
        f"cycles with a fail-over {sum(each.failed_over for each in cycles)}, "
        f"violations {sum(len(each.wrong) for each in cycles)}"
    )
