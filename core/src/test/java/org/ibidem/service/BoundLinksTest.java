package org.ibidem.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.filter.tls.Keyed;
import org.ibidem.filter.tls.Tls;
import org.ibidem.filter.tls.TlsFilter;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Stack;
import org.ibidem.link.TestLower;
import org.ibidem.service.Acceptor.Receiver;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// TLS of a link between nodes belongs to the handshake of the link's connection.
@Timeout(60)
class BoundLinksTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Threads threads = new Threads("test");
    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();
    private final Station alice = station();
    private final Station evil = station();
    private final Intruder intruder = new Intruder(evil, new Random(1));
    private final String stack = Stack.parse("tls > tcp", alice.catalog()).toString();

    private Station station() {
        var made = new Station(Identity.create(), "test", false, book::get, threads);
        book.put(made.id(), made.contact());
        return made;
    }

    @AfterEach
    void close() {
        for (var station : List.of(alice, evil)) {
            Thread.currentThread().interrupt(); // nobody waits for those who use its links
            station.channels().close();
            assertThat(Thread.interrupted()).isTrue();
            station.close();
        }
        threads.close();
    }

    private static final class Taken implements Receiver {
        @Override
        public void attach(InChannel incoming) {}

        @Override
        public void failed(String why) {}

        @Override
        public void cancelled(InChannel channel) {}
    }

    /// The session of a link whose handshake is said to be another, if so many bits are flipped.
    private ByteStream session(int flipped) throws IOException {
        var key = intruder.key();
        assertThat(intruder.ask(alice.id(), key, stack, new byte[0])).isEmpty();
        var proved = evil.peers().dialData(alice.id(), stack, key, LIMIT);
        var path = proved.stream();
        path.blocking(false);
        var said = proved.said().clone();
        said[0] ^= (byte) flipped;
        var lower = new TestLower(true, key, path, threads);
        var mine = evil.handshake().identity().towards(alice.id());
        var keyed = new Keyed(lower, mine, key, said);
        try {
            return new TlsFilter().over(path, new Tls(), keyed);
        } catch (IOException e) {
            path.close();
            throw e;
        }
    }

    @Test
    void a_session_that_is_joined_to_another_handshake_is_refused_by_a_node() throws Exception {
        alice.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new Taken()));
        try (var well = session(0)) {
            assertThat(well.delivery().isFaithful()).isTrue();
        }
        assertThatThrownBy(() -> session(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("somebody between joins two connections");
    }
}
