package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Which site a packet comes from and goes to: by its addresses, of which each site has a block
/// that carries its number.
///
/// ```
/// IPv4  198.18.N.0/24         (RFC 2544)
/// IPv6  2001:db8:N::/48       (RFC 3849)
/// ```
final class Header {
    static final int NOBODY = 0;

    private static final int SHORTEST4 = 20;
    private static final int SHORTEST6 = 40;

    private Header() {}

    static int source(MemorySegment memory, long at, int length) {
        return site(memory, at, length, 0);
    }

    static int destination(MemorySegment memory, long at, int length) {
        return site(memory, at, length, 1);
    }

    private static int site(MemorySegment memory, long at, int length, int which) {
        int version = length == 0 ? 0 : octet(memory, at) >> 4;
        if (version == 4 && length >= SHORTEST4) {
            long address = at + 12 + 4L * which;
            return octet(memory, address) == 198 && octet(memory, address + 1) == 18
                    ? octet(memory, address + 2)
                    : NOBODY;
        }
        if (version == 6 && length >= SHORTEST6) {
            long address = at + 8 + 16L * which;
            return word(memory, address) == 0x2001 && word(memory, address + 2) == 0xdb8
                    ? word(memory, address + 4)
                    : NOBODY;
        }
        return NOBODY;
    }

    private static int word(MemorySegment memory, long at) {
        return octet(memory, at) << 8 | octet(memory, at + 1);
    }

    private static int octet(MemorySegment memory, long at) {
        return memory.get(JAVA_BYTE, at) & 0xff;
    }
}
