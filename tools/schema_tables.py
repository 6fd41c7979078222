"""The tables of schema/schema.sql and schema/tables/*.sql, for the programs that generate something from them."""
import re
from typing import NamedTuple

TYPES = ("BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN")
TEXT = r"'((?:[^']|'')*)'"
BLANKS = re.compile(r"\s+")
NOTE = re.compile(r"--[^\n]*")
SECTION = re.compile(r"-- (Raw|Experiment) tables\b")
CREATE = re.compile(r"CREATE TABLE (\w+) \(([^;']*)\);")
COMMENT = re.compile(rf"COMMENT ON (?:TABLE (?=\w+ )|COLUMN (?=\w+\.))(\w+)(?:\.(\w+))? IS {TEXT};")
COLUMN = re.compile(rf"(\w+)\s+({'|'.join(TYPES)})(\s+NOT\s+NULL)?")


class Column(NamedTuple):
    name: str
    type: str
    nullable: bool
    comment: str


class Table(NamedTuple):
    name: str
    comment: str
    is_raw: bool  # One per run; else one per experiment.
    columns: list


class SchemaError(Exception):
    """The schema has something that is not known here. The message begins with the line."""


def line_of(sql, at):
    return sql.count("\n", 0, at) + 1


def full_name(table, column):
    return f"{table}.{column}" if column else table


def declared_columns(sql, match):
    """(name, type, nullable) of each column of a CREATE TABLE."""
    columns, at = [], match.start(2)
    for part in match[2].split(","):
        line = line_of(sql, at + len(part) - len(part.lstrip()))
        at += len(part) + 1
        column = COLUMN.fullmatch(part.strip())
        if not column:
            raise SchemaError(f"line {line}: not a column of type {', '.join(TYPES)}: {' '.join(part.split())}")
        if column[1] in (name for name, _, _ in columns):
            raise SchemaError(f"line {line}: table {match[1]} has two columns of one name: {column[1]}")
        columns.append((column[1], column[2], column[3] is None))
    return columns


def read_statements(sql, is_raw):
    """The CREATE TABLE statements as {name: (line, is_raw, columns)}, and the comments by table and column (None: of
    the table itself) as {(table, column): (line, text)}. `is_raw` holds until a section begins; None: one must."""
    created, comments, at = {}, {}, 0
    while at < len(sql):
        line = line_of(sql, at)
        if match := BLANKS.match(sql, at):
            pass
        elif match := NOTE.match(sql, at):
            if section := SECTION.match(match[0]):
                is_raw = section[1] == "Raw"
        elif match := CREATE.match(sql, at):
            if is_raw is None:
                raise SchemaError(
                    f"line {line}: table {match[1]} stands before '-- Raw tables' and '-- Experiment tables'")
            if match[1] in created:
                raise SchemaError(f"line {line}: two tables of one name: {match[1]}")
            created[match[1]] = (line, is_raw, declared_columns(sql, match))
        elif match := COMMENT.match(sql, at):
            if (match[1], match[2]) in comments:
                raise SchemaError(f"line {line}: two comments on {full_name(match[1], match[2])}")
            comments[match[1], match[2]] = (line, match[3].replace("''", "'"))
        else:
            raise SchemaError(f"line {line}: not a statement that is known here: {sql[at:].splitlines()[0][:80]}")
        at = match.end()
    return created, comments


def read_tables(sql, is_raw=None):
    """Every table of one file, in its order. Raises SchemaError."""
    created, comments = read_statements(sql, is_raw)

    def take(table, column, line):
        if (table, column) not in comments:
            raise SchemaError(f"line {line}: no comment on {full_name(table, column)}")
        return comments.pop((table, column))[1]

    tables = [Table(name, take(name, None, line), is_raw, [
        Column(column, kind, nullable, take(name, column, line)) for column, kind, nullable in columns])
        for name, (line, is_raw, columns) in created.items()]
    for (table, column), (line, _) in comments.items():
        raise SchemaError(f"line {line}: a comment on what there is not: {full_name(table, column)}")
    return tables


def read_schema(path):
    """Every table of the schema at `path`, then the experiment tables of tables/*.sql beside it, by file name. Raises
    SchemaError whose message begins with the file."""
    tables = {}
    for file in [path, *sorted(path.parent.glob("tables/*.sql"))]:
        try:
            for table in read_tables(file.read_text(encoding="utf-8"), None if file == path else False):
                if table.name in tables:
                    raise SchemaError(f"table {table.name} is also in another file")
                tables[table.name] = table
        except SchemaError as error:
            raise SchemaError(f"{file}: {error}") from error
    return list(tables.values())
