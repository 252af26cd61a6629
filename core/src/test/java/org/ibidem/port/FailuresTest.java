package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.Logged;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is logged of handlers that throw.
class FailuresTest {
    private static final int MOST_KINDS = 64;
    private static final Origin FROM = new Origin(new NodeId(1, 1), "out");

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    /// What is thrown in this line.
    private static Throwable thrown(int line) {
        var thrown = new IllegalStateException("for this test");
        var place = new StackTraceElement("Program", "received", "Program.java", line);
        thrown.setStackTrace(new StackTraceElement[] {place});
        return thrown;
    }

    @Test
    void the_first_of_each_kind_is_logged_with_its_trace_and_those_that_follow_in_a_line() {
        try (var in = pair.receive(pair.there, PortType.oneToOne(), "in");
                var log = new Logged(Failures.class)) {
            var failures = new Failures(in, null);
            for (int line = 1; line <= MOST_KINDS + 1; line++) {
                for (int i = 0; i < 2; i++) {
                    failures.failed(FROM, thrown(line));
                }
            }
            failures.failed(FROM, new StackOverflowError());
            var lines = log.lines().stream().filter(it -> it.contains(in.toString())).toList();
            assertThat(lines).hasSize(2 * (MOST_KINDS + 1) + 1);
            for (int i = 0; i < lines.size(); i++) {
                boolean first = i % 2 == 0 && i < 2 * MOST_KINDS;
                assertThat(lines.get(i))
                        .contains(first ? " threw; it goes on\n" : " threw again, at a message of ")
                        .doesNotContain(first ? "again" : "\n");
            }
            assertThat(lines.get(1)).contains(FROM.toString()).endsWith("for this test");
        }
    }

    @Test
    void a_program_that_asked_for_it_is_told_and_what_it_throws_then_is_logged_as_well() {
        var told = new ArrayList<Throwable>();
        var failing =
                List.<FailureUpcall>of(
                        (_, _, _) -> {
                            throw new IllegalArgumentException("the second");
                        },
                        (_, _, _) -> {
                            throw new AssertionError("the second");
                        });
        try (var in = pair.receive(pair.there, PortType.oneToOne(), "in");
                var log = new Logged(Failures.class)) {
            var why = thrown(1);
            new Failures(in, (_, _, it) -> told.add(it)).failed(FROM, why);
            assertThat(told).containsExactly(why);
            assertThat(log.lines()).noneMatch(line -> line.contains(in.toString()));
            for (var upcall : failing) {
                new Failures(in, upcall).failed(FROM, why);
            }
            assertThat(log.lines()).filteredOn(line -> line.contains(in.toString())).hasSize(2);
            assertThat(why.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsOnly("the second");
        }
    }
}
