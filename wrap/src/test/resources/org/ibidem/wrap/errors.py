# Which errors a program of sockets gets. Usage: errors.py PART HOST PORT; prints a line for each.
import ctypes, errno, os, select, socket, struct, sys

part, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])


def name(number):
    return errno.errorcode.get(number, str(number))


def fresh(waits=True, family=socket.AF_INET):
    s = socket.socket(family)
    s.setblocking(waits)
    return s


def say(what, *numbers):
    print(what, *map(name, numbers), flush=True)


def pending(s):
    return s.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)


def events(s):
    """Once there is an error, or it can be written to."""
    p = select.poll()
    p.register(s, select.POLLOUT)
    (_, seen), = p.poll(60000)
    return "+".join(n for n in ("POLLOUT", "POLLERR", "POLLHUP") if seen & getattr(select, n))


def fails():
    """Where nobody takes a connection."""
    s = fresh()
    say("waits", s.connect_ex((host, port)), pending(s))
    s = fresh(False)
    first = s.connect_ex((host, port))
    say("does not wait", first)
    if first == errno.EINPROGRESS:
        print("events", events(s))
        say("error, and again", pending(s), pending(s))
    s = fresh(False, socket.AF_INET6)
    say("by IPv6", s.connect_ex(("::ffff:" + host, port)))
    s = fresh()
    s.settimeout(60)
    try:
        s.connect((host, port))
        say("with a time limit", 0)
    except OSError as e:
        say("with a time limit", e.errno)


def waits():
    """Where somebody takes a connection when this has printed the second line, and reads on then."""
    s = fresh(False)
    say("connect", s.connect_ex((host, port)))
    say("again", s.connect_ex((host, port)), pending(s))
    print("events", events(s))
    say("error", pending(s))
    say("again", s.connect_ex((host, port)), s.connect_ex((host, port)))
    say("elsewhere", s.connect_ex((host, port + 1)))


def odd():
    """What connects nothing, whoever looks at it."""
    call = ctypes.CDLL(None, use_errno=True).connect
    call.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_uint]

    def connect(what, of, at, length=16):
        said = call(of if isinstance(of, int) else of.fileno(), at, length)
        say(what, ctypes.get_errno() if said else 0)

    address = lambda family: ctypes.create_string_buffer(
        struct.pack("=H", family) + struct.pack("!H", port) + socket.inet_aton(host) + bytes(20))
    four = ctypes.addressof(right := address(socket.AF_INET))
    l = socket.socket()
    l.bind(("127.0.0.1", 0))
    l.listen()
    connect("of who listens", l, four)
    connect("of nothing", 999, four)
    connect("of a file", os.open("/dev/null", os.O_RDONLY), four)
    connect("cut short", fresh(), four, 7)
    connect("too long", fresh(), four, 4096)
    connect("to no address", fresh(), None)
    connect("of another family", fresh(), ctypes.addressof(other := address(socket.AF_INET6)), 28)
    connect("of no family", fresh(), ctypes.addressof(none := address(99)))
    connect("to nobody", fresh(), ctypes.addressof(nobody := address(socket.AF_UNSPEC)))


{"fails": fails, "waits": waits, "odd": odd}[part]()
