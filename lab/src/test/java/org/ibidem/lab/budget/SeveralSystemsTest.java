package org.ibidem.lab.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.hub.Hub;
import org.ibidem.personality.fm.FastMessages;
import org.ibidem.personality.vio.VioServer;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/// Several systems on one node in one process: who owns what stands in docs/design/sharing.md.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Isolated("looks at the threads and signals of the whole JVM")
class SeveralSystemsTest {
    private static final int ROUNDS = 200;
    private static final int MILLIS = 60_000;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final PortType TYPE = PortType.oneToOne().stack("auto");

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private Node one;
    private Node two;

    /// What is called from afar.
    public interface Adder extends Remote {
        int more(int value) throws RemoteException;
    }

    private static final class Adding implements Adder {
        private final AtomicInteger sum = new AtomicInteger();

        @Override
        public int more(int value) {
            return sum.addAndGet(value);
        }
    }

    @BeforeEach
    void join() {
        var join = Join.pool("several").hub("localhost:" + hub.port()).size(2);
        one = Node.join(join.rank(0));
        two = Node.join(join.rank(1));
        one.awaitMembers(2, LIMIT);
        two.awaitMembers(2, LIMIT);
    }

    @AfterEach
    void leave() {
        one.close();
        two.close();
        hub.close();
    }

    private static List<String> signals() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.matches("Sig(Cgt|Ign|Blk):.*")).toList();
        }
    }

    /// The platform's threads that belong to the two nodes.
    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("node "))
                .sorted()
                .toList();
    }

    @Test
    void systems_that_run_at_once_have_one_loop_no_signals_and_ends_of_their_own()
            throws Exception {
        var signals = signals();
        try (var bytes = new Bytes();
                var messages = new Messages()) {
            messages.call();
            bytes.call();
            var few = threads();
            try (var fast = new Fast();
                    var calls = new Calls()) {
                atOnce(List.of(fast, calls, bytes, messages));
                var all = threads();
                assertThat(all).as("a loop of each kind for a node").doesNotHaveDuplicates();
                assertThat(all)
                        .as("but for two of remote objects at each node, no more than before")
                        .hasSizeLessThanOrEqualTo(few.size() + 4);
                assertThat(signals()).isEqualTo(signals);
            }
            atOnce(List.of(bytes, messages)); // whose ends are not theirs
        }
    }

    private static void atOnce(List<Callable<Integer>> systems) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = systems.stream().map(threads::submit).toList();
            for (var each : running) {
                assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(ROUNDS);
            }
        }
    }

    /// Fast Messages, over a circuit.
    private final class Fast implements Callable<Integer>, AutoCloseable {
        private final FastMessages from;
        private final FastMessages to;
        private final AtomicInteger got = new AtomicInteger();
        private final int handler;

        Fast() {
            var members = one.awaitMembers(2, LIMIT).stream().map(Member::id).toList();
            from = FastMessages.open(one, "fm", members, "auto");
            to = FastMessages.open(two, "fm", members, "auto");
            FastMessages.Handler counts =
                    (stream, _) -> {
                        var some = Arena.ofAuto().allocate(stream.size());
                        stream.receive(some);
                        if (some.get(ValueLayout.JAVA_INT_UNALIGNED, 0) == got.get()) {
                            got.incrementAndGet();
                        }
                    };
            from.register(counts);
            handler = to.register(counts);
        }

        @Override
        public Integer call() {
            got.set(0);
            int taken = 0;
            for (int i = 0; i < ROUNDS; i++) {
                var some = MemorySegment.ofArray(new int[] {i});
                try (var stream = from.beginMessage(1, Integer.BYTES, handler)) {
                    stream.sendPiece(Arena.ofAuto().allocate(Integer.BYTES).copyFrom(some));
                }
                while (taken < (i + 1) * Integer.BYTES) {
                    taken += to.extract(Integer.BYTES);
                    Thread.yield(); // the others have threads, too
                }
            }
            return got.get();
        }

        @Override
        public void close() {
            from.close();
            to.close();
        }
    }

    /// Remote calls.
    private final class Calls implements Callable<Integer>, AutoCloseable {
        private final Rmi server = Rmi.open(two);
        private final Rmi client = Rmi.open(one);
        private final Adder adder;

        Calls() throws Exception {
            server.names().bind("adder", server.export(new Adding()));
            adder = client.names().lookup("adder", Adder.class);
        }

        @Override
        public Integer call() throws RemoteException {
            int last = 0;
            for (int i = 0; i < ROUNDS; i++) {
                last = adder.more(1);
            }
            return last;
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    /// A byte stream, echoed.
    private final class Bytes implements Callable<Integer>, AutoCloseable {
        private final VioSocket client;
        private final VioSocket server;

        Bytes() throws IOException {
            try (var listening = VioServer.listen(two, "echo", 1)) {
                client = VioSocket.connect(one, two.id(), "echo", MILLIS);
                server = listening.accept(MILLIS);
            }
        }

        @Override
        public Integer call() throws IOException {
            int right = 0;
            var in = ByteBuffer.allocateDirect(1);
            for (int i = 0; i < ROUNDS; i++) {
                client.write(ByteBuffer.wrap(new byte[] {(byte) i}));
                server.read(in.clear(), MILLIS);
                server.write(in.flip());
                client.read(in.clear(), MILLIS);
                right += in.get(0) == (byte) i ? 1 : 0;
            }
            return right;
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    /// Messages by ports.
    private final class Messages implements Callable<Integer>, AutoCloseable {
        private final SendPort out;
        private final ReceivePort in;

        Messages() throws Exception {
            in = ReceivePort.open(two, TYPE, "in");
            out = SendPort.open(one, TYPE, "out");
            out.connect(two.id(), "in", LIMIT);
        }

        @Override
        public Integer call() throws IOException {
            int right = 0;
            for (int i = 0; i < ROUNDS; i++) {
                try (var message = out.newMessage()) {
                    message.writeInt(i).finish();
                }
                try (var message = in.receive(LIMIT)) {
                    right += message.readInt() == i ? 1 : 0;
                }
            }
            return right;
        }

        @Override
        public void close() {
            out.close();
            in.close();
        }
    }
}
