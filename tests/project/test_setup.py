"""pyproject.toml, environment.yml and requirements.lock say the same; nothing says where from."""

import json
import re
import tomllib

import pytest
import yaml
from hypothesis.internal.conjecture.providers import HypothesisProvider
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


LOCKS = ["requirements.lock", "requirements-lab.lock", "requirements-uv.lock"]


@pytest.fixture(scope="module")
def locked(root):
    """The pinned versions by name: some names have one version for each Python."""
    return pins(root / "requirements.lock")


def pins(lock):
    versions = {}
    for line in lock.read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)==([^ ;\\]+)", line):
            versions.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return versions


def requirements(project, *extras):
    texts = list(project["dependencies"])
    for extra in extras:
        texts += project["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(text).name): Requirement(text) for text in texts}


def test_the_lock_pins_every_requirement_inside_its_bounds(project, locked):
    for name, requirement in requirements(project, *project["optional-dependencies"]).items():
        assert name in locked, f"{name} is not in requirements.lock: run `make lock`"
        for version in locked[name]:
            assert requirement.specifier.contains(version), f"{name} {version}"


def test_who_reads_and_answers_has_the_same_packages_and_fewer(root, project, locked):
    lab = pins(root / "requirements-lab.lock")
    for name, requirement in requirements(project, "lab").items():
        assert all(map(requirement.specifier.contains, lab[name])), name
    assert len(lab) < len(locked) * 0.7
    assert {name: found for name, found in lab.items() if found - locked[name]} == {}


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_has_a_hash_for_every_pin_and_no_address(root, lock):
    text = (root / lock).read_text()
    entries = re.split(r"\n(?=[A-Za-z0-9])", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|--index|--find-links|--extra|file:| @ ", text)


def test_conda_users_get_the_same_packages(root, project):
    environment = yaml.safe_load((root / "environment.yml").read_text())
    specs = [spec for spec in environment["dependencies"] if isinstance(spec, str)]
    pip_part = next(part["pip"] for part in environment["dependencies"] if isinstance(part, dict))
    conda = {canonicalize_name(Requirement(spec).name): Requirement(spec) for spec in specs}
    assert str(conda.pop("python").specifier) == project["requires-python"]
    conda.pop("pip")
    wanted = requirements(project, "lab")
    assert {name: spec.specifier for name, spec in conda.items()} == {
        name: spec.specifier for name, spec in wanted.items()
    }
    assert pip_part == ["--no-deps", "-e ."]


def test_the_readme_names_only_commands_that_exist(root):
    makefile = (root / "Makefile").read_text()
    named = set(re.findall(r"`make ([a-z-]+)", (root / "README.md").read_text()))
    assert {"lab", "test"} <= named
    for command in named:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), f"make {command}"


def test_the_citation_is_of_this_version(root, project):
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0" and citation["version"] == project["version"]
    assert citation["title"] == project["description"]
    assert {"message", "authors", "license", "abstract"} <= citation.keys()


def test_the_container_for_development_uses_commands_that_exist(root):
    container = json.loads((root / ".devcontainer" / "devcontainer.json").read_text())
    command = container["postCreateCommand"].split()
    assert command[0] == "make" and f"\n{command[1]}:" in (root / "Makefile").read_text()
    assert "/" not in container["image"], "an image that needs no address of a registry"


def test_examples_do_not_hang_on_the_modules_that_are_loaded():
    import dplib  # noqa: F401  its constants must not become examples

    assert len(HypothesisProvider(None)._local_constants) == 0
