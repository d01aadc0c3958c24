# SPDX-License-Identifier: Apache-2.0
"""Runs documents through both clients and compares what they recorded.

    comparison = Comparison(library, run_cpp, journal_facts, folder)
    comparison.differences([document, ...])       # of each document a list of sentences

Many documents at once cost one process of each program.
"""

import json
import os
import pathlib
import subprocess

import normalise
import run_python


class Comparison:
    def __init__(self, library, run_cpp, journal_facts, folder, environment=None):
        self.library, self.run_cpp, self.journal_facts = library, run_cpp, journal_facts
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, **(environment or {}))
        for variable in ("NVTXW3_LIBRARY", "RINGSCRIBE_BACKEND", "RINGSCRIBE_OUTPUT"):
            self.environment.pop(variable, None)
        self.runs = 0

    def differences(self, documents, cpp_documents=None):
        """`cpp_documents`: what the C++ client runs, if it is to be something else."""
        self.runs += 1
        folder = self.folder / str(self.runs)
        folder.mkdir()
        paths = [folder / f"{i}.json" for i in range(len(documents))]
        for path, document in zip(paths, cpp_documents or documents):
            path.write_text(json.dumps(document))
        refused = [self._run_python(path, document) for path, document in zip(paths, documents)]
        failures = self._run_cpp(folder, paths)
        journals = sorted(folder.glob("*.json.*/*.rsj"))
        self._run(self.journal_facts, folder / "journals", journals)
        return [refused[i] + failures[i] + self._compare(path) for i, path in enumerate(paths)]

    def _run_python(self, path, document):
        folder = f"{path}.python"
        os.mkdir(folder)
        try:
            run_python.Runner(self.library, folder).run(document)
        except Exception as error:  # any refusal: the document is not valid then
            return [f"Python refused: {type(error).__name__}: {error}"]
        return []

    def _run(self, program, list_file, lines, arguments=()):
        list_file.write_text("".join(f"{line}\n" for line in lines))
        return subprocess.run([program, *arguments, str(list_file)], env=self.environment,
                              capture_output=True, text=True, errors="replace")

    def _run_cpp(self, folder, paths):
        failures, rest = {}, list(paths)
        while rest:
            result = self._run(self.run_cpp, folder / "documents", rest, [self.library])
            done = 0
            for path in rest:
                told = pathlib.Path(f"{path}.cpp", "failures")
                if not told.exists():
                    break
                failures[path] = [f"C++: {line}" for line in told.read_text().splitlines()]
                done += 1
            if done < len(rest):
                failures[rest[done]] = [f"C++ ended with code {result.returncode}: "
                                        f"{result.stderr[-2000:]}"]
            rest = rest[done + 1 :]
        return [failures[path] for path in paths]

    def _compare(self, path):
        names = {journal.name for journal in path.parent.glob(f"{path.name}.*/*.rsj.facts")}
        result = []
        for name in sorted(names):
            recordings = []
            for client in ("python", "cpp"):
                facts = pathlib.Path(f"{path}.{client}", name)
                lines = facts.read_text().splitlines() if facts.exists() else []
                recordings.append(normalise.Recording(lines))
            result += [f"{name}: {d}" for d in normalise.differences(*recordings)]
        return result
