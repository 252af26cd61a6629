package org.ibidem.lab.bench.peers;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.Set;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Copies;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// Aeron over its IPC channel, in default settings: small messages claimed in place, byte arrays
/// offered as they are, fragments copied to where they belong as they come. The media driver lives
/// in the leading process.
///
/// @param shared whether more than one thread may use a publication, as a port of ours; one that is
///   one thread's alone is faster
/// @param givesWay whether it waits by Aeron's backoff strategy, with its usual limits: it looks,
///   yields, and then sleeps for up to a millisecond. Otherwise it looks again and again
public record AeronPeer(boolean shared, boolean givesWay) implements Contestant {
    private static final String CHANNEL = "aeron:ipc";
    private static final int FROM_LEADER = 1001;
    private static final int FROM_FOLLOWER = 1002;
    private static final String READY = "ready";

    /// Where it makes a difference.
    private static final Set<String> SMALL = Set.of("half-8B", "half-1KiB", "rate-32B");

    /// One that looks again and again.
    public AeronPeer(boolean shared) {
        this(shared, false);
    }

    @Override
    public String name() {
        return "aeron" + (shared ? "-shared" : "") + (givesWay ? "-backoff" : "");
    }

    @Override
    public Waiting waiting() {
        return givesWay ? Waiting.USUAL : Waiting.SPIN;
    }

    @Override
    public String about() {
        return "Aeron IPC, default settings, media driver in the leading process, publications for "
                + (shared ? "any" : "one")
                + " thread; int and double arrays by a direct buffer";
    }

    @Override
    public boolean plays(Measure measure) {
        return shared
                ? SMALL.contains(measure.name())
                : !(measure.payload().get() instanceof Payload.Tree);
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var folder = meeting.folder().resolve("aeron").toString();
        @Nullable MediaDriver driver = null;
        if (meeting.leads()) {
            driver =
                    MediaDriver.launch(
                            new MediaDriver.Context()
                                    .aeronDirectoryName(folder)
                                    .dirDeleteOnStart(true)
                                    .dirDeleteOnShutdown(true));
            meeting.tell(READY);
        } else {
            meeting.hear();
        }
        var aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder));
        int mine = meeting.leads() ? FROM_LEADER : FROM_FOLLOWER;
        var out =
                shared
                        ? aeron.addPublication(CHANNEL, mine)
                        : aeron.addExclusivePublication(CHANNEL, mine);
        var in = aeron.addSubscription(CHANNEL, FROM_LEADER + FROM_FOLLOWER - mine);
        while (!out.isConnected() || !in.isConnected()) {
            Thread.onSpinWait();
        }
        var idle = givesWay ? new BackoffIdleStrategy() : new BusySpinIdleStrategy();
        return new Loop(new Ends(driver, aeron, out, in.imageAtIndex(0), idle));
    }

    private static final class Ends implements End, FragmentHandler {
        private final @Nullable MediaDriver driver;
        private final Aeron aeron;
        private final Publication out;
        private final io.aeron.Image in;
        private final IdleStrategy idle;
        private final BufferClaim claim = new BufferClaim();
        private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
        private final Image image = new Image();
        private ByteBuffer buffer = Image.buffer(1 << 20);
        private Payload receiving = new Payload.Word();
        private int received;

        private Ends(
                @Nullable MediaDriver driver,
                Aeron aeron,
                Publication out,
                io.aeron.Image in,
                IdleStrategy idle) {
            this.driver = driver;
            this.aeron = aeron;
            this.out = out;
            this.in = in;
            this.idle = idle;
        }

        @Override
        public void send(Payload payload) throws IOException {
            switch (payload) {
                case Payload.Word word -> {
                    claim(Long.BYTES);
                    claim.buffer().putLong(claim.offset(), word.value);
                    claim.commit();
                }
                case Payload.Five five -> {
                    claim((int) five.bytes());
                    put(five, claim.buffer(), claim.offset());
                    claim.commit();
                }
                case Payload.Bytes bytes -> {
                    view.wrap(bytes.data);
                    offer(view, bytes.data.length);
                }
                default -> {
                    int size = image.size(payload);
                    buffer = Image.atLeast(size, buffer);
                    image.put(payload, buffer);
                    view.wrap(buffer);
                    offer(view, size);
                }
            }
        }

        private void claim(int length) {
            while (check(out.tryClaim(length, claim)) < 0) {
                idle.idle();
            }
        }

        private static void put(Payload.Five five, org.agrona.MutableDirectBuffer to, int at) {
            to.putInt(at, five.a);
            to.putLong(at + 4, five.b);
            to.putLong(at + 12, five.c);
            to.putInt(at + 20, five.d);
            to.putLong(at + 24, five.e);
        }

        private void offer(UnsafeBuffer from, int length) {
            int most = out.maxMessageLength();
            for (int done = 0; done < length; ) {
                int part = Math.min(most, length - done);
                while (check(out.offer(from, done, part)) < 0) {
                    idle.idle();
                }
                done += part;
            }
        }

        private static long check(long position) {
            if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("the publication answered " + position);
            }
            return position;
        }

        @Override
        public void receive(Payload payload) throws IOException {
            receiving = payload;
            received = 0;
            int size = (int) payload.bytes();
            if (payload instanceof Payload.Ints || payload instanceof Payload.Doubles) {
                buffer = Image.atLeast(size, buffer);
            }
            while (received < size) {
                // Not more fragments than this message may still have.
                int most = 1 + (size - received - 1) / out.maxPayloadLength();
                if (in.poll(this, most) == 0) {
                    idle.idle();
                }
            }
            if (payload instanceof Payload.Ints || payload instanceof Payload.Doubles) {
                Image.get(payload, buffer.position(0).limit(size));
            }
        }

        @Override
        public void onFragment(DirectBuffer from, int offset, int length, Header header) {
            switch (receiving) {
                case Payload.Word word -> word.value = from.getLong(offset);
                case Payload.Five five -> {
                    five.a = from.getInt(offset);
                    five.b = from.getLong(offset + 4);
                    five.c = from.getLong(offset + 12);
                    five.d = from.getInt(offset + 20);
                    five.e = from.getLong(offset + 24);
                }
                case Payload.Bytes bytes -> from.getBytes(offset, bytes.data, received, length);
                default -> from.getBytes(offset, buffer, received, length);
            }
            received += length;
        }

        @Override
        public End alone() {
            return Copies.of(MethodHandles.lookup(), this, driver, aeron, out, in, idle);
        }

        @Override
        public void close() {
            aeron.close();
            if (driver != null) {
                driver.close();
            }
        }
    }
}
