package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.ibidem.Background;
import org.ibidem.Seeded;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pairs that answer each other over a VLink each, at random speeds, and wait for it in a random
/// way each time, while another begins to watch and goes again, and looks: nobody sleeps for ever.
class SleepersTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int PAIRS = 3;
    private static final long SLEEPS = Boolean.getBoolean("ibidem.full") ? 50_000_000L : 20_000L;

    /// A wake-up that was lost shows as a wait that long.
    private static final long LOST = TimeUnit.SECONDS.toNanos(30);

    /// Of what doubles each time.
    private static final int SLOWEST = 13;

    private final Pair pair = new Pair();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong sleeps = new AtomicLong();

    @AfterEach
    void close() {
        pair.close();
    }

    /// One end, whose thread waits for each byte.
    private final class End {
        private final VLink link;
        private final boolean begins;
        private final RandomGenerator random;
        private final ByteBuffer one = ByteBuffer.allocate(1);
        private final Selector selector;
        private final DirectWait direct;
        private int sent;

        End(VLink link, boolean begins, RandomGenerator random) throws IOException {
            this.link = link;
            this.begins = begins;
            this.random = random;
            this.selector = Selector.open();
            this.direct = link.waitsReadable(selector, selector::wakeup);
        }

        void run() throws IOException {
            try (selector;
                    direct) {
                if (begins) {
                    write();
                }
                for (int got = next(); got >= 0; got = next()) {
                    assertThat(got).isEqualTo(sent & 0x7F);
                    sent += begins ? 1 : 0;
                    write();
                    sent += begins ? 0 : 1;
                    if (over.get() && begins) {
                        link.endOutput();
                        return;
                    }
                }
                link.endOutput();
            }
        }

        private void write() {
            spin(random);
            one.clear().put((byte) (sent & 0x7F)).flip();
            while (link.write(one) == 0) {
                Thread.onSpinWait();
            }
        }

        private int next() throws IOException {
            while (true) {
                int got = link.read(one.clear());
                if (got != 0) {
                    return got < 0 ? -1 : one.get(0);
                }
                sleeps.incrementAndGet();
                long begun = System.nanoTime();
                switch (random.nextInt(3)) {
                    case 0 -> bySelf();
                    case 1 -> bySelector();
                    default -> told();
                }
                assertThat(System.nanoTime() - begun).as("slept").isLessThan(LOST);
            }
        }

        private void bySelf() {
            if (!link.sleepsReadable(2 * LOST)) {
                told();
            }
        }

        private void bySelector() throws IOException {
            var armed = direct.arm();
            if (armed == null) {
                told();
                return;
            }
            if (armed == Armed.SLEEP_THEN_LOOK && selects(1) == 0) {
                armed = direct.arm();
            }
            if (armed == Armed.SLEEP) {
                selects(2 * TimeUnit.NANOSECONDS.toMillis(LOST));
            }
            direct.disarm();
        }

        private int selects(long millis) throws IOException {
            return selector.select(_ -> direct.ready(), millis);
        }

        private void told() {
            var told = new AtomicBoolean();
            var thread = Thread.currentThread();
            Runnable watcher =
                    () -> {
                        told.set(true);
                        LockSupport.unpark(thread);
                    };
            link.whenReadable(watcher);
            long begun = System.nanoTime();
            while (!told.get() && !link.isReadable() && System.nanoTime() - begun < 2 * LOST) {
                LockSupport.parkNanos(LOST);
            }
            link.unwatch(watcher);
        }
    }

    /// Mostly for a short time.
    private static void spin(RandomGenerator random) {
        for (int i = random.nextInt(1 << random.nextInt(SLOWEST)); i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    /// Calls of a thread that is at neither end: it watches and goes again, or looks.
    private void disturb(VLink link, RandomGenerator random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                Runnable nobody = () -> {};
                link.whenReadable(nobody);
                link.unwatch(nobody);
            }
            case 1 -> link.available();
            case 2 -> link.isReadable();
            default -> spin(random);
        }
    }

    /// A wait that is too long shows long before.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void nobody_sleeps_for_ever(String stack) {
        Seeded.times(1, random -> sleeping(stack, (SplittableGenerator) random));
    }

    private void sleeping(String stack, SplittableGenerator random) throws Exception {
        var links = new ArrayList<VLink>();
        var running = new ArrayList<CompletableFuture<Void>>();
        try (var listener = pair.to.listen("sleepers", stack, PAIRS)) {
            for (int i = 0; i < PAIRS; i++) {
                var accepting = listener.postAccept();
                links.add(
                        VLinkTest.done(
                                pair.from.connect(pair.two.id(), "sleepers", stack, "", LIMIT)));
                links.add(VLinkTest.done(accepting));
            }
        }
        for (int i = 0; i < links.size(); i++) {
            var end = new End(links.get(i), (i & 1) == 0, random.split());
            running.add(Background.run(end::run));
        }
        long shown = SLEEPS / 10;
        while (sleeps.get() < SLEEPS && running.stream().noneMatch(CompletableFuture::isDone)) {
            disturb(links.get(random.nextInt(links.size())), random);
            if (sleeps.get() >= shown) {
                System.out.println(stack + ": " + shown + " sleeps");
                shown += SLEEPS / 10;
            }
        }
        over.set(true);
        for (var each : running) {
            each.get();
        }
    }
}
