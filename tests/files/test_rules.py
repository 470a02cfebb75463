"""Which files are ours, and the words that say why not.

1. Folders that programs fill are pruned; CVS is, a folder of CVs is not.
2. Names and endings without text, lock files and temporary files are skipped with the reason.
3. Secrets are never taken by default; examples and public keys are.
4. .gitignore is obeyed with negation, anchoring, nesting, and a nested repository starts afresh.
5. The user's patterns win: exclude over take, include over everything else.
6. Hidden files, size and chosen endings.
7. judge_within asks the folders between root and file.
"""

from pathlib import Path

import pytest

from engine.config import FileSettings, WatchSettings
from engine.files.rules import Rules, Ruling


def make_rules(extensions: tuple[str, ...] = (), **files: object) -> Rules:
    settings = FileSettings(**files)  # type: ignore[arg-type]  # each test names real settings
    return Rules.from_settings(settings, WatchSettings(extensions=extensions))


@pytest.mark.parametrize(
    "name",
    [
        ".git",
        "node_modules",
        "__pycache__",
        ".venv",
        "venv",
        "dist",
        "build",
        "target",
        ".next",
        ".nuxt",
        ".idea",
        ".vscode",
        "coverage",
        ".cache",
        ".terraform",
        ".turbo",
        ".gradle",
        ".mvn",
        "bin",
        "obj",
        "packages",
        "site-packages",
        "logs",
        ".lss",
        "CVS",
    ],
)
def test_folders_of_programs_are_pruned(name: str) -> None:
    verdict = make_rules().judge(f"/home/ann/{name}", True)
    assert verdict.ruling is Ruling.SKIP
    assert name in verdict.rule


@pytest.mark.parametrize("name", ["CVs", "cvs", "Photos", "Documents", "my build notes"])
def test_folders_of_people_are_entered(name: str) -> None:
    assert make_rules().judge(f"/home/ann/{name}", True).ruling is Ruling.TAKE


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("photo.JPG", "image"),
        ("song.mp3", "sound"),
        ("archive.tar.gz", "archive"),
        ("package-lock.json", "lock file"),
        ("Cargo.lock", "lock file"),
        ("app.min.js", "generated"),
        ("~$letter.docx", "temporary file"),
        ("notes.txt~", "temporary file"),
        ("model.onnx", "machine learning model"),
    ],
)
def test_files_without_text_are_skipped_by_name(name: str, reason: str) -> None:
    verdict = make_rules().judge(f"/home/ann/{name}", False, 10)
    assert verdict.ruling is Ruling.SKIP
    assert reason in verdict.reason
    assert verdict.rule


@pytest.mark.parametrize(
    "name", ["letter.docx", "notes.v1.2.txt", "Makefile", "main.ts", "a.lock.md"]
)
def test_documents_are_taken(name: str) -> None:
    assert make_rules().judge(f"/home/ann/{name}", False, 10).ruling is Ruling.TAKE


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".env.local",
        "prod.env",
        "id_rsa",
        "id_ed25519",
        "server.pem",
        "store.p12",
        "passwords.kdbx",
        ".netrc",
        ".aws/credentials",
        ".ssh/config",
        "login.keychain-db",
        ".kube/config",
        "secrets.yaml",
    ],
)
def test_secrets_are_left_out_even_when_hidden_files_are_wanted(path: str) -> None:
    verdict = make_rules(hidden=True).judge(f"/home/ann/{path}", False, 10)
    assert verdict.ruling is Ruling.SKIP
    assert verdict.reason.startswith("secret")
    assert make_rules(hidden=True, secrets=True).judge(f"/home/ann/{path}", False, 10).ruling is (
        Ruling.TAKE
    )


@pytest.mark.parametrize("name", [".env.example", "id_rsa.pub"])
def test_harmless_lookalikes_of_secrets_are_taken(name: str) -> None:
    assert make_rules(hidden=True).judge(f"/home/ann/{name}", False, 10).ruling is Ruling.TAKE


