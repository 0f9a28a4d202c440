"""Files written in one step: an error, or a kill, leaves the old one whole."""

import stat

import pytest

from autograder.files import in_one_step, write_whole

pytestmark = pytest.mark.quick


def test_a_file_is_the_new_one_and_nothing_lies_beside_it(tmp_path):
    path = tmp_path / "marks.csv"
    for content in (b"old", b"new, and longer"):
        assert write_whole(path, content) == path
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_only_the_owner_may_read_a_secret_also_while_it_is_written(tmp_path, monkeypatch):
    modes = []
    replace = type(tmp_path).replace

    def seen(path, other):
        modes.append(stat.S_IMODE(path.stat().st_mode))
        return replace(path, other)

    monkeypatch.setattr(type(tmp_path), "replace", seen)
    path = write_whole(tmp_path / "key.json", b"secret", mode=0o600)
    assert modes == [0o600] and stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("error", [OSError("the disk is full"), KeyboardInterrupt()])
def test_what_fails_leaves_the_old_file(tmp_path, error):
    path = write_whole(tmp_path / "pages.zip", b"old")
    with pytest.raises(type(error)), in_one_step(path) as unfinished:
        unfinished.write_bytes(b"ne")
        raise error
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
