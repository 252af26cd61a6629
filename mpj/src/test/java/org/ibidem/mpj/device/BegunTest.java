package org.ibidem.mpj.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What becomes of what a call has begun, on requests that do as they are told.
@Timeout(20)
class BegunTest {
    private static final Envelope END = new Envelope(0, 1, 2, 3, 4, 5, 0, false, false);
    private static final Envelope BACK = Envelope.cancelled(0, 1, 2, 3);

    /// What was done to requests, in order.
    private final List<String> done = new ArrayList<>();

    private static DeviceInterrupted interrupted() {
        return new DeviceInterrupted(new InterruptedException());
    }

    /// An interrupt while it waits.
    private static Envelope interruptedAgain() {
        Thread.currentThread().interrupt();
        throw interrupted();
    }

    private static Envelope gone() {
        throw new DeviceFailed("its process is gone");
    }

    /// As a device has them: who waits for one and is interrupted is told so.
    private final class Scripted implements Request {
        private final String name;
        private final Supplier<Envelope> end;
        private boolean isDone;
        private boolean isEnding;
        private boolean endsOnceCancelled;
        private boolean isBroken;

        Scripted(String name, Supplier<Envelope> end) {
            this.name = name;
            this.end = end;
        }

        Scripted(String name) {
            this(name, () -> END);
        }

        /// It is complete.
        Scripted complete() {
            isDone = true;
            isEnding = true;
            return this;
        }

        /// Its receiver can be asked to give it back.
        Scripted endsOnceCancelled() {
            endsOnceCancelled = true;
            return this;
        }

        /// It fails to be cancelled.
        Scripted broken() {
            isBroken = true;
            return this;
        }

        @Override
        public Envelope await() {
            if (!isDone && Thread.currentThread().isInterrupted()) {
                done.add(name + " waits in vain");
                throw interrupted();
            }
            done.add(name + " waits");
            return end.get();
        }

        @Override
        public Envelope test() {
            throw new AssertionError("nobody looks");
        }

        @Override
        public boolean isDone() {
            return isDone;
        }

        @Override
        public boolean cancel() {
            done.add(name + " back");
            if (isBroken) {
                throw new IllegalStateException(name + " is broken");
            }
            isEnding |= endsOnceCancelled;
            return false;
        }

        @Override
        public boolean isEnding() {
            return isEnding;
        }
    }

    @AfterEach
    void isNotInterrupted() {
        assertThat(Thread.interrupted()).as("the thread of the next test").isFalse();
    }

    private static void fails(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(DeviceInterrupted.class).hasMessage(message);
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }

    @Test
    void all_are_waited_for_the_receives_first() {
        try (var begun = new Begun()) {
            var send = new Scripted("send").complete();
            var receive = new Scripted("receive").complete();
            assertThat(begun.sends(send)).isSameAs(send);
            assertThat(begun.receives(receive)).isSameAs(receive);
            begun.await();
        }
        assertThat(done).containsExactly("receive waits", "send waits");
    }

    @Test
    void a_call_that_fails_takes_its_receives_back_and_no_sends() {
        try (var begun = new Begun()) {
            begun.receives(new Scripted("complete").complete());
            begun.receives(new Scripted("receive").endsOnceCancelled());
            begun.sends(new Scripted("send").endsOnceCancelled());
        }
        assertThat(done).containsExactly("receive back");
    }

    @Test
    void one_that_is_interrupted_takes_all_back_and_waits_for_what_ends() {
        Thread.currentThread().interrupt();
        try (var begun = new Begun()) {
            begun.receives(new Scripted("receive").endsOnceCancelled());
            begun.sends(new Scripted("send").endsOnceCancelled());
            begun.sends(new Scripted("cannot be asked"));
            begun.sends(new Scripted("fails", BegunTest::gone).endsOnceCancelled());
            begun.sends(new Scripted("last").endsOnceCancelled());
        }
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(done)
                .containsExactly(
                        "receive back",
                        "send back",
                        "cannot be asked back",
                        "fails back",
                        "last back",
                        "receive waits",
                        "send waits",
                        "fails waits",
                        "last waits");
    }

