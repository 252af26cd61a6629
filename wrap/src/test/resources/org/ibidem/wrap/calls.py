# What a program of sockets sees where it does what few do. Usage: calls.py serve, which prints its two
# ports, or calls.py HOST ECHO BUSY; prints a line for each case.
import array, ctypes, errno, fcntl, os, select, signal, socket, struct, subprocess, sys, threading, time

name = lambda number: errno.errorcode.get(number, str(number))


def serve():
    """An echo, and a listener whose queue is full."""
    l = socket.socket()
    l.bind(("127.0.0.1", 0))
    l.listen(64)
    if socket.has_ipv6:  # as who listens at "localhost"
        six = socket.socket(socket.AF_INET6)
        six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        tries(lambda: six.bind(("::1", l.getsockname()[1])) or six.listen(64))
    busy = socket.socket()
    busy.bind(("127.0.0.1", 0))
    busy.listen(0)
    own = [socket.create_connection(busy.getsockname())]
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    u.bind(("127.0.0.1", l.getsockname()[1]))
    threading.Thread(target=datagrams, args=(u,), daemon=True).start()
    print(l.getsockname()[1], busy.getsockname()[1], flush=True)
    while True:
        s = l.accept()[0]
        threading.Thread(target=echo, args=(s,), daemon=True).start()


def datagrams(u):
    while True:
        what, who = u.recvfrom(65536)
        u.sendto(what, who)


def echo(s):
    try:
        while some := s.recv(65536):
            if some == b"reset":
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                break
            s.sendall(some)
    except OSError:
        pass
    s.close()


def says(s, what=b"hello"):
    s.settimeout(40)
    s.sendall(what)
    got = b""
    while len(got) < len(what):
        if not (more := s.recv(len(what) - len(got))):
            return "ended"
        got += more
    return "echo" if got == what else "garbled"


def tries(call):
    try:
        return call()
    except OSError as e:
        return name(e.errno)
    except Exception as e:
        return type(e).__name__


def there(s):
    return tries(lambda: s.getpeername()[:2]) == (host, port)


def unspec(s):
    call = ctypes.CDLL(None, use_errno=True).connect
    return name(ctypes.get_errno()) if call(s.fileno(), bytes(16), 16) else 0


def connected(*kind):
    s = socket.socket(*kind)
    s.connect((host, port))
    return s


def event(s):
    p = select.poll()
    p.register(s, select.POLLOUT)
    (_, seen), = p.poll(40000)
    return "+".join(n for n in ("POLLIN", "POLLOUT", "POLLERR", "POLLHUP") if seen & getattr(select, n))


def again_after_unspec():
    s = connected()
    first = says(s), unspec(s), tries(s.getpeername)
    s.setblocking(True)
    return *first, name(s.connect_ex((host, port))), there(s), says(s)


def twice():
    s = connected()
    return name(s.connect_ex((host, port))), name(s.connect_ex((host, port + 1))), there(s), says(s)


def refused_then_connected():
    s = socket.socket()
    return name(s.connect_ex((host, nobody))), name(s.connect_ex((host, port))), there(s), says(s)


def refused_then_connected_without_waiting():
    s = socket.socket()
    s.setblocking(False)
    first = name(s.connect_ex((host, nobody))), event(s), name(s.connect_ex((host, port)))
    second = name(s.connect_ex((host, port)))
    third = event(s), s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    return *first, second in ("EALREADY", "0"), third, there(s), says(s)


def refused_and_read():
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex((host, nobody))
    return event(s), tries(lambda: s.recv(1)), tries(lambda: s.recv(1)), tries(lambda: s.send(b"x"))


def bound_before():
    s = socket.socket()
    s.bind(("0.0.0.0", 0))
    mine = s.getsockname()[1]
    s.connect((host, port))
    return s.getsockname()[1] == mine, there(s), says(s)


def bound_to_the_loopback():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    mine = s.getsockname()
    s.connect((host, port))
    return s.getsockname() == mine, there(s), says(s)


def bound_then_elsewhere():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("0.0.0.0", 0))
    t = socket.socket()
    t.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    t.bind(("0.0.0.0", s.getsockname()[1]))
    return name(s.connect_ex((host, port))), name(t.connect_ex((host, port)))


