"""Statistics of comparing models: arrays in, a small frozen result out (the words are SciPy's)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.stats._assumptions import normality, outliers
    from bakeoff.stats._critical_values import critical_values
    from bakeoff.stats._effect_sizes import (
        cliffs_delta,
        cohen_d,
        cohen_d_interval,
        glass_delta,
        hedges_g,
        rank_biserial,
        vargha_delaney_a,
    )
    from bakeoff.stats._tested import Tested
    from bakeoff.stats.bayes import bayes_correlated_t, bayes_hierarchical, bayes_sign, bayes_signed_rank
    from bakeoff.stats.means import (
        DunnettResult,
        TTestResult,
        TukeyResult,
        cluster_t,
        corrected_t,
        dunnett,
        five_by_two_f,
        five_by_two_t,
        noninferiority,
        paired_t,
        repeated_measures_anova,
        tost,
        tukey,
    )
    from bakeoff.stats.multiplicity import (
        PairsResult,
        adjust,
        adjust_pairs,
        all_pairs,
        indistinguishable_groups,
        letter_display,
    )
    from bakeoff.stats.power import (
        detectable_corrected_t,
        detectable_delong,
        detectable_friedman,
        detectable_mcnemar,
        detectable_paired_t,
        detectable_wilcoxon,
        discordant_rates,
        power_corrected_t,
        power_delong,
        power_friedman,
        power_mcnemar,
        power_paired_t,
        power_wilcoxon,
        sample_size_corrected_t,
        sample_size_delong,
        sample_size_friedman,
        sample_size_mcnemar,
        sample_size_paired_t,
        sample_size_wilcoxon,
        simulate_errors,
    )
    from bakeoff.stats.ranks import (
        aligned_friedman,
        aligned_posthoc,
        bonferroni_dunn,
        conover,
        critical_difference,
        friedman,
        friedman_control,
        friedman_pairs,
        nemenyi,
        quade,
        quade_posthoc,
        sign_test,
        wilcoxon,
        wilcoxon_pairs,
    )
    from bakeoff.stats.resample import (
        BootstrapErrorResult,
        bootstrap_error,
        bootstrap_interval,
        nested_cv,
        no_information_loss,
        no_information_rate,
    )
    from bakeoff.stats.roc import (
        DeLongTestResult,
        RocCurveResult,
        Tally,
        auc,
        auc_from_tally,
        auc_hull,
        average_precision,
        average_precision_from_tally,
        cost_envelope,
        delong_interval,
        delong_many,
        delong_test,
        delong_unpaired,
        envelope_of_points,
        falling_places,
        h_from_tally,
        h_measure,
        h_of_hull,
        hand_till_auc,
        hull_of_tally,
        multiclass_auc,
        partial_area,
        partial_auc,
        precision_recall_curve,
        roc_curve,
        roc_from_tally,
        roc_hull,
        standardized_area,
        tally_scores,
        upper_hull,
    )
    from bakeoff.stats.tables import (
        binomial_interval,
        bowker,
        bowker_from_table,
        cochran_q,
        cohen_kappa,
        cohen_kappa_from_table,
        mcnemar,
        mcnemar_from_table,
        stuart_maxwell,
        stuart_maxwell_from_table,
    )

    __all__ = [
        "BootstrapErrorResult", "DeLongTestResult", "DunnettResult", "PairsResult", "RocCurveResult", "TTestResult",
        "Tally", "Tested", "TukeyResult", "adjust", "adjust_pairs", "aligned_friedman", "aligned_posthoc", "all_pairs",
        "auc",
        "auc_from_tally", "auc_hull", "average_precision", "average_precision_from_tally", "bayes_correlated_t",
        "bayes_hierarchical", "bayes_sign", "bayes_signed_rank", "binomial_interval", "bonferroni_dunn",
        "bootstrap_error", "bootstrap_interval", "bowker", "bowker_from_table", "cliffs_delta", "cluster_t",
        "cochran_q", "cohen_d", "cohen_d_interval", "cohen_kappa", "cohen_kappa_from_table", "conover", "corrected_t",
        "cost_envelope", "critical_difference", "critical_values", "delong_interval", "delong_many", "delong_test",
        "delong_unpaired",
        "detectable_corrected_t", "detectable_delong", "detectable_friedman", "detectable_mcnemar",
        "detectable_paired_t", "detectable_wilcoxon", "discordant_rates", "dunnett", "envelope_of_points",
        "falling_places", "five_by_two_f", "five_by_two_t", "friedman", "friedman_control", "friedman_pairs",
        "glass_delta", "h_from_tally", "h_measure", "h_of_hull", "hand_till_auc", "hedges_g", "hull_of_tally",
        "indistinguishable_groups", "letter_display", "mcnemar", "mcnemar_from_table", "multiclass_auc", "nemenyi",
        "nested_cv", "no_information_loss", "no_information_rate", "noninferiority", "normality", "outliers",
        "paired_t", "partial_area", "partial_auc", "power_corrected_t", "power_delong", "power_friedman",
        "power_mcnemar", "power_paired_t", "power_wilcoxon", "precision_recall_curve", "quade", "quade_posthoc",
        "rank_biserial", "repeated_measures_anova", "roc_curve", "roc_from_tally", "roc_hull",
        "sample_size_corrected_t", "sample_size_delong", "sample_size_friedman", "sample_size_mcnemar",
        "sample_size_paired_t", "sample_size_wilcoxon", "sign_test", "simulate_errors", "standardized_area",
        "stuart_maxwell",
        "stuart_maxwell_from_table", "tally_scores", "tost", "tukey", "upper_hull", "vargha_delaney_a", "wilcoxon",
        "wilcoxon_pairs",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_assumptions": "normality outliers",
            "_critical_values": "critical_values",
            "_tested": "Tested",
            "_effect_sizes": "cliffs_delta cohen_d cohen_d_interval glass_delta hedges_g"
            " rank_biserial vargha_delaney_a",
            "bayes": "bayes_correlated_t bayes_hierarchical bayes_sign bayes_signed_rank",
            "means": "DunnettResult TTestResult TukeyResult cluster_t corrected_t dunnett"
            " five_by_two_f five_by_two_t noninferiority paired_t repeated_measures_anova tost"
            " tukey",
            "multiplicity": "PairsResult adjust adjust_pairs all_pairs indistinguishable_groups letter_display",
            "power": "detectable_corrected_t detectable_delong detectable_friedman"
            " detectable_mcnemar detectable_paired_t detectable_wilcoxon discordant_rates"
            " power_corrected_t power_delong power_friedman power_mcnemar power_paired_t"
            " power_wilcoxon sample_size_corrected_t sample_size_delong sample_size_friedman"
            " sample_size_mcnemar sample_size_paired_t sample_size_wilcoxon simulate_errors",
            "ranks": "aligned_friedman aligned_posthoc bonferroni_dunn conover"
            " critical_difference friedman friedman_control friedman_pairs nemenyi quade"
            " quade_posthoc sign_test wilcoxon wilcoxon_pairs",
            "resample": "BootstrapErrorResult bootstrap_error bootstrap_interval nested_cv"
            " no_information_loss no_information_rate",
            "roc": "DeLongTestResult RocCurveResult Tally auc auc_from_tally auc_hull"
            " average_precision average_precision_from_tally cost_envelope delong_interval"
            " delong_many delong_test delong_unpaired envelope_of_points falling_places"
            " h_from_tally h_measure h_of_hull hand_till_auc hull_of_tally multiclass_auc partial_area"
            " partial_auc precision_recall_curve roc_curve roc_from_tally roc_hull"
            " standardized_area tally_scores upper_hull",
            "tables": "binomial_interval bowker bowker_from_table cochran_q cohen_kappa"
            " cohen_kappa_from_table mcnemar mcnemar_from_table stuart_maxwell"
            " stuart_maxwell_from_table",
        },
        internal={"": "bayes distributions means multiplicity power ranks resample roc tables"},
    )
