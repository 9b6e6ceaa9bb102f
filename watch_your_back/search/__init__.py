"""Looking ahead in any game: playouts, alpha-beta, Monte Carlo tree search, and what players need around them."""

from watch_your_back.search.alpha_beta import AlphaBeta
from watch_your_back.search.clock import Clock
from watch_your_back.search.following import Follower
from watch_your_back.search.found import Choice, Found, expected, result
from watch_your_back.search.monte_carlo import MonteCarlo
from watch_your_back.search.playouts import candidates, playout

__all__ = [
    "AlphaBeta",
    "Choice",
    "Clock",
    "Follower",
    "Found",
    "MonteCarlo",
    "candidates",
    "expected",
    "playout",
    "result",
]
