package org.ibidem.lab.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/// A broker of Kafka as it comes, which is its own controller, and its clients. Their class path is
/// their own, of what Maven has in its repository.
///
/// @param folder for what it keeps
/// @param classes what it and its clients need of Kafka
public record Kafka(Path folder, String classes) {
    private static final Path SOURCES = Path.of("src/test/kafka");
    private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

    /// Skips the test where Maven has none.
    public static Kafka find(Path folder) throws IOException, InterruptedException {
        var file = folder.resolve("classpath");
        var all = new ArrayList<>(List.of("mvn", "-o", "-q", "-B", "-f", SOURCES.toString()));
        all.addAll(List.of("dependency:build-classpath", "-Dmdep.outputFile=" + file));
        var maven =
                new ProcessBuilder(all)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("maven").toFile())
                        .start();
        assumeTrue(
                maven.waitFor() == 0,
                "there is no Kafka: 'mvn -f lab/src/test/kafka dependency:build-classpath'");
        return new Kafka(folder, Files.readString(file).strip());
    }

    /// Makes the broker's folders.
    ///
    /// @param host by which clients know it
    /// @return its class and its arguments
    public List<String> broker(String host, int port) throws IOException, InterruptedException {
        var file = configuration(host, port);
        var tool = List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", file + "");
        var said = java(tool);
        assertThat(folder.resolve("log/meta.properties")).as(said).exists();
        return List.of("kafka.Kafka", file.toString());
    }

    /// The broker asks its controller by the machine's own address.
    private Path configuration(String host, int port) throws IOException {
        var lines =
                """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@localhost:%2$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                listeners=PLAINTEXT://:%1$d,CONTROLLER://localhost:%2$d
                advertised.listeners=PLAINTEXT://%3$s:%1$d
                log.dirs=%4$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                group.initial.rebalance.delay.ms=0
                """
                        .formatted(port, Programs.freePort(), host, folder.resolve("log"));
        return Files.writeString(folder.resolve("server.properties"), lines);
    }

    private String java(List<String> arguments) throws IOException, InterruptedException {
        var all = new ArrayList<String>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.addAll(List.of("-XX:+UseSerialGC", "-cp", classes));
        all.addAll(arguments);
        var started = new ProcessBuilder(all).redirectErrorStream(true).start();
        try (var out = started.inputReader()) {
            var said = String.join("\n", out.lines().toList());
            assertThat(started.waitFor()).as(said).isZero();
            return said;
        }
    }

    /// Compiles the client `KafkaHello`.
    ///
    /// @return its class path
    public String clientClasses() throws IOException {
        var to = Files.createDirectory(folder.resolve("classes"));
        var from = SOURCES.resolve("KafkaHello.java").toString();
        int code =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", classes, "-d", to + "", from);
        assertThat(code).isZero();
        return to + File.pathSeparator + classes;
    }

    /// Its class and its arguments.
    public static List<String> client(String host, int port) {
        return List.of("KafkaHello", host + ":" + port);
    }
}
