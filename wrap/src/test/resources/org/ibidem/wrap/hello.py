# The same from a language that loads the library. hello.py LIBRARY HUB
import ctypes
import sys


class Options(ctypes.Structure):
    _fields_ = [
        ("hub", ctypes.c_char_p),
        ("pool", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("rank", ctypes.c_int),
        ("struct_size", ctypes.c_size_t),
    ]

    def __init__(self, hub, pool):
        super().__init__(hub, pool, 0, -1, ctypes.sizeof(Options))


ibidem = ctypes.CDLL(sys.argv[1])
ibidem.ibidem_why.restype = ctypes.c_char_p
node = ctypes.c_void_p()
options = Options(sys.argv[2].encode(), b"hello")
if ibidem.ibidem_join(ctypes.byref(options), ctypes.byref(node)) < 0:
    sys.exit(ibidem.ibidem_why().decode())
said = "rank %d of %d" % (ibidem.ibidem_rank(node), ibidem.ibidem_members(node))
ibidem.ibidem_leave(node)
none = ctypes.c_void_p()
error = ibidem.ibidem_join(ctypes.byref(Options(b"localhost:1", b"hello")), ctypes.byref(none))
print("%s, then 'no such hub' is error %d" % (said, error))
