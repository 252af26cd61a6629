package org.ibidem.port;

import java.time.Duration;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.Waiter;
import org.ibidem.station.Lingers;

/// How a send port ends: in order, where its messages are finished and its receivers make room.
final class SendPortEnd implements Lingers {
    private final SendPort port;
    private final Outputs outputs;
    private final Waiter waiter;
    private final Turn turn;
    private volatile boolean closed;

    /// Closed with a message in hand: whoever finishes it gives everything back.
    private volatile boolean brokenOff;

    SendPortEnd(SendPort port, Outputs outputs, Waiter waiter) {
        this.port = port;
        this.outputs = outputs;
        this.waiter = waiter;
        this.turn = port.turn();
    }

    boolean isClosed() {
        return closed;
    }

    boolean isBrokenOff() {
        return brokenOff;
    }

    /// As [SendPort#close(Duration)].
    boolean close(Duration limit) {
        return close(waiter.deadline(limit), true);
    }

    /// @param awaits whether it is waited until what was finished has arrived
    boolean close(long deadline, boolean awaits) {
        if (closed) {
            return true;
        }
        begin();
        if (!turn.take(waiter.left(deadline))) {
            brokenOff = true;
            outputs.giveUpAll("its send port was closed with a message in hand");
            if (!turn.tryTake()) {
                return false; // the thread that has it still finishes
            }
        }
        return leave(deadline, awaits);
    }

    private void begin() {
        closed = true;
        port.troubled();
        port.ends();
    }

    private boolean leave(long deadline, boolean awaits) {
        try {
            return outputs.leaveAll(deadline, awaits) && !brokenOff;
        } finally {
            waiter.close();
            turn.giveBack();
        }
    }

    @Override
    public void flushAtOnce() {
        boolean _ = port.tryFlush();
    }

    @Override
    public void close() {
        port.close();
    }

    @Override
    public void closeWithin(Duration limit) {
        boolean _ = close(waiter.deadline(limit), false);
    }

    @Override
    public boolean closeAtOnce() {
        if (closed) {
            return true;
        }
        if (!turn.tryTake()) {
            return false;
        }
        boolean ends = false;
        try {
            ends = outputs.endsAtOnce();
        } finally {
            if (!ends) {
                turn.giveBack();
            }
        }
        if (ends) {
            begin();
            leave(waiter.deadline(Duration.ZERO), false);
        }
        return ends;
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
