"""Where each finding of the audit of how evidence gets in, and how the answer comes out, is tested.

Most tests carry the number in their name (``test_d1_…``); those of other subjects are listed here.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ELSEWHERE = {
    24: ("runner/test_failures.py", "test_comparison_says_what_it_did_about_failures"),
    33: ("intervals/test_per_class.py", "test_auc_and_f1_of_several_classes_name_the_alternatives"),
    34: ("runner/test_toml.py", "test_a_measure_that_cannot_be_had_is_told_before_any_work"),
    35: ("runner/test_failures.py", "test_a_model_that_failed_on_some_splits_costs_the_others_none"),
    36: ("runner/test_experiment.py", "test_times_are_measures_under_every_protocol"),
    37: ("comparison/test_each_dataset.py", "test_every_data_set_is_answered_from_its_own_folds"),
    42: ("packaging/test_wheel.py", "test_the_wheel_works_in_an_empty_environment_without_a_compiler"),
    44: ("browser/test_notebook.py", "test_every_result_fits_its_cell_and_shows_its_answer_first"),
    45: ("cli/test_eighty_columns.py", "test_every_line_fits_and_reads_as_before"),
    46: ("core/test_view.py", "test_every_result_fits_80_columns_and_begins_with_its_answer"),
    47: ("cli/test_eighty_columns.py", "test_a_note_is_told_once"),
    49: ("runner/test_failures.py", "test_equal_failures_are_one_line_with_a_count"),
    54: ("evidence/test_engines.py", "test_counts_of_weights_have_the_linearised_answers"),
    55: ("intervals/test_per_class.py", "test_hand_till_at_the_end_of_its_scale_has_an_interval"),
}


@pytest.mark.parametrize("number", range(1, 56))
def test_every_finding_has_a_test(number: int) -> None:
    if number in ELSEWHERE:
        name, test = ELSEWHERE[number]
        assert f"def {test}(" in (TESTS / name).read_text()
        return
    files = [path for path in TESTS.glob("*/test_*.py") if re.search(rf"def test_d{number}_", path.read_text())]
    assert files, f"no test is named test_d{number}_…"
