"""Runs a script as on a machine that has no optional program: without.py SCRIPT [ARGUMENTS]

What it imports from PyPI is replaced by what does nothing, as far as it is not there: it looks for its programs before it uses that.
"""

import importlib.abc
import importlib.machinery
import pathlib
import runpy
import shutil
import sys
import unittest.mock


class Replacements(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return unittest.mock.MagicMock()

    def exec_module(self, module):
        pass


shutil.which = lambda *_, **__: None
sys.meta_path.append(Replacements())
del sys.argv[0]
sys.path[0] = str(pathlib.Path(sys.argv[0]).parent)
runpy.run_path(sys.argv[0], run_name="__main__")
