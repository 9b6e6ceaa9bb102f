"""The local server behind `wyb serve`: pages to play on, to watch matches and tournaments, and to replay them."""
