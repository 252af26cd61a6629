package org.ibidem.port;

import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// How many messages went through a port: each counts once, however many connections it has. While
/// there is one, that connection's counters are all that a message touches.
final class MessageCount {
    private @Nullable Tally only;

    // Of messages that were not counted for the only connection. The sum is right; these alone may
    // be below 0.
    private long messages;
    private long bytes;

    /// A message went through.
    ///
    /// @return false: there are several connections, which are to be counted for one by one
    boolean count(long size) {
        var single = only;
        if (single != null) {
            single.count(size);
            return true;
        }
        messages++;
        bytes += size;
        return false;
    }

    /// There are other connections now.
    ///
    /// @param single null: more than one, or none
    synchronized void countFor(@Nullable Tally single) {
        add(only, 1);
        only = single;
        add(single, -1);
    }

    private void add(@Nullable Tally counted, int sign) {
        if (counted != null) {
            messages += sign * counted.get(Tally.What.MESSAGES);
            bytes += sign * counted.get(Tally.What.BYTES);
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