def test_gitignore_has_its_full_meaning(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text(
        "*.log\n!keep.log\n/top.txt\ndocs/*.tmp.txt\nout*/\n# note\n\\#odd.txt\n", encoding="utf-8"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / ".gitignore").write_text("!important.log\nsecret.txt\n", encoding="utf-8")
    rules = make_rules()

    def taken(name: str, is_dir: bool = False) -> bool:
        return rules.judge(str(tmp_path / name), is_dir, 1).ruling is Ruling.TAKE

    assert not taken("a.log")
    assert taken("keep.log")
    assert not taken("top.txt")
    assert taken("docs/top.txt")
    assert not taken("docs/x.tmp.txt")
    assert taken("x.tmp.txt")
    assert not taken("output", is_dir=True)
    assert taken("output.txt")
    assert taken("docs/important.log")
    assert not taken("docs/secret.txt")
    assert not taken("#odd.txt")
    assert (
        make_rules(gitignore=False).judge(str(tmp_path / "a.log"), False, 1).ruling is Ruling.TAKE
    )


def test_gitignore_verdict_names_pattern_and_file(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n", encoding="utf-8")
    verdict = make_rules().judge(str(tmp_path / "a.log"), False, 1)
    assert verdict.reason == "ignored by git"
    assert "*.log" in verdict.rule
    assert str(tmp_path / ".gitignore") in verdict.rule


def test_nested_repository_starts_afresh(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.txt\n", encoding="utf-8")
    inner = tmp_path / "inner"
    (inner / ".git" / "info").mkdir(parents=True)
    (inner / ".git" / "info" / "exclude").write_text("private.md\n", encoding="utf-8")
    rules = make_rules()
    assert rules.judge(str(inner / "a.txt"), False, 1).ruling is Ruling.TAKE
    assert rules.judge(str(inner / "private.md"), False, 1).ruling is Ruling.SKIP


def test_changed_gitignore_counts_after_forget(tmp_path: Path) -> None:
    rules = make_rules()
    path = str(tmp_path / "a.txt")
    assert rules.judge(path, False, 1).ruling is Ruling.TAKE
    (tmp_path / ".gitignore").write_text("a.txt\n", encoding="utf-8")
    rules.forget(str(tmp_path))
    assert rules.judge(path, False, 1).ruling is Ruling.SKIP


def test_broken_gitignore_lines_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"!\n[z-a\n\xff\xfe\n***\n/\n*.log\n")
    assert make_rules().judge(str(tmp_path / "a.log"), False, 1).ruling is Ruling.SKIP


def test_users_exclusion_is_named() -> None:
    rules = make_rules(exclude=("*.snap.txt", "drafts/old", "~/private"))
    for path in ("/x/a.snap.txt", "/x/drafts/old", str(Path("~/private").expanduser())):
        verdict = rules.judge(path, "." not in path, 1)
        assert verdict.reason == "excluded by you"
        assert "files.exclude" in verdict.rule


def test_users_inclusion_wins_over_every_other_rule(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n", encoding="utf-8")
    rules = make_rules(include=("*.log", ".env", "huge.txt"), exclude=("*.log",))
    for name in ("a.log", ".env", "huge.txt"):
        verdict = rules.judge(str(tmp_path / name), False, 10**12)
        assert verdict.ruling is Ruling.TAKE
        assert "files.include" in verdict.rule


def test_hidden_size_and_endings() -> None:
    assert make_rules().judge("/x/.notes.txt", False, 1).reason == "hidden"
    assert make_rules(hidden=True).judge("/x/.notes.txt", False, 1).ruling is Ruling.TAKE
    large = make_rules(max_size_mb=1).judge("/x/a.txt", False, 3 * 1024 * 1024)
    assert large.reason == "too large: 3 MB"
    chosen = make_rules(extensions=("md", ".txt"))
    assert chosen.judge("/x/a.md", False, 1).ruling is Ruling.TAKE
    assert chosen.judge("/x/a.pdf", False, 1).reason == "not a chosen ending"


def test_file_in_a_pruned_folder_is_judged_by_the_folder() -> None:
    verdict = make_rules().judge_within("/r", "/r/node_modules/p/readme.md", False, 1)
    assert verdict.ruling is Ruling.SKIP
    assert "node_modules" in verdict.reason
    assert make_rules().judge_within("/r", "/elsewhere/a.md", False, 1).ruling is Ruling.SKIP
    rules = make_rules(include=("node_modules/p/*.md",))
    assert rules.judge_within("/r", "/r/node_modules/p/readme.md", False, 1).ruling is Ruling.TAKE
