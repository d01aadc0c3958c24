# SPDX-License-Identifier: Apache-2.0
"""Documents and journals to files of each format, and what differs between them and the truth.

    files = SessionFiles(run_cpp, session_formats, library, folder)
    journals = files.record([document, ...])        # of each document a list of journals
    folders = files.convert(journals[0])            # facts.jsonl and session.EXT in each
    files.differences(folders[0])                   # sentences, none if all formats agree
"""

import json
import os
import pathlib
import subprocess
import traceback

import recording
from format_table import ALL

# What a session may not lose, however slow the machine is.
ENVIRONMENT = {"RINGSCRIBE_OVERFLOW": "block", "RINGSCRIBE_BLOCK_TIMEOUT": "0"}
# Journals of one process of session_formats.
CHUNK = 50


class SessionFiles:
    def __init__(self, run_cpp, session_formats, library, folder):
        self.run_cpp, self.session_formats, self.library = run_cpp, session_formats, library
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, **ENVIRONMENT}
        for variable in ("NVTXW3_LIBRARY", "RINGSCRIBE_BACKEND", "RINGSCRIBE_OUTPUT"):
            self.environment.pop(variable, None)
        self.runs = 0

    def new_folder(self):
        self.runs += 1
        folder = self.folder / str(self.runs)
        folder.mkdir()
        return folder

    def run(self, *command):
        result = subprocess.run([str(word) for word in command], env=self.environment,
                                capture_output=True, text=True, errors="replace")
        if result.returncode != 0:
            raise AssertionError(f"{command[0]} ended with code {result.returncode}: "
                                 f"{result.stderr[-2000:]}")

    def record(self, documents):
        folder = self.new_folder()
        paths = [folder / f"{i}.json" for i in range(len(documents))]
        for path, document in zip(paths, documents):
            path.write_text(json.dumps(document))
        (folder / "list").write_text("".join(f"{path}\n" for path in paths))
        self.run(self.run_cpp, self.library, folder / "list")
        for path in paths:
            failures = pathlib.Path(f"{path}.cpp", "failures").read_text()
            if failures:
                raise AssertionError(f"the document was not recorded as it says: {failures}")
        return [sorted(pathlib.Path(f"{path}.cpp").glob("*.rsj")) for path in paths]

    def convert(self, journals, formats=tuple(ALL), rotate=""):
        """A folder for each journal."""
        folders, options = [], [f"--rotate={rotate}"] if rotate else []
        for start in range(0, len(journals), CHUNK):
            words = []
            for journal in journals[start:start + CHUNK]:
                folders.append(self.new_folder())
                words += [journal, folders[-1]]
            self.run(self.session_formats, *options, ",".join(formats), *words)
        return folders

    def differences(self, folder, formats=tuple(ALL)):
        result = []
        for name in formats:
            result += [f"{name}: {sentence}" for sentence in self.format_differences(folder, name)]
        return result

    @staticmethod
    def format_differences(folder, name):
        form = ALL[name]
        try:
            # Each time anew: matched() may change both.
            expected = form.expected(recording.load(folder / "facts.jsonl"))
            shown = form.read(folder / f"session{form.EXTENSION}")
        except Exception:  # whatever a reader does not like is a difference
            return [traceback.format_exc()[-3000:]]
        return recording.differences(*form.matched(expected, shown))
