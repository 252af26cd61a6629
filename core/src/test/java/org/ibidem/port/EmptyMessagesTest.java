package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/// A message without a value is a message: it is counted, and its end says what was lost under it.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class EmptyMessagesTest {
    private static final int COUNT = 5;

    private final Pair pair = new Pair();

    @Parameter String stack;

    @AfterEach
    void close() {
        pair.close();
    }

    private static void sendEmpty(SendPort out) {
        try (var message = out.newMessage()) {
            assertThat(message.finish()).isZero();
        }
    }

    private void counted(PortType type, int receivers) {
        try (var out = pair.send(pair.here, type, "out")) {
            for (int i = 0; i < receivers; i++) {
                pair.receive(pair.there, type, type.hashCode() + "in" + i);
                out.connect(pair.there.id(), type.hashCode() + "in" + i);
            }
            for (int i = 0; i < COUNT; i++) {
                sendEmpty(out);
            }
            assertThat(out.messages()).isEqualTo(COUNT);
            assertThat(out.bytes()).isZero();
            try (var givenUp = out.newMessage()) {
                assertThat(givenUp.bytesWritten()).isZero();
            }
            assertThat(out.messages()).as("without one that was given up").isEqualTo(COUNT);
        }
    }

    @Test
    void they_are_counted_by_sender_and_receiver() {
        var type = PortType.oneToOne().stack(stack);
        counted(type, 1);
        counted(type.with(Capability.UNCHECKED), 1);
        counted(PortType.oneToMany().stack(stack), 2);
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), "in");
            sendEmpty(out);
            in.receive().close();
            assertThat(in.messages()).isEqualTo(out.messages()).isOne();
        }
    }

    /// Not the next message, which would not have been sent.
    @Test
    @Tag("slow")
    void the_end_of_one_tells_of_a_receiver_that_was_lost() {
        var type = PortType.oneToMany().stack(stack);
        var third = pair.runtime();
        try (var in = pair.receive(pair.there, type, "in");
                var out = pair.send(pair.here, type, "out")) {
            pair.receive(third, type, "lost");
            out.connect(pair.there.id(), in.name());
            out.connect(third.id(), "lost");
            third.channels().close();
            third.peers().close();
            var told = (ConnectionLost) null;
            while (told == null) { // a socket takes some first
                var message = out.newMessage();
                told = catchThrowableOfType(ConnectionLost.class, message::finish);
                in.receive().close();
            }
            assertThat(told).hasMessageContaining("port 'lost' of node " + third.id().brief());
            sendEmpty(out);
            assertThat(out.connections()).hasSize(1);
        } finally {
            third.close();
        }
    }
}
