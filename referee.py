"""`python referee.py WHITE BLACK`: play one match of two agents, also from a clone that is not installed."""

import os
import sys

if __name__ == "__main__":
    sys.path.append(os.path.dirname(os.path.realpath(__file__)))  # python -P and -I leave it out
    try:
        from watch_your_back.cli import start

        start("play", "referee.py")
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name not in ("click", "numpy", "psutil"):
            raise
        sys.exit(f"referee.py: the package {error.name} is not installed (try: python3 -m pip install -e .)")
