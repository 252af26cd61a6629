package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Send ports that are closed or disconnected within a limit of one's own. Nothing is timed: of two
/// that wait for the same thing, the one with the short limit is done and the other is not. (In
/// shared memory an end finds room where a message does not.)
@ParameterizedClass
@ValueSource(strings = {"loopback", "tcp"})
@Timeout(60)
class ClosingLimitTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration LONG = ChronoUnit.FOREVER.getDuration();

    private final PortType type;
    private final boolean inMemory;
    private final Pair pair = new Pair();
    private final ReceivePort first;
    private final ReceivePort second;
    private final SendPort hasty;
    private final SendPort patient;

    ClosingLimitTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
        this.inMemory = stack.equals("loopback");
        this.first = pair.receive(pair.there, type, "first");
        this.second = pair.receive(pair.there, type, "second");
        this.hasty = connected("first");
        this.patient = connected("second");
    }

    private SendPort connected(String port) {
        var out = pair.send(pair.here, type, "to " + port);
        out.connect(pair.there.id(), port);
        return out;
    }

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void a_close_waits_so_long_for_the_message_in_anothers_hand() {
        var given = hasty.newMessage();
        var kept = patient.newMessage();
        var waits = Background.run(() -> patient.close(LONG));
        Background.run(() -> hasty.close(SHORT)).join();
        assertThatThrownBy(() -> given.writeArray(new byte[1 << 22]))
                .isInstanceOfAny(PortClosed.class, ConnectionLost.class);
        given.close();
        assertThatThrownBy(first::receive).isInstanceOf(ConnectionLost.class);
        assertThat(waits).isNotDone();
        kept.writeInt(7).finish();
        kept.close();
        waits.join();
        try (var got = second.receive()) {
            assertThat(got.readInt()).isEqualTo(7);
        }
    }

    @Test
    void a_close_waits_so_long_for_receivers_to_make_room() {
        fill(hasty);
        fill(patient);
        leavesTheHastyOne(Background.run(() -> patient.close(LONG)), () -> hasty.close(SHORT));
    }

    @Test
    void so_does_a_disconnect() {
        fill(hasty);
        fill(patient);
        var there = pair.there.id();
        leavesTheHastyOne(
                Background.run(() -> patient.disconnect(there, "second", LONG)),
                () -> hasty.disconnect(SHORT));
        assertThatThrownBy(hasty::newMessage).isInstanceOf(NotConnected.class);
        assertThat(hasty.disconnect(there, "first", SHORT)).isFalse();
    }

    private void leavesTheHastyOne(CompletableFuture<Void> waits, Runnable leave) {
        leave.run();
        assertThat(hasty.connections()).isEmpty();
        eventually("its link is gone", () -> !firstIsConnected());
        if (inMemory) { // of a socket the system may make room at any time
            assertThat(waits).isNotDone();
        }
        second.close(); // makes room, by dropping what came
        waits.join();
        assertThat(patient.connections()).isEmpty();
    }

    /// Reads what was sent, until it hears that no more can come.
    private boolean firstIsConnected() {
        try (var _ = first.poll()) {
            return !first.connections().isEmpty();
        } catch (ConnectionLost e) {
            return false;
        }
    }

    /// Until its receiver, who does not read, must make room for more.
    private static void fill(SendPort out) {
        var room = new Frame();
        while (out.sink().claim(room, 1)) {
            room.position = room.limit;
            out.sink().commit(room, Frame.MORE);
        }
    }
}
