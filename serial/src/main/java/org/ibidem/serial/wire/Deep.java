package org.ibidem.serial.wire;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Graphs deeper than the stack: the same bytes as codecs write that call each other, by loops that
/// keep what is begun on the heap. A codec that knows no such loop is called, so those need the
/// stack still: an object's own methods, records in records.
final class Deep {
    /// Calls inside each other at most, where the stack cannot be spared.
    static final int MOST_CALLS = 1000;

    private Deep() {}

    static void write(Encoder to, Walk first, int depth) throws IOException {
        var open = new ArrayDeque<Walk>();
        open.push(first);
        for (var walk = open.peek(); walk != null; walk = open.peek()) {
            if (!walk.more()) {
                open.pop();
                continue;
            }
            var inside = reference(to, walk.next(), depth);
            if (inside != null) {
                open.push(inside);
            }
        }
    }

    private static @Nullable Walk reference(Encoder to, @Nullable Object object, int depth)
            throws IOException {
        var codec = object == null || object instanceof String ? null : to.find(object.getClass());
        if (object == null || codec == null || codec.mode != Codec.SHARED) {
            to.write(object, depth);
            return null;
        }
        int at = to.open(object, codec, depth, to.position());
        to.filled(at < 0 ? ~at : at);
        if (at < 0) {
            return null;
        }
        var inside = codec.walk(to, object);
        if (inside == null) {
            call(to, codec, object, depth);
        }
        return inside;
    }

    private static void call(Encoder to, Codec codec, Object object, int depth) throws IOException {
        codec.write(to, object, below(object, depth));
    }

    /// One call more, if there may be one.
    static int below(Object object, int depth) throws InvalidObjectException {
        if (depth >= MOST_CALLS) {
            throw new InvalidObjectException(
                    "objects nest more than "
                            + MOST_CALLS
                            + " deep where the stack is needed, as in a "
                            + object.getClass().getName());
        }
        return depth + 1;
    }

    static @Nullable Object read(Decoder from, Build first, int below)
            throws IOException, ClassNotFoundException {
        var open = new ArrayDeque<Build>();
        open.push(first);
        for (; ; ) {
            var build = open.element();
            Object done;
            if (build.more()) {
                from.cost(0);
                int tag = from.tag();
                var inside = from.codecOf(tag);
                var next = inside == null ? null : inside.build(from);
                if (next != null) {
                    open.push(next);
                    from.loop();
                    from.checkDepth(below);
                    continue;
                }
                done = inside == null ? from.read(tag, below) : call(from, inside, below);
            } else {
                done = build.finish();
                open.pop();
                if (open.isEmpty()) {
                    return done;
                }
                from.unloop(1);
            }
            open.element().take(done);
        }
    }

    private static @Nullable Object call(Decoder from, Codec codec, int below)
            throws IOException, ClassNotFoundException {
        return codec.read(from, below(from, below));
    }

    /// One call more, if there may be one.
    static int below(Decoder from, int below) throws InvalidObjectException {
        if (below >= MOST_CALLS) {
            throw from.invalid(
                    "objects nest more than " + MOST_CALLS + " deep where the stack is needed");
        }
        return below + 1;
    }
}
