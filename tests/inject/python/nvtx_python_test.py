# SPDX-License-Identifier: Apache-2.0
"""PyPI nvtx under the injection library: what calls.py called is what is in the journal.

    nvtx_python_test.py LIBRARY SESSION_FORMATS CALLS
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import injected

LIBRARY, SESSION_FORMATS, CALLS = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]
MEMBERS = ("kind", "domain", "message", "category", "category_id", "color", "fields")


def as_tuples(value):
    return tuple(as_tuples(one) for one in value) if isinstance(value, list) else value


class NvtxPythonTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            cls.run_of_calls = injected.run(LIBRARY, SESSION_FORMATS, folder, [CALLS])
        cls.told = json.loads(cls.run_of_calls.printed)

    def test_each_event_in_the_order_of_its_thread(self):
        shown = {}
        for event, depth in zip(self.run_of_calls.events, self.run_of_calls.depths()):
            depth = depth if event["kind"] == "push-pop" else None
            shown.setdefault(event["tid"], []).append((*(event[member] for member in MEMBERS), depth))
            self.assertFalse(event["begin_is_missing"] or event["end_is_missing"], event)
        called = {}
        for tid, *entry, depth in as_tuples(self.told["events"]):
            depth = depth if entry[0] == "push-pop" else None
            called.setdefault(tid, []).append((*entry, depth))
        self.assertEqual(set(shown), set(called))
        self.assertEqual(len(called), 1 + 6)
        for tid, entries in called.items():
            for number, (left, right) in enumerate(zip(shown[tid], entries)):
                self.assertEqual(left, right, f"event {number} of {tid}")
            self.assertEqual(len(shown[tid]), len(entries))
        self.assertGreater(len(self.told["events"]), 4000)

    def test_each_sample_in_the_order_of_its_counter(self):
        # A counter's batches are in another stream than its samples, each in the order of its calls:
        # together they are in the order of their times.
        shown = {}
        for sample in sorted(self.run_of_calls.samples, key=lambda sample: sample["time"]):
            name = sample["counter"].split(" / ")[-1]
            value = sample["value"][1] if sample["has_value"] else None
            shown.setdefault(f"{sample['domain']}|{name}", []).append([value, sample["reason"] or None])
        called = {name: [[value, detail or None] for value, detail in samples]
                  for name, samples in self.told["samples"].items()}
        for name in called:
            if name.startswith("times|"):
                called[name].reverse()  # what was submitted last was read first
        self.assertEqual(set(shown), set(called))
        for name, samples in called.items():
            with self.subTest(name):
                self.assertEqual(shown[name], samples)

    def test_times_are_when_it_was(self):
        marks = [event["begin"] for event in self.run_of_calls.events if event["domain"] == "times"]
        self.assertEqual(len(marks), 3)
        for sample in self.run_of_calls.samples:
            if sample["domain"] != "times":
                continue
            with self.subTest(sample["counter"], value=sample["value"]):
                self.assertTrue(sample["synchronised"])
                first = 1 if sample["value"] == ("i", 1) else 0
                # Clocks are converted: to the microsecond they agree.
                slack = 0 if "TOOL_PROVIDED" in sample["counter"] or first == 1 else 20_000
                self.assertGreaterEqual(sample["time"], marks[first] - slack)
                self.assertLessEqual(sample["time"], marks[first + 1] + slack)

    def test_what_counters_say_of_themselves(self):
        counters = self.run_of_calls.counters()
        number = 0
        for value_type in (1, 2, 3):
            for interpolation in range(1, 5):
                (counter,) = counters["options", f"kind {number}"]
                self.assertEqual(counter, {
                    "name": f"kind {number}", "unit": "things", "description": f"the {number}th", "domain": "options",
                    "is_floating": False, "value_type": value_type, "interpolation": interpolation,
                    "minimum": str(-number), "maximum": str(number)})
                number += 1
        (scaled,) = counters["options", "scaled"]
        self.assertEqual((scaled["unit"], scaled["maximum"], scaled["is_floating"]), ("KiB", "2", True))
        self.assertEqual([counters["options", f"scaled ({i})"][0]["description"] for i in (2, 3)], ["", "other"])
        self.assertEqual([(c["unit"], c["is_floating"], c.get("minimum"), c.get("maximum"), c["description"])
                          for name in ("used", "load", "plain") for c in counters["groups", f"memory.{name}"]],
                         [("bytes", False, "0", "100", "of the machine"),
                          ("percent", True, None, None, "of the machine"),
                          ("", False, None, None, "of the machine")])

    def test_scopes_and_categories_are_told(self):
        paths = {sample["counter"].rsplit(" / ", 1)[0] for sample in self.run_of_calls.samples
                 if sample["counter"].split(" / ")[-1].startswith("kind ")}
        self.assertEqual(paths, {"scope machine / scope cpu"})
        named = {(fact["domain"], fact["id"]): fact["name"] for fact in self.run_of_calls.truth.of("category")}
        self.assertEqual({name: named[name] for name in (("changes", 1), ("changes", 2), ("dömain 😀", 2))},
                         {("changes", 1): "disk", ("changes", 2): "net", ("dömain 😀", 2): "nët"})

    def test_a_domain_that_is_filtered_out_is_off_in_python_too(self):
        program = ("import nvtx; on, off = nvtx.get_domain('on'), nvtx.get_domain('off'); print(type(off).__name__);"
                   "nvtx.mark('seen', domain='on'); nvtx.mark('not', domain='off'); on.mark(message='too');"
                   "off.mark(message='not'); off.get_counter('x', int).sample(1);"
                   "print(nvtx.start_range(domain='off'))")
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            run = injected.run(LIBRARY, SESSION_FORMATS, folder, ["-c", program], RINGSCRIBE_DOMAINS="on")
        self.assertEqual(run.printed, "DummyDomain\nNone\n")
        self.assertEqual([event["message"] for event in run.events], ["seen", "too"])
        self.assertEqual(run.samples, [])

    def test_disabled_by_its_own_variable_nothing_is_recorded(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            program = "import nvtx; nvtx.mark('x')\nwith nvtx.annotate('y'): print(nvtx.enabled())"
            env = injected.environment(NVTX_INJECTION64_PATH=LIBRARY, NVTX_DISABLE="1",
                                       RINGSCRIBE_OUTPUT=f"{folder}/x.rsj", RINGSCRIBE_BACKEND="journal")
            done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True,
                                  timeout=120, check=True)
            self.assertEqual((done.stdout, done.stderr, os.listdir(folder)), ("False\n", "", []))


if __name__ == "__main__":
    unittest.main()
