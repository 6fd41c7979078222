"""A question: a file NAME.sql whose comment says what it answers, its columns and its parameters."""
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent
COLUMN = re.compile(r"  (\w+): (.+)")
WEEKS = re.compile(r"  only experiments of the last ([0-9]+) weeks")
PARAMETER = re.compile(r"  (\w+) = (-?[0-9.]+): (.+)")


class QuestionError(Exception):
    """There is no such question, or it is not asked like this."""


def names():
    return sorted(path.stem for path in FOLDER.glob("*.sql"))


class Question:
    def __init__(self, name):
        """`name`: of a question here, or the path of a .sql file."""
        path = pathlib.Path(name) if name.endswith(".sql") else FOLDER / f"{name}.sql"
        if not path.is_file():
            raise QuestionError(f"there is no question {name}; there are {', '.join(names())}, and any path that ends in .sql")
        lines = path.read_text(encoding="utf-8").splitlines()
        head = []
        while lines and lines[0].startswith("--"):
            head.append(lines.pop(0)[2:].removeprefix(" ") or "")
        self.name = path.stem
        self.summary = head[0] if head else ""
        self.columns, self.parameters = {}, {}
        self.weeks = None  # It reads only experiments of this many weeks; None: of all.
        part = None
        for line in head:
            if line in ("reads:", "columns:", "parameters:"):
                part = line
            elif part == "reads:" and (match := WEEKS.fullmatch(line)):
                self.weeks = int(match[1])
            elif part == "columns:" and (match := COLUMN.fullmatch(line)):
                self.columns[match[1]] = match[2]
            elif part == "parameters:" and (match := PARAMETER.fullmatch(line)):
                self.parameters[match[1]] = (match[2], match[3])
        self.text = "\n".join(line.split(" --")[0] for line in lines if not line.startswith("--")).strip().rstrip(";")

    def tables(self, known):
        """Which of the tables `known` it reads."""
        return [name for name in known if re.search(rf"\b(?:FROM|JOIN)\s+(?:\w+(?:\s+AS)?(?:\s+\w+)?\s*,\s*)*{name}\b", self.text, re.IGNORECASE)]

    def sql(self, values):
        """The text with its parameters filled in; `values`: name to number, as text."""
        for name, value in values.items():
            if name not in self.parameters:
                raise QuestionError(f"{self.name} has no parameter {name}" + (
                    f"; it has {', '.join(self.parameters)}" if self.parameters else ""))
            if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
                raise QuestionError(f"the parameter {name} is a number, not {value!r}")
        filled = {name: values.get(name, default) for name, (default, _) in self.parameters.items()}
        return re.sub(r":(\w+)", lambda match: filled.get(match[1], match[0]), self.text)
