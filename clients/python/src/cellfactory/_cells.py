"""What is sent, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Iterator, List, Mapping, Optional, Sequence, Union, overload

from ._errors import Refused


@dataclass(frozen=True)
class Item:
    """A row of a batch of many kinds. `nib` and `css_class` may select the cell instead of `kind`."""

    kind: Optional[str] = None
    data: Any = field(default_factory=dict)
    id: Union[str, int, float, bool, None] = None
    nib: Optional[str] = None
    css_class: Optional[str] = None

    def members(self) -> Mapping[str, Any]:
        named = {"kind": self.kind, "nib": self.nib, "class": self.css_class, "id": self.id}
        return {**{name: value for name, value in named.items() if value is not None}, "data": self.data}


@dataclass(frozen=True)
class Cell:
    """A rendered row. `html` is empty if the row is bad, or if it is a text cell."""

    index: int
    kind: Optional[str] = None
    id: Any = None
    etag: Optional[str] = None
    html: str = ""
    # The content of a text cell. It is not escaped, so the cell is empty as a string.
    text: Optional[str] = None
    # The factory says that it is the one of the last time, and has not sent it again.
    unchanged: bool = False
    # What is wrong with the row, if bad rows are skipped.
    error: Optional[Refused] = None
    # The caller's fallback made it.
    fallback: bool = False

    def __str__(self) -> str:
        return self.html

    def __html__(self) -> str:
        """For Jinja and others that escape: what is HTML is so already."""
        return self.html


class Cells(Sequence[Cell]):
    """Cells in the order of their rows. As a string: their HTML, one after another, without bad rows and text cells."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells: List[Cell] = list(cells)

    @overload
    def __getitem__(self, index: int) -> Cell: ...

    @overload
    def __getitem__(self, index: slice) -> Cells: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Cell, Cells]:
        return Cells(self._cells[index]) if isinstance(index, slice) else self._cells[index]

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells)

    def __str__(self) -> str:
        return "".join(str(cell) for cell in self._cells)

    def __html__(self) -> str:
        return "".join(cell.html for cell in self._cells)

    def __repr__(self) -> str:
        return f"Cells({len(self._cells)})"

    @property
    def text(self) -> str:
        """The content of the text cells, one after another. It is not escaped, and is no HTML."""
        return "".join(cell.text or "" for cell in self._cells)

    @property
    def errors(self) -> List[Refused]:
        """What is wrong with bad rows that were skipped."""
        return [cell.error for cell in self._cells if cell.error is not None]
