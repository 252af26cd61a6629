package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// The memory of a connection is cut short, as only another process of the same user can do it,
/// while this one reads or writes a message.
@Timeout(60)
@Isolated("looks at the files of the process")
class CutShortTest {
    private static final PortType TYPE = PortType.oneToOne().stack("shm");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final String SEGMENT = "/ibidem-[0-9a-f]{32}.*";

    private final Pair pair = new Pair();
    private Set<String> before = Set.of();

    @BeforeEach
    void look() throws IOException {
        assumeTrue(Files.isDirectory(DESCRIPTORS), "there is no /proc/self/fd");
        before = segments().keySet();
    }

    @AfterEach
    void close() {
        pair.close();
    }

    /// What is mapped here, by name, and a way to it.
    private static Map<String, Path> segments() throws IOException {
        var found = new HashMap<String, Path>();
        try (var all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (var one : all) {
                try {
                    var target = Files.readSymbolicLink(one).toString();
                    if (target.matches(".*" + SEGMENT)) {
                        found.put(target, one);
                    }
                } catch (IOException _) {
                    // closed meanwhile
                }
            }
        }
        return found;
    }

    private void cutShort() throws IOException {
        var mine = new HashSet<>(segments().entrySet());
        mine.removeIf(segment -> before.contains(segment.getKey()));
        assertThat(mine).hasSize(1);
        try (var file =
                FileChannel.open(mine.iterator().next().getValue(), StandardOpenOption.WRITE)) {
            file.truncate(0);
        }
    }

    private SendPort connected() {
        var out = pair.send(pair.here, TYPE, "out");
        out.connect(pair.there.id(), "in");
        return out;
    }

    @Test
    void a_read_says_that_the_connection_is_lost_and_why() throws IOException {
        try (var in = pair.receive(pair.there, TYPE, "in");
                var out = connected()) {
            try (var message = out.newMessage()) {
                message.writeInt(7).writeArray(new byte[1000]).finish();
            }
            var message = in.receive();
            cutShort();
            var thrown = catchThrowable(message::readInt);
            message.close();
            assertThat(loss(thrown, in)).hasMessageContaining("the shared memory was cut short");
            assertThat(in.connections()).isEmpty();
            saysSoByTheNextUse(catchThrowable(() -> send(out)), out);
        }
    }

    @Test
    void so_does_the_read_of_an_array() throws IOException {
        try (var in = pair.receive(pair.there, TYPE, "in");
                var out = connected()) {
            try (var message = out.newMessage()) {
                message.writeArray(new double[400]).finish();
            }
            Throwable thrown;
            try (var message = in.receive()) {
                message.readArray(new double[100]);
                cutShort();
                thrown = catchThrowable(() -> message.readArray(new double[300]));
            }
            assertThat(loss(thrown, in)).hasMessageContaining("the shared memory was cut short");
        }
    }

    @Test
    void a_write_is_over_and_the_port_goes_on() throws IOException {
        try (var in = pair.receive(pair.there, TYPE, "in");
                var out = connected()) {
            assertThat(in.isClosed()).isFalse();
            var message = out.newMessage();
            message.writeInt(1);
            cutShort();
            var thrown = catchThrowable(() -> message.writeInt(2).writeLong(3));
            message.close();
            saysSoByTheNextUse(thrown, out);
        }
    }

    /// What an access to memory that is gone says, or the next use of the port: compiled code may
    /// be told of it where the error is not caught any more.
    private static ConnectionLost loss(Throwable thrown, ReceivePort in) {
        var said = thrown;
        for (int i = 0; i < 5 && (said == null || said instanceof InternalError); i++) {
            said = catchThrowable(in::poll); // one that finds it, and one that tells
        }
        assertThat(said).isInstanceOf(ConnectionLost.class);
        return (ConnectionLost) said;
    }

    /// A store into memory that is gone is told a little later, perhaps in the method that called
    /// the write, where it is an InternalError still. Then the next use says what happened.
    private static void saysSoByTheNextUse(Throwable thrown, SendPort out) {
        assertThat(thrown).isInstanceOfAny(ConnectionLost.class, InternalError.class);
        if (thrown instanceof InternalError) {
            assertThatThrownBy(() -> send(out)).isInstanceOf(ConnectionLost.class);
        }
        assertThatThrownBy(() -> send(out)).isInstanceOf(NotConnected.class);
    }

    private static void send(SendPort out) {
        try (var message = out.newMessage()) {
            message.writeInt(1).finish();
        }
    }
}
