"""Watch Your Back!: a fair referee for matches of two Player classes."""

__all__ = ["__version__"]

__version__ = "0.1.0"
