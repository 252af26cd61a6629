# What a program of sockets sees. Usage: probe.py WHAT HOST PORT; prints a line for each thing seen.
import errno, os, select, signal, socket, struct, sys, threading

what, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])


def name(number):
    return errno.errorcode.get(number, str(number))


def blocking():
    s = socket.create_connection((host, port), 60)
    s.settimeout(60)
    s.sendall(b"hello\n")
    print(s.makefile().readline().strip(), "%s:%d" % s.getpeername())


def watched(kind):
    """The socket is watched before it connects, as nginx and many event loops do."""
    s = socket.socket()
    s.setblocking(False)
    if kind == "epoll":
        e = select.epoll()
        e.register(s, select.EPOLLOUT | select.EPOLLIN | select.EPOLLET)
        e.poll(0)  # what it says of a socket that is not connected at all
        poll = lambda: e.poll(60)
    else:
        p = select.poll()
        p.register(s, select.POLLOUT)
        poll = lambda: p.poll(60000)
    print("connect", name(s.connect_ex((host, port))), "again", name(s.connect_ex((host, port))))
    events = poll()
    while not events or not events[0][1] & (select.EPOLLOUT | select.EPOLLERR | select.EPOLLHUP):
        events = poll()
    print("error", s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    s.setblocking(True)
    s.settimeout(60)
    s.sendall(b"hello\n")
    print(s.makefile().readline().strip(), "%s:%d" % s.getpeername())


def refused():
    s = socket.socket()
    print("blocking", name(s.connect_ex((host, port))))
    s = socket.socket()
    s.setblocking(False)
    p = select.poll()
    p.register(s, select.POLLOUT)
    print("connect", name(s.connect_ex((host, port))))
    p.poll(60000)
    print("error", name(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)))


def refusals():
    heard = set()
    for _ in range(int(sys.argv[4])):
        s = socket.socket()
        s.setblocking(False)
        p = select.poll()
        p.register(s, select.POLLOUT)
        s.connect_ex((host, port))
        p.poll(60000)
        heard.add(name(s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)))
        s.close()
    print(*sorted(heard))


def half():
    s = socket.create_connection((host, port), 60)
    s.settimeout(60)
    s.sendall(b"half\n" + b"x" * 100000)
    s.shutdown(socket.SHUT_WR)
    print("".join(s.makefile()).strip())


def reset():
    s = socket.create_connection((host, port), 60)
    s.settimeout(60)
    s.sendall(b"reset\n")
    try:
        print("read", s.recv(1))
    except OSError as e:
        print("read", name(e.errno))


def many():
    """Threads and children connect, too."""
    def one(words):
        s = socket.create_connection((host, port), 60)
        s.settimeout(60)
        s.sendall(b"hello\n")
        words.append(s.makefile().readline().strip())
        s.close()
    words = []
    threads = [threading.Thread(target=one, args=(words,)) for _ in range(int(sys.argv[4]))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    child = os.fork()
    if child == 0:
        mine = []
        one(mine)
        os._exit(0 if len(mine) == 1 else 1)
    print(len(words), len(set(words)), os.waitpid(child, 0)[1])


def often():
    """So many in all, twenty at a time."""
    words = []

    def some(count):
        for _ in range(count):
            s = socket.create_connection((host, port), 60)
            s.settimeout(60)
            s.sendall(b"hello\n")
            words.append(s.makefile().readline().strip())
            s.close()

    threads = [threading.Thread(target=some, args=(int(sys.argv[4]) // 20,)) for _ in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(len(words), len(set(words)))


def six():
    s = socket.socket(socket.AF_INET6)
    s.settimeout(60)
    s.connect(("::ffff:" + host, port))
    s.sendall(b"hello\n")
    print(s.makefile().readline().strip(), "%s %d" % s.getpeername()[:2])


def pair(kind):
    """Whether the other end is the program's own socket; and goes on when told to."""
    s = socket.socket(socket.AF_INET6 if kind == "six" else socket.AF_INET)
    to = ("::ffff:" + host if kind == "six" else host, port)
    if kind == "waits":
        s.connect(to)
    else:
        s.setblocking(False)
        e = select.epoll()
        e.register(s, select.EPOLLOUT | select.EPOLLET)
        print("connect", name(s.connect_ex(to)), "", end="")
        while s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1:
            e.poll(60)
        print("error", s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), "", end="")
        s.setblocking(True)
    s.settimeout(60)
    f = s.makefile()
    s.sendall(b"who\n")
    seen = f.readline().split()
    own = s.getsockname()
    same = seen == [own[0].replace("::ffff:", ""), str(own[1])]
    print("same" if same else "%s %s" % (seen, own), "%s:%d" % s.getpeername()[:2], flush=True)
    sys.stdin.readline()
    s.sendall(b"more\n")
    print(f.readline().strip())


def datagrams(kind):
    """Of several sizes, each answered as it was, with who had sent it in front."""
    if kind == "take":
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind((host, port))
        print("ready", flush=True)
        while True:
            data, peer = s.recvfrom(1 << 16)
            s.sendto(peer[0].encode() + b" " + data, peer)
    seen = set()
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(3)]
    for s in sockets:
        s.settimeout(60)
        if kind == "connected":
            s.connect((host, port))
    for size in (0, 1, 1400, 60000):
        for i, s in enumerate(sockets):
            data = bytes([65 + i]) * size
            if kind == "connected":
                s.send(data)
                answer, peer = s.recv(1 << 16), s.getpeername()
            else:
                s.sendto(data, (host, port))
                answer, peer = s.recvfrom(1 << 16)
            who, _, rest = answer.partition(b" ")
            seen.add((who.decode(), "%s:%d" % peer, rest == data))
    print(*seen.pop() if len(seen) == 1 else seen)


def others():
    """What is no TCP is left alone."""
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.connect((host, port))
    print("datagrams", "%s:%d" % s.getpeername())
    s = socket.socket(socket.AF_UNIX)
    print("unix", name(s.connect_ex("/nowhere/at/all")))


def listener():
    """With a port of 1, of multipath TCP, where the kernel has it."""
    global port
    if port == 1:
        port = 0
        try:
            return socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
        except OSError:
            pass
    return socket.socket()


def serve():
    """Echoes a line with who said it; `half` counts what follows, `reset` resets."""
    l = listener()
    l.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # who is started anew gets the same port
    l.bind((host, port))
    l.listen(64)
    print(l.getsockname()[1], flush=True)

    def talk(s, peer):
        f = s.makefile("rb")
        line = f.readline().strip()
        if line == b"half":
            s.sendall(b"%d bytes followed\n" % len(f.read()))
        elif line == b"reset":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            f.close()
        elif line == b"who":
            s.sendall(b"%s %d\n" % (peer[0].encode(), peer[1]))
            s.sendall(f.readline())
        else:
            s.sendall(line + b" from " + peer[0].encode() + b"\n")
        s.close()

    while True:
        s, peer = l.accept()
        threading.Thread(target=talk, args=(s, peer), daemon=True).start()


{"blocking": blocking, "epoll": lambda: watched("epoll"), "poll": lambda: watched("poll"),
 "refused": refused, "refusals": refusals, "half": half, "reset": reset, "many": many, "often": often, "six": six, "others": others,
 "waits": lambda: pair("waits"), "does not": lambda: pair("does not"), "six direct": lambda: pair("six"),
 "take": lambda: datagrams("take"), "connected": lambda: datagrams("connected"),
 "unconnected": lambda: datagrams("unconnected"), "serve": serve}[what]()
