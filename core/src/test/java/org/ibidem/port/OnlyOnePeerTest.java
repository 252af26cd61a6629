package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// A receive port that is made for one peer takes connections of no other node.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class OnlyOnePeerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Pair pair = new Pair();
    private final NodeRuntime stranger = pair.runtime();
    private final PortType one;
    private final List<Origin> heard = new CopyOnWriteArrayList<>();

    OnlyOnePeerTest(String stack) {
        this.one = PortType.oneToOne().with(Capability.CONNECTION_UPCALLS).stack(stack);
    }

    @AfterEach
    void close() {
        stranger.close();
        pair.close();
    }

    private ReceivePort opened(PortType type) {
        var setup =
                ReceiveSetup.USUAL
                        .only(pair.here.id())
                        .connections(
                                new ConnectionUpcall() {
                                    @Override
                                    public boolean connecting(ReceivePort port, Origin from) {
                                        return heard.add(from);
                                    }

                                    @Override
                                    public void lost(ReceivePort port, Lost<Origin> connection) {
                                        heard.add(connection.peer());
                                    }
                                });
        return pair.receive(pair.there, type, "in", setup);
    }

    private ConnectRefused refused(PortType type) {
        try (var out = pair.send(stranger, type, "out")) {
            return Pair.refused(() -> out.connect(pair.there.id(), "in", LIMIT));
        }
    }

    @Test
    void a_stranger_is_refused_with_the_reason_and_what_to_do() {
        try (var _ = opened(one)) {
            var refusal = refused(one);
            assertThat(refusal.why()).isEqualTo(ConnectRefused.Why.UNWANTED);
            assertThat(refusal)
                    .hasMessageContaining(
                            "it is opened for node "
                                    + pair.here.id().brief()
                                    + " alone, and "
                                    + stranger.id().brief()
                                    + " is another: connect to a port that is for all");
        }
    }

    @Test
    void a_stranger_takes_no_place_from_the_awaited_peer() {
        try (var in = opened(one);
                var out = pair.send(pair.here, one, "out")) {
            refused(one);
            out.connect(pair.there.id(), "in", LIMIT);
            refused(one);
            try (var message = out.newMessage()) {
                message.writeInt(42).finish();
            }
            try (var message = in.receive()) {
                assertThat(message.readInt()).isEqualTo(42);
                assertThat(message.origin().node()).isEqualTo(pair.here.id());
            }
        }
    }

    @Test
    void a_connection_upcall_never_hears_of_a_stranger() {
        try (var in = opened(one);
                var out = pair.send(pair.here, one, "out")) {
            refused(one);
            out.connect(pair.there.id(), "in", LIMIT);
            assertThat(heard).containsExactly(new Origin(pair.here.id(), "out"));
            eventually("it is there", () -> in.connections().size() == 1);
        }
    }

    @Test
    void a_stranger_learns_nothing_of_the_ports_type() {
        try (var _ = opened(one)) {
            assertThat(refused(PortType.manyToOne().stack("auto")).why())
                    .isEqualTo(ConnectRefused.Why.UNWANTED);
        }
    }

    /// It is refused at once when the port is there, and does not ask again and again.
    @Test
    void a_stranger_that_waits_for_the_port_is_refused_when_it_opens() throws Exception {
        var asking = Background.call(() -> refused(one));
        try (var _ = opened(one)) {
            assertThat(asking.get().why()).isEqualTo(ConnectRefused.Why.UNWANTED);
        }
    }

    @Test
    void a_node_may_open_a_port_for_itself_alone() {
        var setup = ReceiveSetup.USUAL.only(pair.there.id());
        var type = PortType.manyToOne().stack("auto");
        try (var in = pair.receive(pair.there, type, "own", setup);
                var out = pair.send(pair.there, type, "out")) {
            out.connect(pair.there.id(), "own", LIMIT);
            eventually("it is there", () -> in.connections().size() == 1);
        }
    }
}
