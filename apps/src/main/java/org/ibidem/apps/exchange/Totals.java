package org.ibidem.apps.exchange;

import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;

/// What a process, or all of them, sent and got.
///
/// @param sent blocks
/// @param sentSum of their checksums
/// @param received blocks
/// @param receivedSum of their checksums
/// @param bytes received
record Totals(long sent, long sentSum, long received, long receivedSum, long bytes) {
    static final Totals NOTHING = new Totals(0, 0, 0, 0, 0);

    Totals and(Totals other) {
        return new Totals(
                sent + other.sent,
                sentSum + other.sentSum,
                received + other.received,
                receivedSum + other.receivedSum,
                bytes + other.bytes);
    }

    /// Whether all that was sent has arrived.
    boolean match() {
        return sent == received && sentSum == receivedSum;
    }

    void write(WriteMessage to) {
        to.writeLong(sent).writeLong(sentSum).writeLong(received);
        to.writeLong(receivedSum).writeLong(bytes);
    }

    static Totals read(ReadMessage from) {
        return new Totals(
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong(),
                from.readLong());
    }
}
