"""DataSynthesizer: the counts of a column of two, of 200 values with 100 rows each."""

import numpy as np
import pandas as pd
from DataSynthesizer.lib.PrivBayes import get_noisy_distribution_of_attributes

VALUES, EACH = 200, 100


def noise_of_counts(number, side):
    column = np.repeat(np.arange(VALUES), EACH)
    table = pd.DataFrame({"a": column, "b": np.tile([0, 1], VALUES * EACH // 2)})
    drawn = []
    while len(drawn) < number:
        noisy = get_noisy_distribution_of_attributes(["a"], table, epsilon=0.5)
        drawn += list(noisy["count"] - EACH + side)  # a neighbor's count is one more
    return drawn
