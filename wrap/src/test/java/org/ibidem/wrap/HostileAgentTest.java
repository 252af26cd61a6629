package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.ibidem.wrap.Message.Kind;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent that says anything at all: the launcher, built with all its compiler can watch, stays
/// in its memory, and the program does not hang.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class HostileAgentTest {
    private static final int MESSAGES = 2_000;
    private static final int CALLS = 40;

    /// Connects from many threads, one half without waiting; what becomes of them is nobody's care.
    private static final String PROGRAM =
            """
            import socket, threading
            def one(i):
                s = socket.socket()
                s.setblocking(i % 2 == 0)
                s.connect_ex(('127.80.0.%d' % i, 9))
                try: s.getpeername()
                except OSError: pass
                if i % 3: s.close()
            threads = [threading.Thread(target=one, args=(i,)) for i in range(CALLS)]
            for t in threads: t.start()
            for t in threads: t.join()
            print('over')
            """
                    .replace("CALLS", String.valueOf(CALLS));

    @TempDir private static Path folder;
    private static Path launcher;

    @BeforeAll
    static void build() throws Exception {
        launcher =
                Wrapped.launcher(
                        folder, "-fsanitize=address,undefined", "-fno-sanitize-recover=all");
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(longs = {1, 2, 3, 4})
    void a_program_ends_whatever_its_agent_says(long seed) throws Exception {
        var socket = folder.resolve("agent" + seed);
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            var agent = new FutureTask<>(() -> rave(server.accept(), new Random(seed)));
            Thread.ofPlatform().daemon().start(agent);
            var process =
                    new ProcessBuilder(
                                    launcher.toString(),
                                    socket.toString(),
                                    "-",
                                    "python3",
                                    "-c",
                                    PROGRAM)
                            .redirectErrorStream(true)
                            .start();
            assertThat(Wrapped.output(process)).isEqualTo("over");
            assertThat(process.exitValue()).isZero();
            assertThat(agent.get(60, TimeUnit.SECONDS)).isGreaterThan(2);
        }
    }

    /// @return how much of it was heard
    private static int rave(SocketChannel line, Random random) {
        var ids = new ArrayList<>(List.of(0L, -1L));
        try (line) {
            for (int i = 0; i < MESSAGES; i++) {
                if (i % (MESSAGES / CALLS) == 0) {
                    ids.add(call(line));
                }
                line.write(garbage(ids, random));
            }
        } catch (IOException _) {
            // it has been heard enough of
        }
        return ids.size();
    }

    /// The next call that the launcher tells of.
    private static long call(SocketChannel line) throws IOException {
        var bytes = ByteBuffer.allocate(Message.BYTES);
        while (true) {
            while (bytes.hasRemaining()) {
                if (line.read(bytes) < 0) {
                    throw new IOException("it is gone");
                }
            }
            var message = Message.decode(bytes.clear());
            if (message.kind() == Kind.CONNECTS) {
                return message.id();
            }
        }
    }

    private static ByteBuffer garbage(List<Long> ids, Random random) {
        var bytes = new byte[Message.BYTES];
        random.nextBytes(bytes);
        var message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (random.nextInt(10) > 0) { // one that means something
            message.put(0, (byte) (16 + random.nextInt(4)));
            message.putInt(4, random.nextInt(200) - 20);
            message.putLong(8, ids.get(random.nextInt(ids.size())));
            if (random.nextBoolean()) {
                message.putLong(16, 0)
                        .putInt(24, 0xFFFF_0000)
                        .putInt(28, 127 | random.nextInt() << 8);
            }
        }
        return message;
    }
}
