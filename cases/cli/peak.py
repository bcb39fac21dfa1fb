"""The most memory that a command took: of a small process's child, because a child's figure begins with its parent's."""
import subprocess
import sys

WATCH = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(command):
    """Its exit status, and KiB of resident memory at most."""
    done = subprocess.run([sys.executable, "-c", WATCH, *map(str, command)], capture_output=True, text=True, check=True)
    code, kib = done.stdout.split()
    return int(code), int(kib)
