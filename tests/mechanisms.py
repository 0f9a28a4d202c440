"""Every mechanism that adds noise to a number or a vector, with parameters that it accepts."""

import math

from dplib.gaussian import gaussian_mechanism, vector_gaussian, vector_laplace
from dplib.laplace import discrete_laplace, laplace_mechanism
from dplib.samplers import exact_discrete_gaussian, exact_discrete_laplace
from dplib.variants import gaussian_mechanism_rdp, gaussian_mechanism_zcdp, repeated_gaussian

MECHANISMS = {
    laplace_mechanism: {"sensitivity": 1.0, "epsilon": 0.5},
    discrete_laplace: {"sensitivity": 1.0, "epsilon": 0.5},
    exact_discrete_laplace: {"sensitivity": 1.0, "epsilon": 0.5},
    exact_discrete_gaussian: {"l2_sensitivity": 1.0, "rho": 0.1},
    gaussian_mechanism: {"l2_sensitivity": 2.0, "epsilon": 0.5, "delta": 1e-6},
    vector_gaussian: {"l2_sensitivity": 3.0, "epsilon": 4.0, "delta": 1e-3},
    vector_laplace: {"l1_sensitivity": 3.0, "epsilon": 0.5},
    gaussian_mechanism_rdp: {"l2_sensitivity": 2.0, "order": 8.0, "epsilon_bar": 0.25},
    gaussian_mechanism_zcdp: {"l2_sensitivity": 2.0, "rho": 0.02},
    repeated_gaussian: {"l2_sensitivity": 2.0, "count": 8, "epsilon": 3.0, "delta": math.exp(-1)},
}
WHOLE = (discrete_laplace, exact_discrete_laplace, exact_discrete_gaussian)
# These take no number alone.
VECTORS = (vector_gaussian, vector_laplace)
