# SPDX-License-Identifier: Apache-2.0
"""`ringscribe run`, from its command line to what it says: run_test.py RINGSCRIBE LIBRARY PROGRAM.

LIBRARY stands in for the injection library: into its output it writes the variables that it was
given, and it reports 3 events. PROGRAM loads it as a program with NVTX calls does.
"""

import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import unittest

RINGSCRIBE, LIBRARY, PROGRAM = (str(pathlib.Path(p).absolute()) for p in sys.argv[1:4])
del sys.argv[1:4]
OURS = ("RINGSCRIBE_", "NVTX", "BUILD_WORKING_DIRECTORY")
TIMEOUT = 60


def environment(**more):
    return {**{k: v for k, v in os.environ.items() if not k.startswith(OURS)}, "LC_ALL": "C", **more}


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.here = self.folder / "here"  # where the tests run
        self.temporary = self.folder / "tmp"
        self.here.mkdir()
        self.temporary.mkdir()

    def tearDown(self):
        self.assertEqual(os.listdir(self.temporary), [], "a temporary file was left behind")

    def environment(self, **more):
        return environment(TMPDIR=str(self.temporary), **more)

    def run_it(self, *words, library=LIBRARY, tool=RINGSCRIBE, env=None, **more):
        """`ringscribe run WORDS`; `env` is more of the environment."""
        library = ["--library", library] if library else []
        return subprocess.run([tool, "run", *library, *words], cwd=self.here, timeout=TIMEOUT,
                              env=self.environment(**(env or {})), text=True, check=False,
                              **{"capture_output": True, **more})

    def variables(self, path):
        """What the library was given, when it wrote `path`."""
        lines = (self.here / path).read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    # --- What it says, and the exit code.

    def test_the_trace_is_named_and_the_exit_code_is_the_commands(self):
        for code in (0, 1, 2, 125, 255):
            run = self.run_it("--", PROGRAM, "exit", str(code))
            self.assertEqual((run.returncode, run.stdout, run.stderr),
                             (code, "", "ringscribe: nvtx_program.pftrace: 3 events, 0 lost\n"))

    def test_losses_are_said_with_what_helps(self):
        run = self.run_it("--", PROGRAM, env={"STAND_IN_LOST": "17"})
        self.assertIn("nvtx_program.pftrace: 3 events, 17 lost\n", run.stderr)
        self.assertIn("--buffer-size", run.stderr)

    def test_a_trace_that_is_not_there_is_not_promised(self):
        run = self.run_it("--", PROGRAM, "remove", "nvtx_program.pftrace")
        self.assertEqual(run.stderr,
                         "ringscribe: nvtx_program.pftrace: 3 events, 0 lost; but there is no such file\n")
        run = self.run_it("--format", "null", "-o", "x", "--", PROGRAM)
        self.assertRegex(run.stderr, r"^ringscribe: process \d+, no output: 3 events, 0 lost\n$")

    def test_what_the_library_is_given(self):
        self.run_it("--", PROGRAM)
        given = self.variables("nvtx_program.pftrace")
        self.assertTrue(given.pop("RINGSCRIBE_INJECT_PID").isdigit())
        report = pathlib.Path(given.pop("RINGSCRIBE_INJECT_REPORT"))
        self.assertEqual(report.parent.parent, self.temporary)
        self.assertEqual(given, {"NVTX_INJECTION64_PATH": LIBRARY,
                                 "RINGSCRIBE_OUTPUT": str(self.here / "nvtx_program.pftrace")})

    def test_options_become_variables_and_others_of_the_user_stay(self):
        run = self.run_it("--format", "chrome", "--buffer-size=4M", "--categories", "-noise", "--domains", "a,b",
                          "-o", "x.json", "--", PROGRAM,
                          env={"RINGSCRIBE_OVERFLOW": "block", "RINGSCRIBE_BUFFER_SIZE": "1M",
                               "RINGSCRIBE_INJECT_PID": "1", "RINGSCRIBE_INJECT_REPORT": "/nowhere"})
        self.assertEqual(run.stderr, "ringscribe: x.json: 3 events, 0 lost\n")
        given = self.variables("x.json")
        self.assertNotIn(given.pop("RINGSCRIBE_INJECT_PID"), ("1", None))
        self.assertNotEqual(given.pop("RINGSCRIBE_INJECT_REPORT"), "/nowhere")
        self.assertEqual(given, {
            "NVTX_INJECTION64_PATH": LIBRARY, "RINGSCRIBE_BACKEND": "chrome", "RINGSCRIBE_BUFFER_SIZE": "4M",
            "RINGSCRIBE_CATEGORIES": "-noise", "RINGSCRIBE_DOMAINS": "a,b", "RINGSCRIBE_OVERFLOW": "block",
            "RINGSCRIBE_OUTPUT": str(self.here / "x.json")})

    def test_another_injection_of_the_users_is_replaced_with_a_warning(self):
        run = self.run_it("--", PROGRAM, env={"NVTX_INJECTION64_PATH": "/other.so"})
        self.assertIn(f'NVTX_INJECTION64_PATH="/other.so" is replaced by "{LIBRARY}"', run.stderr)
        self.assertIn("3 events", run.stderr)
        run = self.run_it("--", PROGRAM, env={"NVTX_INJECTION64_PATH": LIBRARY})
        self.assertNotIn("replaced", run.stderr)

    def test_a_command_that_dies_of_a_signal(self):
        run = self.run_it("--format", "journal", "--", PROGRAM, "die", str(int(signal.SIGABRT)))
        self.assertEqual(run.returncode, 128 + signal.SIGABRT)
        self.assertIn(f"ringscribe: no events: {PROGRAM} never called NVTX, or ended by _exit or a signal", run.stderr)
        self.assertIn("ringscribe: nvtx_program.rsj has what was written until then\n", run.stderr)
        self.assertIn("died of signal 6 (Aborted): with RINGSCRIBE_CRASH_DIR=FOLDER", run.stderr)
        run = self.run_it("--", PROGRAM, "die", "9", env={"RINGSCRIBE_CRASH_DIR": "/dev/shm/c"})
        self.assertIn("`ringscribe recover /dev/shm/c`", run.stderr)

    def test_a_half_file_is_named_and_an_older_one_is_not(self):
        part = self.here / "sh.pftrace.part"
        part.write_text("of an older run")
        os.utime(part, (1, 1))
        self.assertNotIn(".part", self.run_it("--", "sh", "-c", "exit 0").stderr)
        run = self.run_it("--", "sh", "-c", "echo > sh.pftrace.part; kill -9 $$")
        self.assertIn("ringscribe: sh.pftrace.part has what was written until then\n", run.stderr)

    def test_a_command_without_nvtx_calls(self):
        run = self.run_it("--", PROGRAM, "quiet")
        self.assertEqual(run.returncode, 0)
        self.assertEqual(run.stderr, f"ringscribe: no events: {PROGRAM} never called NVTX, or ended by _exit or a "
                         "signal before its session could be finished; if a program that it starts is meant, use "
                         "--follow-forks\n")
        self.assertEqual(os.listdir(self.here), [])

    def test_recording_that_is_switched_off_is_said(self):
        run = self.run_it("--", PROGRAM, "quiet", env={"RINGSCRIBE_ENABLED": "off"})
        self.assertEqual(run.stderr, "ringscribe: no events: RINGSCRIBE_ENABLED=off switches recording off\n")

    def test_a_line_of_the_report_that_is_none(self):
        run = self.run_it("--", "sh", "-c", 'echo rubbish >> "$RINGSCRIBE_INJECT_REPORT"')
        self.assertIn("1 lines of the library's report cannot be read", run.stderr)

    # --- What cannot be run.

    def test_not_found_and_not_executable(self):
        script = self.here / "script"
        script.write_text("exit 3\n")
        for command, code, words in (("no-such-command", 127, "PATH"), ("./no-such", 127, "check the path"),
                                     ("./script", 126, "Permission denied"), (str(self.here), 126, "may execute")):
            run = self.run_it("--", command)
            self.assertEqual((run.returncode, run.stdout), (code, ""))
            self.assertRegex(run.stderr, f'^ringscribe: cannot .* "{command}": .*{words}.*\n$')
        script.chmod(0o755)  # without #!, a shell's
        self.assertEqual(self.run_it("--", "./script").returncode, 3)
        script.write_text("#!/no/such/interpreter\n")
        run = self.run_it("--", "./script")
        self.assertEqual(run.returncode, 127)
        self.assertIn("the interpreter that it names is not there", run.stderr)

    def test_a_command_is_found_through_path(self):
        run = self.run_it("--", "nvtx_program", "exit", "4",
                          env={"PATH": str(pathlib.Path(PROGRAM).parent) + ":" + os.environ["PATH"]})
        self.assertEqual((run.returncode, run.stderr), (4, "ringscribe: nvtx_program.pftrace: 3 events, 0 lost\n"))

    def test_libraries_that_cannot_be_used(self):
        machine_at = 18
        elf = bytearray(pathlib.Path(LIBRARY).read_bytes())
        elf[machine_at] ^= 0x55
        files = {"other_machine.so": (bytes(elf), "it is for machine number"), "text.so": (b"hello" * 99, "no library"),
                 "empty.so": (b"", "no library")}
        for name, (data, words) in files.items():
            (self.here / name).write_bytes(data)
            run = self.run_it("--", PROGRAM, library=name)
            self.assertEqual((run.returncode, run.stdout), (125, ""))
            self.assertIn(f'ringscribe: "{self.here / name}" cannot be the injection library', run.stderr)
            self.assertIn(words, run.stderr)
        run = self.run_it("--", PROGRAM, library="missing.so")
        self.assertEqual(run.returncode, 125)
        self.assertIn('--library "missing.so" does not exist', run.stderr)

    def test_the_library_is_found_near_the_tool(self):
        tool = self.folder / "bin" / "ringscribe"
        tool.parent.mkdir()
        shutil.copy(RINGSCRIBE, tool)
        run = self.run_it("--", PROGRAM, library=None, tool=tool)
        self.assertEqual(run.returncode, 125)
        for place in ("bin", "lib", "inject"):
            self.assertIn(str(self.folder / place / "libringscribe_inject.so"), run.stderr)
        for place in ("inject", "lib", "bin"):
            library = self.folder / place / "libringscribe_inject.so"
            library.parent.mkdir(exist_ok=True)
            shutil.copy(LIBRARY, library)
            self.assertEqual(self.run_it("--", PROGRAM, library=None, tool=tool).returncode, 0)
            self.assertEqual(self.variables("nvtx_program.pftrace")["NVTX_INJECTION64_PATH"], str(library))

    def test_lines_that_are_wrong_run_nothing(self):
        for words in (["--overflow", "explode"], ["--buffer-size", "1"], ["--format", "x"], ["--output", ""],
                      ["--bogus"], ["--output", "no/such/x"], ["--output", "/"]):
            run = self.run_it(*words, "--", "touch", str(self.here / "ran"))
            self.assertEqual(run.returncode, 2, words)
            self.assertNotEqual(run.stderr, "")
        self.assertEqual(os.listdir(self.here), [])

    def test_without_a_command_it_explains_itself(self):
        for words in ([], ["--"], ["--follow-forks"]):
            run = self.run_it(*words)
            self.assertEqual((run.returncode, run.stderr), (2, ""))
            self.assertIn("ringscribe run --follow-forks -- sh -c", run.stdout)
        self.assertEqual(self.run_it("--help").returncode, 0)

    # --- Names of outputs.

    def test_each_process_has_its_own_file_with_follow_forks(self):
        run = self.run_it("--follow-forks", "--", PROGRAM, "children", "2")
        files = sorted(os.listdir(self.here))
        self.assertEqual(len(files), 3)
        for name in files:
            self.assertRegex(name, r"^nvtx_program-\d+\.pftrace$")
            self.assertIn(f"ringscribe: {name}: 3 events, 0 lost\n", run.stderr)
            self.assertNotIn("RINGSCRIBE_INJECT_PID", self.variables(name))
        self.assertEqual(len(run.stderr.splitlines()), 3)

    def test_only_the_command_is_recorded_without_follow_forks(self):
        run = self.run_it("--", PROGRAM, "children", "2")
        self.assertEqual(run.stderr, "ringscribe: nvtx_program.pftrace: 3 events, 0 lost\n")

    def test_an_output_without_a_process_id_gets_one_and_it_is_said(self):
        run = self.run_it("--follow-forks", "-o", "x.rsj", "--", PROGRAM)
        self.assertIn('--output "x.rsj" has no %p: each process writes a file of its own, "x-%p.rsj"', run.stderr)
        self.assertRegex(os.listdir(self.here)[0], r"^x-\d+\.rsj$")

    def test_a_program_that_changes_its_folder_writes_where_the_user_is(self):
        (self.here / "sub").mkdir()
        for words, name in (([], "nvtx_program.pftrace"), (["-o", "sub/x.rsj"], "sub/x.rsj")):
            run = self.run_it(*words, "--", PROGRAM, "chdir", "/")
            self.assertEqual(run.stderr, f"ringscribe: {name}: 3 events, 0 lost\n")
            self.assertTrue((self.here / name).exists())

    def test_a_folder_and_a_command_with_percent_signs(self):
        self.here = self.folder / "100%p"
        self.here.mkdir()
        program = self.here / "a %p b"
        shutil.copy(PROGRAM, program)
        run = self.run_it("--", str(program))
        self.assertEqual(run.stderr, "ringscribe: a _p b.pftrace: 3 events, 0 lost\n")
        self.assertTrue((self.here / "a _p b.pftrace").exists())

    # --- The command runs as it would alone.

    def test_arguments_are_passed_verbatim(self):
        words = ["", " ", "a  b", "--", "--output", "x", "-h", "--help", "*", "$HOME", "'\"\\", "\n", "=", "{}", "[a,b]"]
        plain = subprocess.run([PROGRAM, "arguments", *words], capture_output=True, env=environment(), check=True)
        for separator in (["--"], []):
            run = self.run_it(*separator, PROGRAM, "arguments", *words)
            self.assertEqual(run.stdout, plain.stdout.decode())

    def test_standard_streams_are_the_commands(self):
        run = self.run_it("--", "sh", "-c", "cat; echo err >&2", input="in\n")
        self.assertEqual(run.stdout, "in\n")
        self.assertTrue(run.stderr.startswith("err\nringscribe: "))

    def test_closed_streams_stay_closed(self):
        line = f'"$0" run --library {LIBRARY} -- {PROGRAM} exit 6 '
        for closed in (">&-", "<&-", "2>&-", "<&- >&- 2>&-"):
            run = subprocess.run(["sh", "-c", line + closed, RINGSCRIBE], cwd=self.here, env=self.environment(),
                                 capture_output=True, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(run.returncode, 6, closed)
            self.assertEqual(run.stderr, "" if "2>&-" in closed else
                             "ringscribe: nvtx_program.pftrace: 3 events, 0 lost\n")
            self.assertEqual(len(self.variables("nvtx_program.pftrace")), 4)
        run = self.run_it("--", "sh", "-c", "test -e /proc/$$/fd/1 || exit 8", capture_output=False,
                          preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 8)

    def test_a_reader_that_is_gone_does_not_change_the_exit_code(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        run = self.run_it("--", PROGRAM, "exit", "6", capture_output=False, stderr=write_end)
        os.close(write_end)
        self.assertEqual(run.returncode, 6)

    def start_with_signals(self, **more):
        return subprocess.Popen([RINGSCRIBE, "run", "--library", LIBRARY, "--", PROGRAM, "signals"], text=True,
                                cwd=self.here, env=self.environment(), stderr=subprocess.PIPE, **more)

    def test_signals_are_sent_on(self):
        process = self.start_with_signals(stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "ready\n")
        for name in ("TERM", "INT", "HUP", "QUIT", "USR1", "CONT", "USR2"):
            process.send_signal(getattr(signal, "SIG" + name))
            self.assertEqual(process.stdout.readline(), f"SIG{name}\n")
        output, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, output, errors),
                         (0, "", "ringscribe: nvtx_program.pftrace: 3 events, 0 lost\n"))

    def test_a_signal_ends_the_command_and_is_its_exit_code(self):
        process = subprocess.Popen([RINGSCRIBE, "run", "--library", LIBRARY, "--", "sh", "-c", "echo ready; exec cat"],
                                   cwd=self.here, env=self.environment(), text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.terminate()
        self.assertEqual(process.wait(TIMEOUT), 128 + signal.SIGTERM)
        self.assertIn("died of signal 15 (Terminated)", process.communicate(timeout=TIMEOUT)[1])

    def test_what_kills_the_tool_ends_the_command(self):
        process = self.start_with_signals(stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.kill()
        process.wait(TIMEOUT)
        # The command held the other end: without its end this waits for ever.
        self.assertEqual(process.communicate(timeout=TIMEOUT), ("", ""))
        shutil.rmtree(self.temporary)  # nobody was left to remove what is in it
        self.temporary.mkdir()

    def in_terminal(self, body):
        """Runs PROGRAM signals as the leader of a terminal's session; calls body(pid, terminal)."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.here)
            words = [RINGSCRIBE, "run", "--library", LIBRARY, "--", PROGRAM, "signals"]
            os.execve(RINGSCRIBE, words, self.environment())
        with os.fdopen(terminal, "rb+", buffering=0) as file:
            attributes = termios.tcgetattr(file)
            attributes[3] &= ~termios.ECHO
            termios.tcsetattr(file, termios.TCSANOW, attributes)
            self.assertEqual(file.readline(), b"ready\r\n")
            body(pid, file)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_what_the_terminal_sends_arrives_once(self):
        def body(pid, terminal):
            for key, name in ((b"\x03", b"SIGINT"), (b"\x1c", b"SIGQUIT"), (b"\x1a", b"SIGTSTP")):
                terminal.write(key)
                self.assertEqual(terminal.readline(), name + b"\r\n")
            # Sent on after what the terminal sent, and printed after it: a second SIGINT would be seen.
            os.kill(pid, signal.SIGUSR1)
            self.assertEqual(terminal.readline(), b"SIGUSR1\r\n")
            os.kill(pid, signal.SIGUSR2)
            self.assertEqual(terminal.readline(), b"SIGUSR2\r\n")
            self.assertIn(b"3 events", terminal.readline())

        self.assertEqual(self.in_terminal(body), 0)

    def test_a_terminal_that_hangs_up_is_told_to_the_command(self):
        told = self.here / "told"
        script = f"trap 'echo HUP > {told}; exit 0' HUP; echo ready; while :; do read x || sleep 0.01; done"
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.here)
            os.execve(RINGSCRIBE, [RINGSCRIBE, "run", "--library", LIBRARY, "--", "sh", "-c", script],
                      self.environment())
        with os.fdopen(terminal, "rb", buffering=0) as file:
            self.assertEqual(file.readline(), b"ready\r\n")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertEqual(told.read_text(), "HUP\n")

    def test_a_stop_reaches_both_and_so_does_a_continue(self):
        # A group of its own with a parent in another one, as a shell's job: what may be stopped.
        process = self.start_with_signals(stdout=subprocess.PIPE, process_group=0)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.send_signal(signal.SIGTSTP)
        self.assertEqual(process.stdout.readline(), "SIGTSTP\n")
        self.assertTrue(os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1]))
        process.send_signal(signal.SIGCONT)
        self.assertEqual(process.stdout.readline(), "SIGCONT\n")
        process.send_signal(signal.SIGUSR2)
        output, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual((process.returncode, output), (0, "SIGUSR2\n"), errors)

    def test_daemons_that_are_left_behind_are_not_waited_for(self):
        fifo = self.here / "fifo"
        os.mkfifo(fifo)
        run = self.run_it("--", "sh", "-c", f"(exec cat < {fifo}) > /dev/null 2>&1 & exit 3")
        self.assertEqual(run.returncode, 3)
        # Someone reads: the daemon is there, and ends now.
        os.close(os.open(fifo, os.O_WRONLY))


if __name__ == "__main__":
    unittest.main()
