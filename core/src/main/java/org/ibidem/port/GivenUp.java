package org.ibidem.port;

import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Tasks;

/// Word of a message that was given up, for receivers that have got a part of it: said at once
/// where there is room, else owed, and said before the next message. As readers may be waiting for
/// the rest, it is also looked after while nobody uses the port. All with the port's turn in hand.
final class GivenUp {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration SELDOM = Duration.ofSeconds(3);

    private final SendPort port;
    private final Outputs outputs;
    private final WriteMessage message;
    private final Tasks tasks;

    /// A task looks after it.
    private boolean watched;

    GivenUp(SendPort port, Outputs outputs, WriteMessage message, Tasks tasks) {
        this.port = port;
        this.outputs = outputs;
        this.message = message;
        this.tasks = tasks;
    }

    /// A message was given up; waits for nobody.
    ///
    /// @return whether nobody is owed word of it
    boolean tell() {
        boolean told = toldAll();
        if (!told) {
            outputs.all().forEach(output -> output.owed = true);
        }
        if (!(told && message.sink.push()) && !watched && !port.isClosed()) {
            watched = true;
            later(SOON);
        }
        return told;
    }

    /// Whether anybody is owed word of one.
    boolean isOwed() {
        return outputs.all().anyMatch(Output::isOwed);
    }

    /// Says what is owed; waits for room as a message does.
    void pay() {
        try {
            if (!paid()) {
                port.room.begin();
                while (!paid()) {
                    port.room.idle();
                }
                port.room.found();
            }
        } catch (LinkBroken e) {
            throw port.lost(e);
        }
    }

    private boolean paid() {
        if (isOwed() && outputs.all().allMatch(Output::isOwed)) {
            if (toldAll()) {
                outputs.all().forEach(output -> output.owed = false);
            }
        } else if (isOwed()) { // and some are not, who came later
            message.forget();
            outputs.part();
            outputs.all().filter(Output::isOwed).forEach(this::tell);
        }
        return !isOwed();
    }

    private void tell(Output output) {
        try {
            output.tellGivenUp();
        } catch (LinkBroken e) {
            outputs.fallen(output, e);
        }
    }

    private boolean toldAll() {
        var sink = message.sink;
        sink.push(); // frames that were held back may fill the ring
        boolean granted = sink.claim(message.frame, 0);
        if (granted) {
            sink.commit(message.frame, Frame.ABANDONED);
        }
        return granted;
    }

    private void later(Duration pause) {
        tasks.after(pause, port + " tells that a message was given up", () -> look(pause));
    }

    /// A reader that takes long is looked after ever more seldom.
    private void look(Duration before) {
        if (!port.turn().tryTake() || !isOver()) {
            var twice = before.multipliedBy(2);
            later(twice.compareTo(SELDOM) < 0 ? twice : SELDOM);
        }
    }

    /// Gives the turn back.
    private boolean isOver() {
        boolean over = true;
        try {
            over = port.isClosed() || (paid() && message.sink.push());
        } catch (LinkBroken e) {
            port.lostInSilence(e);
        } finally {
            watched = !over;
            port.turn().giveBack();
        }
        return over;
    }
}
