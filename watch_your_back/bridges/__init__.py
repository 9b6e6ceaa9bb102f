"""Ways from and to other programs and their files."""
