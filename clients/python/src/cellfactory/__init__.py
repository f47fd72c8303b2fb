"""Asks a CellFactory for rendered cells.

    from cellfactory import CellFactory

    factory = CellFactory("http://127.0.0.1:8080")
    cells = factory.render("news", [{"title": "Bread & roses"}])
    page = f"<main>{cells}</main>"
"""

from ._async import AsyncCellFactory
from ._cells import Cell, Cells, Item
from ._errors import CellFactoryError, Refused, RowError, TooLarge, Unavailable
from ._factory import CellFactory

__all__ = [
    "AsyncCellFactory", "Cell", "CellFactory", "CellFactoryError", "Cells", "Item", "Refused", "RowError", "TooLarge",
    "Unavailable",
]
