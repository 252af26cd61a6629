# Configures a WireGuard interface by the protocol of its programs, and prints what that answers.
# tunnel.py INTERFACE LINE...
import socket
import sys
import time

LIMIT = 60


def connected(path):
    until = time.monotonic() + LIMIT
    while True:  # it is there when the program has begun
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(path)
            return line
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


with connected("/var/run/wireguard/%s.sock" % sys.argv[1]) as line:
    line.sendall(("\n".join(["set=1"] + sys.argv[2:]) + "\n\n").encode())
    print(line.makefile().readline().strip())
