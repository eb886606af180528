"""Plugins: hooks, descriptors, the registry that finds them, and the base class of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrutable.writing.facades import lazily

if TYPE_CHECKING:
    from scrutable.plugins.card_choice import CARD_CHOICE, CardChoice
    from scrutable.plugins.card_figures import CARD_FIGURES, CardFigure
    from scrutable.plugins.card_paths import CARD_PATH, CardPath, no_card_of
    from scrutable.plugins.choices import Choice, parse_names, parse_pairs
    from scrutable.plugins.component import Command, Component
    from scrutable.plugins.crash_reports import unforeseen
    from scrutable.plugins.data_dictionary import DataDictionary, Dictionary, DictionaryColumn
    from scrutable.plugins.decisions import Decision
    from scrutable.plugins.dictionary_roles import (
        config_by_dictionary,
        dictionary_by_config,
        selector_keeping,
        special_codes_for,
    )
    from scrutable.plugins.dictionary_words import actions_by_dictionary, in_words_of
    from scrutable.plugins.explaining import explain
    from scrutable.plugins.guessed_dictionary import first_dictionary, sounds_protected
    from scrutable.plugins.headings import decision_line, heading_lines, kind_in_words, subject_lines
    from scrutable.plugins.hookspecs import hookimpl
    from scrutable.plugins.libraries import library
    from scrutable.plugins.machine import WESTERN_FONT, fonts_for, installation, machine_libraries, missing_library
    from scrutable.plugins.nothing_known import AllMissing, refusing_missing, told_otherwise
    from scrutable.plugins.options import Count, Limits, NotNegative, Share, check_options
    from scrutable.plugins.path_cards import CardChange, FinestAttributes, Joined, Merge, PathCard
    from scrutable.plugins.reading_values import checked_options, coerce, read_value
    from scrutable.plugins.review_file import ReviewFile, dump_review, read_review, read_whole, write_review
    from scrutable.plugins.review_header import ReviewHeader
    from scrutable.plugins.selections import LEFT_OUT, SELECTION, Selection, SelectionEntry
    from scrutable.plugins.sources import opened_source, source_of
    from scrutable.plugins.spelling import is_short_decimal, one_line
    from scrutable.plugins.useless_models import doubt_in_words
    from scrutable.plugins.workers import spread

__all__ = [
    "CARD_CHOICE",
    "CARD_FIGURES",
    "CARD_PATH",
    "LEFT_OUT",
    "SELECTION",
    "WESTERN_FONT",
    "AllMissing",
    "CardChange",
    "CardChoice",
    "CardFigure",
    "CardPath",
    "Choice",
    "Command",
    "Component",
    "Count",
    "DataDictionary",
    "Decision",
    "Dictionary",
    "DictionaryColumn",
    "FinestAttributes",
    "Joined",
    "Limits",
    "Merge",
    "NotNegative",
    "PathCard",
    "ReviewFile",
    "ReviewHeader",
    "Selection",
    "SelectionEntry",
    "Share",
    "actions_by_dictionary",
    "check_options",
    "checked_options",
    "coerce",
    "config_by_dictionary",
    "decision_line",
    "dictionary_by_config",
    "doubt_in_words",
    "dump_review",
    "explain",
    "first_dictionary",
    "fonts_for",
    "heading_lines",
    "hookimpl",
    "in_words_of",
    "installation",
    "is_short_decimal",
    "kind_in_words",
    "library",
    "machine_libraries",
    "missing_library",
    "no_card_of",
    "one_line",
    "opened_source",
    "parse_names",
    "parse_pairs",
    "read_review",
    "read_value",
    "read_whole",
    "refusing_missing",
    "selector_keeping",
    "sounds_protected",
    "source_of",
    "special_codes_for",
    "spread",
    "subject_lines",
    "told_otherwise",
    "unforeseen",
    "write_review",
]

__getattr__ = lazily(__name__)
