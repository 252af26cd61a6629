package org.ibidem.lab.net.emulator;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;

/// Carries packets between the TUN devices of the sites, in one thread that runs before all others
/// of the machine and so keeps time also when it is busy.
///
/// It reads every device, asks its [Cloud] when each packet is due, and sleeps until then. It
/// allocates nothing while it does. What others want of the cloud they hand to this thread.
public final class Emulator {
    private static final int PRIORITY = 20;
    private static final int BATCH = 16;
    private static final long LONGEST_SLEEP = 10_000_000;
    private static final long SLOTS = 1 << 15;
    private static final long ENTRIES = 1 << 17;
    private static final short READABLE = 1;
    private static final int POLLFD = 8;

    private final int[] devices;
    private final Packets packets;
    private final Recorder recorder;
    private final Cloud cloud;
    private final ConcurrentLinkedQueue<FutureTask<?>> wishes = new ConcurrentLinkedQueue<>();
    private final MemorySegment polled;
    private final MemorySegment time;

    /// Makes a device for each site.
    ///
    /// @param names of the devices, for site 1 and on
    /// @throws IOException when the system refuses them
    public Emulator(String[] names, long seed) throws IOException {
        devices = new int[names.length + 1];
        polled = Arena.global().allocate(POLLFD * (long) names.length, POLLFD);
        time = Arena.global().allocate(2 * Long.BYTES, Long.BYTES);
        for (int i = 0; i < names.length; i++) {
            devices[i + 1] = Posix.tun(names[i]);
            polled.set(JAVA_INT, (long) i * POLLFD, devices[i + 1]);
            polled.set(JAVA_SHORT, (long) i * POLLFD + Integer.BYTES, READABLE);
        }
        packets = new Packets(Posix.memory(SLOTS * Packets.SLOT));
        recorder = new Recorder(Posix.memory(ENTRIES * Recorder.ENTRY));
        cloud = new Cloud(names.length, packets, recorder, this::write, seed);
    }

    /// Starts to carry packets, for ever.
    ///
    /// @return whether it may run before other threads, so that its delays are exact on a busy
    ///   machine
    public boolean start() {
        var first = new CompletableFuture<Boolean>();
        Thread.ofPlatform()
                .daemon()
                .name("emulator")
                .start(() -> {
                    first.complete(Posix.goFirst(PRIORITY));
                    run();
                });
        return first.join();
    }

    /// Has the emulator's thread do this between two packets; it should be short.
    public <T> T ask(Callable<T> wish) {
        var task = new FutureTask<T>(wish);
        wishes.add(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (java.util.concurrent.ExecutionException e) {
            var why = Objects.requireNonNullElse(e.getCause(), e);
            throw new IllegalArgumentException(why.getMessage(), why);
        }
    }

    /// The cloud: only to be used within [#ask].
    public Cloud cloud() {
        return cloud;
    }

    /// The records: only to be used within [#ask].
    public Recorder recorder() {
        return recorder;
    }

    private void run() {
        while (true) {
            for (var wish = wishes.poll(); wish != null; wish = wishes.poll()) {
                wish.run();
            }
            long next = cloud.advance(System.nanoTime());
            if (Posix.poll(polled, devices.length - 1, until(next)) > 0) {
                readAll();
            }
        }
    }

    private MemorySegment until(long next) {
        long wait = next == Agenda.NEVER ? LONGEST_SLEEP : next - System.nanoTime();
        // An impossible time for poll would be an error: none is waited for then.
        time.set(JAVA_LONG, Long.BYTES, Math.clamp(wait, 0, LONGEST_SLEEP));
        return time;
    }

    private void readAll() {
        for (int site = 1; site < devices.length; site++) {
            if (polled.get(JAVA_SHORT, (long) (site - 1) * POLLFD + Integer.BYTES + Short.BYTES)
                    != 0) {
                read(site);
            }
        }
    }

    private void read(int site) {
        for (int i = 0; i < BATCH; i++) {
            int packet = packets.take();
            if (packet == Packets.NONE) {
                cloud.crowded();
                return; // the device's own queue fills, and drops
            }
            long address = packets.memory.address() + Packets.at(packet);
            int length = (int) Posix.read(devices[site], address, Packets.SLOT);
            if (length <= 0) {
                packets.give(packet);
                return;
            }
            packets.length[packet] = length;
            cloud.enter(site, packet, System.nanoTime());
        }
    }

    private long write(int site, int packet) {
        long now = System.nanoTime();
        long address = packets.memory.address() + Packets.at(packet);
        // A device that takes nothing is one that is just being set up or taken down.
        if (Posix.write(devices[site], address, packets.length[packet]) < 0) {
            cloud.crowded();
        }
        return now;
    }
}
