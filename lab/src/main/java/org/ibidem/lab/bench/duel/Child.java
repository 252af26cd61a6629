package org.ibidem.lab.bench.duel;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A side as its parent sees it.
final class Child implements AutoCloseable {
    /// The same collector, heap and permissions for all contestants; Netty and Aeron want the last.
    private static final List<String> JVM =
            List.of(
                    "-Xms256m",
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:+AlwaysPreTouch",
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED", // for our SelectorProvider
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

    private final String name;
    private final Process process;
    private final DataOutputStream commands;

    /// What came from a child: an answer, or that it ended.
    ///
    /// @param from who says it
    /// @param answer null when it ended
    record News(Child from, Side.@Nullable Answer answer) {}

    Child(
            String name,
            Class<?> main,
            List<String> arguments,
            List<String> pin,
            BlockingQueue<News> news)
            throws IOException {
        this.name = name;
        var line = new ArrayList<>(pin);
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(JVM);
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        line.addAll(List.of(main.getName(), name));
        line.addAll(arguments);
        process = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = new DataOutputStream(process.getOutputStream());
        Thread.ofVirtual().name("bench-" + name).start(() -> listen(news));
    }

    private void listen(BlockingQueue<News> news) {
        try (var answers = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            for (var answer = Side.Answer.read(answers);
                    answer != null;
                    answer = Side.Answer.read(answers)) {
                news.add(new News(this, answer));
            }
        } catch (IOException _) {
            // a process that was killed: the same as one that ended
        }
        news.add(new News(this, null));
    }

    /// Gives it a command.
    void command(Side.Command command, Object... words) throws IOException {
        var line = new StringBuilder(command.name());
        for (var word : words) {
            line.append(' ').append(word);
        }
        commands.writeUTF(line.toString());
        commands.flush();
    }

    /// Processor time of it and of those it began, until now.
    Duration processorTime() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .flatMap(each -> each.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public String toString() {
        return "the " + name + " (process " + process.pid() + ")";
    }

    /// Ends it at once: a side may be spinning for a message that never comes.
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
