"""`scrutable review`: look at bins, and change them, in the browser."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scrutable import registry
from scrutable.cli import (
    console,
    emit_json_lines,
    login_name,
    reads_data,
    say_weighted,
    with_must,
    with_special_codes,
    working,
)
from scrutable.cli.options import MODEL, OUTPUT, BinnerOption, Panel
from scrutable.errors import InputError
from scrutable.plugins import Choice
from scrutable.writing import check_targets
from scrutable_review.commands.options import LearnedFrom, Reviewed
from scrutable_review.default import DEFAULT_BINNER, DEFAULT_SELECTING

if TYPE_CHECKING:
    from scrutable.data import DataConfig
    from scrutable.plugins import CardPath
    from scrutable_review.page import ReviewServer, ReviewSession
    from scrutable_review.refits import Refits
    from scrutable_review.reviewed import ReviewedBins

PAGE = Panel("Page")


@reads_data
def review(
    reviewed: Reviewed,
    *,
    binner: Annotated[
        str | None,
        MODEL.option(
            help=f"The binner whose bins are reviewed: {DEFAULT_BINNER}, or its learner's own with --evidence."
        ),
    ] = None,
    binner_option: BinnerOption = None,
    evidence: Annotated[
        Path | None,
        MODEL.option(
            help="The evidence of a model whose learner made a path of cards, as additive does, to choose another card."
        ),
    ] = None,
    learner: Annotated[
        str | None,
        MODEL.option(
            help=f"The learner whose selection of characteristics is shown: {DEFAULT_SELECTING}, or that of --evidence."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        MODEL.option(metavar="KEY=VALUE", help="Option of the learner, such as select=iv:floor=0.05. Repeatable."),
    ] = None,
    learned_from: LearnedFrom,
    edits: Annotated[
        Path, OUTPUT.option("--edits", "-o", help="TOML file of the edits. One that exists is continued.")
    ] = Path("review.toml"),
    who: Annotated[
        str | None, typer.Option(help="Who edits, for the audit trail; the login name if not given.")
    ] = None,
    port: Annotated[int, PAGE.option(min=0, max=65535, help="Port of the page; 0 takes a free one.")] = 0,
    no_browser: Annotated[bool, PAGE.option("--no-browser", help="Only print the address.")] = False,
    as_json: Annotated[
        bool, OUTPUT.option("--json", help="Write JSON: a line with the address, a line at the end.")
    ] = False,
) -> None:
    """Review bins in the browser: see what each tells, move and merge them, and say why.

    The page is served to this machine only, at an address with a secret in it. Every edit is saved at once; the button
    Finish, or Ctrl-C, ends the review. `scrutable fit … --edits review.toml` fits with the bins as edited.

    With --evidence the page shows the path of cards of a model, too: what merges and what leaves on each, and what it
    costs. A card that is chosen is in the file of the edits, and the same fit makes it the model.

    The page also shows which characteristics a learner selects, and why the others leave. Each can be made to stay or
    to leave; the page says what that changes, and a fit with the edits does it.

    All rows with an outcome are reviewed; with --test-size or --out-of-time those that a fit with the same options
    learns from.

    Examples:

    [bold]scrutable review loans.csv --target paid --favourable yes --protected sex --drop loan_id[/bold]

    [bold]scrutable review loans.csv --target paid --favourable yes --binner quantile --edits second.toml
    --who ana --no-browser[/bold]

    [bold]scrutable review loans.csv --target paid --favourable yes --evidence evidence.json --edits review.toml[/bold]
    """
    inputs = [reviewed.source, *([] if evidence is None else [evidence])]
    check_targets([edits], inputs=inputs, overwrite=True)
    config, split = reviewed.config, learned_from.split
    with working("Importing the numeric libraries"):
        from scrutable_review.commands.errors_by_flag import in_flags
        from scrutable_review.page import ReviewServer
        from scrutable_review.page.opening import private_page
        from scrutable_review.reviewed import review_bins
    cards = None if evidence is None else _cards(evidence)
    with working(f"Binning {reviewed.source}"):
        chosen = _learner(learner, option or (), cards)
        named = Choice.of(binner or _binner_of(chosen, cards), binner_option or (), "--binner-option")
        own = login_name() if who is None else who
        with in_flags():
            bins = review_bins(
                reviewed.source,
                config,
                split=split,
                binner=with_special_codes(named, config),
                who=own,
                allow_protected=reviewed.allow_protected or (),
            )
        refits = None if chosen is None else _refits(_keeping(chosen, config), bins, reviewed.allow_protected or ())
        session = _session(bins, edits, reviewed.source.name, cards, refits)
    try:
        server = ReviewServer(session, port=port)
    except OSError as error:
        fix = "give another port, or none"
        raise InputError("the port cannot be used", where="--port", got=error.strerror, fix=fix) from None
    # Solvers of binners may leave the system's own handler behind, which ends the process without a word.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if not as_json:
            say_weighted(reviewed.weight)
        _begin(server, bins, as_json)
        with nullcontext() if no_browser else private_page(server.address_once()) as uri:
            if uri is not None:
                _open(uri)
            server.run()
    except KeyboardInterrupt:
        server.server_close()
    _end(server, as_json)


def _cards(evidence: Path) -> CardPath:
    from scrutable.model import load_evidence
    from scrutable.plugins import CardPath

    return CardPath.read(load_evidence(evidence), f"--evidence, file {str(evidence)!r}")


def _learner(name: str | None, options: Sequence[str], cards: CardPath | None) -> Choice | None:
    """The learner whose selection is shown; None where the cards' learner, if no other is named, selects nothing."""
    from scrutable_review.refits import selects

    own = DEFAULT_SELECTING if cards is None else cards.learner
    if name is None and not selects(own):
        if options:
            fix = "name the learner with --learner"
            raise InputError(
                f"the learner {own!r} selects no characteristics", where="--option", got=options[0], fix=fix
            )
        return None
    return Choice.of(name or own, options, "--option")


