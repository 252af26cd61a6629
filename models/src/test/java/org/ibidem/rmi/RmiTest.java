package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.rmi.AlreadyBoundException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Remote objects of a pool whose processes are nodes in this JVM.
class RmiTest {
    private final Nodes nodes = new Nodes();
    private final Total total = new Total();
    private Rmi server = nodes.part();
    private final Rmi client = nodes.part();

    @AfterEach
    void close() {
        total.opened.countDown();
        nodes.close();
    }

    private Counter counter() throws Exception {
        server.names().bind("counter", server.export(total));
        return client.names().lookup("counter", Counter.class);
    }

    @Test
    void values_of_all_kinds_go_there_and_back() throws Exception {
        var counter = counter();
        assertThat(counter.add(5)).isEqualTo(5);
        assertThat(counter.add(-7)).isEqualTo(-2);
        counter.nothing();
        assertThat(counter.all(true, (byte) -1, (short) 2, 'x', 4, -5, 1.5f, 2.25, "é€"))
                .isEqualTo("true -1 2 x 4 -5 1.5 2.25 é€");
        assertThat(counter.half(-3)).isEqualTo(-1.5);
        assertThat(counter.halfFloat(3)).isEqualTo(1.5f);
        assertThat(counter.next(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(counter.not(true)).isFalse();
        assertThat(counter.after('a')).isEqualTo('b');
        assertThat(counter.afterShort((short) -2)).isEqualTo((short) -1);
        assertThat(counter.afterByte(Byte.MAX_VALUE)).isEqualTo(Byte.MIN_VALUE);
        assertThat(counter.doubled(new int[] {1, 2, 3})).containsExactly(2, 4, 6);
    }

    @Test
    void what_arguments_share_they_share_within_a_call_and_not_across_calls() throws Exception {
        var counter = counter();
        var array = new int[] {1};
        assertThat(counter.same(array, array)).isTrue();
        assertThat(counter.same(array, new int[] {1})).isFalse();
        var mine = new Counter.Pair(array, array);
        var back = counter.swapped(mine);
        assertThat(back.left).isSameAs(back.right).isNotSameAs(array);
        assertThat(counter.swapped(mine).left).isNotSameAs(back.left);
    }

    @Test
    void a_stub_of_this_node_copies_too() throws Exception {
        var counter = server.export(total, Counter.class);
        var pair = new Counter.Pair("a", new int[] {1});
        assertThat(counter.swapped(pair).left).isNotSameAs(pair.right);
        assertThat(counter.me()).isEqualTo(counter).isNotSameAs(total);
    }

    @Test
    void remote_objects_travel_by_reference_also_home_and_to_third_parties() throws Exception {
        var counter = counter();
        var mine = client.export(new Total(), Counter.class);
        assertThat(counter.me()).isEqualTo(counter).hasSameHashCodeAs(counter);
        assertThat(counter.give(mine)).isEqualTo(mine).isNotEqualTo(counter);
        var third = nodes.part().names().lookup("counter", Counter.class);
        assertThat(third).isEqualTo(counter);
        var given = third.give(mine);
        assertThat(given.add(3)).isEqualTo(3);
        assertThat(mine.add(1)).isEqualTo(4);
        assertThat(third.listed(List.of(mine))).containsExactly(mine, counter);
        assertThat(Rmi.home(given)).isEqualTo(nodes.node(1).id());
    }

    @Test
    void callbacks_and_recursion_do_not_wait_for_each_other() throws Exception {
        server.close();
        server = nodes.part(Rmi.Options.usual().running(1));
        var last = nodes.part(Rmi.Options.usual().running(1));
        var one = server.export(new Down(), Step.class);
        var other = last.export(new Down(), Step.class);
        server.names().bind("one", one);
        var there = client.names().lookup("one", Step.class);
        assertThat(there.down(20, List.of(other, one))).isEqualTo(20);
        Counter.Listener twice = value -> 2 * value;
        var counter = counter();
        client.export(twice);
        assertThat(counter.tell(twice, 4)).isEqualTo(9);
    }

    /// One step.
    public interface Step extends Remote {
        int down(int steps, List<Step> others) throws RemoteException;
    }

    /// Calls itself, here and there.
    private static final class Down implements Step {
        @Override
        public int down(int steps, List<Step> others) throws RemoteException {
            return steps == 0 ? 0 : 1 + others.get(steps % others.size()).down(steps - 1, others);
        }
    }

    @Test
    @Tag("slow")
    void what_is_thrown_has_both_traces() throws Exception {
        var counter = counter();
        assertThatThrownBy(() -> counter.refuse("no"))
                .isInstanceOf(Counter.Refused.class)
                .hasMessage("no")
                .satisfies(thrown ->
                        assertThat(
                                        Arrays.stream(thrown.getStackTrace())
                                                .map(StackTraceElement::getClassName))
                                .startsWith(Total.class.getName())
                                .contains(RmiTest.class.getName()));
        assertThatThrownBy(() -> counter.fail("mine")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> counter.fail("error"))
                .isInstanceOf(ServerError.class)
                .hasCauseInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> counter.fail("remote"))
                .isInstanceOf(ServerException.class)
                .hasCauseInstanceOf(RemoteException.class);
    }

    @Test
    void many_threads_call_one_object_at_once() throws Exception {
        var counter = counter();
        var tasks = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 200; i++) {
            tasks.add(() -> counter.add(1));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isBetween(1, 200);
            }
        }
        assertThat(total.sum).hasValue(200);
    }

    @Test
    @Tag("slow")
    void a_call_ends_at_its_limit_and_its_method_is_interrupted() throws Exception {
        var counter = client.within(counter(), Duration.ofSeconds(1));
        assertThatThrownBy(counter::await)
                .isInstanceOf(CallTimedOut.class)
                .hasMessageContaining("await()")
                .hasMessageContaining("may have run");
        withinAMinute("none waits", () -> total.awaiting.get() == 0);
        var usual = client.within(counter, Duration.ofSeconds(60));
        assertThat(usual.add(1)).isEqualTo(1);
    }

    @Test
    void an_interrupted_caller_goes_and_the_method_hears_of_it() throws Exception {
        var counter = counter();
        var caller = Thread.currentThread();
        Thread.ofPlatform() // one that spins would keep a carrier of the server's threads
                .daemon()
                .start(() -> {
                    while (total.awaiting.get() == 0) {
                        Thread.onSpinWait();
                    }
                    caller.interrupt();
                });
        assertThatThrownBy(counter::await)
                .isInstanceOf(ReplyLost.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        withinAMinute("it is interrupted", () -> total.interrupted.get() == 1);
    }

    @Test
    @Tag("slow")
    void a_server_that_goes_ends_the_calls_to_it() throws Exception {
        var counter = counter();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var call =
                    threads.submit(() -> {
                        counter.await();
                        return 0;
                    });
            withinAMinute("it waits", () -> total.awaiting.get() == 1);
            server.close();
            assertThatThrownBy(call::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(ReplyLost.class)
                    .hasMessageContaining("may have run");
        }
        assertThatThrownBy(() -> client.within(counter, Duration.ofMillis(300)).add(1))
                .isInstanceOf(java.rmi.ConnectException.class)
                .hasMessageContaining("not called");
    }

    @Test
    void names_are_bound_once_in_the_pool() throws Exception {
        var counter = counter();
        var mine = client.export(new Total(), Counter.class);
        assertThatThrownBy(() -> client.names().bind("counter", mine))
                .isInstanceOf(AlreadyBoundException.class);
        assertThatThrownBy(() -> server.names().bind("counter", counter))
                .isInstanceOf(AlreadyBoundException.class);
        client.names().bind("other", mine);
        assertThat(server.names().list()).containsExactly("counter", "other");
        client.names().rebind("counter", mine);
        assertThat(server.names().lookup("counter")).isEqualTo(mine);
        server.names().unbind("counter");
        assertThatThrownBy(() -> client.names().lookup("counter"))
                .isInstanceOf(NotBoundException.class);
        assertThatThrownBy(() -> client.names().unbind("counter"))
                .isInstanceOf(NotBoundException.class);
        server.names().bindHere("own", total);
        assertThat(client.names().of(nodes.node(0).id()).lookup("own")).isEqualTo(counter);
        assertThat(client.names().of(nodes.node(0).id()).list()).containsExactly("own");
        assertThat(client.names().list()).containsExactly("other");
    }

    @Test
    void the_names_of_a_node_that_goes_are_free() throws Exception {
        counter();
        server.close();
        nodes.node(0).close();
        var mine = client.export(new Total(), Counter.class);
        client.names().bind("counter", mine);
        assertThat(client.names().lookup("counter", Counter.class, Duration.ofSeconds(30)))
                .isEqualTo(mine);
    }

    @Test
    void only_what_is_exported_can_be_called() throws Exception {
        var counter = counter();
        assertThat(server.unexport(total)).isTrue();
        assertThatThrownBy(() -> counter.add(1)).isInstanceOf(NoSuchObjectException.class);
        assertThat(total.sum).hasValue(0);
        assertThatThrownBy(() -> server.stub(total)).isInstanceOf(NoSuchObjectException.class);
        assertThat(server.exported()).isZero();
    }

    @Test
    void a_remote_object_that_is_not_exported_does_not_travel() throws Exception {
        var counter = counter();
        assertThatThrownBy(() -> counter.give(new Total()))
                .isInstanceOf(MarshalException.class)
                .hasStackTraceContaining("export it");
        assertThat(counter.add(1)).isEqualTo(1);
    }

    @Test
    void classes_that_no_interface_names_are_not_let_in() throws Exception {
        var counter = counter();
        assertThatThrownBy(() -> counter.odd(new Total.Unknown()))
                .isInstanceOf(ServerException.class)
                .hasCauseInstanceOf(UnmarshalException.class)
                .hasStackTraceContaining("not allowed here");
        assertThat(counter.odd(5)).isEqualTo(5);
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Total.Unknown.class);
        var open = nodes.part(Rmi.Options.usual().policy(policy));
        var other = open.export(new Total(), Counter.class);
        assertThat(((Total.Unknown) other.odd(new Total.Unknown())).value).isEqualTo(7);
        open.names().bind("open", other);
        var there = client.names().lookup("open", Counter.class);
        assertThatThrownBy(() -> there.odd(new Total.Unknown()))
                .isInstanceOf(UnmarshalException.class)
                .hasStackTraceContaining("not allowed here");
    }

    /// Has a method more than the one of the same name at the server.
    public interface More extends Counter {
        void more() throws RemoteException;
    }

    @Test
    void a_method_that_is_not_there_is_named() throws Exception {
        var counter = counter();
        var reference = Stub.of(counter).reference();
        var more = client.cast(counter, More.class);
        assertThat(Stub.of(more).reference()).isEqualTo(reference);
        assertThat(more.add(1)).isEqualTo(1);
        assertThatThrownBy(more::more)
                .isInstanceOf(UnmarshalException.class)
                .hasMessageContaining("void more() of " + More.class.getName());
    }

    @Test
    void interfaces_that_are_not_public_work_by_a_proxy() throws Exception {
        var one = server.export(new HiddenObject(), Hidden.class);
        server.names().bind("hidden", one);
        var there = client.names().lookup("hidden", Hidden.class);
        assertThat(Proxy.isProxyClass(there.getClass())).isTrue();
        assertThat(there.sum(3, List.of(4), 2.5)).isEqualTo(9.5);
        assertThat(there.box(4)).isEqualTo(5);
        assertThat(there).isEqualTo(one).hasSameHashCodeAs(one);
        assertThat(there.toString()).contains("stub of object");
    }

    /// Not public.
    interface Hidden extends Remote {
        double sum(int one, List<Integer> two, double three) throws RemoteException;

        Integer box(Integer value) throws RemoteException;
    }

    private static final class HiddenObject implements Hidden {
        @Override
        public double sum(int one, List<Integer> two, double three) {
            return one + two.getFirst() + three;
        }

        @Override
        public Integer box(Integer value) {
            return value + 1;
        }
    }

    /// Public, with a type in its methods that is not.
    public interface Halves extends Remote {
        Half[] halves(Half first, Half second) throws RemoteException;

        Half half(int of) throws RemoteException;

        int whole(Half of) throws RemoteException;
    }

    record Half(int whole) implements Serializable {}

    private static final class HalvesObject implements Halves {
        @Override
        public Half[] halves(Half first, Half second) {
            return new Half[] {second, first};
        }

        @Override
        public Half half(int of) {
            return new Half(of);
        }

        @Override
        public int whole(Half of) {
            return of.whole;
        }
    }

    @Test
    void public_interfaces_with_types_that_are_not_work_by_a_proxy() throws Exception {
        server.names().bind("halves", server.export(new HalvesObject(), Halves.class));
        var there = client.names().lookup("halves", Halves.class);
        assertThat(Proxy.isProxyClass(there.getClass())).isTrue();
        assertThat(there.whole(new Half(3))).isEqualTo(3);
        assertThat(there.half(4)).isEqualTo(new Half(4));
        assertThat(there.halves(new Half(5), new Half(6)))
                .containsExactly(new Half(6), new Half(5));
    }

    /// Beside [Counter].
    public interface CounterBeside {
        CompletableFuture<Integer> add(int value);

        CompletableFuture<Void> refuse(String why);

        CompletableFuture<Void> await();
    }

    @Test
    void calls_are_awaited_by_futures() throws Exception {
        var counter = counter();
        var beside = client.beside(counter, CounterBeside.class);
        var all = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < 100; i++) {
            all.add(beside.add(1));
        }
        for (var each : all) {
            assertThat(each.get()).isBetween(1, 100);
        }
        assertThatThrownBy(() -> beside.refuse("no").get())
                .hasCauseInstanceOf(Counter.Refused.class);
        var waits = beside.await();
        withinAMinute("it waits", () -> total.awaiting.get() == 1);
        waits.cancel(true);
        withinAMinute("it is interrupted", () -> total.interrupted.get() == 1);
        var limited =
                client.beside(client.within(counter, Duration.ofMillis(50)), CounterBeside.class);
        assertThatThrownBy(() -> limited.await().get()).hasCauseInstanceOf(CallTimedOut.class);
    }

    @Test
    void one_way_calls_do_not_wait() throws Exception {
        var counter = client.oneWay(counter());
        counter.await();
        counter.await();
        withinAMinute("both wait", () -> total.awaiting.get() == 2);
        assertThat(counter.add(1)).isEqualTo(1);
    }

    /// No remote interface.
    public interface Wrong extends Remote {
        int value();
    }

    @Test
    void interfaces_must_say_that_calls_can_fail() {
        Wrong wrong = () -> 1;
        assertThatThrownBy(() -> server.export(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("value")
                .hasMessageContaining("RemoteException");
        assertThatThrownBy(() -> server.export(new Remote() {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no remote interface");
    }

    /// It is no member, so nobody is told of its coming; objects of its own can be called, too.
    @Test
    void a_visitor_calls_members_and_is_called() throws Exception {
        server.names().bindHere("counter", server.export(new Total()));
        try (var visitor = nodes.visitor();
                var rmi = Rmi.open(visitor.node())) {
            var found = rmi.names().of(nodes.node(0).id()).lookup("counter");
            assertThat(Rmi.home(found)).isEqualTo(nodes.node(0).id());
            var counter = (Counter) found;
            assertThat(counter.add(5)).isEqualTo(5);
            var mine = rmi.export(new Total(), Counter.class);
            assertThat(counter.give(mine)).isEqualTo(mine);
            assertThat(nodes.node(0).members()).hasSize(2);
        }
    }
}
