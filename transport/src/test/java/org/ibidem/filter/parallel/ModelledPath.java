package org.ibidem.filter.parallel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// One end of a connection over a [ModelledLine].
final class ModelledPath implements StreamPath {
    private final ModelledLine line;
    private final boolean outwards;
    private final Deque<Sent> coming = new ArrayDeque<>();
    private final Deque<Under> underWay = new ArrayDeque<>();
    private @Nullable ModelledPath other;
    private int window;

    /// What may be under way here, if it is less than on the others; and what has left.
    int most = Integer.MAX_VALUE;

    long sent;

    /// Told of all that leaves here.
    Consumer<ByteBuffer> watched = _ -> {};

    private boolean swallows;
    private boolean open = true;

    private record Sent(ByteBuffer bytes, long at) {}

    /// Bytes of which this end knows from a time on that they have come.
    private record Under(int bytes, long until) {}

    ModelledPath(ModelledLine line, boolean outwards) {
        this.line = line;
        this.outwards = outwards;
    }

    void to(ModelledPath peer) {
        other = peer;
    }

    /// The other end.
    ModelledPath peer() {
        if (other == null) {
            throw new IllegalStateException("it leads nowhere yet");
        }
        return other;
    }

    /// From now on nothing comes through, either way, and neither end notices.
    void swallow() {
        swallows = true;
        if (other != null) {
            other.swallows = true;
        }
    }

    /// It ends, and with it goes what the ends have not read.
    void cut() {
        coming.clear();
        open = false;
        if (other != null) {
            other.coming.clear();
            other.open = false;
        }
    }

    /// Whether both ends have used it, and all comes through.
    boolean isWell() {
        return open && !swallows && other != null && other.open && sent > 0 && other.sent > 0;
    }

    @Override
    public int read(ByteBuffer into) {
        if (swallows) {
            return 0;
        }
        int before = into.remaining();
        while (into.hasRemaining() && hasCome()) {
            var from = coming.element().bytes;
            while (from.hasRemaining() && into.hasRemaining()) {
                into.put(from.get());
            }
            if (!from.hasRemaining()) {
                coming.remove();
            }
        }
        boolean over =
                into.remaining() == before && coming.isEmpty() && !(other != null && other.open);
        return over ? -1 : before - into.remaining();
    }

    private boolean hasCome() {
        return !coming.isEmpty() && coming.element().at <= line.nanoTime();
    }

    @Override
    public int write(ByteBuffer from) {
        for (var first = underWay.peek();
                first != null && first.until <= line.nanoTime();
                first = underWay.peek()) {
            window -= underWay.remove().bytes;
        }
        int taken = Math.clamp(Math.min(line.window, most) - window, 0, from.remaining());
        if (taken == 0 || other == null) {
            return 0;
        }
        var bytes = ByteBuffer.allocate(taken);
        bytes.put(0, from, from.position(), taken);
        from.position(from.position() + taken);
        window += taken;
        sent += taken;
        watched.accept(bytes);
        if (!swallows && open && other.open) {
            long at = line.arrival(outwards, taken);
            other.coming.add(new Sent(bytes, at));
            underWay.add(new Under(taken, at + line.delay));
        }
        return taken;
    }

    @Override
    public Waitable readable() {
        return Waitable.of(null);
    }

    @Override
    public Waitable writable() {
        return Waitable.of(null);
    }

    @Override
    public void blocking(boolean wait) {}

    @Override
    public void end() {}

    @Override
    public void reset() {
        open = false;
    }

    @Override
    public SocketAddress remote() {
        return InetSocketAddress.createUnresolved("modelled", 1);
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
    }
}
