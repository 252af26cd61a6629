package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What may happen to a call between two nodes.
@Timeout(90)
class BadDaysTest {
    private static final int CALLERS = 10_000;

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part();
    private final Rmi client = nodes.part();
    private final Total total = new Total();

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
    void calls_go_on_without_a_hub() throws Exception {
        var counter = counter();
        assertThat(counter.add(1)).isEqualTo(1);
        nodes.endHub();
        for (int i = 2; i < 100; i++) {
            assertThat(counter.add(1)).isEqualTo(i);
        }
        assertThatThrownBy(() -> counter.refuse("no")).isInstanceOf(Counter.Refused.class);
        nodes.beginHub();
    }

    /// More than may be under way to one node, or run there, at once.
    @Test
    @Tag("slow")
    void ten_thousand_callers_all_have_their_own_results() throws Exception {
        var counter = counter();
        var begin = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Long>>();
            for (int i = 0; i < CALLERS; i++) {
                long mine = i;
                all.add(
                        threads.submit(() -> {
                            begin.await();
                            return counter.next(mine);
                        }));
            }
            begin.countDown();
            for (int i = 0; i < CALLERS; i++) {
                assertThat(all.get(i).get()).isEqualTo(i + 1L);
            }
        }
    }

    @Test
    void a_method_that_does_not_return_holds_up_nobody() throws Exception {
        var counter = counter();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var stuck =
                    threads.submit(() -> {
                        counter.await();
                        return 0;
                    });
            withinAMinute("it waits", () -> total.awaiting.get() == 1);
            var others = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 100; i++) {
                others.add(threads.submit(() -> counter.add(1)));
            }
            for (var each : others) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isBetween(1, 100);
            }
            assertThat(stuck.isDone()).isFalse();
            total.opened.countDown();
            assertThat(stuck.get(30, TimeUnit.SECONDS)).isZero();
        }
    }

    /// That it may have run is all a caller can know, and nobody runs it again.
    @Test
    void a_call_whose_reply_is_lost_has_run_once() throws Exception {
        var counter = client.within(counter(), Duration.ofMillis(300));
        assertThatThrownBy(counter::await).isInstanceOf(ReplyLost.class);
        withinAMinute("it is interrupted", () -> total.interrupted.get() == 1);
        assertThat(counter.add(1)).isEqualTo(1);
        assertThat(total.interrupted).hasValue(1);
        assertThat(total.awaiting).hasValue(0);
    }

    /// Knows all classes but one.
    private static final class Without extends ClassLoader {
        private final String unknown;

        Without(String unknown) {
            super(BadDaysTest.class.getClassLoader());
            this.unknown = unknown;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(unknown)) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    /// Knows another version of one class: with another `serialVersionUID`.
    private static final class Another extends ClassLoader {
        private final String changed;

        Another(String changed) {
            super(BadDaysTest.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(changed)) {
                return super.loadClass(name, resolve);
            }
            var known = findLoadedClass(name);
            return known != null ? known : defined(name);
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            var format = ClassFile.of();
            var version = ConstantValueAttribute.of(2L);
            var fields =
                    ClassTransform.transformingFields((to, each) ->
                            to.with(each instanceof ConstantValueAttribute ? version : each));
            var alone = // what it is nested in is of another loader
                    ClassTransform.dropping(each ->
                            each instanceof InnerClassesAttribute
                                    || each instanceof NestHostAttribute);
            try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                var model = format.parse(in.readAllBytes());
                var file = format.transformClass(model, fields.andThen(alone));
                return defineClass(name, file, 0, file.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void a_class_that_is_another_at_the_other_end_is_named_and_calls_go_on() throws Exception {
        var changed = Counter.Pair.class.getName();
        var options = Rmi.Options.usual().policy(ObjectPolicy.NOTHING_BUT_VALUES.allow(changed));
        var there = nodes.part(options.loader(new Another(changed)));
        there.names().bind("there", there.export(total));
        var counter = nodes.part(options).names().lookup("there", Counter.class);
        assertThatThrownBy(() -> counter.odd(new Counter.Pair("left", "right")))
                .hasCauseInstanceOf(UnmarshalException.class)
                .hasStackTraceContaining(changed)
                .hasStackTraceContaining("serialVersionUID");
        assertThat(counter.add(1)).isEqualTo(1);
    }

    @Test
    void a_class_that_the_other_end_has_not_is_named_and_calls_go_on() throws Exception {
        var unknown = Total.Unknown.class.getName();
        var options = Rmi.Options.usual().policy(ObjectPolicy.NOTHING_BUT_VALUES.allow(unknown));
        var there = nodes.part(options.loader(new Without(unknown)));
        there.names().bind("there", there.export(total));
        var counter = nodes.part(options).names().lookup("there", Counter.class);
        assertThatThrownBy(() -> counter.odd(new Total.Unknown()))
                .hasCauseInstanceOf(UnmarshalException.class)
                .hasStackTraceContaining(unknown);
        assertThat(counter.add(1)).isEqualTo(1);
    }

    /// Takes its time to be read.
    public static final class Slow implements Serializable {
        private static final long serialVersionUID = 1L;
        private static final CountDownLatch READ = new CountDownLatch(1);
        private static final CountDownLatch GO_ON = new CountDownLatch(1);

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            READ.countDown();
            try {
                GO_ON.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /// What is slow, and what is not.
    public interface Both extends Remote {
        Slow slow() throws RemoteException;

        int quick() throws RemoteException;
    }

    private static final class Replying implements Both {
        private final AtomicInteger ran = new AtomicInteger();

        @Override
        public Slow slow() {
            return new Slow();
        }

        @Override
        public int quick() {
            return ran.incrementAndGet();
        }
    }

    /// Who closes waits for the replies of what runs, and so does who is to read them, though it
    /// hears before that no more calls are taken.
    @Test
    void a_reply_that_was_given_before_its_node_closed_is_read() throws Exception {
        var replying = new Replying();
        server.names().bind("both", server.export(replying));
        var both = client.names().lookup("both", Both.class);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow = threads.submit(both::slow);
            assertThat(Slow.READ.await(30, TimeUnit.SECONDS)).isTrue();
            var limited = client.within(both, Duration.ofSeconds(30)); // or it waits for the other
            var quick = threads.submit(limited::quick);
            withinAMinute("it has run", () -> replying.ran.get() == 1);
            server.close();
            assertThatThrownBy(() -> client.within(both, Duration.ofMillis(300)).quick())
                    .isInstanceOf(RemoteException.class);
            Slow.GO_ON.countDown();
            assertThat(slow.get(30, TimeUnit.SECONDS)).isNotNull();
            assertThat(quick.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        } finally {
            Slow.GO_ON.countDown();
        }
    }
}
