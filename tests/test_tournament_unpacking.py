"""Archives that were handed in: whatever they hold, nothing gets outside, and nothing fills the disk."""

import gzip
import io
import os
import stat
import tarfile
import zipfile

import pytest

from watch_your_back.tournament import unpacking
from watch_your_back.tournament.unpacking import Unfit, stem, unpack

FILES = {"player.py": b"class Player: ...\n", "data/book.json": b"[1, 2]", "data/deep/x.txt": b""}


def make_zip(path, files, **about):
    """A zip archive with these members; `about` are attributes of all."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            for key, value in about.items():
                setattr(info, key, value)
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)
    return path


def make_tar(path, files, mode="w:gz"):
    """A tar archive with these members; one whose content is a TarInfo is that."""
    with tarfile.open(path, mode) as archive:
        for name, content in files.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def special(name, kind, target=""):
    """A member of a tar archive that is no file."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.fixture
def target(tmp_path):
    """Where to unpack, with a file beside it that must stay what it is."""
    (tmp_path / "outside.txt").write_text("mine")
    (tmp_path / "target").mkdir()
    yield tmp_path / "target"
    assert (tmp_path / "outside.txt").read_text() == "mine"
    outside = {path.name for path in tmp_path.iterdir()} - {"outside.txt", "target"}
    assert all(name.startswith("handed_in") for name in outside)


