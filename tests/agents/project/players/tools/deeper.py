from . import TOOL

DEEPER = TOOL + "er"
