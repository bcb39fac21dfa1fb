"""Clients that read 1 KiB/s each of an answer, side by side, with next to no room in their kernel.

    slow_reader.py URL TOKEN READERS SECONDS

Prints how many answers had which status; leaves after SECONDS, or once every answer has ended.
"""

import select
import socket
import sys
import time
import urllib.parse

ROOM = 4096
STEP = 1024


class Reader:
    def __init__(self, url, token):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
        self.socket.connect((url.hostname, url.port))
        self.socket.sendall(b"GET %s HTTP/1.1\r\nHost: slow\r\nAuthorization: Bearer %s\r\n\r\n" % (url.path.encode(), token.encode()))
        self.head = b""
        self.ended = False

    def read(self):
        """A step, where there is something to read."""
        if self.ended or not select.select([self.socket], [], [], 0)[0]:
            return
        try:
            got = self.socket.recv(STEP)
        except OSError:
            got = b""
        self.ended = not got
        if len(self.head) < 12:
            self.head += got

    def status(self):
        return self.head[9:12].decode() or "none"


def main():
    url, token, count, seconds = sys.argv[1:]
    readers = [Reader(urllib.parse.urlsplit(url), token) for _ in range(int(count))]
    until = time.monotonic() + float(seconds)
    while time.monotonic() < until and not all(reader.ended for reader in readers):
        for reader in readers:
            reader.read()
        time.sleep(1)
    statuses = [reader.status() for reader in readers]
    print(" ".join("%s:%d" % (status, statuses.count(status)) for status in sorted(set(statuses))))


main()
