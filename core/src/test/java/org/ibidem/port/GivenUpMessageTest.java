package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a message has written to the ring before it is given up means nothing there, even where
/// each of its lines looks like the header of a record (docs/wire/ring.md).
@Timeout(60)
class GivenUpMessageTest {
    private static final int LINE = 64;

    /// From the beginning of a record to the first value of an array in it.
    private static final int HEADERS = 8 + 4 + 8;

    private static final int BEFORE = 4;
    private static final int ROUNDS = 5;

    @AutoClose private final Pair pair = new Pair();

    @Test
    void its_bytes_are_no_records() {
        var type = PortType.oneToOne().stack("shm");
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), "in");
            long line = 0; // each message takes one
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < BEFORE; i++) {
                    exchange(out, in, line++);
                }
                try (var message = out.newMessage()) {
                    message.writeArray(headers(line));
                }
                exchange(out, in, line++);
            }
        }
    }

    private static void exchange(SendPort out, ReceivePort in, long value) {
        try (var message = out.newMessage()) {
            message.writeLong(value).finish();
        }
        try (var message = in.receive()) {
            assertThat(message.readLong()).isEqualTo(value);
        }
        assertThat(in.poll()).as("a message that nobody sent").isNull();
    }

    /// Those of empty records, one at the beginning of each line after the first.
    private static byte[] headers(long first) {
        var bytes = ByteBuffer.allocate(6 * LINE).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = LINE; at < bytes.limit(); at += LINE) {
            long line = first + at / LINE;
            bytes.putLong(at - HEADERS, (line + 1) << Integer.SIZE);
        }
        return bytes.array();
    }
}
