package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.Background;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.channel.Intruder;
import org.ibidem.control.Peers;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A connection that was agreed on and breaks before it is there: its sender may have used it, and
/// says so by what it does next.
@ParameterizedClass
@EnumSource(BrokenAtOnceTest.Word.class)
@Timeout(60)
class BrokenAtOnceTest {
    private static final String STACK = "tls > tcp";

    /// The usual ones, and connection downcalls.
    private static final int CAPABILITIES = 0x527;

    /// What a sender says that had used it.
    enum Word {
        DONE,
        GIVEN_UP,
        BROKEN
    }

    private final Word word;
    private final Pair pair = new Pair();
    private final NodeRuntime evil = pair.runtime();
    private final Intruder intruder = new Intruder(evil, new Random(1)).capabilities(CAPABILITIES);
    private final String key = intruder.key();
    private final ReceivePort in =
            pair.receive(
                    pair.there,
                    PortType.oneToOne()
                            .stack(STACK)
                            .with(Capability.TIMED)
                            .with(Capability.CONNECTION_DOWNCALLS),
                    "in");

    BrokenAtOnceTest(Word word) {
        this.word = word;
    }

    @AfterEach
    void close() {
        evil.close();
        pair.close();
    }

    private void says() {
        switch (word) {
            case DONE -> intruder.done(pair.there.id(), 1);
            case GIVEN_UP -> intruder.givenUp(pair.there.id(), 1);
            case BROKEN -> intruder.broken(pair.there.id(), key);
        }
    }

    /// What is no TLS: the link cannot be made.
    private void garbage() throws IOException {
        var socket = intruder.dial(pair.there.id(), key, STACK);
        socket.write(ByteBuffer.wrap(new byte[100]));
    }

    /// Waits, as the message and the failure of the link are handled by two threads, but not for
    /// the limit of a connection that never comes.
    private void isTold() {
        var told = new ArrayList<Lost<Origin>>();
        eventually("it is told", () -> told.addAll(in.lostConnections()));
        assertThat(told)
                .singleElement()
                .satisfies(lost -> {
                    assertThat(lost.broken()).isTrue();
                    assertThat(lost.peer().node()).isEqualTo(evil.id());
                    assertThat(lost.why()).doesNotContain("did not connect within");
                });
    }

    @Test
    void the_receiver_is_told_whether_that_is_said_afterwards() throws Exception {
        assertThat(intruder.ask(pair.there.id(), key, STACK, "in")).isEmpty();
        garbage();
        eventually("it could not be made", () -> pair.there.channels().links() == 0);
        assertThat(in.lostConnections()).as("its sender may try again").isEmpty();
        says();
        isTold();
    }

    @Test
    void or_before() throws Exception {
        assertThat(intruder.ask(pair.there.id(), key, STACK, "in")).isEmpty();
        says();
        if (word != Word.BROKEN) { // which ends the link itself
            garbage();
        }
        eventually("it is over", () -> pair.there.channels().links() == 0);
        eventually("and the port is free", () -> in.connections().isEmpty());
        isTold();
    }

    /// Not that its receiver closed it in order.
    @Test
    void the_sender_is_told_that_it_is_broken() throws Exception {
        var told = new LinkedBlockingQueue<Integer>();
        for (int kind : new int[] {Peers.BROKEN, Peers.CLOSE}) {
            evil.peers()
                    .serve(
                            kind,
                            (_, _) -> {
                                told.add(kind);
                                return Peers.NOTHING;
                            });
        }
        assertThat(intruder.ask(pair.there.id(), key, STACK, "in")).isEmpty();
        garbage();
        assertThat(told.take()).isEqualTo(Peers.BROKEN);
    }

    @Test
    void nobody_is_told_of_what_its_sender_had_not_used() throws Exception {
        assertThat(intruder.ask(pair.there.id(), key, STACK, "in")).isEmpty();
        garbage();
        eventually("it could not be made", () -> pair.there.channels().links() == 0);
        intruder.cancel(pair.there.id(), key);
        says();
        assertThat(in.lostConnections()).isEmpty();
    }

    @Test
    void who_waits_gets_it_thrown() throws Exception {
        var type = PortType.manyToOne().stack(STACK);
        var waiting = pair.receive(pair.there, type, "other");
        waiting.waiting(WaitPolicy.SLEEP);
        var reading = Background.call(() -> waiting.receive());
        assertThat(
                        intruder.manyToOne()
                                .capabilities(0x127)
                                .ask(pair.there.id(), key, STACK, "other"))
                .isEmpty();
        garbage();
        eventually("it could not be made", () -> pair.there.channels().links() == 0);
        says();
        assertThatThrownBy(reading::get)
                .hasCauseInstanceOf(ConnectionLost.class)
                .hasMessageContaining("is lost, before anything of it came");
    }
}
