from . import names

SIZE = names.SIZE
