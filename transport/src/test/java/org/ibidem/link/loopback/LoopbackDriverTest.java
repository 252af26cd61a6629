package org.ibidem.link.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.TestLower;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// Two ends that meet in one JVM.
@Timeout(30)
@Isolated("counts the meetings of the whole JVM")
class LoopbackDriverTest {
    private static final Loopback OPTIONS = new Loopback(64 * 1024);

    private final LoopbackDriver driver = new LoopbackDriver();

    private FrameLink open(TestLower end) throws Exception {
        return (FrameLink) driver.open(end, OPTIONS);
    }

    @Test
    void what_was_sent_before_the_other_end_came_is_found_though_its_sender_has_closed()
            throws Exception {
        var ends = TestLower.pair();
        var frame = new Frame();
        try (var active = open(ends[0])) {
            assertThat(active.sink().claim(frame, 8)).isTrue();
            frame.memory.set(ValueLayout.JAVA_LONG, frame.position, 42);
            frame.position += Long.BYTES;
            assertThat(active.sink().commit(frame, 0)).isTrue();
        }
        try (var passive = open(ends[1])) {
            assertThat(passive.source().poll(frame)).isTrue();
            assertThat(frame.memory.get(ValueLayout.JAVA_LONG, frame.position)).isEqualTo(42);
            assertThatThrownBy(() -> passive.source().poll(frame)).isInstanceOf(LinkBroken.class);
        }
    }

    @Test
    void one_that_nobody_comes_to_is_forgotten_after_a_while() throws Exception {
        int before = LoopbackDriver.forget(System.nanoTime());
        var active = open(TestLower.pair()[0]);
        long later = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        assertThat(LoopbackDriver.forget(later)).as("one that is open").isEqualTo(before + 1);
        active.close();
        assertThat(LoopbackDriver.forget(System.nanoTime())).isEqualTo(before + 1);
        assertThat(LoopbackDriver.forget(later)).isEqualTo(before);
    }
}
