package org.ibidem.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.Background;
import org.ibidem.arbitration.Threads;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.task.Progress;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Descriptors;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Descriptors that the JDK has no channel for, most of them of another process.
@Timeout(60)
@Isolated("it counts threads and descriptors of this process")
class DescriptorsTest {
    private static final int MANY = 200;

    private final Descriptors descriptors = Descriptors.found();

    /// An eventfd that somebody waits for. What it stands for is how often it was rung.
    private static final class Rung implements Waitable {
        final Pipe.SourceChannel channel;
        final AtomicLong heard = new AtomicLong();
        private boolean ready;

        Rung(Pipe.SourceChannel channel) {
            this.channel = channel;
        }

        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public Pipe.SourceChannel channel() {
            return channel;
        }

        @Override
        public int interest() {
            return SelectionKey.OP_READ;
        }

        @Override
        public void ready() {
            ready = true;
        }

        @Override
        public void bell(Doorbell bell) {}

        /// As whoever is awake looks at it.
        void look() throws IOException {
            if (ready) {
                ready = false;
                heard.addAndGet(count(channel));
            }
        }
    }

    private static long count(Pipe.SourceChannel channel) throws IOException {
        var count = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        assertThat(channel.read(count)).isEqualTo(Long.BYTES);
        return count.getLong(0);
    }

    @Test
    void the_module_is_found_and_has_no_objection() {
        assertThat(descriptors).isInstanceOf(LinuxDescriptors.class);
        assertThat(descriptors.objection()).isNull();
    }

    @Test
    void eventfds_of_another_process_wake_one_thread_that_sleeps_on_all() throws Exception {
        try (var ringer = new Ringer(MANY);
                var waiter = new Waiter(WaitPolicy.SLEEP)) {
            int threads = Thread.activeCount();
            var all = new ArrayList<Rung>();
            for (int descriptor : ringer.descriptors) {
                all.add(new Rung(descriptors.readable(descriptor)));
                waiter.add(all.getLast());
            }
            var random = new Random(1);
            int rings = 0;
            for (int round = 0; round < 20; round++) {
                for (int count = 1 + random.nextInt(30); count > 0; count--) {
                    ringer.ring(random.nextInt(MANY));
                    rings++;
                }
                while (sum(all) < rings) {
                    assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
                    for (var each : all) {
                        each.look();
                    }
                }
            }
            assertThat(sum(all)).isEqualTo(rings);
            assertThat(Thread.activeCount()).as("threads").isEqualTo(threads);
            for (var each : all) {
                waiter.remove(each);
                each.channel.close();
            }
        }
    }

    private static long sum(List<Rung> all) {
        return all.stream().mapToLong(each -> each.heard.get()).sum();
    }

    @Test
    void a_part_that_is_driven_is_called_when_its_descriptor_is_ready() throws Exception {
        try (var ringer = new Ringer(1);
                var threads = new Threads("test");
                var channel = descriptors.readable(ringer.descriptors.getFirst())) {
            var calls = new AtomicInteger();
            var heard = new AtomicLong();
            var part =
                    new Progress() {
                        @Override
                        public long progress(long now) {
                            if (calls.getAndIncrement() > 0) {
                                heard.addAndGet(counted(channel));
                            }
                            return IDLE;
                        }

                        @Override
                        public Pipe.SourceChannel channel() {
                            return channel;
                        }
                    };
            var driven = threads.drive("test", part);
            for (int rings = 1; rings <= 10; rings++) {
                int before = rings;
                eventually("called", () -> calls.get() == before);
                ringer.ring(0);
                eventually("heard", () -> heard.get() == before);
            }
            driven.stop();
        }
    }

    private static long counted(Pipe.SourceChannel channel) {
        try {
            return count(channel);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_process_that_ends_is_told_by_its_pidfd() throws Exception {
        try (var ringer = new Ringer(0);
                var channel = descriptors.readable(ringer.pidfd());
                var selector = channel.provider().openSelector()) {
            channel.register(selector, SelectionKey.OP_READ);
            assertThat(selector.selectNow()).isZero();
            ringer.kill();
            assertThat(selector.select()).isEqualTo(1);
        }
    }

    @Test
    void each_of_two_duplicates_outlives_the_other() throws IOException {
        int descriptor = Kernel.eventfd();
        var channel = descriptors.readable(descriptor);
        channel.close();
        Kernel.ring(descriptor);
        try (var again = descriptors.readable(descriptor)) {
            assertThat(count(again)).isEqualTo(1);
            Kernel.ring(descriptor);
            Kernel.LIBC.close(descriptor);
            assertThat(count(again)).isEqualTo(1);
        }
    }

    @Test
    void what_cannot_be_waited_for_is_refused_with_its_reason(@TempDir Path folder)
            throws IOException {
        int open = openDescriptors();
        assertThatThrownBy(() -> descriptors.readable(-1))
                .isInstanceOf(IOException.class)
                .hasMessage("descriptor -1 is not open");
        assertThatThrownBy(() -> descriptors.readable(100_000))
                .hasMessage("descriptor 100000 is not open");
        var file = Files.createFile(folder.resolve("file"));
        try (var in = new FileInputStream(file.toFile())) {
            int number = numberOf(file);
            assertThatThrownBy(() -> descriptors.readable(number))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("descriptor %d is a file", number);
            assertThat(in.available()).isZero();
        }
        assertThat(openDescriptors()).as("none is left open").isEqualTo(open);
    }

    private static int numberOf(Path file) throws IOException {
        var real = file.toRealPath();
        for (var each : new File("/proc/self/fd").listFiles()) {
            if (Files.isSymbolicLink(each.toPath())
                    && Files.readSymbolicLink(each.toPath()).equals(real)) {
                return Integer.parseInt(each.getName());
            }
        }
        throw new AssertionError("not open: " + file);
    }

    private static int openDescriptors() {
        return new File("/proc/self/fd").list().length;
    }

    /// Numbers are found by what is in pipes: nobody's pipe is taken for another's.
    @Test
    void channels_made_at_the_same_time_stand_for_their_own_descriptors() throws Exception {
        var pipes = new ArrayList<Pipe>();
        for (int i = 0; i < 100; i++) {
            pipes.add(Pipe.open());
        }
        var makers = new ArrayList<CompletableFuture<Void>>();
        for (int maker = 0; maker < 4; maker++) {
            makers.add(
                    Background.run(() -> {
                        for (int i = 1; i <= 100; i++) {
                            carriesItsOwn(i);
                        }
                    }));
        }
        for (var maker : makers) {
            maker.join();
        }
        for (var pipe : pipes) {
            pipe.sink().write(ByteBuffer.allocate(3));
            assertThat(pipe.source().read(ByteBuffer.allocate(8))).isEqualTo(3);
            pipe.sink().close();
            pipe.source().close();
        }
    }

    private void carriesItsOwn(int count) throws IOException {
        int descriptor = Kernel.eventfd();
        try (var channel = descriptors.readable(descriptor)) {
            for (int i = 0; i < count; i++) {
                Kernel.ring(descriptor);
            }
            assertThat(count(channel)).isEqualTo(count);
        } finally {
            Kernel.LIBC.close(descriptor);
        }
    }
}