def _binner_of(learner: Choice | None, cards: CardPath | None) -> str:
    """The binner that a fit of the cards' learner, or else of the one that selects, has where none is named."""
    name = learner.name if cards is None and learner is not None else None if cards is None else cards.learner
    default = None if name is None else _default(name, "binner")
    return default if isinstance(default, str) else DEFAULT_BINNER


def _keeping(learner: Choice, config: DataConfig) -> Choice:
    """The learner with a selector that keeps what the dictionary says must stay, as that of a fit does."""
    selector = learner.all_options.get("select", _default(learner.name, "select"))
    if not isinstance(selector, str):
        return learner
    return replace(learner, options={**learner.options, "select": with_must(selector, config)})


def _default(learner: str, option: str) -> Any:
    """What a learner has for an option where none is given; None where it has no such option."""
    options = inspect.signature(registry().load("learner", learner)).parameters
    return options[option].default if option in options else None


def _refits(learner: Choice, reviewed: ReviewedBins, allow_protected: Sequence[str]) -> Refits:
    from scrutable_review.refits import Refits

    return Refits(learner, reviewed.rows, allow_protected=allow_protected)


def _session(
    reviewed: ReviewedBins, edits: Path, name: str, cards: CardPath | None, refits: Refits | None
) -> ReviewSession:
    from scrutable_review.page import ReviewSession, scales_of

    scales = scales_of(reviewed.review, reviewed.rows.columns, reviewed.rows.sample_weight)
    source = f"{name}, {reviewed.describe()}"
    return ReviewSession(reviewed.review, edits, scales=scales, source=source, cards=cards, refits=refits)


def _open(uri: str) -> None:
    """Open a browser, without waiting: one that runs in the terminal returns when it is closed, and needs an answer."""
    import webbrowser

    threading.Thread(target=webbrowser.open, args=(uri,), daemon=True).start()


def _begin(server: ReviewServer, reviewed: ReviewedBins, as_json: bool) -> None:
    if as_json:
        _emit_line({"address": server.address, "edits": str(server.session.path), "rows": reviewed.counts()})
    else:
        out = console()
        out.print(f"Bins of {reviewed.describe()}", soft_wrap=True)
        out.print(f"The review is at {server.address}", soft_wrap=True)
        out.print(f"Edits are saved in {server.session.path}. Finish on the page, or press Ctrl-C.", soft_wrap=True)


def _end(server: ReviewServer, as_json: bool) -> None:
    said = server.session.summary()
    if as_json:
        _emit_line(said)
    else:
        console().print(said["said"], soft_wrap=True)


def _emit_line(data: dict[str, Any]) -> None:
    emit_json_lines([data])
