# Says anything at all to its supervisor, as the preloaded library would not; then connects to PORT.
import array, os, random, socket, struct

chance = random.Random(7)
name = "\0" + os.environ["IBIDEM_WRAP"]


def anything():
    """Mostly a message that could be one."""
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(80))
    to = bytes(10) + b"\xff\xff" + chance.choice([b"\x7f\x50\0\1", b"\xc0\0\2\7", chance.randbytes(4)])
    return struct.pack("<BBHiQ", chance.randrange(22), chance.randrange(3), chance.choice([0, 9, PORT]),
                       chance.randrange(-9, 99), chance.randrange(9)) + to


def a_descriptor():
    kind = chance.randrange(6)
    if kind == 0:
        return os.open("/dev/null", os.O_RDWR)
    if kind == 1:
        return socket.socket(socket.AF_UNIX).detach()
    s = socket.socket(socket.AF_INET6 if kind == 2 else socket.AF_INET,
                      socket.SOCK_DGRAM if kind == 3 else socket.SOCK_STREAM)
    s.setblocking(kind == 4)
    return s.detach()


lines = []
for _ in range(400):
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(name)
    fds = [a_descriptor() for _ in range(chance.choice([0, 1, 1, 1, 1, 2, 5]))]
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    try:
        if chance.random() < 0.95:
            line.sendmsg([anything()], rights)
    except OSError:
        pass  # it has had enough
    for fd in fds:
        os.close(fd)
    lines.append(line)
    if len(lines) > 50:
        lines.pop(chance.randrange(50)).close()

c = socket.create_connection(("127.80.0.1", PORT), 60)
c.sendall(b"hello\n")
print(c.recv(100).decode().strip())
