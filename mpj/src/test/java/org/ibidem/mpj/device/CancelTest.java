package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.mpj.device.Device.ANY;

import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sends that are cancelled after their receiver has heard of them, over each stack.
@Tag("slow")
@ParameterizedClass(name = "{0}")
@EnumSource
@Timeout(40)
class CancelTest {
    private static final AtomicInteger CONTEXTS = new AtomicInteger();
    private static final int LONG = 100_000;
    private static Fleet fleet;

    @Parameter Fleet.Over over;

    private final int context = CONTEXTS.incrementAndGet();
    private final Device zero = fleet.device(0);
    private final Device one = fleet.device(1);

    @BeforeParameterizedClassInvocation
    static void open(Fleet.Over over) {
        fleet = over.open(2).connected(CONTEXTS.incrementAndGet());
    }

    @AfterParameterizedClassInvocation
    static void close() {
        fleet.close();
    }

    private Request sync(int to, int seed, int size) {
        return zero.issend(new Pattern(seed, size), to, 1, context);
    }

    private void isHeardOf(Device at) {
        fleet.until(() -> at.iprobe(0, 1, context) != null);
    }

    private void comes(Device at, int seed, int size) {
        var into = new Taken(size);
        fleet.end(at.irecv(into, 0, 1, context));
        into.requireOf(seed, size);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, Fleet.EAGER, LONG})
    void a_send_whose_receiver_has_heard_of_it_comes_back(int size) {
        var sent = sync(1, 1, size);
        isHeardOf(one);
        boolean _ = sent.cancel();
        assertThat(fleet.end(sent).cancelled()).isTrue();
        assertThat(sent.cancel()).as("a second time").isFalse();
        assertThat(one.iprobe(ANY, ANY, context)).isNull();
        fleet.end(
                one.irecv(new Taken(1), 0, 2, context),
                zero.isend(new Pattern(1, 1), 1, 2, context));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, LONG})
    void a_send_that_has_met_its_receive_does_not(int size) {
        var into = new Taken(size);
        var sent = sync(1, 1, size);
        isHeardOf(one);
        var received = one.irecv(into, 0, 1, context);
        boolean _ = sent.cancel();
        assertThat(fleet.end(sent).cancelled()).isFalse();
        assertThat(fleet.end(received).cancelled()).isFalse();
        into.requireOf(1, size);
    }

    /// To itself, and to another.
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void of_equal_sends_that_one_comes_back_which_was_cancelled(int to) {
        var at = fleet.device(to);
        for (int which = 0; which < 3; which++) {
            var all = new ArrayList<Request>();
            for (int seed = 0; seed < 3; seed++) {
                all.add(sync(to, seed, LONG));
            }
            isHeardOf(at);
            boolean _ = all.get(which).cancel();
            assertThat(fleet.end(all.get(which)).cancelled()).isTrue();
            for (int seed = 0; seed < 3; seed++) {
                if (seed != which) {
                    comes(at, seed, LONG);
                    assertThat(fleet.end(all.get(seed)).cancelled()).isFalse();
                }
            }
            assertThat(at.iprobe(ANY, ANY, context)).isNull();
        }
    }
}
