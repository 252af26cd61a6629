package org.ibidem.filter.parallel;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ibidem.link.Sleepy;
import org.ibidem.link.StreamPath;
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

    @Override
    public int read(ByteBuffer into) {
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
        long at = line.arrival(outwards, taken);
        other.coming.add(new Sent(bytes, at));
        underWay.add(new Under(taken, at + line.delay));
        window += taken;
        sent += taken;
        return taken;
    }

    @Override
    public Sleepy readable() {
        return Sleepy.of(null);
    }

    @Override
    public Sleepy writable() {
        return Sleepy.of(null);
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
