package org.ibidem.lab.programs;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.IbidemException;
import org.ibidem.hub.Hub;
import org.ibidem.link.Driver;
import org.ibidem.personality.aio.IbidemAsynchronousChannelProvider;
import org.ibidem.personality.nio.IbidemSelectorProvider;
import org.ibidem.personality.sockets.Main;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectOut;

/// Runs programs in JVMs of their own, with the JDK's sockets or as nodes of a pool.
public final class Programs implements AutoCloseable {
    private static final String POOL = "programs";
    private static final String SHADED = "io.grpc.netty.shaded.";
    private static final int LIMIT = 240;
    private static final int END = 30;
    private static final int FIRST_PORT = 12_000;
    private static final int LAST_PORT = 32_000;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Process> started = new ArrayList<>();
    private final int size;

    /// A pool of so many nodes.
    public Programs(int size) {
        this.size = size;
    }

    /// The address by which programs know a rank.
    public static String address(int rank) {
        return "10.77.0." + rank;
    }

    /// What makes a program one of a pool: options of its JVM, behind which come [Main] and the
    /// program.
    ///
    /// @param stack over which the others are reached
    public static List<String> options(String at, String pool, int rank, int size, String stack) {
        var rules =
                IntStream.range(0, size)
                        .mapToObj(each -> address(each) + " -> rank " + each + " over " + stack)
                        .collect(Collectors.joining("; "));
        return List.of(
                "--add-opens=java.base/java.net=ALL-UNNAMED",
                "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.nio.channels.spi.SelectorProvider="
                        + IbidemSelectorProvider.class.getName(),
                "-Djava.nio.channels.spi.AsynchronousChannelProvider="
                        + IbidemAsynchronousChannelProvider.class.getName(),
                // gRPC takes Netty's NIO transport where there is no native one.
                "-D" + SHADED + "io.netty.transport.noNative=true",
                "-Dibidem.sockets=" + rules,
                "-Dibidem.hub=" + at,
                "-Dibidem.pool=" + pool,
                "-Dibidem.size=" + size,
                "-Dibidem.rank=" + rank);
    }

    /// Starts a program as it is.
    public Process plain(Class<?> program, String... arguments) throws IOException {
        var all = new ArrayList<>(List.of("-D" + SHADED + "io.netty.transport.noNative=true"));
        all.addAll(with(program, arguments));
        return java(System.getProperty("java.class.path"), all);
    }

    /// Starts a program that reaches the others over a stack.
    public Process start(int rank, String stack, Class<?> program, String... arguments)
            throws IOException {
        return start(rank, stack, System.getProperty("java.class.path"), with(program, arguments));
    }

    private static List<String> with(Class<?> program, String... arguments) {
        var all = new ArrayList<>(List.of(program.getName()));
        all.addAll(List.of(arguments));
        return all;
    }

    /// The class path of a program that has its own: this runtime, then that.
    public static String beside(String classPath) {
        var all = new LinkedHashSet<String>();
        var modules =
                List.of(
                        IbidemException.class,
                        ObjectOut.class,
                        Driver.class,
                        Node.class,
                        SendPort.class,
                        Main.class);
        for (var each : modules) {
            all.add(each.getProtectionDomain().getCodeSource().getLocation().getPath());
        }
        all.add(classPath);
        return String.join(File.pathSeparator, all);
    }

    /// The same with a class path.
    ///
    /// @param program its class and its arguments
    public Process start(int rank, String stack, String classPath, List<String> program)
            throws IOException {
        var all = new ArrayList<>(options("localhost:" + hub.port(), POOL, rank, size, stack));
        all.add(Main.class.getName());
        all.addAll(program);
        return java(classPath, all);
    }

    private Process java(String classPath, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp"));
        command.add(classPath);
        command.addAll(arguments);
        return run(command);
    }

    /// Starts any command; it ends with this.
    public Process run(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        var process = builder.start();
        started.add(process);
        return process;
    }

    /// A node of the pool in this process.
    public Node join(int rank) {
        return Node.join(Join.pool(POOL).hub("localhost:" + hub.port()).size(size).rank(rank));
    }

    /// Reads on until somebody says this, and lets what comes later go.
    ///
    /// @return what it says behind it
    public static String said(Process process, String begin) throws IOException {
        var seen = new StringBuilder();
        BufferedReader lines = process.inputReader();
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            int at = line.indexOf(begin);
            if (at >= 0) {
                Thread.ofPlatform().daemon().start(() -> drain(lines));
                return line.substring(at + begin.length()).strip();
            }
            seen.append(line).append('\n');
        }
        throw new IOException("'" + begin + "' was not said, but: " + seen);
    }

    private static void drain(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {}
        } catch (IOException _) {
            // it was ended
        }
    }

    /// Waits for a client's end.
    ///
    /// @return all it said
    /// @throws IOException with that, when it failed
    public static String rest(Process client) throws IOException, InterruptedException {
        var lines = new ArrayList<String>();
        client.inputReader().lines().forEach(lines::add);
        var said = String.join("\n", lines);
        if (!client.waitFor(LIMIT, TimeUnit.SECONDS) || client.exitValue() != 0) {
            throw new IOException("it failed: " + said);
        }
        return said;
    }

    /// A port that nobody listens on, below those that the system gives to clients.
    public static int freePort() throws IOException {
        for (int tries = 0; ; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            try (var socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                if (tries > LIMIT) {
                    throw e;
                }
            }
        }
    }

    /// Ends all that was started, and waits for it.
    @Override
    public void close() {
        started.forEach(Process::destroy);
        for (var each : started) {
            try {
                each.onExit().get(END, TimeUnit.SECONDS);
            } catch (TimeoutException | ExecutionException _) {
                each.destroyForcibly();
            } catch (InterruptedException _) {
                each.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
        hub.close();
    }
}
