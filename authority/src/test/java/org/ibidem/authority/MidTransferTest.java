package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.Background;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Clock;
import org.ibidem.hub.Hub;
import org.ibidem.identity.Identity;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of messages under way while certificates expire, are renewed and are revoked.
@Timeout(120)
@Tag("slow")
class MidTransferTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration CUT = Duration.ofSeconds(5);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final PortType TYPE = PortType.manyToOne().stack("tls > tcp");
    private static final int MORE = 100;
    private static final long PAUSE = 100_000;

    @TempDir Path folder;

    private PoolAuthority demo;
    private Path list;

    @BeforeEach
    void make() {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        list = folder.resolve("demo").resolve(PoolAuthority.REVOKED);
        demo.revoke(List.of(), MONTH);
    }

    private Identity issued(String name, Role role, Duration lasts, InstantSource clock)
            throws Exception {
        var file = folder.resolve(name);
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), lasts));
        return Identity.stored(file).trusting(Trust.read(List.of(root), List.of(file), clock));
    }

    private static Node member(Hub hub, Identity who) {
        return Node.join(
                Join.pool("demo").hub("localhost:" + hub.port()).limit(LONG).identity(who));
    }

    private void renew(String name, byte[] key) throws Exception {
        var fresh = folder.resolve(name + ".new");
        var standing = new Standing("demo", Role.NODE, "");
        PoolAuthority.write(fresh, demo.certify(name, standing, key, MONTH));
        Files.move(fresh, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /// Messages from one node to another, until their connection is lost.
    private static final class Transfer implements AutoCloseable {
        final AtomicInteger came = new AtomicInteger();
        final CompletableFuture<Long> lost = new CompletableFuture<>();
        private final ReceivePort in;
        private final SendPort out;
        private volatile boolean over;

        Transfer(Node from, Node to, String name) {
            in = ReceivePort.open(to, TYPE, name);
            out = SendPort.open(from, TYPE, "to " + name);
            out.connect(to.id(), name);
            var _ = Background.run(this::send); // Both say what they have met in `lost`.
            var _ = Background.run(this::receive);
        }

        private void send() {
            try {
                for (int i = 0; !over; i++) {
                    try (var message = out.newMessage()) {
                        message.writeInt(i);
                        message.finish();
                    }
                    LockSupport.parkNanos(PAUSE); // others want the processors, too
                }
            } catch (ConnectionLost _) {
                lost.complete(System.nanoTime());
            } catch (IbidemException e) {
                lost.completeExceptionally(e);
            }
        }

        private void receive() {
            try {
                while (!over) {
                    try (var message = in.receive()) {
                        if (message.readInt() != came.getAndIncrement()) {
                            lost.completeExceptionally(new AssertionError("out of order"));
                        }
                    }
                }
            } catch (IbidemException _) {
                // it has ended: who sends knows
            }
        }

        void goesOn() {
            int more = came.get() + MORE;
            eventually("more has come", () -> came.get() >= more || lost.isDone());
            assertThat(lost).isNotDone();
        }

        @Override
        public void close() {
            over = true;
            out.close();
            in.close();
        }
    }

    @Test
    void messages_go_on_where_certificates_expire_and_are_renewed_and_end_where_they_are_revoked()
            throws Exception {
        var time = new AtomicReference<>(Instant.now());
        var soon = issued("soon", Role.NODE, DAY, Clock.TIME_OF_DAY);
        var hubs = issued("hub", Role.HUB, MONTH, Clock.TIME_OF_DAY);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0).identity(hubs))) {
            hub.revoked(list);
            try (var one = member(hub, soon);
                    var second = member(hub, issued("second", Role.NODE, MONTH, time::get));
                    var other = member(hub, issued("other", Role.NODE, MONTH, time::get));
                    var transfer = new Transfer(one, other, "first");
                    var beside = new Transfer(second, other, "beside");
                    var in = ReceivePort.open(other, TYPE, "in");
                    var out = SendPort.open(one, TYPE, "out")) {
                transfer.goesOn();
                time.set(Instant.now().plus(DAY.multipliedBy(2)));
                assertThatThrownBy(() -> out.connect(other.id(), in.name()))
                        .hasMessageContaining("has expired: it was valid until");
                transfer.goesOn();
                var before = soon.trust().shown("demo");
                renew("soon", soon.key().encoded());
                eventually("it is taken", () -> !soon.trust().shown("demo").equals(before));
                out.connect(other.id(), in.name()); // the one before is refused, as has been seen
                transfer.goesOn();
                time.set(Instant.now());
                var took = cut("soon", transfer);
                beside.goesOn();
                if (took.compareTo(CUT) > 0) { // a machine that stood still
                    took = cut("second", beside);
                }
                assertThat(took).isLessThanOrEqualTo(CUT);
            }
        }
    }

    /// How long it takes from when there is a list until its messages end: also what the hub takes
    /// to look.
    private Duration cut(String name, Transfer transfer) throws Exception {
        long begin = System.nanoTime();
        demo.revoke(demo.numbers(name), MONTH);
        long lost = transfer.lost.get(LONG.toSeconds(), TimeUnit.SECONDS);
        return Duration.ofNanos(lost - begin);
    }
}
