package org.ibidem.port;

import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// What a send port has sent: each message counts once, however many receivers it has. While there
/// is one, that connection's counters are all that a message touches.
final class SentCount {
    private Output[] receivers = {};
    private @Nullable Tally only;

    // Of messages that were not counted for the only receiver. The sum is right; one by itself may
    // be below 0.
    private long messages;
    private long bytes;

    /// A message went to all of them.
    void count(long size) {
        var single = only;
        if (single != null) {
            single.count(size);
            return;
        }
        messages++;
        bytes += size;
        for (var receiver : receivers) {
            receiver.row.tally().count(size);
        }
    }

    /// There are other receivers now.
    synchronized void receivers(Output[] now) {
        var before = only;
        if (before != null) {
            messages += before.get(Tally.What.MESSAGES);
            bytes += before.get(Tally.What.BYTES);
        }
        only = now.length == 1 ? now[0].row.tally() : null;
        receivers = now;
        var single = only;
        if (single != null) {
            messages -= single.get(Tally.What.MESSAGES);
            bytes -= single.get(Tally.What.BYTES);
        }
    }

    synchronized long messages() {
        var single = only;
        return single == null ? messages : messages + single.get(Tally.What.MESSAGES);
    }

    /// Of these messages, tags included.
    synchronized long bytes() {
        var single = only;
        return single == null ? bytes : bytes + single.get(Tally.What.BYTES);
    }
}
