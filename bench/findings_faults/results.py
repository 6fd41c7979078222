"""What makes a finding, a gain and a repair right, and the table of all faults."""
import csv
import datetime
import io
import math
import statistics

TOLERANCE = 0.3
# A repaired version has the finding from this gain on.
LEFT_GAIN = 0.03
COLUMNS = ["fault", "rule", "is_tuned", "top", "is_right", "has_gain", "predicted", "predicted_low", "predicted_high", "measured", "measured_low",
           "measured_high", "within", "repaired", "still_found", "busy", "date"]
TUNED = "* the fault, or the gain of its rule, was changed after it had been measured: no independent test"


def ranked(found, trusted):
    """The findings that call for action, in order: not informative, not about trust in the numbers."""
    return [one for one in found if one["severity"] != "info" and one["id"] not in trusted]


def first_finding(rule, found, trusted):
    calling = ranked(found, trusted)
    top = calling[0]["id"] if calling else ""
    return {"top": top, "is_right": top == rule}


def predicted_gain(rule, found, whole_ns):
    """(expected, low, high) of the rule's gain as shares of `whole_ns()`, where that is nothing of the finding's own whole; nothing: the rule
    is not found, or its gain is not known."""
    for one in found:
        if one["id"] == rule and one["gain_ns"] is not None:
            low, expected, high = one["gain_ns"]
            whole = whole_ns() or one["gain"]["whole_ns"]
            return expected / whole, low / whole, high / whole
    return None


def left_finding(rule, found, trusted):
    """What is left in the repaired version."""
    for one in found:
        if one["id"] == rule:
            share = one["gain_share"]
            return {"repaired": f"{rule} {percent(share)}", "still_found": share is None or share >= LEFT_GAIN}
    calling = ranked(found, trusted)
    return {"repaired": f"other: {calling[0]['id']}" if calling else "silent", "still_found": False}


def measured_gain(times):
    """(median, low, high) of 1 - repaired/faulty over pairs (faulty, repaired), with the interval of the median at 90 % that the sign test gives
    (of fewer than eight pairs: smallest and largest); nothing without pairs."""
    gains = sorted(1 - repaired / faulty for faulty, repaired in times)
    left_out = 0  # At each end.
    while 2 * sum(math.comb(len(gains), k) for k in range(left_out + 2)) <= 0.1 * 2 ** len(gains):
        left_out += 1
    return (statistics.median(gains), gains[left_out], gains[-1 - left_out]) if gains else None


def is_known(gain):
    """Whether a measured gain is known to within half of the tolerance by which a predicted one may differ from it."""
    median, low, high = gain
    return high - low <= TOLERANCE * median


def is_within(predicted, measured):
    if measured is None:
        return None
    return predicted is not None and abs(predicted - measured) <= TOLERANCE * measured


def percent(share):
    return "-" if share is None else f"{100 * share:.1f} %"


def yes(value):
    return "-" if value is None else "yes" if value else "no"


def range_of(row, name):
    if row[name] is None:
        return "-"
    return f"{percent(row[name])} ({100 * row[name + '_low']:.1f} to {100 * row[name + '_high']:.1f})"


def cells(row):
    return [row["fault"] + (" *" if row["is_tuned"] else ""), row["rule"], row["top"] or "nothing", yes(row["is_right"]),
            range_of(row, "predicted") if row["has_gain"] else "none", range_of(row, "measured"), yes(row["within"]),
            row["repaired"]]


HEAD = ["fault", "expected rule", "first finding", "right", "predicted gain (low to high)", "measured gain (low to high)", "within 30 %", "repaired"]


def table(rows):
    """The lines of the table, columns aligned."""
    lines = [HEAD] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]


def share_of(values):
    return f"{sum(values)} of {len(values)}" + (f" ({100 * sum(values) / len(values):.0f} %)" if values else "")


def figures(rows):
    """The three figures, as sentences, each also of the faults that are an independent test, where others are there, too; then the first two
    without the faults that may be none on this machine."""
    untouched = [row for row in rows if not row["is_tuned"]]
    lines = []
    for what, column in (("first finding right", "is_right"), ("predicted gain within 30 % of the measured one", "within"),
                         ("repaired versions that still have the finding", "still_found")):
        all_rows, others = ([row[column] for row in of if row[column] is not None] for of in (rows, untouched))
        lines.append(f"{what}: {share_of(all_rows)}" + (f"; without those marked *: {share_of(others)}" if len(untouched) < len(rows) else ""))
    saved = [row for row in rows if row["measured_low"] is not None and row["measured_low"] > 0]
    if 0 < len(saved) < len(rows):
        shares = [share_of([row[column] for row in saved if row[column] is not None]) for column in ("is_right", "within")]
        lines.append(f"of the faults whose repair saves time (interval above 0): first finding right {shares[0]}, predicted gain {shares[1]}")
    return lines


def write_csv(path, rows, comments):
    text = io.StringIO()
    text.writelines(f"# {name}: {value}\n" for name, value in comments.items())
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: cell_of(row[name]) for name in COLUMNS})
    path.write_text(text.getvalue())
    if min(row["date"] for row in rows) >= datetime.date.today().isoformat():
        changes_file(path).unlink(missing_ok=True)


def merged(path, rows, is_tuned):
    """`rows` and those that the file has of other faults; `is_tuned`: of each fault that there is, by name."""
    measured = {row["fault"] for row in rows}
    kept = read_csv(path)[1] if path.exists() else []
    kept = [{**row, "is_tuned": is_tuned[row["fault"]]} for row in kept if row["fault"] in is_tuned.keys() - measured]
    return sorted(kept + rows, key=lambda row: row["fault"])


def measured_on(rows):
    first, last = (of(row["date"] for row in rows) for of in (min, max))
    return f"on {first}" if first == last else f"from {first} to {last}"


def changes_file(path):
    """The text beside the results that names what changed since they were measured; results of which none is older than today remove it."""
    return path.with_name("changed_since_results.txt")


def cell_of(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else value


def read_csv(path):
    """(comments, rows) as written; tools/generate reads them."""
    lines = path.read_text().splitlines()
    comments = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    for row in rows:
        for name, cell in row.items():
            if cell in ("true", "false", ""):
                row[name] = {"true": True, "false": False, "": "" if name == "top" else None}[cell]
            elif name.startswith(("predicted", "measured")):
                row[name] = float(cell)
    return comments, rows
