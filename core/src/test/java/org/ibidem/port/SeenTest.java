package org.ibidem.port;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.ibidem.Background;
import org.ibidem.Logged;
import org.ibidem.buffer.Tally;
import org.ibidem.monitor.CounterFile;
import org.ibidem.monitor.Monitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What an onlooker sees of ports at work.
@Timeout(60)
@Isolated("sets what the whole JVM sees")
class SeenTest {
    private static final PortType TYPE = PortType.oneToOne().stack("shm");

    @TempDir Path folder;

    private Map<String, CounterFile.Row> rows() throws IOException {
        var all = new java.util.HashMap<String, CounterFile.Row>();
        for (var file : Monitor.files(folder)) {
            for (var row : CounterFile.read(file)) {
                all.put(row.label(), row);
            }
        }
        return all;
    }

    private CounterFile.Row only(String beginning) throws IOException {
        var found =
                rows().entrySet().stream()
                        .filter(row -> row.getKey().startsWith(beginning))
                        .map(Map.Entry::getValue)
                        .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void counters_of_each_connection_are_in_the_file() throws IOException {
        System.setProperty("ibidem.monitor", folder.toString());
        try (var pair = new Pair();
                var in = pair.receive(pair.there, TYPE, "in");
                var out = pair.send(pair.here, TYPE, "out")) {
            out.connect(pair.there.id(), "in");
            for (int i = 0; i < 10; i++) {
                try (var message = out.newMessage()) {
                    message.writeLong(i).finish();
                }
                try (var message = in.receive()) {
                    assertThat(message.readLong()).isEqualTo(i);
                }
            }
            assertThat(in.messages()).isEqualTo(10);
            assertThat(out.messages()).isEqualTo(10);
            for (var who : List.of("send port 'out' to ", "receive port 'in' from ")) {
                var seen = only(who);
                while (seen.counts().get(Tally.What.MESSAGES) < 10
                        || seen.counts().get(Tally.What.BYTES) == 0) {
                    Thread.onSpinWait(); // they are shown a moment later, one after the other
                    seen = only(who);
                }
                assertThat(seen.counts().get(Tally.What.MESSAGES)).isEqualTo(10);
                assertThat(seen.counts().get(Tally.What.BYTES)).isBetween(80L, 200L);
            }
            assertThat(only("send port 'out' to ").label()).endsWith("over shm");
            assertThat(rows()).containsKeys("send port 'out'", "receive port 'in'");
        } finally {
            System.clearProperty("ibidem.monitor");
        }
        assertThat(Monitor.files(folder)).isEmpty();
    }

    /// Nobody can make a file there.
    @Test
    void that_shared_memory_cannot_be_had_is_said_in_one_line() {
        System.setProperty("ibidem.shm", "/proc");
        var type = PortType.manyToMany().stack("multi(shm, tcp)");
        try (var log = new Logged("org.ibidem.selector.Alternatives");
                var pages = new Logged("org.ibidem.link.shm.ReadyPage");
                var pair = new Pair();
                var _ = pair.receive(pair.there, type, "one");
                var _ = pair.receive(pair.there, type, "other");
                var out = pair.send(pair.here, type, "out")) {
            for (var port : List.of("one", "other")) {
                out.connect(pair.there.id(), port);
                var way = out.way(new Target(pair.there.id(), port));
                assertThat(way.passedOver()).singleElement().asString().startsWith("shm: no, ");
            }
            assertThat(log.lines())
                    .singleElement(as(InstanceOfAssertFactories.STRING))
                    .startsWith("INFO not over shm, but over what comes next (said once): ")
                    .contains("/proc", "ibidem.shm")
                    .doesNotContain("{", "\n");
            assertThat(pages.lines()).isEmpty();
        } finally {
            System.clearProperty("ibidem.shm");
        }
    }

    @Test
    void connects_choices_and_stalls_are_recorded() throws IOException {
        try (var recording = new Recording()) {
            recording.enable("ibidem.Connect").withoutThreshold();
            recording.enable("ibidem.Stall").withoutThreshold();
            recording.start();
            stall();
            recording.stop();
            var file = Files.createTempFile(folder, "seen", ".jfr");
            recording.dump(file);
            var events =
                    RecordingFile.readAllEvents(file).stream()
                            .collect(
                                    Collectors.groupingBy(event -> event.getEventType().getName()));
            RecordedEvent connect = events.get("ibidem.Connect").getFirst();
            assertThat(connect.getString("way")).isEqualTo("shm");
            assertThat(connect.getString("from")).isEqualTo("send port 'out'");
            assertThat(events.get("ibidem.Stall").getFirst().getString("port"))
                    .isEqualTo("send port 'out'");
        }
    }

    /// A message larger than any ring waits for its reader.
    private static void stall() {
        try (var pair = new Pair();
                var in = pair.receive(pair.there, TYPE, "in");
                var out = pair.send(pair.here, TYPE, "out")) {
            out.connect(pair.there.id(), "in");
            var data = new byte[8 << 20];
            var sending =
                    Background.run(() -> {
                        try (var message = out.newMessage()) {
                            message.writeArray(data).finish();
                        }
                    });
            try (var message = in.receive()) {
                message.readArray(new byte[data.length]);
            }
            sending.join();
        }
    }
}
