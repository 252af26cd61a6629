package org.ibidem.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Purpose;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Ten thousand strangers at the door.
@Tag("lab")
@Isolated("measures the heap")
class ListenerFloodTest {
    private static final int STRANGERS = 10_000;
    private static final int OPEN_AT_ONCE = 3_000;
    private static final long MOST_GROWTH = 16L << 20;

    @TempDir Path folder;

    private final Threads threads = new Threads("test");
    private final Identity alice = Identity.create();
    private final Handshake byAlice = new Handshake(alice, threads, Handshake.LIMIT);
    private final Deque<SocketChannel> strangers = new ArrayDeque<>();

    @AfterEach
    void close() throws IOException {
        for (var stranger : strangers) {
            stranger.close();
        }
        threads.close();
    }

    /// Silent, garbage, half a HELLO, an absurd length: by turns.
    private void stranger(InetSocketAddress where, int number) throws IOException {
        var channel = SocketChannel.open(where);
        var texts =
                new String[] {
                    "",
                    "\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007",
                    "IBDM\2\0\2\0\u0080\0\3",
                    "IBDM\2\0\2\0\u00ff\u00ff"
                };
        channel.write(
                ByteBuffer.wrap(
                        texts[number % texts.length].getBytes(StandardCharsets.ISO_8859_1)));
        strangers.add(channel);
        if (strangers.size() > OPEN_AT_ONCE) {
            strangers.removeFirst().close();
        }
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void speak(ControlLink from, ControlLink to) {
        assertThat(from.send(new byte[] {1, 2, 3})).isTrue();
        assertThat(to.receive()).containsExactly(1, 2, 3);
    }

    @Test
    void ten_thousand_strangers_change_nothing_for_others_and_memory_stays_flat()
            throws IOException {
        var bob = Identity.create();
        try (var listener =
                Listener.open(0, false, new Handshake(bob, threads, Handshake.LIMIT), threads)) {
            var served = new CopyOnWriteArrayList<ControlLink>();
            listener.serve(
                    Purpose.SERVICE,
                    Admission.ALL,
                    proved ->
                            served.add(
                                    ControlLink.over(proved, threads, ControlLink.Limits.DEFAULT)));
            var hello = Hello.service("demo", bob.id());
            var where = listener.addresses().getFirst();
            var friend =
                    ControlLink.over(
                            byAlice.initiate(new SocketPath(SocketChannel.open(where)), hello),
                            threads,
                            ControlLink.Limits.DEFAULT);
            eventually("the friend is served", () -> served.size() == 1);
            long before = heap();
            for (int i = 0; i < STRANGERS; i++) {
                stranger(where, i);
                if (i % 500 == 499) {
                    speak(friend, served.getFirst());
                    speak(served.getFirst(), friend); // who never reads takes the other for silent
                    var late = byAlice.initiate(new SocketPath(SocketChannel.open(where)), hello);
                    assertThat(late.peer()).isEqualTo(bob.id());
                    late.path().close();
                }
            }
            assertThat(heap() - before)
                    .as("bytes of heap, with thousands at the door")
                    .isLessThan(MOST_GROWTH);
            for (var stranger : strangers) {
                stranger.close();
            }
            eventually(
                    "all have gone",
                    () -> {
                        var tally = listener.tally();
                        return tally.failed() + tally.dropped() == STRANGERS;
                    });
            assertThat(friend.ending()).isNull();
            assertThat(listener.tally().proved()).isEqualTo(1 + STRANGERS / 500);
            friend.close();
        }
    }

    /// A listener in a process of its own that has few file descriptors left, and where no virtual
    /// thread runs while there are more than two.
    static final class Door {
        private static final int LEFT = 60;

        private Door() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            var threads = new Threads("door");
            var bob = Identity.create();
            var listener =
                    Listener.open(0, false, new Handshake(bob, threads, Handshake.LIMIT), threads);
            listener.serve(Purpose.SERVICE, Admission.ALL, proved -> {});
            Thread.startVirtualThread(() -> {
                while (listener.tally().accepted() < LEFT - 2 && listener.tally().dropped() == 0) {
                    Thread.onSpinWait();
                }
            });
            takeAllBut(LEFT);
            System.out.println(listener.port());
            Thread.sleep(Duration.ofMinutes(2));
        }

        private static void takeAllBut(int left) throws IOException {
            var taken = new ArrayDeque<FileInputStream>();
            try {
                while (true) {
                    taken.add(new FileInputStream("/dev/null"));
                }
            } catch (FileNotFoundException _) {
                for (int i = 0; i < left; i++) {
                    taken.remove().close();
                }
            }
        }
    }

    /// The class path with what are folders in one jar, as it is where Ibidem is installed: a jar
    /// stays open, but each class from a folder needs a file descriptor of its own.
    private String packed() throws IOException {
        var parts = new ArrayList<String>();
        var packed = folder.resolve("classes.jar");
        parts.add(packed.toString());
        var names = new HashSet<String>();
        try (var jar = new JarOutputStream(Files.newOutputStream(packed))) {
            for (var part : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (Files.isDirectory(Path.of(part))) {
                    pack(Path.of(part), jar, names);
                } else {
                    parts.add(part);
                }
            }
        }
        return String.join(File.pathSeparator, parts);
    }

    private static void pack(Path from, JarOutputStream jar, Set<String> names) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                var name = from.relativize(file).toString();
                if (names.add(name)) {
                    jar.putNextEntry(new ZipEntry(name));
                    Files.copy(file, jar);
                }
            }
        }
    }

    @Test
    void without_file_descriptors_a_good_one_still_gets_through() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "ulimit -n 200 && exec \"$0\" -Xmx64m"
                                        + " -Djdk.virtualThreadScheduler.parallelism=1 -cp \"$1\" \"$2\"",
                                java,
                                packed(),
                                Door.class.getName())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var output =
                new BufferedReader(
                        new InputStreamReader(
                                process.getInputStream(), StandardCharsets.US_ASCII))) {
            int port = Integer.parseInt(output.readLine().strip());
            var where = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            for (int i = 0; i < 600; i++) {
                stranger(where, 0);
            }
            for (int i = 0; i < 3; i++) {
                var proved =
                        byAlice.initiate(
                                new SocketPath(SocketChannel.open(where)),
                                new Hello(Purpose.SERVICE, "demo", null, "", ""));
                assertThat(proved.hello().purpose()).isEqualTo(Purpose.SERVICE);
                proved.path().close();
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
