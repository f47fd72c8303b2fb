"""Differences that are known. Each goes when the program is mended; the list shall be empty."""

# `.` in the bindings of an element that `drop` empties is missing, not null.
ITEM_OF_EMPTIED_IS_MISSING = True
# In the attributes of an element whose outlet is true or null, `.` is what is around.
CONSTANT_IS_NO_CONTEXT = True
