package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Matcher;
import org.junit.jupiter.api.Test;

/// What waits in a device by the million: numbers of requests, and messages that nobody asked for.
class RequestsTest {
    private static final int MANY = 20_000;

    /// A message, and its place in a queue; the page `docs/wire/mpj.md` has it, too.
    private static final int MOST_BYTES = 112;

    /// Stands for any operation.
    private static final class Nothing extends Operation {
        @SuppressWarnings("NullAway") // it is never asked for its device
        Nothing() {
            super(null);
        }

        @Override
        public boolean cancel() {
            return false;
        }

        @Override
        public boolean isEnding() {
            return false;
        }
    }

    @Test
    void a_number_finds_its_request_until_that_is_removed() {
        var requests = new Requests<Nothing>(MANY, "sends");
        var first = new Nothing();
        int number = requests.add(first);
        for (int i = 1; i < MANY; i++) {
            assertThat(requests.add(new Nothing())).isNotEqualTo(number);
        }
        assertThat(requests.get(number)).isSameAs(first);
        requests.remove(number);
        assertThat(requests.get(number)).isNull();
        int next = requests.add(new Nothing());
        assertThat(next).as("used again, but not soon").isNotEqualTo(number);
        assertThat(requests.get(number)).isNull();
        assertThat(requests.size()).isEqualTo(MANY);
        assertThat(requests.all()).hasSize(MANY);
    }

    @Test
    void more_than_there_may_be_are_refused() {
        var requests = new Requests<Nothing>(2, "sends");
        int number = requests.add(new Nothing());
        assertThat(requests.add(new Nothing())).isNotEqualTo(number);
        assertThatThrownBy(() -> requests.add(new Nothing()))
                .isInstanceOfSatisfying(
                        Fault.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.OTHER))
                .hasMessage(
                        "there are 2 sends already, which is the most: wait for some of them first");
        requests.remove(number);
        assertThat(requests.add(new Nothing())).isNotNegative();
    }

    @Test
    void a_message_that_waits_costs_about_a_hundred_bytes() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var matcher = new Matcher<Receiving, Arrived>();
        var message = new Envelope(1, 0, 7, 3, 5, 4, 0, false, false);
        arrive(matcher, message); // classes are there
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            arrive(matcher, message);
        }
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / MANY;
        assertThat(each).isBetween(16L, (long) MOST_BYTES);
        var found = matcher.find(Device.ANY, 7, 3);
        assertThat(found).isNotNull();
        assertThat(found.message()).isEqualTo(message);
    }

    private static void arrive(Matcher<Receiving, Arrived> matcher, Envelope message) {
        var arrived = new Arrived();
        arrived.is(message, Header.START, 9);
        if (matcher.arrive(arrived, 1, 7, 3) != null) {
            throw new AssertionError("nobody receives it");
        }
    }
}
