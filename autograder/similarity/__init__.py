"""Students whose answers are alike beyond the template: said in words that accuse nobody."""
