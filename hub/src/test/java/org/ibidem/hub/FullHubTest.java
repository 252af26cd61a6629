package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.hub.journal.FailingDisk;
import org.ibidem.hub.pools.Answer;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.Limits;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.task.ManualTasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of commands while the disk takes nothing, or is slow; and of time. What the hub
/// does at intervals is done by hand.
class FullHubTest {
    private static final String POOL = "demo";
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final long SUSPICION = 6_000_000_000L;

    private final ManualTasks tasks = new ManualTasks();
    private final FailingDisk disk = new FailingDisk();
    private final ReentrantLock guard = new ReentrantLock();
    private final List<Answer> answers = new ArrayList<>();

    @TempDir Path folder;
    private State state;
    private Attention attention;
    private Commands commands;
    private long session;

    private void begin() {
        var limits = new Limits(SUSPICION, 256, 16 * 1024, 1024);
        state = State.kept(folder, disk, limits, tasks::nanoTime);
        attention = new Attention(tasks, INTERVAL);
        commands =
                new Commands(
                        state,
                        guard,
                        tasks,
                        _ -> {},
                        why -> {
                            throw new AssertionError(why);
                        },
                        attention::now);
    }

    @AfterEach
    void end() {
        commands.close();
        state.close();
    }

    private static NodeId id(int n) {
        return new NodeId(n, n);
    }

    private Answer submit(Command command) {
        int before = answers.size();
        commands.submit(command, answers::add);
        tasks.run();
        return answers.size() > before ? answers.getLast() : new Answer.Done();
    }

    private Answer attach(int n, long epoch) {
        var past = new Request.Past(epoch, 0, "", java.util.Optional.empty(), false);
        var wish =
                new Request.Attach(
                        Protocol.VERSION,
                        new Contact(id(n), List.of(), Map.of()),
                        Location.parse("here"),
                        0,
                        -1,
                        Membership.ORDERED,
                        past);
        return submit(
                new Command.Attach(POOL, ++session, wish, Command.Recalled.NONE, attention.now()));
    }

    private Answer next(int n, long call, List<Long> open) {
        return submit(new Command.Operate(POOL, id(n), call, open, new Operation.Next("s", 1)));
    }

    private void lost(int n) {
        long on = state.pools().pool(POOL).seat(id(n)).session();
        submit(new Command.Lost(POOL, id(n), on, "cut", attention.now()));
    }

    /// Time goes by, as the hub sees it.
    private void pass(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= INTERVAL.toMillis()) {
            tasks.advance(INTERVAL);
            attention.look(commands.able(INTERVAL));
            long now = attention.now();
            if (state.pools().nextDeadline().filter(due -> due - now <= 0).isPresent()) {
                submit(new Command.Expire(now));
            }
        }
    }

    private boolean isMember(int n) {
        return state.pools().pool(POOL).seat(id(n)) != null;
    }

    @Test
    void one_that_was_cut_off_meanwhile_has_all_its_time_when_there_is_room_again() {
        begin();
        attach(1, 0);
        attach(2, 0);
        disk.room(0);
        assertThat(attach(3, 0))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        no -> assertThat(no.code()).isEqualTo(JoinRefusal.CANNOT_WRITE));
        lost(1);
        pass(Duration.ofSeconds(20));
        assertThat(attach(1, state.pools().epoch())).isInstanceOf(Answer.Refused.class);
        disk.room(Long.MAX_VALUE);
        pass(Duration.ofSeconds(5));
        assertThat(state.pools().pool(POOL).seat(id(1)).suspected()).isTrue();
        assertThat(attach(1, state.pools().epoch())).isInstanceOf(Answer.Accepted.class);
        pass(Duration.ofSeconds(20));
        assertThat(isMember(1)).isTrue();
    }

    /// What was seen first is told first, though it could not be written then.
    @Test
    void one_that_was_silent_meanwhile_and_is_heard_again_stays() {
        begin();
        attach(1, 0);
        attach(2, 0);
        disk.room(0);
        lost(1);
        disk.room(Long.MAX_VALUE);
        submit(new Command.Heard(POOL, id(1), state.pools().pool(POOL).seat(id(1)).session()));
        assertThat(state.pools().pool(POOL).seat(id(1)).suspected()).isFalse();
        pass(Duration.ofSeconds(20));
        assertThat(isMember(1)).isTrue();
    }

    @Test
    void one_that_was_out_of_contact_before_has_the_rest_of_its_time() {
        begin();
        attach(1, 0);
        attach(2, 0);
        lost(1);
        pass(Duration.ofSeconds(4));
        disk.room(0);
        next(2, 1, List.of());
        pass(Duration.ofSeconds(20));
        disk.room(Long.MAX_VALUE);
        pass(Duration.ofMillis(1_500));
        assertThat(isMember(1)).isTrue();
        pass(Duration.ofSeconds(3));
        assertThat(isMember(1)).isFalse();
    }

    @Test
    void it_is_found_that_there_is_room_again_though_nobody_wants_anything() {
        begin();
        attach(1, 0);
        disk.room(0);
        next(1, 1, List.of());
        assertThat(commands.able(INTERVAL)).isFalse();
        pass(Duration.ofSeconds(3));
        assertThat(commands.able(INTERVAL)).isFalse();
        disk.room(Long.MAX_VALUE);
        pass(Duration.ofSeconds(2));
        assertThat(commands.able(INTERVAL)).isTrue();
    }

    @Test
    void what_was_done_before_is_answered_so_also_while_nothing_can_be_written() {
        begin();
        attach(1, 0);
        var done = next(1, 1, List.of());
        assertThat(done).isEqualTo(new Answer.Settled(new Outcome.Value(0)));
        var waits = new Command.Operate(POOL, id(1), 2, List.of(1L), new Operation.Take("t", true));
        assertThat(submit(waits)).isEqualTo(new Answer.Done());
        disk.room(0);
        assertThat(next(1, 1, List.of())).isEqualTo(done);
        assertThat(submit(waits)).isEqualTo(new Answer.Done());
        refused(next(1, 3, List.of(1L, 2L)), "cannot keep its state now");
        disk.room(Long.MAX_VALUE);
        assertThat(next(1, 4, List.of(2L))).isEqualTo(new Answer.Settled(new Outcome.Value(1)));
    }

    /// Its answer was lost with that of a later one which was done.
    @Test
    void what_was_refused_is_refused_when_it_is_asked_for_again() {
        begin();
        attach(1, 0);
        disk.room(0);
        refused(next(1, 1, List.of()), "cannot keep its state now");
        disk.room(Long.MAX_VALUE);
        assertThat(next(1, 2, List.of(1L))).isEqualTo(new Answer.Settled(new Outcome.Value(0)));
        refused(next(1, 1, List.of()), "refused when it was asked for first");
        assertThat(next(1, 2, List.of(1L))).isEqualTo(new Answer.Settled(new Outcome.Value(0)));
    }

    private static void refused(Answer answer, String why) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Settled.class,
                        settled ->
                                assertThat(settled.outcome())
                                        .isInstanceOfSatisfying(
                                                Outcome.Refused.class,
                                                no -> assertThat(no.why()).contains(why)));
    }
}
