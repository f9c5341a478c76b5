"""The bench of Lu Stù: clips followed and ruled with nobody asked, with questions answered and without the rules."""
