"""Texas Hold'em endgames: two ranges, a pot, stacks and a menu of bet sizes, from flop, turn or river to the end."""
