"""A review as a page works on it: what it shows, what it does, and the file that holds every edit at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from scrutable.binning import BinEdit
from scrutable.errors import InputError
from scrutable.plugins import CardPath, read_whole
from scrutable.plugins.bases import Binner
from scrutable.writing import check_target, locked
from scrutable_review import Review
from scrutable_review.page.scale import Scale
from scrutable_review.refits import Refits


class StaleError(InputError):
    """An action of a page that does not show the newest state."""


class ReviewSession:
    """A review, the file of its edits, and how often it has changed. Any thread may call any method.

    Parameters
    ----------
    review : without edits where the file exists, since the file's are taken then.
    path : the TOML file of edits. One that exists is continued; it is replaced only as long as nobody else changes it.
    scales : by numeric feature, where its values lie.
    source : what the page calls the data.
    cards : between which the learner of a model chose, for a person to choose another one.
    refits : what fits the learner whose selection is shown.

    Raises
    ------
    InputError : the file is no review of these data, or cannot be written; cards of other features.
    """

    def __init__(
        self,
        review: Review,
        path: Path,
        *,
        scales: Mapping[str, Scale | None] | None = None,
        source: str = "",
        cards: CardPath | None = None,
        refits: Refits | None = None,
    ) -> None:
        self.review = review
        self.path = path
        self.source = source
        self.cards = cards
        self.refits = refits
        _check_features(cards, review)
        self._scales = scales or {}
        self._lock = threading.RLock()
        self._revision = 0
        check_target(path, overwrite=True)
        self._saved = _content(path)
        if self._saved is not None:
            header = read_whole(path).header
            if header is not None:
                header.check(review.header, f"file {str(path)!r}")
            review.load(path)

    def state(self) -> dict[str, Any]:
        """Everything that the page shows."""
        with self._lock:
            features = [self._feature(name) for name in self.review.features]
            about = {"source": self.source, "file": str(self.path), "who": self.review.who}
            cards = None if self.cards is None else {**self.cards.to_dict(), "learner": self.cards.learner}
            learner = None if self.refits is None else self.refits.learner.name
            return {**about, "features": features, "cards": cards, "learner": learner, **self._progress()}

    def preview(self, edit: Any) -> dict[str, Any]:
        """What an edit would do, which is not recorded; nobody needs to say why yet.

        One of the action "select" is fitted, and what that changes on the card is told, too.
        """
        with self._lock:
            wanted = BinEdit.of(edit)
            told = {"table": self.review.preview(wanted).to_dict(), "detail": _in_words(wanted)}
            if wanted.action != "select":
                return told
            change = self._change(self.review.binner(), self.review.binner(further=[wanted]))
            return {**told, "change": change}

    def selection(self) -> dict[str, Any]:
        """What the learner selects with the bins and decisions of now, and what the last decision by hand changed.

        Raises
        ------
        InputError : no learner selects here, or it cannot learn from these rows.
        """
        with self._lock:
            now = self._refits().of(self.review.binner())
            by_hand = {name: edit.to_dict() for name, edit in self.review.by_hand.items()}
            change = None
            if self.review.edits and self.review.edits[-1].action == "select":
                change = self._change(self.review.binner(without=1), self.review.binner())
                change["detail"] = _in_words(self.review.edits[-1])
            return {"revision": self._revision, **now.to_dict(), "by_hand": by_hand, "change": change}

    def edit(self, edit: Any, *, revision: int | None = None) -> dict[str, Any]:
        """Record an edit, and save it; without a file that holds it there is no edit.

        Parameters
        ----------
        revision : of the state that whoever edits has seen; None if that does not matter.

        Raises
        ------
        StaleError : there is a newer state.
        InputError : an edit that the review refuses, or a file that cannot be written.
        """
        with self._lock:
            self._check(revision)
            wanted = BinEdit.of(edit)
            back = self.review.checkpoint()
            self.review.apply(wanted)
            self._save(otherwise=back)
            return self._changed(wanted.feature)

    def card(self, steps: Any) -> dict[str, Any]:
        """What the card of so many steps has together or apart, and what it costs.

        Raises
        ------
        InputError : there is no path of cards, or no such card.
        """
        cards = self._path()
        return cards.to(_whole(steps)).to_dict()

    def choose(self, steps: Any, *, who: Any = "", why: Any = "", revision: int | None = None) -> dict[str, Any]:
        """Choose the card of so many steps, or take the choice back, and save that; as in `edit`.

        Parameters
        ----------
        steps : None takes the choice back.
        who : who chooses; who reviews if blank.
        """
        with self._lock:
            self._check(revision)
            cards = self._path()
            signed = who if isinstance(who, str) and who.strip() else self.review.who
            choice = None if steps is None else cards.choice(_whole(steps), who=signed, why=why)
            back = self.review.checkpoint()
            self.review.choice = choice
            self._save(otherwise=back)
            self._revision += 1
            return self._progress()

    def undo(self, *, revision: int | None = None) -> dict[str, Any]:
        """Take the last edit back, and save that; as in `edit`."""
        with self._lock:
            self._check(revision)
            back = self.review.checkpoint()
            undone = self.review.undo()
            self._save(otherwise=back)
            return self._changed(undone.feature)

    def redo(self, *, revision: int | None = None) -> dict[str, Any]:
        """Make the edit again that was undone last, and save that; as in `edit`."""
        with self._lock:
            self._check(revision)
            back = self.review.checkpoint()
            redone = self.review.redo()
            self._save(otherwise=back)
            return self._changed(redone.feature)

    def finish(self) -> dict[str, Any]:
        """Make sure that there is a file, be it without edits; what `summary` says."""
        with self._lock:
            if self._saved is None:
                self._save()
            return self.summary()

    def summary(self) -> dict[str, Any]:
        """How many edits there are, and whether they are in the file, which something else may have changed."""
        with self._lock:
            n_edits = len(self.review.edits)
            content = _content(self.path)
            if content is None:
                where = "and no file" if self._saved is None else f"and no file: {self.path} is gone"
            elif content == self._saved:
                where = f"in {self.path}"
            else:
                where = f"not in {self.path}, which was changed by something else"
            choice = self.review.choice
            chosen = "" if choice is None else f" and the card of {choice.steps:,} steps"
            said = f"{n_edits} edit{'' if n_edits == 1 else 's'}{chosen} {where}."
            return {"edits": n_edits, "file": None if content is None else str(self.path), "said": said}

    def _path(self) -> CardPath:
        if self.cards is None:
            fix = "start the review with --evidence, the evidence of a model of the learner additive"
            raise InputError("there is no path of cards", where="review", fix=fix)
        return self.cards

    def _refits(self) -> Refits:
        if self.refits is None:
            fix = "start the review with --learner scorecard, or another one that selects"
            raise InputError("no learner selects here", where="review", fix=fix)
        return self.refits

    def _change(self, before: Binner, after: Binner) -> dict[str, Any]:
        """What differs between the cards of two binners."""
        refits = self._refits()
        return refits.of(after).beside(refits.of(before)).to_dict()

    def _feature(self, name: str) -> dict[str, Any]:
        scale = self._scales.get(name)
        n_edits = sum(edit.feature == name for edit in self.review.edits)
        leak = self.review.leaks.get(name, "")
        decided = self.review.by_hand.get(name)
        further = {"scale": None if scale is None else scale.to_dict(), "n_edits": n_edits, "leak": leak}
        stays = "free" if decided is None else decided.stays
        return {**self.review.table(name).to_dict(), **further, "stays": stays}

    def _progress(self) -> dict[str, Any]:
        return {
            "revision": self._revision,
            "saved": self._saved is not None,
            "undo": self.review.can_undo,
            "redo": self.review.can_redo,
            "choice": None if self.review.choice is None else asdict(self.review.choice),
            "audit": [edit.to_dict() for edit in self.review.audit],
        }

    def _changed(self, feature: str) -> dict[str, Any]:
        self._revision += 1
        return {"changed": self._feature(feature), **self._progress()}

    def _check(self, revision: int | None) -> None:
        if revision is not None and revision != self._revision:
            raise StaleError(
                "the bins were changed in another window",
                where="review",
                fix="look at them again, then repeat the edit",
            )

    def _save(self, otherwise: Callable[[], None] | None = None) -> None:
        """Write the file, or do `otherwise` to be where we were."""
        try:
            with locked(self.path):
                self._compare()
                self.review.save(self.path, overwrite=self._saved is not None)
                self._saved = _content(self.path)
        except Exception:
            if otherwise is not None:
                otherwise()
            self._compare()  # one that appeared in the last moment is why it was not written
            raise

    def _compare(self) -> None:
        """Refuse a file that is not as it was saved last."""
        if _content(self.path) != self._saved:
            fix = "finish, and start the review again to go on from the file as it is now"
            raise InputError("the file was changed by something else", where=f"file {str(self.path)!r}", fix=fix)


def _whole(steps: Any) -> int:
    """A number of steps that a page sends."""
    if type(steps) is not int:
        raise InputError("not a number of steps", where="card", got=steps, allowed="a whole number")
    return steps


def _check_features(cards: CardPath | None, review: Review) -> None:
    """That the cards are of features that are reviewed."""
    others = [] if cards is None else [each.feature for each in cards.finest if each.feature not in review.features]
    if others:
        fix = "give the evidence of a model of these data"
        raise InputError("the cards are of other columns", where="--evidence", got=", ".join(others), fix=fix)


def _in_words(edit: BinEdit) -> str:
    """What an edit does, and to what."""
    about = {"missing": "missing values", "special": "special codes", "trend": "trend"}.get(edit.action)
    if about is None:
        return f"{edit.feature}: {edit.detail}"
    return f"{edit.feature}, {about}{' ' if edit.codes else ': '}{edit.detail}"


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
