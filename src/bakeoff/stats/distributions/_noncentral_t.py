"""The noncentral t distribution, by quadrature: it stays accurate where the series of the usual libraries fail."""

from __future__ import annotations

import math

import numpy as np

from bakeoff.stats.distributions._studentized import panel

_NODES = 200


def noncentral_t_cdf(t: float, df: float, ncp: float) -> float:
    r"""Return P(T ≤ t) for :math:`T = (Z + ncp)/s`, with Z standard normal and s = √(χ²_df / df) independent of it.

    One of the two variables is integrated out in closed form, the one that leaves the smoother integrand: for
    moderate t the normal, :math:`\int \Phi(t s - ncp)\,dF(s)`, for large t relative to √df the chi.
    """
    if t < 0:
        return 1.0 - noncentral_t_cdf(-t, df, -ncp)
    # t·sd(s): width, in standard deviations of Z, over which the chi factor blurs the threshold t·s
    blur = t / math.sqrt(2 * df)
    return _over_chi(t, df, ncp) if blur < 1 else _over_normal(t, df, ncp)


def _over_chi(t: float, df: float, ncp: float) -> float:
    from scipy.special import chdtri, gammaln, ndtr

    low, high = (math.sqrt(chdtri(df, p) / df) for p in (1 - 1e-16, 1e-17))
    s, weights = panel(low, high, _NODES)
    log_density = (df - 1) * np.log(s) - df * s**2 / 2
    log_constant = math.log(2) + df / 2 * math.log(df / 2) - gammaln(df / 2)
    return float(np.clip(np.sum(weights * np.exp(log_density + log_constant) * ndtr(t * s - ncp)), 0.0, 1.0))


def _over_normal(t: float, df: float, ncp: float) -> float:
    from scipy.special import chdtrc, ndtr

    # where Z + ncp is negative, T is negative and so below t
    z, weights = panel(max(-ncp, -9.0), 9.0, _NODES) if ncp > -9 else (np.zeros(0), np.zeros(0))
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    exceeds = chdtrc(df, df * ((z + ncp) / t) ** 2)
    return float(np.clip(ndtr(-ncp) + np.sum(weights * density * exceeds), 0.0, 1.0))