    @Test
    void one_that_is_interrupted_twice_does_not_wait_on() {
        Thread.currentThread().interrupt();
        try (var begun = new Begun()) {
            begun.sends(new Scripted("one", BegunTest::interruptedAgain).endsOnceCancelled());
            begun.sends(new Scripted("other").endsOnceCancelled());
        }
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(done).containsExactly("one back", "other back", "one waits");
    }

    @Test
    void a_failure_to_take_back_is_thrown_to_a_thread_that_stays_interrupted() {
        var begun = new Begun();
        begun.sends(new Scripted("send").broken());
        Thread.currentThread().interrupt();
        assertThatThrownBy(begun::close).hasMessage("send is broken");
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    }

    @Test
    void what_is_complete_is_left_alone_by_an_interrupted_thread() {
        Thread.currentThread().interrupt();
        try (var begun = new Begun()) {
            begun.receives(new Scripted("receive").complete());
            begun.sends(new Scripted("send").complete());
        }
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        assertThat(done).isEmpty();
    }

    @Test
    void the_only_request_of_an_interrupted_call_comes_back_or_comes_to_its_end() {
        Thread.currentThread().interrupt();
        fails(
                () -> Begun.await(new Scripted("back", () -> BACK).endsOnceCancelled()),
                "the thread was interrupted while it waited: what the call had begun was taken"
                        + " back");
        Thread.currentThread().interrupt();
        assertThat(Begun.await(new Scripted("met").endsOnceCancelled())).isEqualTo(END);
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        Thread.currentThread().interrupt();
        fails(
                () -> Begun.await(new Scripted("cannot be asked")),
                "the thread was interrupted while it waited");
        assertThat(done)
                .containsExactly(
                        "back waits in vain",
                        "back back",
                        "back waits",
                        "met waits in vain",
                        "met back",
                        "met waits",
                        "cannot be asked waits in vain",
                        "cannot be asked back");
        assertThat(Begun.await(new Scripted("undisturbed"))).isEqualTo(END);
    }

    @Test
    void the_first_interrupt_is_kept_for_later_and_the_second_ends_what_waits() {
        assertThat(Begun.awaitEnd(new Scripted("undisturbed"))).isEqualTo(END);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThat(Begun.awaitEnd(new Scripted("before"))).isEqualTo(END);
        assertThat(Thread.interrupted()).as("for later").isTrue();
        var first = List.of(true, false).iterator();
        var meanwhile = new Scripted("meanwhile", () -> first.next() ? interruptedAgain() : END);
        assertThat(Begun.awaitEnd(meanwhile)).isEqualTo(END);
        assertThat(Thread.interrupted()).as("for later").isTrue();
        Thread.currentThread().interrupt();
        fails(
                () -> Begun.awaitEnd(new Scripted("twice", BegunTest::interruptedAgain)),
                "the thread was interrupted while it waited");
        assertThat(done)
                .containsExactly(
                        "undisturbed waits",
                        "before waits",
                        "meanwhile waits",
                        "meanwhile waits",
                        "twice waits");
    }

    @Test
    void what_fails_meanwhile_leaves_the_first_interrupt_for_later() {
        var fails = new Scripted("fails", BegunTest::gone);
        assertThatThrownBy(() -> Begun.awaitEnd(fails)).hasMessage("its process is gone");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Begun.awaitEnd(fails)).hasMessage("its process is gone");
        assertThat(Thread.interrupted()).as("for later").isTrue();
        var first = List.of(true, false).iterator();
        var later = new Scripted("later", () -> first.next() ? interruptedAgain() : gone());
        assertThatThrownBy(() -> Begun.awaitEnd(later)).hasMessage("its process is gone");
        assertThat(Thread.interrupted()).as("for later").isTrue();
    }
}
