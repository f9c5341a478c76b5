"""The benches of games with betting: what a phone tells and what eyes see are ruled on together."""
