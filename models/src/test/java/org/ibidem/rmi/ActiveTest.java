package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.ibidem.rmi.active.ByNeed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Active objects, and results that are used before they are there.
@Timeout(240)
class ActiveTest {
    private static final int WAITING = 8;

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part(Rmi.Options.usual().running(1));
    private final Rmi client = nodes.part();
    private final Seen seen = new Seen();

    /// What is called.
    public interface Log extends Remote {
        void put(int value) throws RemoteException;

        List<Integer> all() throws RemoteException;

        List<Integer> opened() throws RemoteException, InterruptedException;

        void fail() throws RemoteException;
    }

    /// The same with futures.
    public interface LogLater {
        CompletableFuture<Void> put(int value);

        CompletableFuture<List<Integer>> opened();

        CompletableFuture<Void> fail();
    }

    /// Without locks, as nobody else may be in it.
    private static final class Seen implements Log {
        private final CountDownLatch open = new CountDownLatch(1);
        private final CountDownLatch begun = new CountDownLatch(1);
        private List<Integer> all = List.of();

        @Override
        public void put(int value) {
            var more = new ArrayList<>(all);
            more.add(value);
            Thread.yield();
            all = more;
        }

        @Override
        public List<Integer> all() {
            return all;
        }

        @Override
        public List<Integer> opened() throws InterruptedException {
            begun.countDown();
            open.await();
            return all;
        }

        @Override
        public void fail() {
            throw new IllegalStateException("as a test has it");
        }
    }

    @AfterEach
    void close() {
        seen.open.countDown();
        nodes.close();
    }

    private Log log(int waiting) throws Exception {
        server.names().bind("log", server.activate(seen, waiting));
        return client.names().lookup("log", Log.class);
    }

    @Test
    void calls_of_an_active_object_run_one_at_a_time() throws Exception {
        var log = log(1000);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var calls = new ArrayList<Callable<Boolean>>();
            for (int i = 0; i < 200; i++) {
                int value = i;
                calls.add(() -> {
                    log.put(value);
                    return true;
                });
            }
            for (var each : threads.invokeAll(calls)) {
                each.get();
            }
        }
        assertThat(log.all()).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void they_run_in_the_order_of_their_coming() throws Exception {
        var later = client.beside(log(1000), LogLater.class);
        var last = CompletableFuture.<Void>completedFuture(null);
        for (int i = 0; i < 200; i++) {
            last = later.put(i);
        }
        last.join();
        assertThat(seen.all).isEqualTo(IntStream.range(0, 200).boxed().toList());
    }

    @Test
    void those_that_wait_take_nobody_s_place_and_are_bounded() throws Exception {
        var log = log(WAITING);
        var later = client.beside(log, LogLater.class);
        var first = later.opened();
        seen.begun.await();
        var others = IntStream.rangeClosed(0, WAITING).mapToObj(later::put).toList();
        // The node's only place is the first one's: if that waited, the others would not come.
        var any = CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new));
        assertThatThrownBy(any::join)
                .hasCauseInstanceOf(ServerException.class)
                .hasMessageContaining("as many calls wait for this active object as may");
        seen.open.countDown();
        assertThat(first.join()).isEmpty();
        assertThat(others.stream().filter(each -> each.handle((_, e) -> e == null).join()))
                .hasSize(WAITING);
        assertThat(log.all()).hasSize(WAITING);
    }

    @Test
    void one_that_is_cancelled_before_its_turn_does_not_run() throws Exception {
        var log = log(2);
        var later = client.beside(log, LogLater.class);
        var first = later.opened();
        seen.begun.await();
        assertThatThrownBy(() -> client.within(log, Duration.ofMillis(100)).put(1))
                .isInstanceOf(CallTimedOut.class);
        var second = later.put(2);
        // When one is too many, what was said before has been heard.
        var more = CompletableFuture.anyOf(later.put(3), later.put(4));
        assertThatThrownBy(more::join).hasMessageContaining("as many calls wait");
        seen.open.countDown();
        first.join();
        second.join();
        assertThat(log.all()).contains(2).doesNotContain(1);
    }

    @Test
    @SuppressWarnings("unchecked")
    void a_result_is_waited_for_when_it_is_used() throws Exception {
        var log = log(WAITING);
        var later = client.beside(log, LogLater.class);
        var all = (List<Integer>) ByNeed.of(List.class, later.opened());
        assertThat(ByNeed.isThere(all)).isFalse();
        seen.open.countDown();
        assertThat(all.size()).isZero();
        assertThat(ByNeed.isThere(all)).isTrue();
        assertThat(ByNeed.value(all)).isEqualTo(List.of()).isNotSameAs(all);
        assertThat(ByNeed.value("here")).isEqualTo("here");
        var failed = ByNeed.of(Runnable.class, later.fail().thenApply(_ -> () -> {}));
        assertThatThrownBy(failed::run)
                .isInstanceOfAny(IllegalStateException.class, CompletionException.class)
                .hasMessageContaining("as a test has it");
        assertThatThrownBy(() -> ByNeed.of(String.class, new CompletableFuture<>()))
                .hasMessageContaining("java.lang.String is no interface");
    }
}
