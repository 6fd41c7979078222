#!/usr/bin/env python3
"""Fails if text for readers uses a word that the documentation replaced by the field's term.

Usage: tools/check_words.py [ROOT]
Files: pages (*.md, without code), analysis.yaml (title, question, help), levels/*.yaml, comments of SQL, C++,
TypeScript, Python and shell, and the messages of the program in quotes.
"""
import pathlib
import re
import subprocess
import sys

# (pattern, what to write instead); between word borders, in any case, also over the end of a line.
WORDS = [
    (r"(?:hold|holds|held|holding) (?:\w+ ){0,4}?against", "compare with"),
    (r"(?:is|are|was|were|be|been) told(?! (?:apart|from|to))", "is reported, is shown"),
    (r"(?:is|are|was|were|be|been) said(?! to)", "is reported, is stated"),
    (r"not (?:said|told)(?! \(one process\))", "not known"),
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
# The letter comes first: most of a text that is searched is blank.
PATTERN = re.compile(r"(?=[a-z])(?<![\w./-])(?:" + "|".join(rf"(?P<w{i}>{word})" for i, (word, _) in enumerate(WORDS)).replace(" ", r"\s+")
                     + r")(?![\w-])", re.I)

C_PART = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(\w*)\(.*?\)\2"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
MESSAGES = ("src/app/", "src/answer/", "src/measure/", "web/src/")  # What these have in quotes is read by users.


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def only(pattern, text, flags=0):
    """The matches of `pattern`, everything else blank, so that lines stay where they are."""
    out, at = [], 0
    for match in re.finditer(pattern, text, flags):
        out += [blank(text[at:match.start()]), match[0]]
        at = match.end()
    return "".join(out) + blank(text[at:])


def without_code(text):
    """A page without code blocks and code spans."""
    text = re.sub(r"^( *)(```|~~~).*?^\1\2 *$", lambda m: blank(m[0]), text, flags=re.M | re.S)
    text = re.sub(r"(?<=\n\n)(?: {4}[^\n]*\n)+", lambda m: blank(m[0]), text)
    return re.sub(r"`[^`]*`", lambda m: blank(m[0]), text)


def of_c(text, with_messages):
    """Comments, and text in quotes if `with_messages`, without what joins the parts of a sentence."""
    kept = [m for m in C_PART.finditer(text) if m["comment"] or with_messages and m[0].startswith('"')]
    out, at = [], 0
    for match in kept:
        if not match["comment"] and " " not in match[0]:
            continue  # A key or a name.
        part = re.sub(r'^(//+<?|")|"$', lambda m: blank(m[0]), match[0])
        if match["comment"]:
            part = re.sub(r'"[^"\n]*"', lambda m: blank(m[0]), part)
        out += [blank(text[at:match.start()]), part]
        at = match.end()
    return without_code("".join(out) + blank(text[at:]))


def text_for_readers(path, text):
    """What of a file is read as English, on the lines of the file."""
    name, suffix = str(path), path.suffix
    if suffix == ".md":
        return without_code(text)
    if path.name == "analysis.yaml":
        return only(r'^(?:title|question): .*$|\bhelp: (?:"[^"\n]*"|[^,}\n]*)', text, re.M)
    if suffix == ".yaml" and name.startswith("levels/"):
        return without_code(text)
    if suffix == ".sql":
        return only(r"--[^\n]*|\bIS '(?:[^']|'')*'", text)
    if suffix in {".cc", ".h", ".c", ".ts"}:
        return of_c(text, name.startswith(MESSAGES) and not re.search(r"_(test|testing|bench)\.", name))
    if suffix in {".py", ".sh"} or text.startswith("#!"):
        return without_code(only(r'^ *#[^\n]*|(?<=  )# [^\n]*|"""(?:[^"]|"(?!""))*"""|\bhelp="[^"\n]*"', text, re.M))
    return ""


def problems_of(path, text):
    prose = text_for_readers(path, text)
    for match in PATTERN.finditer(prose):
        line = prose.count("\n", 0, match.start()) + 1
        yield f'{path}:{line}: "{" ".join(match[0].split())}": write {WORDS[int(match.lastgroup[1:])][1]}'


def is_read(path):
    """This file and its test have the words themselves."""
    return path.name not in {"check_words.py", "words_test.py"} and not str(path).startswith("web/package")


def check(root, paths):
    problems = []
    for path in filter(is_read, map(pathlib.PurePosixPath, paths)):
        try:
            problems += problems_of(path, (root / path).read_text())
        except (UnicodeDecodeError, OSError):
            continue  # Not text, or deleted and not committed yet.
    return problems


def tracked(root):
    return subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                          capture_output=True, text=True).stdout.splitlines()


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        sys.exit(0)
    top = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    found = check(top, tracked(top))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(1 if found else 0)
