"""What notebooks show: small pieces of HTML without scripts, readable on light and dark pages."""
from __future__ import annotations

import html
import re
from typing import Any, Iterable, List, Mapping, Sequence, Tuple

_SHOWN_ROWS = 50
_COLOURS = {"green": "#1a7f37", "yellow": "#9a6700", "red": "#cf222e", "critical": "#cf222e", "warning": "#9a6700"}


def escaped(value: Any) -> str:
    return html.escape(str(value), quote=True)


def sentence(text: Any) -> str:
    """A sentence of the program, in which names stand between backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escaped(text))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def value_text(value: Any) -> str:
    """Numbers with six digits, and in full from a thousand on; nothing for None."""
    if value is None:
        return ""
    if not is_number(value):
        return str(value)
    return f"{value:,.6g}" if isinstance(value, float) and not abs(value) >= 1000 else f"{value:,.0f}"


def cell(value: Any) -> str:
    align = "right" if is_number(value) else "left"
    return f'<td style="text-align:{align}">{escaped(value_text(value))}</td>'


def table_html(columns: Sequence[Tuple[str, str]], rows: Sequence[Mapping[str, Any]], title: str = "") -> str:
    """Rows below their columns, each a name and a unit; the first rows of long tables."""
    head = "".join(f'<th style="text-align:left">{escaped(name)}' + (f" <small>({escaped(unit)})</small>" if unit not in ("", "1") else "")
                   + "</th>" for name, unit in columns)
    body = "".join("<tr>" + "".join(cell(row.get(name)) for name, _ in columns) + "</tr>" for row in rows[:_SHOWN_ROWS])
    more = f"<p><small>{len(rows) - _SHOWN_ROWS} more rows</small></p>" if len(rows) > _SHOWN_ROWS else ""
    caption = f"<p><b>{escaped(title)}</b></p>" if title else ""
    return f"<div>{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def sentences_html(title: str, sentences: Iterable[str]) -> str:
    items = "".join(f"<li>{sentence(text)}</li>" for text in sentences)
    return f"<p><b>{escaped(title)}</b></p><ul>{items}</ul>" if items else ""


def badges_html(badges: Sequence[Mapping[str, Any]]) -> str:
    """How far the numbers can be trusted, each with its sentence as the title."""
    made: List[str] = []
    for badge in badges:
        colour = _COLOURS.get(badge.get("status", ""), "#57606a")
        made.append(f'<span title="{escaped(badge.get("sentence", ""))}" style="border:1px solid {colour};color:{colour};'
                    f'border-radius:1em;padding:0.1em 0.6em;margin-right:0.4em">{escaped(badge.get("id", ""))}: '
                    f'{escaped(badge.get("value", ""))}</span>')
    return f"<p>{''.join(made)}</p>" if made else ""
