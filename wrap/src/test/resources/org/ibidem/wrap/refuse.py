# Runs a program to which the kernel refuses system calls, as a container's seccomp filter does or an
# older kernel. Usage: refuse.py CALL ERROR PROGRAM [ARGUMENTS...]
import ctypes, errno, os, platform, struct, sys

NUMBERS = {  # of x86-64 and of 64-bit ARM
    "seccomp": (317, 277), "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "process_vm_readv": (310, 270)}
LOAD, IS_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2

number = NUMBERS[sys.argv[1]][0 if platform.machine() == "x86_64" else 1]
error = getattr(errno, sys.argv[2])
steps = [(LOAD, 0, 0, 0), (IS_EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | error), (RETURN, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
prctl = ctypes.CDLL(None, use_errno=True).prctl
prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
for call in (NO_NEW_PRIVILEGES, 1, 0, 0, 0), (SECCOMP, FILTER, ctypes.addressof(program), 0, 0):
    if prctl(*call) != 0:
        sys.exit("refuse.py: " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[3], sys.argv[3:])
