"""`python -m watch_your_back` is the command `wyb`."""

from watch_your_back.cli import main

if __name__ == "__main__":
    main()
