package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// The only receiver goes while an object is being written: the pages and tables in which it was
/// written are nobody else's until that has stopped.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
@SuppressWarnings("try") // ports are closed in the middle on purpose
class ObjectsLostTest {
    private static final int LARGE = 1 << 16;
    private static final int THREADS = 3;
    private static final int MESSAGES = 200;

    private final PortType type;
    @AutoClose private final Pair pair = new Pair();

    ObjectsLostTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    /// What is done in the middle of writing an object.
    @FunctionalInterface
    private interface Middle {
        void run(ObjectOutputStream out) throws IOException;
    }

    /// Does it.
    private static final class Hooked implements Serializable {
        private static final long serialVersionUID = 1L;
        private final transient Middle middle;

        Hooked(Middle middle) {
            this.middle = middle;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeInt(1);
            middle.run(out);
        }

        private void readObject(java.io.ObjectInputStream in) throws IOException {
            assertThat(in.readInt()).isEqualTo(1);
        }
    }

    /// Something that can be named.
    private static final class Leaf implements Serializable {
        private static final long serialVersionUID = 2L;
        final int number;

        Leaf(int number) {
            this.number = number;
        }
    }

    private static List<Object> leaves(int from) {
        var all = new ArrayList<Object>();
        IntStream.range(from, from + 20).mapToObj(Leaf::new).forEach(all::add);
        all.addAll(List.copyOf(all));
        return all;
    }

    private static void requireLeaves(List<?> got, int from) {
        for (int i = 0; i < 20; i++) {
            assertThat(((Leaf) got.get(i)).number).isEqualTo(from + i);
            assertThat(got.get(20 + i)).isSameAs(got.get(i));
        }
    }

    /// Writes until the connection is known to be gone, and goes on as if nothing were.
    private static void writeOn(ObjectOutputStream into) {
        var thrown =
                catchThrowable(() -> {
                    while (true) {
                        into.writeObject(new double[LARGE]);
                    }
                });
        assertThat(thrown).isInstanceOf(ConnectionLost.class);
    }

    /// In one thread, so that it must be the same page if it was given back too early.
    @Test
    void who_writes_on_writes_into_nobody_elses_objects() {
        try (var gone = pair.receive(pair.there, type, "gone");
                var out = pair.send(pair.here, type, "out");
                var in = pair.receive(pair.there, type, "in");
                var other = pair.send(pair.here, type, "other")) {
            out.connect(pair.there.id(), "gone");
            other.connect(pair.there.id(), "in");
            var whole =
                    new Hooked(mine -> {
                        gone.close();
                        writeOn(mine);
                        var inner = leaves(0);
                        inner.add(
                                new Hooked(_ -> {
                                    for (int i = 0; i < 10; i++) {
                                        mine.writeObject("of the lost one");
                                    }
                                }));
                        inner.addAll(leaves(100));
                        try (var message = other.newMessage()) {
                            message.writeObject(inner).finish();
                        }
                    });
            try (var message = out.newMessage()) {
                assertThatThrownBy(() -> message.writeObject(whole).finish())
                        .isInstanceOf(ConnectionLost.class);
            }
            try (var message = in.receive()) {
                var got = (List<?>) message.readObject();
                requireLeaves(got.subList(0, 40), 0);
                assertThat(got.get(40)).isInstanceOf(Hooked.class);
                requireLeaves(got.subList(41, 81), 100);
            }
            assertThatThrownBy(out::newMessage).isInstanceOf(NotConnected.class);
            again(out);
        }
    }

    /// The port writes whole objects to whoever is next.
    private void again(SendPort out) {
        try (var next = pair.receive(pair.there, type, "next")) {
            out.connect(pair.there.id(), "next");
            for (int i = 0; i < 3; i++) {
                try (var message = out.newMessage()) {
                    message.writeObject(leaves(i)).finish();
                }
                try (var message = next.receive()) {
                    requireLeaves((List<?>) message.readObject(), i);
                }
            }
        }
    }

    @Test
    void others_write_on_meanwhile() {
        var done = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            done.add(Background.run(() -> converse("in " + number)));
        }
        int lost = 0;
        while (!done.stream().allMatch(CompletableFuture::isDone)) {
            loseOne("gone " + lost++);
        }
        assertThat(lost).isPositive();
        assertThat(done).allSatisfy(each -> assertThat(each).isCompleted());
    }

    private void converse(String name) {
        try (var in = pair.receive(pair.there, type, name);
                var out = pair.send(pair.here, type, "out to " + name)) {
            out.connect(pair.there.id(), name);
            for (int i = 0; i < MESSAGES; i++) {
                try (var message = out.newMessage()) {
                    message.writeObject(leaves(i)).finish();
                }
                try (var message = in.receive()) {
                    requireLeaves((List<?>) message.readObject(), i);
                }
            }
        }
    }

    private void loseOne(String name) {
        try (var gone = pair.receive(pair.there, type, name);
                var out = pair.send(pair.here, type, "out to " + name)) {
            out.connect(pair.there.id(), name);
            var whole =
                    new Hooked(mine -> {
                        gone.close();
                        writeOn(mine);
                        for (int i = 0; i < 100; i++) {
                            mine.writeObject("of the lost one");
                        }
                    });
            try (var message = out.newMessage()) {
                assertThatThrownBy(() -> message.writeObject(whole))
                        .isInstanceOf(ConnectionLost.class);
            }
        }
    }
}
