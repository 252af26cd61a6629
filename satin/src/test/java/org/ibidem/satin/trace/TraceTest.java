package org.ibidem.satin.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;
import org.ibidem.satin.trace.Chart.State;
import org.ibidem.satin.trace.Event.Kind;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What workers do is found again as they wrote it, and no more of it is kept than there is room.
class TraceTest {
    private static final Origin HERE = new Origin(3, new NodeId(1, 2), "north");
    private static final NodeId NEAR = new NodeId(3, 4);
    private static final NodeId FAR = new NodeId(5, 6);

    @TempDir Path folder;

    private Path file() {
        return folder.resolve("rank-3.trace");
    }

    private Recording read() throws IOException {
        return Recording.read(file());
    }

    @Test
    void events_are_read_as_they_were_written() throws IOException {
        var recorder = Recorder.create(file(), HERE, 2);
        var track = recorder.track();
        track.begin("main");
        long now = System.nanoTime();
        track.asked(now, now + 10);
        track.rested(now + 12, now + 20);
        long job = track.job(7, 0xabc, NEAR);
        track.wrote(now + 30, now + 40);
        track.read(now + 50, now + 60, 9);
        track.jobEnded(job, true);
        long open = track.job(8, 0xdef, NEAR);
        var read = read();
        assertThat(read.origin()).isEqualTo(HERE);
        assertThat(read.workers()).as("the other one has not begun").hasSize(1);
        var worker = read.workers().getFirst();
        assertThat(worker.name()).isEqualTo("main");
        var events = worker.events();
        assertThat(events)
                .extracting(Event::kind)
                .containsExactly(Kind.SEEK, Kind.JOB, Kind.WRITE, Kind.READ, Kind.JOB);
        assertThat(events.getFirst().to() - events.getFirst().from()).isEqualTo(20);
        assertThat(events).extracting(Event::first).containsExactly(8L, 7L, 1L, 9L, 8L);
        assertThat(events.get(1).second()).isEqualTo(0xabc);
        assertThat(events.get(1).who()).isEqualTo(NEAR);
        assertThat(events.get(1).done()).isTrue();
        assertThat(events.getLast().to()).as("number %d, which goes on", open).isZero();
        long lastSeen = worker.ended();
        assertThat(lastSeen).isEqualTo(events.getLast().from());
        track.end();
        assertThat(worker.ended()).as("the file is mapped").isGreaterThan(lastSeen);
    }

    @Test
    void the_oldest_make_room_and_are_counted() throws IOException {
        var track = Recorder.create(file(), HERE, 1).track();
        track.begin("main");
        long first = track.job(1, 0, NEAR);
        for (int i = 0; i < Track.RECORDS; i++) {
            track.wrote(i + 1, i + 2);
        }
        track.jobEnded(first, true); // It is not there any more.
        var worker = read().workers().getFirst();
        assertThat(worker.dropped()).isEqualTo(2);
        assertThat(worker.events())
                .hasSize(Track.RECORDS - 1)
                .allMatch(event -> event.kind() == Kind.WRITE && !event.done())
                .isSortedAccordingTo((one, other) -> Long.compare(one.from(), other.from()));
        assertThat(Files.size(file())).isEqualTo(Recorder.HEAD + Track.BYTES);
    }

    @Test
    void a_search_without_a_job_is_one_event() throws IOException {
        var track = Recorder.create(file(), HERE, 1).track();
        track.begin("main");
        long now = System.nanoTime();
        for (int i = 0; i < 1000; i++) {
            track.asked(now + 100L * i, now + 100L * i + 30);
            track.rested(now + 100L * i + 30, now + 100L * i + 100);
        }
        track.rested(now + 1_000_000_000, now + 1_000_000_010); // It has computed meanwhile.
        var events = read().workers().getFirst().events();
        assertThat(events).hasSize(2);
        assertThat(events.getFirst().first()).isEqualTo(70_000);
    }

    @Test
    void a_chart_says_who_spent_which_time_on_what() throws IOException {
        var track = Recorder.create(file(), HERE, 1).track();
        track.begin("main");
        long now = System.nanoTime();
        long second = TimeUnit.SECONDS.toNanos(1);
        track.asked(now + second, now + 2 * second);
        track.rested(now + 2 * second, now + 3 * second);
        track.wrote(now + 3 * second, now + 4 * second);
        track.job(1, 0, HERE.id());
        track.job(2, 0, FAR);
        var chart = Chart.of(List.of(read()), 100);
        assertThat(chart.nanos() / 1e9).isCloseTo(4, within(0.1));
        assertThat(chart.steals()).isEqualTo(2);
        var row = chart.rows().getFirst();
        for (var state : State.values()) {
            assertThat(row.share(state)).as("%s", state).isCloseTo(0.25, within(0.02));
        }
        assertThat(row.near()[0]).isEqualTo(1);
        assertThat(row.far()[0]).as("of who is not known").isEqualTo(1);
        assertThat(row.shares().get(State.COMPUTING)[10]).isEqualTo(1);
        assertThat(row.shares().get(State.WRITING)[90]).isEqualTo(1);
    }

    @Test
    void what_is_no_trace_is_refused() throws IOException {
        assertThatThrownBy(this::read).isInstanceOf(IOException.class);
        Files.write(file(), new byte[100]);
        assertThatThrownBy(this::read).hasMessageContaining("100 bytes are too few");
        Files.write(file(), new byte[1000]);
        assertThatThrownBy(this::read).hasMessageContaining("does not begin as one");
        Recorder.create(file(), HERE, 1);
        Files.write(file(), new byte[8], StandardOpenOption.APPEND);
        assertThatThrownBy(this::read).hasMessageContaining("do not go together");
    }

    @Test
    void a_file_that_cannot_be_made_is_said_with_its_cause() {
        var nowhere = folder.resolve("nowhere").resolve("rank-3.trace");
        assertThatThrownBy(() -> Recorder.create(nowhere, HERE, 1))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining(nowhere.toString())
                .hasMessageContaining("NoSuchFile");
    }

    @Test
    void names_are_text_in_the_events() throws IOException {
        var odd = new Origin(0, HERE.id(), "no\"rth\\\n");
        var track = Recorder.create(file(), odd, 1).track();
        track.begin("main");
        var out = new StringBuilder();
        TraceEvents.write(List.of(read()), out);
        assertThat(out).contains("rank 0@no\\\"rth\\\\\\u000a");
    }

    @Test
    void tracks_are_given_after_two_to_the_thirty_first() throws Exception {
        var recorder = Recorder.create(file(), HERE, 2);
        var first = recorder.track();
        var second = recorder.track();
        recorder.next = Integer.MAX_VALUE;
        assertThat(recorder.track()).isSameAs(second);
        assertThat(recorder.track()).isSameAs(first);
        assertThat(recorder.track()).isSameAs(second);
    }
}
