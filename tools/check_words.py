#!/usr/bin/env python3
"""Fails if text for readers uses a word that the documentation replaced, or if a page of documentation has a line of
prose over 120 columns or a link that leads nowhere.

Usage: tools/check_words.py [ROOT]
What is read of each tracked file:
  *.md            prose and tables, without code; its width and links
  analysis.yaml   title, question and help of the columns
  *.sql           comments of tables and columns
  *.cc, *.h, *.c  comments; of the program's commands, also text in quotes
  *.ts            comments, and text in quotes
  *.py, *.sh      comments, documentation strings and help texts
"""
import pathlib
import re
import subprocess
import sys

WIDTH = 120
# (pattern, what to write instead). Patterns are matched without regard to case, between word borders.
WORDS = [
    (r"(?:hold|holds|held|holding) (?:\w+ ){0,4}?against", "compare with"),
    (r"(?:is|are|was|were|be|been) told(?! (?:apart|from|to))", "is reported, is shown"),
    (r"(?:is|are|was|were|be|been) said(?! to)", "is reported, is stated"),
    (r"not (?:said|told)", "not known"),
    (r"cannot be told(?! apart| from)", "is unknown"),
    (r"stretch(?:es)?(?! to | out | these| them)", "segment, interval"),
    (r"keep[ -]files?", "capture file"),
    (r"(?:stand|stands|stood|step|steps) aside", "is moved to a backup, is staged, gives way"),
    (r"journeys?", "progress estimator"),
    (r"seats?", "subscription"),
    (r"wishes", "options, requests"),
    (r"surroundings", "context"),
    (r"disturbances?", "interference"),
    (r"last words", "error excerpt"),
    (r"(?:take|takes|taking|took) turns|in turns", "alternate, alternately"),
    (r"(?:thrown|throws?|throwing) away", "discard"),
    (r"laid (?:beside|side by side)", "aligned with"),
    (r"the way of (?:one|a) run", "the path of a run"),
    (r"what it costs|what (?:each|a) \w+ costs", "overhead, cost"),
    (r"map of the house", "map of the source tree"),
]
PATTERN = re.compile("|".join(rf"(?P<w{i}>(?<![\w-]){word}(?![\w-]))" for i, (word, _) in enumerate(WORDS)), re.I)

LITERAL = re.compile(r'R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)"', re.S)
C_PART = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(\w*)\(.*?\)\2"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")


def without_code(text):
    """A page with the same lines, in which code blocks and code spans are blank."""
    text = re.sub(r"^( *)(```|~~~).*?^\1\2 *$", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"`[^`]*`", lambda m: "`" + "\n" * m[0].count("\n") + "`", text)


def masked(text, keep):
    """`text` with every character outside of the spans `keep` blank, so that lines stay where they are."""
    out, at = [], 0
    for begin, end in keep:
        out += [re.sub(r"[^\n]", " ", text[at:begin]), text[begin:end]]
        at = end
    return "".join(out) + re.sub(r"[^\n]", " ", text[at:])


def c_text(text, with_literals):
    """Comments of C, C++ or TypeScript, and what stands in quotes if `with_literals`. A sentence over several
    literals or comment lines is one sentence."""
    keep = [m.span() for m in C_PART.finditer(text) if m["comment"] or with_literals and not m[0].startswith("'")]
    return re.sub(r'"\s*\n\s*"|\n\s*//+<?', lambda m: re.sub(r"[^\n]", " ", m[0]), masked(text, keep))


def script_text(text):
    """Comments and strings in quotes of a Python or shell script."""
    pattern = r'#[^\n]*|"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"'
    return masked(text, [m.span() for m in re.finditer(pattern, text)])


def yaml_text(text):
    pattern = r'^(?:title|question): .*$|\bhelp: (?:"[^"\n]*"|[^,}\n]*)'
    return masked(text, [m.span() for m in re.finditer(pattern, text, re.M)])


def sql_text(text):
    pattern = r"--[^\n]*|\bIS '(?:[^']|'')*'"
    return masked(text, [m.span() for m in re.finditer(pattern, text)])


def text_for_readers(path, text):
    """What of a file somebody reads as English, with the file's own lines."""
    name, suffix = path.as_posix(), path.suffix
    if suffix == ".md":
        return without_code(text)
    if path.name == "analysis.yaml":
        return yaml_text(text)
    if suffix == ".sql":
        return sql_text(text)
    if suffix in {".cc", ".h", ".c"}:
        return c_text(text, name.startswith("src/app/") and not name.endswith("_test.cc"))
    if suffix == ".ts":
        return c_text(text, True)
    if suffix in {".py", ".sh"} or text.startswith("#!"):
        return script_text(text)
    return ""


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def words(path, text):
    prose = re.sub(r"\s(?=\s)", lambda m: m[0], text_for_readers(path, text))
    flat = prose.replace("\n", " ")  # The same positions: a phrase may go over the end of a line.
    collapsed = re.compile(PATTERN.pattern.replace(" ", r"\s+"), re.I)
    for match in collapsed.finditer(flat):
        index = next(i for i in range(len(WORDS)) if match[f"w{i}"])
        yield f'{path}:{line_of(prose, match.start())}: "{" ".join(match[0].split())}": write {WORDS[index][1]}'


def wide_lines(path, text):
    """Lines of prose over WIDTH columns that a space would have let wrap. Tables and code are as wide as they are."""
    for number, line in enumerate(without_code(text).split("\n"), 1):
        original = text.split("\n")[number - 1]
        if len(original) > WIDTH and line.strip() and not line.lstrip().startswith(("|", "#", "!", "<")):
            if " " in line.strip().lstrip("-*0123456789. ") and len(line) > WIDTH:
                yield f"{path}:{number}: {len(original)} columns: wrap prose at {WIDTH}"


def anchors(text):
    """The anchors that GitHub makes of a page's headings."""
    names = set()
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.add(re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-"))
    return names


def dead_links(root, path, text):
    prose = without_code(text)
    for match in LINK.finditer(prose):
        target, _, anchor = match[1].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (root / path).parent / target if target else root / path
        if not file.exists():
            yield f"{path}:{line_of(prose, match.start())}: link to {match[1]}: there is no such file"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
            yield f"{path}:{line_of(prose, match.start())}: link to {match[1]}: the page has no such heading"


def check(root, paths):
    problems = []
    for path in map(pathlib.PurePosixPath, paths):
        # This file lists the words, and its test uses them.
        if path.name in {"check_words.py", "words_test.py"} or path.as_posix().startswith("web/package"):
            continue
        try:
            text = (root / path).read_text()
        except (UnicodeDecodeError, OSError):
            continue
        problems += words(path, text)
        if path.suffix == ".md":
            problems += dead_links(root, path, text)
            if path.as_posix() not in {"docs/schema.md", "docs/analyses.md"}:  # Written by tools/generate.
                problems += wide_lines(path, text)
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    problems = check(root, listed)
    print(*problems, sep="\n", end="\n" if problems else "")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    main()
