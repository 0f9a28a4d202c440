"""Claims about budgets, ledgers, and what many answers tell together."""
