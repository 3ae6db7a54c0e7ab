"""Child processes."""

import subprocess
import sys


def test_a_ctrl_c_that_comes_while_a_child_is_started_is_not_lost() -> None:
    program = """if True:
        import os, signal
        from matchmaker.process import spawn
        os.register_at_fork(after_in_parent=lambda: signal.raise_signal(signal.SIGINT))
        try:
            spawn(["true"])
        except KeyboardInterrupt:
            print("heard")
    """
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=20)
    assert (ran.stdout, ran.stderr) == ("heard\n", "")
