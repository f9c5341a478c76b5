"""The benches of the games with betting, Stoppa and Stoper: what a phone tells and what eyes see are ruled on together."""
