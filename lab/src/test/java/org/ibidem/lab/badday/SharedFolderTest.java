package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.ibidem.connect.Unreachable;
import org.ibidem.hub.Hub;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The folder for shared memory is full, small or not there. Nodes publish what they find when they
/// join, so each test brings the folder first.
@Tag("lab")
@Timeout(120)
class SharedFolderTest {
    private static final PortType SHM = PortType.oneToOne().stack("shm");
    private static final PortType EITHER = PortType.oneToOne().stack("multi(shm, tcp)");
    private static final int CONNECTIONS = 500;
    private static final int LARGE = 8 << 20;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));

    @AfterEach
    void close() {
        hub.close();
    }

    private Node join() {
        return Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
    }

    private static void converse(PortType type, Node here, Node there, int bytes) {
        try (var in = ReceivePort.open(there, type, "in");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "in");
            converse(in, out, bytes);
        }
    }

    private static void converse(ReceivePort in, SendPort out, int bytes) {
        var sending =
                CompletableFuture.runAsync(
                        () -> {
                            try (var message = out.newMessage()) {
                                Role.write(message, 7, bytes);
                            }
                        },
                        Thread::startVirtualThread);
        try (var message = in.receive()) {
            Role.verify(message, 7, bytes);
        }
        sending.join();
    }

    @Test
    void a_folder_that_is_not_there_is_the_reason_and_another_way_is_taken() {
        System.setProperty("ibidem.shm", "/nowhere/at/all");
        try (var here = join();
                var there = join()) {
            converse(EITHER, here, there, Role.SMALL);
            try (var out = SendPort.open(here, PortType.oneToOne().stack("multi(shm)"), "out")) {
                assertThatThrownBy(() -> out.connect(there.id(), "in"))
                        .isInstanceOf(Unreachable.class)
                        .hasMessageContaining("shm: no, there is no folder /nowhere/at/all");
            }
        } finally {
            System.clearProperty("ibidem.shm");
        }
    }

    @Test
    void a_full_folder_is_an_error_at_once_or_another_way_is_taken() throws Exception {
        try (var folder = Tmpfs.of("64k");
                var here = join();
                var there = join()) {
            try (var in = ReceivePort.open(there, SHM, "in");
                    var out = SendPort.open(here, SHM, "out")) {
                assertThatThrownBy(() -> out.connect(there.id(), "in"))
                        .isInstanceOf(ConnectRefused.class)
                        .hasMessageContaining("no shared segment of 94208 bytes could be made in")
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("ibidem.shm");
                assertThat(in.connections()).isEmpty();
            }
            assertThat(folder.files()).isEmpty();
            converse(EITHER, here, there, Role.SMALL);
            assertThat(folder.files()).isEmpty();
        }
    }

    /// What `explain` says of shared memory, and what is taken instead.
    private void requireTold(Node here, Node there, String... reason) throws Exception {
        var said = Screen.explain(hub, here.id(), there.id());
        assertThat(said.driver("shm")).startsWith("shm no ").contains(reason);
        assertThat(said.driver("tcp")).startsWith("tcp yes ");
        try (var in = ReceivePort.open(there, EITHER, "in");
                var out = SendPort.open(here, EITHER, "out")) {
            out.connect(there.id(), "in");
            var way = Objects.requireNonNull(out.way(new Target(there.id(), "in")));
            assertThat(way.stack()).isEqualTo("tcp");
            assertThat(way.passedOver()).singleElement().asString().contains(reason);
            converse(in, out, Role.SMALL);
        }
    }

    @Test
    void explain_says_that_the_folder_is_missing() throws Exception {
        System.setProperty("ibidem.shm", "/nowhere/at/all");
        try (var here = join();
                var there = join()) {
            requireTold(here, there, "there is no folder /nowhere/at/all for shared memory");
        } finally {
            System.clearProperty("ibidem.shm");
        }
    }

    @Test
    void explain_says_that_the_folder_is_full() throws Exception {
        try (var _ = Tmpfs.of("64k");
                var here = join();
                var there = join()) {
            requireTold(
                    here,
                    there,
                    "no shared segment of 94208 bytes could be made in",
                    "No space left on device");
        }
    }

    @Test
    void explain_says_that_the_folder_cannot_be_written_to() throws Exception {
        try (var _ = Tmpfs.of("1m,ro");
                var here = join();
                var there = join()) {
            requireTold(
                    here,
                    there,
                    "no shared segment of 94208 bytes could be made in",
                    "Read-only file system");
        }
    }

    @Test
    void explain_says_that_the_folder_is_no_folder() throws Exception {
        var file = Files.createTempFile("ibidem-", ".file");
        System.setProperty("ibidem.shm", file.toString());
        try (var here = join();
                var there = join()) {
            requireTold(here, there, "there is no folder " + file + " for shared memory");
        } finally {
            System.clearProperty("ibidem.shm");
            Files.delete(file);
        }
    }

    @Test
    void where_a_ring_finds_no_memory_to_grow_it_stays_and_carries_all_the_same() throws Exception {
        try (var folder = Tmpfs.of("200k");
                var here = join();
                var there = join()) {
            converse(SHM, here, there, LARGE);
            assertThat(folder.files()).isEmpty();
        }
    }

    @Test
    void a_ring_that_stays_full_grows_and_its_memory_is_given_back() throws Exception {
        try (var folder = Tmpfs.of("64m");
                var here = join();
                var there = join()) {
            converse(SHM, here, there, Role.SMALL);
            assertThat(folder.used()).as("a link, and a page for each node").isLessThan(110_000);
            converse(SHM, here, there, LARGE);
            assertThat(folder.used())
                    .as("grown at least once, as far as its reader was behind")
                    .isBetween(300_000L, 4_000_000L);
        }
    }

    /// Two links have their memory, and a third ring is too much.
    @Test
    void where_there_is_no_memory_for_a_broadcast_each_receiver_is_written_to_alone()
            throws Exception {
        var type = PortType.oneToMany().stack("shm");
        try (var folder = Tmpfs.of("224k");
                var told = new Told();
                var here = join();
                var there = join();
                var one = ReceivePort.open(there, type, "one");
                var other = ReceivePort.open(there, type, "other");
                var out = SendPort.open(here, type, "out")) {
            out.connect(there.id(), "one");
            out.connect(there.id(), "other");
            for (int i = 0; i < 200; i++) {
                try (var message = out.newMessage()) {
                    Role.write(message, i, 100);
                }
                for (var in : List.of(one, other)) {
                    try (var message = in.receive()) {
                        Role.verify(message, i, 100);
                    }
                }
            }
            assertThat(told.last(2))
                    .startsWith("no broadcast ring of 73728 bytes could be made in ")
                    .contains("No space left on device");
            assertThat(folder.files()).isEmpty();
        }
    }

    @Test
    void five_hundred_connections_fit_into_64_megabytes() throws Exception {
        var type = PortType.manyToOne().stack("shm");
        var outs = new ArrayList<SendPort>();
        try (var folder = Tmpfs.of("64m");
                var here = join();
                var there = join();
                var in = ReceivePort.open(there, type, "in")) {
            for (int i = 0; i < CONNECTIONS; i++) {
                var out = SendPort.open(here, type, "out " + i);
                outs.add(out);
                out.connect(there.id(), "in");
            }
            assertThat(folder.files()).as("files with a name").isEmpty();
            assertThat(folder.used()).isLessThan(64_000_000);
            for (var out : outs) {
                converse(in, out, 1_000);
            }
            assertThat(folder.used()).isLessThan(64_000_000);
        } finally {
            outs.forEach(SendPort::close);
        }
    }
}
