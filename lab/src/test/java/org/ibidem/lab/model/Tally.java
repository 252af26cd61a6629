package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;

/// What a receive port got in a round: each message is what its sender wrote, none comes twice, and
/// in the right order where that is promised.
final class Tally {
    private static final int HEAD = Integer.BYTES + Long.BYTES;

    /// Losses that no rate explains: at the ends of short rounds.
    private static final int SLACK = 20;

    private final PortType type;
    private final Map<Origin, BitSet> got = new HashMap<>();
    private long messages;
    private Throwable failed;

    Tally(PortType type) {
        this.type = type;
    }

    /// What goes in front of this body: the message's number, the body's sum and length.
    static byte[] head(int number, byte[] body) {
        return ByteBuffer.allocate(HEAD).putInt(number).putLong(sum(body)).array();
    }

    private static long sum(byte[] body) {
        var crc = new CRC32C();
        crc.update(body);
        return crc.getValue() << 32 | body.length;
    }

    /// Called by the port's own thread.
    synchronized void upcall(ReadMessage message) {
        try {
            check(message);
        } catch (MessageAbandoned e) {
            failed = Types.doubtful(type) ? failed : e;
        } catch (ConnectionLost e) {
            failed = Types.breaks(type) ? failed : e;
        } catch (RuntimeException | AssertionError e) {
            failed = e;
        }
    }

    synchronized void check(ReadMessage message) {
        var bytes = new byte[HEAD];
        message.readArray(bytes);
        var head = ByteBuffer.wrap(bytes);
        int number = head.getInt();
        long sum = head.getLong();
        var body = new byte[(int) sum];
        message.readArray(body);
        assertThat(sum(body)).as("sum of message %d over %s", number, type).isEqualTo(sum);
        var before = got.computeIfAbsent(message.origin(), _ -> new BitSet());
        if (!Types.doubtful(type)) {
            assertThat(number).as("number over %s", type).isEqualTo(before.length());
        } else if (!Types.breaks(type)) {
            assertThat(number).as("number over %s", type).isGreaterThanOrEqualTo(before.length());
        }
        // Of a sender that connected anew, messages of the old connection may come later.
        assertThat(before.get(number)).as("message %d came before over %s", number, type).isFalse();
        before.set(number);
        messages++;
    }

    synchronized long messages() {
        return messages;
    }

    /// Everything came, or no more was lost than faults of these rates explain.
    synchronized void requireEnough(int senders, int count) {
        if (failed != null) {
            throw new AssertionError("in an upcall over " + type, failed);
        }
        if (!Types.doubtful(type)) {
            assertThat(got).as("senders heard").hasSize(senders);
            assertThat(got.values())
                    .allSatisfy(each -> assertThat(each.cardinality()).isEqualTo(count));
            return;
        }
        long sent = (long) senders * count;
        assertThat(messages).as("of %d over %s", sent, type).isGreaterThanOrEqualTo(least(sent));
    }

    /// Each cut takes what is on its way, which is all where it is delayed, and always a message
    /// larger than what it lets through.
    private long least(long sent) {
        if (Types.breaks(type)) {
            return type.stack().contains("delay") ? 0 : Math.min(1, sent / SLACK);
        }
        return sent / 2 - SLACK;
    }
}
