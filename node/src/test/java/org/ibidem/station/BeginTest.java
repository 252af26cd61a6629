package org.ibidem.station;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.registry.NotAMember;
import org.ibidem.station.NodeRuntime.Whereabouts;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// Until it knows its hub a node that is reached by processes of its machine only lets them wait:
/// then it knows whether they are to have the key of a job.
class BeginTest {
    private static Contact nobody(NodeId peer, Duration limit) {
        throw new NotAMember("nobody is known here");
    }

    @Test
    void who_comes_before_it_begins_waits() throws Exception {
        Whereabouts nowhere = BeginTest::nobody;
        try (var threads = new Threads("test");
                var station = new NodeRuntime(Identity.create(), "test", false, nowhere, threads)) {
            var port = station.listener().port();
            var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            var path = new SocketPath(SocketChannel.open(at));
            var handshake = new Handshake(Identity.create(), threads, Handshake.LIMIT);
            var hello = Hello.service("test", station.id());
            var shaken = Background.call(() -> handshake.initiate(path, hello));
            assertThat(station.listener().tally().accepted()).isZero();
            assertThat(shaken).isNotDone();
            station.begin();
            station.begin();
            assertThat(shaken.get(30, TimeUnit.SECONDS)).isInstanceOf(Proved.class);
            assertThat(station.listener().tally().accepted()).isEqualTo(1);
        }
    }
}
