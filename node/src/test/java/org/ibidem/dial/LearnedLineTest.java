package org.ibidem.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.link.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearnedLineTest {
    private static final LineFile NOWHERE = new LineFile(null, InstantSource.system());

    private final AtomicLong clock = new AtomicLong(1);
    private final LearnedLine line = new LearnedLine("site office", clock::get);

    @Test
    void what_is_told_is_known() {
        assertThat(line.known()).isEqualTo(Line.Known.NOTHING);
        line.roundTrip(Duration.ofMillis(50));
        line.roundTrip(Duration.ofMillis(43));
        line.roundTrip(Duration.ofMillis(60));
        line.streams(16, 8e6);
        line.data(1000, 300);
        line.data(1000, 300);
        clock.addAndGet(7_000);
        assertThat(line.known())
                .isEqualTo(
                        new Line.Known(
                                Duration.ofMillis(43),
                                16,
                                8e6,
                                2000,
                                600,
                                Duration.ofNanos(7_000)));
    }

    @Test
    void of_data_what_came_lately_counts() {
        for (int i = 0; i < 1000; i++) {
            line.data(1 << 20, 1 << 18);
        }
        for (int i = 0; i < 2000; i++) {
            line.data(1 << 20, 1 << 20);
        }
        var known = line.known();
        assertThat((double) known.wire() / known.raw()).isGreaterThan(0.99);
    }

    @Test
    void the_last_decision_of_each_is_kept_and_all_are_recorded(@TempDir Path folder)
            throws IOException {
        var file = folder.resolve("decisions.jfr");
        try (var recording = new Recording()) {
            recording.enable("ibidem.Decision");
            recording.start();
            line.decided("parallel", "4 streams", "1 brought 1.70 MB/s");
            line.decided("auto", "tcp", "the round trip is 0.1 ms");
            line.decided("parallel", "16 streams", "4 brought 6.80 MB/s");
            recording.dump(file);
        }
        assertThat(line.decisions())
                .containsExactly(
                        "parallel: 16 streams, as 4 brought 6.80 MB/s",
                        "auto: tcp, as the round trip is 0.1 ms");
        // Whatever another test records at the time is in the file, too.
        assertThat(RecordingFile.readAllEvents(file))
                .filteredOn(event -> event.getEventType().getName().equals("ibidem.Decision"))
                .filteredOn(event -> event.getString("to").equals("site office"))
                .extracting(LearnedLineTest::text)
                .containsExactly(
                        "site office parallel 4 streams: 1 brought 1.70 MB/s",
                        "site office auto tcp: the round trip is 0.1 ms",
                        "site office parallel 16 streams: 4 brought 6.80 MB/s");
    }

    private static String text(RecordedEvent event) {
        return "%s %s %s: %s"
                .formatted(
                        event.getString("to"),
                        event.getString("what"),
                        event.getString("decision"),
                        event.getString("why"));
    }

    @Test
    void nodes_of_one_site_share_a_line_and_others_do_not() {
        try (var threads = new Threads("test")) {
            var experience = new Experience(threads, NOWHERE);
            var one = Identity.create().id();
            var other = Identity.create().id();
            assertThat(experience.line(one, "office")).isSameAs(experience.line(other, "office"));
            assertThat(experience.line(one, "")).isNotSameAs(experience.line(other, ""));
            var before = experience.line(one, "");
            experience.forget(one);
            assertThat(experience.line(one, "")).isNotSameAs(before);
        }
    }
}
