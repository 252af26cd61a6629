package org.ibidem.arbitration;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.link.BargingLock;

/// A process with one carrier for virtual threads, which a thread of the program holds: it says
/// what goes on all the same.
final class BusyCarriers {
    private static final Duration LONG = Duration.ofSeconds(20);

    private BusyCarriers() {}

    /// What it does with the lock is the point.
    @SuppressWarnings("LockNotBeforeTry")
    public static void main(String[] arguments) throws InterruptedException {
        var lock = new BargingLock();
        lock.lock();
        var got = new CountDownLatch(1);
        waits(lock, Thread.ofVirtual().start(lock::lock)); // and behind it:
        var platform =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            lock.lock();
                            got.countDown();
                        });
        waits(lock, platform);
        holdTheCarrier();
        lock.unlock(); // it is the virtual thread that this wakes, and it cannot run
        try (var threads = new Threads("busy")) {
            say("lock", got);
            var alarm = new CountDownLatch(1);
            threads.alarm(Duration.ofMillis(1), "alarm", alarm::countDown);
            say("alarm", alarm);
            var vital = new CountDownLatch(1);
            threads.vital("vital", vital::countDown);
            say("vital", vital);
            var driven = new CountDownLatch(2);
            threads.drive(
                    "driven",
                    _ -> {
                        driven.countDown();
                        return 1;
                    });
            say("driven", driven);
            var virtual = new CountDownLatch(1);
            threads.start("virtual", virtual::countDown);
            System.out.println("virtual " + virtual.await(0, TimeUnit.SECONDS));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void waits(ReentrantLock lock, Thread thread) {
        while (!lock.hasQueuedThread(thread)) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void holdTheCarrier() throws InterruptedException {
        var held = new CountDownLatch(1);
        Thread.startVirtualThread(() -> {
            held.countDown();
            while (true) {
                Thread.onSpinWait();
            }
        });
        held.await();
    }

    private static void say(String what, CountDownLatch done) throws InterruptedException {
        System.out.println(what + " " + done.await(LONG.toMillis(), TimeUnit.MILLISECONDS));
    }
}
