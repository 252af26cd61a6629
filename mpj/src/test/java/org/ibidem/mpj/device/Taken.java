package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Where a message is received.
final class Taken implements Incoming {
    private static final byte UNTOUCHED = 0x55;
    private final byte[] bytes;
    private int come;

    Taken(int room) {
        bytes = new byte[room];
        java.util.Arrays.fill(bytes, UNTOUCHED);
    }

    @Override
    public long begin(Envelope message) {
        return bytes.length;
    }

    @Override
    public void read(MemorySegment from, long at, int count) {
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, come, count);
        come += count;
    }

    @Override
    public void end() {
        // all is here
    }

    /// The first bytes of the message of this seed have come, and nothing else.
    void requireOf(int seed, int count) {
        for (int i = 0; i < bytes.length; i++) {
            byte wanted = i < count ? Pattern.at(seed, i) : UNTOUCHED;
            if (bytes[i] != wanted) {
                assertThat(bytes[i])
                        .as("message %d, byte %d of %d", seed, i, count)
                        .isEqualTo(wanted);
            }
        }
    }
}
