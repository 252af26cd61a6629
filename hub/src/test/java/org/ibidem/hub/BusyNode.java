package org.ibidem.hub;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A node in a process that has one carrier for virtual threads, which its program holds when told
/// to, until told to stop.
final class BusyNode implements AutoCloseable {
    static final PortType TYPE = PortType.manyToOne().with(Capability.UPCALLS);
    private static final String READY = "ready ";
    private static final String BUSY = "busy";
    private static final String IDLE = "idle ";

    /// What holds the carrier.
    enum Work {
        /// A port's upcall that computes.
        UPCALL,
        /// A virtual thread of the program that computes.
        COMPUTING,
        /// A virtual thread that waits in native code or in the initializer of a class: it is
        /// pinned.
        PINNED
    }

    private final Process process;
    private final BufferedReader out;

    BusyNode(int hubPort, boolean open, Work work) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-Dibidem.heartbeat=1s",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BusyNode.class.getName(),
                        String.valueOf(hubPort),
                        String.valueOf(open),
                        work.name());
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        out = process.inputReader(StandardCharsets.UTF_8);
        awaitWord(READY);
    }

    /// Has the program hold the carrier from now on, if it is not told by a message.
    void begin() throws IOException {
        say("begin");
    }

    void awaitBusy() throws IOException {
        awaitWord(BUSY);
    }

    /// Has the program let go of the carrier.
    ///
    /// @return what the node says of itself then
    String end() throws IOException {
        say("end");
        return awaitWord(IDLE);
    }

    private void say(String word) throws IOException {
        process.outputWriter().write(word + "\n");
        process.outputWriter().flush();
    }

    private String awaitWord(String word) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(word)) {
                return line.substring(word.length());
            }
        }
        throw new IOException("the process ended and did not say '" + word + "'");
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    // What follows runs in the other process.

    private static final CountDownLatch STOP = new CountDownLatch(1);

    private static void compute() {
        System.out.println(BUSY);
        while (STOP.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /// Its initializer takes its time.
    private static final class Slow {
        static {
            System.out.println(BUSY);
            try {
                STOP.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static void touch() {}
    }

    /// Ends when its input does, so that none outlives the test.
    public static void main(String[] arguments) throws IOException {
        var join =
                Join.pool("busy")
                        .hub("localhost:" + arguments[0])
                        .open(Boolean.parseBoolean(arguments[1]))
                        .limit(Duration.ofSeconds(30));
        var events = new ArrayList<String>();
        var node = Node.join(join);
        node.events(event -> events.add(String.valueOf(event)));
        var _ = ReceivePort.open(node, TYPE, "in", ReceiveSetup.USUAL.upcall(message -> compute()));
        System.out.println(READY + node.id());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("begin")) {
                begin(Work.valueOf(arguments[2]));
            } else {
                STOP.countDown();
                System.out.println(IDLE + (node.isClosed() ? "closed" : "alive"));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private static void begin(Work work) {
        switch (work) {
            case UPCALL -> {
                // a message does it
            }
            case COMPUTING -> Thread.startVirtualThread(BusyNode::compute);
            case PINNED -> Thread.startVirtualThread(Slow::touch);
        }
    }
}