def contents(folder):
    """All files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("ending", unpacking.ARCHIVES)
def test_every_kind_of_archive_is_unpacked(tmp_path, target, ending):
    """With its folders, however deep."""
    path = tmp_path / f"handed_in{ending}"
    modes = {".tar": "w", ".tar.bz2": "w:bz2", ".tar.xz": "w:xz"}
    make_zip(path, FILES) if ending == ".zip" else make_tar(path, FILES, modes.get(ending, "w:gz"))
    unpack(path, target)
    assert contents(target) == FILES
    assert stem(path) == "handed_in"


def test_what_systems_add_is_left_out(tmp_path, target):
    """And the paths that programs for Windows write are understood."""
    files = {"__MACOSX/._player.py": b"x", ".DS_Store": b"x", "team\\player.py": b"y"}
    unpack(make_zip(tmp_path / "handed_in.zip", files), target)
    assert contents(target) == {"team/player.py": b"y"}
    unpack(make_tar(tmp_path / "handed_in.tar", {"./": special(".", tarfile.DIRTYPE), "./b.py": b"z"}, "w"), target)
    assert contents(target) == {"team/player.py": b"y", "b.py": b"z"}


@pytest.mark.parametrize("ending", [".zip", ".tar.gz"])
@pytest.mark.parametrize(
    "name",
    [
        "../outside.txt",
        "a/../../outside.txt",
        "/etc/outside.txt",
        "..\\outside.txt",
        "C:\\x",
        "C:x",
        "a\nb",
        "x" * 1_001,
    ],
)
def test_a_path_that_leads_outside_is_refused(tmp_path, target, ending, name):
    """Whatever system it is meant for."""
    path = tmp_path / f"handed_in{ending}"
    make_zip(path, {name: b"evil"}) if ending == ".zip" else make_tar(path, {name: b"evil"})
    with pytest.raises(Unfit, match="is no path inside the submission"):
        unpack(path, target)
    assert contents(target) == {}


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_what_is_neither_file_nor_folder_is_refused(tmp_path, target, kind):
    """Links, devices and pipes in a tar archive."""
    files = {"a": special("a", kind, "../outside.txt"), "a/b": b"evil"}
    with pytest.raises(Unfit, match="'a' in it is neither a file nor a folder"):
        unpack(make_tar(tmp_path / "handed_in.tgz", files), target)


def test_a_link_in_a_zip_archive_is_refused(tmp_path, target):
    """It is a file whose attributes say that it is none."""
    path = make_zip(tmp_path / "handed_in.zip", {"a": b"../outside.txt"}, external_attr=(stat.S_IFLNK | 0o777) << 16)
    with pytest.raises(Unfit, match="'a' in it is neither a file nor a folder"):
        unpack(path, target)


def test_too_much_is_refused_before_it_is_on_the_disk(tmp_path, target, monkeypatch):
    """Bytes, files and folders are counted while they are read."""
    monkeypatch.setattr(unpacking, "MAX_BYTES", 100_000)
    monkeypatch.setattr(unpacking, "MAX_ENTRIES", 10)
    for name, files in (
        ("big", {"a": os.urandom(90_000), "b": os.urandom(20_000)}),
        ("many", {f"{n}": b"" for n in range(11)}),
    ):
        for path in (
            make_zip(tmp_path / f"handed_in_{name}.zip", files),
            make_tar(tmp_path / f"handed_in_{name}.tgz", files),
        ):
            with pytest.raises(
                Unfit, match=r"is larger than 0 MB|expands to more than 0 MB|more than 10 files and folders"
            ):
                unpack(path, target)
            for file in target.iterdir():
                file.unlink()


def test_a_bomb_is_refused(tmp_path, target, monkeypatch):
    """An archive that expands to hundreds of times its size, whatever it says that its size is."""
    monkeypatch.setattr(unpacking, "RATIO_FROM", 100_000)
    zeros = bytes(2_000_000)
    for path in (
        make_zip(tmp_path / "handed_in.zip", {"zeros": zeros}),
        make_tar(tmp_path / "handed_in.tgz", {"zeros": zeros}),
    ):
        with pytest.raises(Unfit, match=r"expands to more than .*, 200 times the archive"):
            unpack(path, target)
        assert sum(map(len, contents(target).values())) < 1_000_000
        (target / "zeros").unlink()
    lying = make_zip(tmp_path / "handed_in_lying.zip", {"zeros": zeros})
    data = lying.read_bytes().replace((2_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    lying.write_bytes(data)
    with pytest.raises(Unfit):
        unpack(lying, target)
    assert sum(map(len, contents(target).values())) < 1_000_000


def test_a_header_can_be_a_bomb_too(tmp_path, target, monkeypatch):
    """A tar archive whose extended header alone expands to more than all its files may."""
    monkeypatch.setattr(unpacking, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(unpacking, "MAX_ENTRIES", 10)
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 50_000_000
    with gzip.open(tmp_path / "handed_in.tgz", "wb") as file:
        file.write(header.tobuf() + bytes(50_000_000))
    with pytest.raises(Unfit, match="expands to more than 1 MB"):
        unpack(tmp_path / "handed_in.tgz", target)


@pytest.mark.parametrize("ending", unpacking.ARCHIVES)
def test_what_is_no_archive_is_said_so(tmp_path, target, ending):
    """Garbage, an empty file, and an archive that was cut off."""
    path = tmp_path / f"handed_in{ending}"
    for content in (b"garbage" * 1_000, b""):
        path.write_bytes(content)
        with pytest.raises(Unfit, match="it is damaged"):
            unpack(path, target)
    make_zip(path, FILES) if ending == ".zip" else make_tar(
        path, {"a": os.urandom(100_000)}, "w:gz" if "gz" in ending else "w"
    )
    path.write_bytes(path.read_bytes()[:-60_000] if ending != ".zip" else path.read_bytes()[:100])
    with pytest.raises(Unfit, match="it is damaged"):
        unpack(path, target)


def test_two_entries_of_one_name_are_refused(tmp_path, target):
    """Nobody could say which one is meant; nor where a file is a folder, too."""
    for entries in ([("a", b"1"), ("a", b"2")], [("a", b"1"), ("a/b", b"2")], [("a/b", b"1"), ("a", b"2")]):
        path = tmp_path / "handed_in.tar"
        with tarfile.open(path, "w") as archive:
            for name, content in entries:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        place = target / str(len(contents(target)))
        place.mkdir()
        with pytest.raises(Unfit, match="same name"):
            unpack(path, place)


def test_an_encrypted_archive_is_refused(tmp_path, target):
    """Nobody knows the password."""
    path = make_zip(tmp_path / "handed_in.zip", {"a.py": b"1"})
    data = bytearray(path.read_bytes())
    data[6] |= 1
    data[data.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(Unfit, match=r"cannot be unpacked: .*(encrypted|password)"):
        unpack(path, target)


def test_the_name_of_an_archive_is_what_comes_before_its_ending(tmp_path):
    """In whatever case; other files have none."""
    names = {
        "alice.zip": "alice",
        "team 7.TAR.GZ": "team 7",
        "v1.2.tgz": "v1.2",
        "a.rar": None,
        "a.py": None,
        ".zip": None,
    }
    assert {name: stem(tmp_path / name) for name in names} == names
