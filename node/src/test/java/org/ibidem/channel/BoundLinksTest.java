package org.ibidem.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import org.ibidem.filter.tls.Keyed;
import org.ibidem.filter.tls.Tls;
import org.ibidem.filter.tls.TlsFilter;
import org.ibidem.link.ByteStream;
import org.ibidem.link.TestLower;
import org.ibidem.stack.Stack;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// TLS of a link between nodes belongs to the handshake of the link's connection.
@Timeout(60)
class BoundLinksTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TwoNodes nodes = new TwoNodes();
    private final NodeRuntime alice = nodes.alice;
    private final NodeRuntime evil = nodes.bob;
    private final Intruder intruder = new Intruder(evil, new Random(1));
    private final String stack = Stack.parse("tls > tcp", alice.catalog()).toString();

    @AfterEach
    void close() {
        nodes.close();
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
        var lower = new TestLower(true, key, path, evil.tasks());
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
        alice.channels().serve("port", (_, _, _, _) -> new Acceptor.Yes(new TwoNodes.Taken()));
        try (var well = session(0)) {
            assertThat(well.delivery().isFaithful()).isTrue();
        }
        assertThatThrownBy(() -> session(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("somebody between joins two connections");
    }
}
