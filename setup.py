"""The packages to install; everything else is in setup.cfg."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["watch_your_back", "watch_your_back.*"]), "watch_your_back.players"])
