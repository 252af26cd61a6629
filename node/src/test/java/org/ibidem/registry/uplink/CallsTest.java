package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.Background;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.registry.Events;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.coordination.OperationRefused;
import org.ibidem.registry.coordination.PoolRestarted;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a node asks of its hub, with a hub that is played: what is given up is taken back, what is
/// lost is asked again, and nobody waits for what has come.
@Timeout(60)
class CallsTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Member OTHER = new Member(new NodeId(2, 2), 1, Location.parse("there"));
    private static final Operation TAKE = new Operation.Take("t", true);
    private static final Operation NEXT = new Operation.Next("s", 1);
    private static final Outcome GOT = new Outcome.Taken(true);
    private static final Outcome NONE = new Outcome.Taken(false);
    private static final int MOST = Protocol.MOST_OPEN / 2;

    private final ManualClock clock = new ManualClock();
    private final PlayedHub hub = new PlayedHub(new Threads("test", clock));
    private Uplink uplink = hub.uplink(Membership.ORDERED, LONG, "hub:1");

    @AfterEach
    void close() {
        hub.close();
    }

    private void join() throws Exception {
        var joining = Background.run(uplink::join);
        hub.takesIn(hub.me, OTHER);
        joining.get();
    }

    private CompletableFuture<Outcome> operate(Operation operation, Duration limit) {
        return Background.call(() -> uplink.operate(operation, limit));
    }

    /// Lets time pass until it is noticed: who waits looks when something is heard.
    private void pass(CompletableFuture<?> until) {
        eventually(
                "it is over",
                () -> {
                    clock.advance(Duration.ofSeconds(1));
                    hub.say(new Reply.Events(1, 1, List.of()));
                    return until.isDone();
                });
    }

    @Test
    void a_wait_that_is_over_is_ended_at_the_hub_and_what_came_of_it_counts() throws Exception {
        join();
        for (var outcome : List.of(GOT, NONE)) {
            var taking = operate(TAKE, Duration.ZERO);
            var take = hub.asked(TAKE);
            var cancel = hub.asked(new Operation.Cancel(take.call()));
            hub.settle(take, outcome);
            assertThat(taking.get()).isEqualTo(outcome);
            hub.settle(cancel, new Outcome.Done());
        }
    }

    @Test
    void a_token_that_comes_too_late_is_given_back() throws Exception {
        join();
        var taking = operate(TAKE, Duration.ZERO);
        var take = hub.asked(TAKE);
        hub.asked(new Operation.Cancel(take.call()));
        pass(taking);
        assertThat(taking.get()).isEqualTo(NONE);
        hub.settle(take, GOT);
        hub.asked(new Operation.Add("t", 1));
    }

    @Test
    void what_the_hub_could_not_take_back_it_is_asked_again() throws Exception {
        join();
        var taking = operate(TAKE, Duration.ZERO);
        var take = hub.asked(TAKE);
        hub.asked(new Operation.Cancel(take.call()));
        pass(taking);
        hub.settle(take, GOT);
        for (int i = 0; i < 3; i++) {
            hub.settle(hub.asked(new Operation.Add("t", 1)), new Outcome.Refused("no room"));
            var next = operate(NEXT, LONG);
            hub.settle(hub.asked(NEXT), new Outcome.Value(i));
            next.get();
            clock.advance(Duration.ofSeconds(1)); // it was heard, as what came after it
        }
        hub.settle(hub.asked(new Operation.Add("t", 1)), new Outcome.Value(1));
        clock.advance(Duration.ofSeconds(1));
        var last = operate(NEXT, LONG);
        hub.settle(hub.asked(NEXT), new Outcome.Value(3));
        last.get();
    }

    private Thread interruptible(Operation operation, AtomicReference<Throwable> thrown) {
        return Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        uplink.operate(operation, LONG);
                    } catch (RuntimeException e) {
                        thrown.set(e);
                    }
                });
    }

    @Test
    void one_who_is_interrupted_waits_no_more_also_at_the_hub() throws Exception {
        join();
        var thrown = new AtomicReference<Throwable>();
        var taking = interruptible(TAKE, thrown);
        var take = hub.asked(TAKE);
        eventually("it waits", () -> taking.getState() == Thread.State.TIMED_WAITING);
        taking.interrupt();
        var cancel = hub.asked(new Operation.Cancel(take.call()));
        taking.join();
        assertThat(thrown.get())
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("interrupted");
        hub.settle(cancel, new Outcome.Done());
        hub.settle(take, GOT);
        hub.asked(new Operation.Add("t", 1));
    }

    /// Both happen while somebody looks at the pool, the outcome first.
    @Test
    void one_who_is_interrupted_as_the_outcome_comes_has_it_taken_back() throws Exception {
        join();
        var thrown = new AtomicReference<Throwable>();
        var elect = new Operation.Elect("e");
        var electing = interruptible(elect, thrown);
        var asked = hub.asked(elect);
        eventually("it waits", () -> electing.getState() == Thread.State.TIMED_WAITING);
        var lock = lock();
        lock.lock();
        try {
            hub.settle(asked, new Outcome.Elected(hub.me, 1));
            eventually("the outcome is about to be known", lock::hasQueuedThreads);
            electing.interrupt();
            eventually("so is the interrupt", () -> lock.getQueueLength() == 2);
        } finally {
            lock.unlock();
        }
        hub.asked(new Operation.Withdraw("e"));
        electing.join();
        assertThat(thrown.get()).hasMessageContaining("interrupted");
    }

    private ReentrantLock lock() throws ReflectiveOperationException {
        var guard = Uplink.class.getDeclaredField("guard");
        guard.setAccessible(true);
        var lock = Guard.class.getDeclaredField("lock");
        lock.setAccessible(true);
        return (ReentrantLock) lock.get(guard.get(uplink));
    }

    @Test
    void who_waits_for_room_has_it_when_another_one_has_its_outcome() throws Exception {
        join();
        var waiting = new ArrayList<CompletableFuture<Outcome>>();
        Request.Operate first = null;
        for (int i = 0; i < MOST; i++) {
            waiting.add(operate(TAKE, LONG));
            var asked = hub.asked(TAKE);
            first = first == null ? asked : first;
        }
        var more = operate(NEXT, LONG);
        eventually("it waits", () -> !more.isDone());
        hub.settle(first, GOT);
        var next = hub.asked(NEXT);
        assertThat(next.open()).hasSize(MOST - 1).doesNotContain(first.call());
        hub.settle(next, new Outcome.Value(0));
        assertThat(more.get()).isEqualTo(new Outcome.Value(0));
        assertThat(waiting).filteredOn(CompletableFuture::isDone).hasSize(1);
    }

    @Test
    void who_waits_for_room_in_vain_says_what_the_hub_has_not_answered() throws Exception {
        join();
        var waiting = new ArrayList<CompletableFuture<Outcome>>();
        for (int i = 0; i < MOST; i++) {
            waiting.add(operate(TAKE, LONG));
            hub.asked(TAKE);
        }
        assertThatThrownBy(() -> uplink.operate(NEXT, Duration.ZERO))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("has not answered what was asked before");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void what_is_not_answered_in_time_or_refused_says_so() throws Exception {
        join();
        assertThatThrownBy(() -> uplink.operate(NEXT, Duration.ZERO))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("has not answered within 0 ms");
        hub.asked(NEXT);
        var refused = operate(NEXT, LONG);
        hub.settle(hub.asked(NEXT), new Outcome.Refused("it has come to its end"));
        assertThatThrownBy(refused::get)
                .hasCauseInstanceOf(OperationRefused.class)
                .hasMessageContaining("it has come to its end");
    }

    private PlayedHub back(long epoch) throws InterruptedException {
        eventually(
                "it comes back",
                () -> {
                    clock.advance(Duration.ofMillis(100));
                    return hub.isConnected();
                });
        hub.connected();
        assertThat(hub.heard()).isInstanceOf(Request.Attach.class);
        hub.welcome(epoch);
        return hub;
    }

    @Test
    void what_has_no_outcome_is_asked_again_on_the_next_connection() throws Exception {
        join();
        var done = operate(NEXT, LONG);
        hub.settle(hub.asked(NEXT), new Outcome.Value(0));
        done.get();
        var open = operate(TAKE, LONG);
        var asked = hub.asked(TAKE);
        hub.breaks();
        back(PlayedHub.EPOCH);
        assertThat(hub.asked(TAKE).call()).isEqualTo(asked.call());
        hub.settle(asked, GOT);
        assertThat(open.get()).isEqualTo(GOT);
    }

    @Test
    void what_may_have_been_done_by_a_hub_that_began_anew_is_not_known() throws Exception {
        join();
        var next = operate(NEXT, LONG);
        hub.asked(NEXT);
        hub.breaks();
        back(PlayedHub.EPOCH + 1);
        assertThatThrownBy(next::get).hasCauseInstanceOf(PoolRestarted.class);
    }

    @Test
    void who_is_told_changes_that_do_not_follow_says_so_and_comes_back() throws Exception {
        join();
        hub.say(new Reply.Events(5, 6, List.of()));
        assertThat(hub.heardGoodbye())
                .contains("the hub told changes after number 5, but the last one was 1")
                .doesNotContain("garbage");
        back(PlayedHub.EPOCH);
        eventually("it is back", () -> uplink.whyLost().isEmpty());
    }

    @Test
    void who_was_away_for_too_long_is_told_that_it_missed_something() throws Exception {
        join();
        var heard = uplink.events();
        for (boolean missed : List.of(false, true)) {
            hub.breaks();
            back(PlayedHub.EPOCH);
            hub.tell(missed, hub.me, OTHER);
            heardUntilBack(heard, missed);
        }
    }

    private static void heardUntilBack(Events heard, boolean missed) {
        var events = new ArrayList<PoolEvent>();
        var told = new PoolEvent.Missed("this node was away for too long");
        eventually(
                "it is back",
                () -> {
                    events.addAll(heard.pollAll());
                    return events.stream().anyMatch(PoolEvent.HubBack.class::isInstance)
                            && events.contains(told) == missed;
                });
        assertThat(events).filteredOn(told::equals).hasSize(missed ? 1 : 0);
    }

    private static Reply.Found found(Request.Lookup asked, Member member) {
        var contact = new Contact(asked.id(), List.of(), Map.of());
        return new Reply.Found(
                asked.call(),
                Optional.of(new Reply.Whereabouts(Optional.ofNullable(member), contact)),
                "");
    }

    private CompletableFuture<Optional<Contact>> contact(NodeId id) {
        return Background.call(() -> uplink.contact(id, LONG));
    }

    @Test
    void a_question_whose_connection_is_lost_is_asked_on_the_next_one() throws Exception {
        join();
        var asking = contact(OTHER.id());
        assertThat(hub.heard()).isInstanceOf(Request.Lookup.class);
        hub.breaks();
        back(PlayedHub.EPOCH);
        hub.say(found((Request.Lookup) hub.heard(), OTHER));
        assertThat(asking.get()).isPresent();
    }

    /// Whoever believed it would speak with one node, and take it for another.
    @Test
    void an_answer_about_somebody_else_ends_the_connection_and_is_not_taken() throws Exception {
        join();
        for (boolean itsMember : new boolean[] {true, false}) {
            var asking = contact(OTHER.id());
            var asked = (Request.Lookup) hub.heard();
            var someone = new NodeId(6, 6);
            var elsewhere = new Contact(itsMember ? someone : OTHER.id(), List.of(), Map.of());
            var member = itsMember ? OTHER : new Member(someone, 1, Location.parse("there"));
            var told = new Reply.Whereabouts(Optional.of(member), elsewhere);
            hub.say(new Reply.Found(asked.call(), Optional.of(told), ""));
            assertThat(hub.heardGoodbye())
                    .contains("asked how node " + OTHER.id().brief() + " is reached");
            back(PlayedHub.EPOCH);
            var again = (Request.Lookup) hub.heard();
            hub.say(found(again, null));
            assertThat(asking.get().orElseThrow().id()).isEqualTo(OTHER.id());
        }
    }

    @Test
    void a_member_is_asked_for_once_and_a_visitor_each_time() throws Exception {
        join();
        var member = contact(OTHER.id());
        hub.say(found((Request.Lookup) hub.heard(), OTHER));
        assertThat(member.get()).isPresent();
        assertThat(contact(OTHER.id()).get()).isEqualTo(member.get());
        for (int i = 0; i < 2; i++) {
            var visitor = contact(new NodeId(9, 9));
            hub.say(found((Request.Lookup) hub.heard(), null));
            assertThat(visitor.get()).isPresent();
        }
    }

    @Test
    void who_left_came_back_or_is_of_a_hub_that_began_anew_is_asked_for_again() throws Exception {
        join();
        asksForOther();
        assertThat(contact(OTHER.id()).get()).isPresent();
        var suspected = new PoolEvent.Suspected(OTHER, "silent");
        hub.say(new Reply.Events(1, 3, List.of(suspected, new PoolEvent.Restored(OTHER))));
        asksForOther();
        hub.say(new Reply.Events(3, 4, List.of(new PoolEvent.Left(OTHER))));
        asksForOther();
        hub.say(new Reply.Events(4, 5, List.of(new PoolEvent.Joined(OTHER))));
        asksForOther();
        assertThat(contact(OTHER.id()).get()).isPresent();
        hub.breaks();
        back(PlayedHub.EPOCH + 1);
        hub.tell(hub.me, OTHER);
        eventually("it is back", () -> uplink.whyLost().isEmpty());
        asksForOther();
    }

    /// What was said before is heard by then.
    private void asksForOther() throws Exception {
        var next = operate(NEXT, LONG);
        hub.settle(hub.asked(NEXT), new Outcome.Value(0));
        next.get();
        var asking = contact(OTHER.id());
        hub.say(found((Request.Lookup) hub.heard(), OTHER));
        assertThat(asking.get()).isPresent();
    }

    @Test
    void questions_that_are_answered_leave_nothing_behind() throws Exception {
        join();
        int many = Contacts.MOST_OPEN + 10;
        var asking =
                Background.run(() -> {
                    for (int i = 0; i < many; i++) {
                        assertThat(uplink.contact(new NodeId(9, i), LONG)).isEmpty();
                    }
                });
        for (int i = 0; i < many; i++) {
            var asked = (Request.Lookup) hub.heard();
            hub.say(new Reply.Found(asked.call(), Optional.empty(), ""));
        }
        asking.get();
    }

    @Test
    void a_question_for_which_there_is_no_room_is_asked_when_another_is_answered()
            throws Exception {
        join();
        for (int i = 0; i < Contacts.MOST_OPEN; i++) {
            var id = new NodeId(9, i);
            Thread.startVirtualThread(() -> uplink.contact(id, LONG));
        }
        Request.Lookup one = null;
        for (int i = 0; i < Contacts.MOST_OPEN; i++) {
            one = (Request.Lookup) hub.heard();
        }
        var more = Thread.ofPlatform().daemon().start(() -> uplink.contact(OTHER.id(), LONG));
        eventually("it waits", () -> more.getState() == Thread.State.TIMED_WAITING);
        hub.say(new Reply.Found(one.call(), Optional.empty(), ""));
        var next = Background.call(hub::heard);
        pass(next);
        var asked = (Request.Lookup) next.get();
        assertThat(asked.id()).isEqualTo(OTHER.id());
        assertThat(asked.call()).isGreaterThan(Contacts.MOST_OPEN);
        hub.say(found(asked, OTHER));
        more.join();
    }

    /// Nobody tells it who goes.
    @Test
    void one_that_does_not_follow_members_asks_again_for_those_it_knows_when_it_is_back()
            throws Exception {
        uplink = hub.uplink(Membership.NONE, LONG, "hub:1");
        var joining = Background.run(uplink::join);
        hub.takesIn();
        joining.get();
        asksForOther();
        var heard = uplink.events();
        hub.breaks();
        back(PlayedHub.EPOCH);
        var again = (Request.Lookup) hub.heard();
        assertThat(again.id()).isEqualTo(OTHER.id());
        hub.say(new Reply.Found(again.call(), Optional.empty(), "it broke down"));
        eventually(
                "it is told",
                () -> {
                    var event = heard.next(Duration.ZERO);
                    return event.isPresent()
                            && event.get().equals(new PoolEvent.Died(OTHER, "it broke down"));
                });
        asksForOther();
    }
}
