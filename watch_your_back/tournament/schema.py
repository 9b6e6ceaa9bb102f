"""The tables of a store; `docs/tournaments.md` describes them."""

from __future__ import annotations

__all__ = ["INSERT_MATCH", "SCHEMA", "VERSION"]

VERSION = 1
"""Raised when a program that knows the version before would misunderstand the store."""

SCHEMA = """
CREATE TABLE tournament (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE agents (
    name TEXT PRIMARY KEY, position INTEGER NOT NULL, spec TEXT NOT NULL, sources TEXT NOT NULL, agent TEXT,
    state TEXT NOT NULL, why TEXT NOT NULL, findings TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE pairings (round INTEGER NOT NULL, one TEXT NOT NULL, other TEXT);
CREATE TABLE matches (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, round INTEGER NOT NULL, state TEXT NOT NULL,
    agent_0 TEXT NOT NULL, agent_1 TEXT NOT NULL, slot_0 INTEGER NOT NULL, seed INTEGER NOT NULL,
    winner INTEGER, reason TEXT NOT NULL, detail TEXT NOT NULL, ply INTEGER NOT NULL,
    cpu_s_0 REAL NOT NULL, cpu_s_1 REAL NOT NULL, slowest_s_0 REAL NOT NULL, slowest_s_1 REAL NOT NULL,
    memory_mb_0 REAL NOT NULL, memory_mb_1 REAL NOT NULL, turns_0 INTEGER NOT NULL, turns_1 INTEGER NOT NULL,
    tier_0 TEXT NOT NULL, tier_1 TEXT NOT NULL, trail TEXT NOT NULL,
    wall_s REAL NOT NULL, machine TEXT NOT NULL, ended REAL NOT NULL
);
CREATE UNIQUE INDEX played ON matches (id) WHERE state = 'counts';
CREATE INDEX void ON matches (id) WHERE state = 'void';
CREATE VIEW counted AS SELECT * FROM matches WHERE state = 'counts'
    AND agent_0 IN (SELECT name FROM agents WHERE state = 'plays')
    AND agent_1 IN (SELECT name FROM agents WHERE state = 'plays');
CREATE TABLE failures (
    match INTEGER NOT NULL REFERENCES matches, side INTEGER NOT NULL, agent TEXT NOT NULL, ply INTEGER NOT NULL,
    call TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL, traceback TEXT NOT NULL
);
CREATE INDEX failed ON failures (agent);
CREATE TABLE records (match INTEGER PRIMARY KEY REFERENCES matches, record BLOB NOT NULL);
"""

INSERT_MATCH = f"INSERT INTO matches VALUES (NULL{', ?' * 25})"