def only_six():
    s = socket.socket(socket.AF_INET6)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    return name(s.connect_ex(("::ffff:" + host, port))), tries(s.getpeername)


def six():
    s = socket.socket(socket.AF_INET6)
    s.connect(("::ffff:" + host, port))
    return s.getpeername() == ("::ffff:" + host, port, 0, 0), says(s)


def four_by_six():
    s = socket.socket(socket.AF_INET6)
    call = ctypes.CDLL(None, use_errno=True).connect
    four = struct.pack("=H", socket.AF_INET) + struct.pack("!H", port) + socket.inet_aton(host) + bytes(8)
    said = call(s.fileno(), four, 16)
    return name(ctypes.get_errno()) if said else 0


def send_limit():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", 0, 300000))
    begun = time.monotonic()
    return name(s.connect_ex((host, busy))), time.monotonic() - begun < 20, name(s.connect_ex((host, busy)))


def alarmed():
    """As programs end a connect that takes too long."""
    def called(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, called)
    signal.siginterrupt(signal.SIGALRM, True)
    s = socket.socket()
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        return s.connect_ex((host, busy)), "no alarm"
    except KeyboardInterrupt:
        s.setblocking(False)
        return "alarm", name(s.connect_ex((host, busy)))


def raw_alarm():
    """The call itself, of which Python knows nothing."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.siginterrupt(signal.SIGALRM, True)
    s = socket.socket()
    call = ctypes.CDLL(None, use_errno=True).connect
    to = struct.pack("=H", socket.AF_INET) + struct.pack("!H", busy) + socket.inet_aton(host) + bytes(8)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    said = call(s.fileno(), to, 16)
    return said, name(ctypes.get_errno())


def receive_limit():
    s = connected()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 100000))
    return tries(lambda: s.recv(1)), says(s)


def peeked():
    s = connected()
    s.sendall(b"peek")
    s.settimeout(40)
    first = s.recv(4, socket.MSG_PEEK | socket.MSG_WAITALL)
    waiting = array.array("i", [0])
    fcntl.ioctl(s, 0x541B, waiting)  # FIONREAD
    return first, waiting[0], s.recv(4)


def urgent():
    s = connected()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    s.send(b"a")
    s.send(b"!", socket.MSG_OOB)
    s.settimeout(1)
    return tries(lambda: s.recv(1)), tries(lambda: s.recv(1))


def fast_open():
    s = socket.socket()
    s.setsockopt(socket.IPPROTO_TCP, 30, 1)  # TCP_FASTOPEN_CONNECT
    return name(s.connect_ex((host, port))), there(s), says(s)


def fast_open_by_sendto():
    s = socket.socket()
    said = tries(lambda: s.sendto(b"hello", socket.MSG_FASTOPEN, (host, port)))
    if said in ("EOPNOTSUPP", "ENOTSUP"):  # as many programs do
        s.connect((host, port))
        said = s.send(b"hello")
    return said, s.recv(5, socket.MSG_WAITALL), there(s)


def by_sendfile():
    s = connected()
    with os.fdopen(os.memfd_create("x"), "w+b") as f:
        what = os.urandom(20000)
        os.pwrite(f.fileno(), what, 0)
        sent = 0
        reader = []
        t = threading.Thread(target=lambda: reader.append(s.recv(20000, socket.MSG_WAITALL)))
        t.start()
        while sent < 20000:
            sent += os.sendfile(s.fileno(), f.fileno(), sent, 20000 - sent)
        t.join()
    return reader[0] == what


def by_splice():
    s = connected()
    r, w = os.pipe()
    os.write(w, b"y" * 4000)
    n = os.splice(r, s.fileno(), 4000)
    back = 0
    while back < n:
        back += os.splice(s.fileno(), w, n - back)
    return n, os.read(r, 4000) == b"y" * 4000


def passed_on():
    a, b = socket.socketpair()
    if (child := os.fork()) == 0:
        _, fds, _, _ = socket.recv_fds(b, 1, 1)
        s = socket.socket(fileno=fds[0])
        os._exit(0 if there(s) and says(s) == "echo" else 1)
    s = connected()
    socket.send_fds(a, [b"x"], [s.fileno()])
    s.close()
    return os.waitpid(child, 0)[1]


def passed_before_it_is_connected():
    a, b = socket.socketpair()
    s = socket.socket()
    if (child := os.fork()) == 0:
        _, fds, _, _ = socket.recv_fds(b, 1, 1)
        t = socket.socket(fileno=fds[0])
        t.connect((host, port))
        os._exit(0)
    socket.send_fds(a, [b"x"], [s.fileno()])
    return os.waitpid(child, 0)[1], there(s), says(s)


def duplicated():
    s = connected()
    os.dup2(s.fileno(), 77)
    s.close()
    t = socket.socket(fileno=77)
    return there(t), says(t)


def inherited():
    s = connected()
    s.set_inheritable(True)
    code = "import socket; s=socket.socket(fileno=%d); s.sendall(b'hello'); print(s.recv(5,256)==b'hello', s.getpeername()==(%r,%d))" % (s.fileno(), host, port)
    return subprocess.run([sys.executable, "-c", code], close_fds=False, capture_output=True).stdout.strip()


def spawned():
    code = "import socket; s=socket.create_connection((%r,%d)); s.sendall(b'hello'); print(s.recv(5,256))" % (host, port)
    r, w = os.pipe()
    pid = os.posix_spawn(sys.executable, ["python3", "-c", code], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, w, 1)])
    os.waitpid(pid, 0)
    return os.read(r, 100)


def closed_while_it_connects():
    for _ in range(20):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex((host, busy))
        s.close()
    return says(connected())


def shut_while_it_connects():
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex((host, busy))
    return tries(lambda: s.shutdown(socket.SHUT_RDWR)), event(s), s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def undone_while_it_connects():
    s = socket.socket()
    s.setblocking(False)
    return name(s.connect_ex((host, busy))), unspec(s), name(s.connect_ex((host, port))), event(s), s.getsockopt(1, 4), there(s), says(s)


def sent_while_it_connects():
    s = socket.socket()
    s.setblocking(False)
    s.connect_ex((host, busy))
    return tries(lambda: s.send(b"x")), tries(lambda: s.recv(1)), tries(s.getpeername)


def port_nought():
    s = socket.socket()
    return name(s.connect_ex((host, 0)))


def reset():
    s = connected()
    s.sendall(b"reset")
    s.settimeout(40)
    return tries(lambda: s.recv(1)), tries(lambda: s.recv(1)), tries(lambda: s.send(b"x"))


def selected():
    s = socket.socket()
    s.setblocking(False)
    first = name(s.connect_ex((host, port)))
    _, w, x = select.select([], [s], [s], 40)
    return first, len(w), len(x), s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR), says(s)


def edges():
    s = socket.socket()
    s.setblocking(False)
    e = select.epoll()
    s.connect_ex((host, port))
    e.register(s, select.EPOLLIN | select.EPOLLOUT | select.EPOLLET | select.EPOLLRDHUP)
    seen = []
    while not seen or not seen[-1] & select.EPOLLOUT:
        seen += [m for _, m in e.poll(40)]
    quiet = e.poll(0.05)
    s.send(b"hello")
    while not seen[-1] & select.EPOLLIN:
        seen += [m for _, m in e.poll(40)]
    got = s.recv(10)
    s.shutdown(socket.SHUT_WR)
    while not seen[-1] & select.EPOLLRDHUP:
        seen += [m for _, m in e.poll(40)]
    return quiet, got, seen[-1] & select.EPOLLHUP, s.recv(1)


def told():
    s = connected()
    info = s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)
    return info, s.getsockopt(socket.SOL_SOCKET, socket.SO_TYPE), s.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN), s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY), fcntl.fcntl(s, fcntl.F_GETFL), fcntl.fcntl(s, fcntl.F_GETFD)


def library():
    c = ctypes.CDLL(None, use_errno=True)
    c.connect.argtypes = c.bind.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_uint]
    c.getpeername.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    c.sendto.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint]
    c.sendmsg.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
    c.sendmmsg.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_uint, ctypes.c_int]
    c.getsockopt.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    return c


def pointers():
    """To no memory: that is the kernel's to say."""
    c = library()
    bad = 8
    said = lambda r: name(ctypes.get_errno()) if r < 0 else r
    s, t, u = socket.socket(), connected(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    room = ctypes.create_string_buffer(128)
    size = lambda n: ctypes.byref(ctypes.c_int(n))
    at = ctypes.addressof(room)
    yield said(c.connect(s.fileno(), bad, 16))
    yield said(c.bind(s.fileno(), bad, 16))
    yield said(c.bind(u.fileno(), bad, 16))
    yield said(c.sendto(u.fileno(), at, 1, 0, bad, 16))
    yield said(c.sendmsg(u.fileno(), bad, 0))
    yield said(c.sendmsg(u.fileno(), None, 0))
    yield said(c.sendmmsg(u.fileno(), bad, 2, 0))
    message = struct.pack("=QIxxxxQQQQi", bad, 16, 0, 0, 0, 0, 0) + bytes(40)
    yield said(c.sendmsg(u.fileno(), message, 0))
    yield said(c.getpeername(t.fileno(), bad, size(16)))
    yield said(c.getpeername(t.fileno(), at, bad))
    yield said(c.getpeername(t.fileno(), at, None))
    yield said(c.getpeername(t.fileno(), None, size(16)))
    yield said(c.getpeername(t.fileno(), None, size(0)))
    yield said(c.getpeername(t.fileno(), at, size(-1)))
    part = ctypes.c_int(4)
    yield said(c.getpeername(t.fileno(), at, ctypes.byref(part))), part.value, room.raw[:8] == struct.pack("=H", 2) + struct.pack("!H", port) + bytes(4)
    yield said(c.getsockopt(t.fileno(), 1, 4, bad, size(4)))
    yield said(c.getsockopt(t.fileno(), 1, 4, at, bad))


def datagram(family=socket.AF_INET):
    u = socket.socket(family, socket.SOCK_DGRAM)
    u.settimeout(40)
    return u


def datagrams_of_all_sizes():
    u = datagram()
    for size in (0, 1, 1400, 9000, 60000):
        u.sendto(b"z" * size, (host, port))
        what, who = u.recvfrom(65536)
        yield len(what) == size, who == (host, port)


def datagrams_of_a_connected_socket():
    u = datagram()
    u.connect((host, port))
    u.send(b"one")
    yield u.recv(10), there(u)
    yield unspec(u), tries(u.getpeername)
    u.connect((host, port))
    yield u.send(b"two"), u.recv(2)
    u.setblocking(False)  # of the rest of a datagram nothing is left
    yield tries(lambda: u.recv(10))


def datagrams_by_six():
    u = datagram(socket.AF_INET6)
    u.sendto(b"six", ("::ffff:" + host, port))
    return u.recvfrom(10)[:1], tries(lambda: u.connect(("::ffff:" + host, port))), u.send(b"a"), u.recv(10)


def all_cases():
    for case in (again_after_unspec, twice, refused_then_connected, refused_then_connected_without_waiting,
                 refused_and_read, bound_before, bound_to_the_loopback, bound_then_elsewhere, only_six, six, four_by_six, send_limit, alarmed, raw_alarm, receive_limit,
                 peeked, urgent, fast_open, fast_open_by_sendto, by_sendfile, by_splice, passed_on, passed_before_it_is_connected, duplicated,
                 inherited, spawned, closed_while_it_connects, shut_while_it_connects, undone_while_it_connects,
                 sent_while_it_connects, port_nought, reset, selected, edges, told, pointers, datagrams_of_all_sizes,
                 datagrams_of_a_connected_socket, datagrams_by_six):
        if len(sys.argv) > 4 and case.__name__ not in sys.argv[4:]:
            continue  # by hand: the cases that are named
        said = tries(lambda: list(c) if hasattr(c := case(), "__next__") else c)
        print(case.__name__, said, flush=True)


if sys.argv[1] == "serve":
    serve()
host, port, busy = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    nobody = free.getsockname()[1]
all_cases()
