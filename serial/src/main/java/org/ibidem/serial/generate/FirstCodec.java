package org.ibidem.serial.generate;

import java.io.IOException;
import java.io.InvalidClassException;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Serves a plain class, or a record, until enough of its objects have travelled to be worth code
/// of their own: it goes from field to field. So a process that has just begun, or one that sends a
/// few objects of many classes, need not wait for code to be made. Same bytes, same errors.
public final class FirstCodec extends PlainCodec {
    /// Each level takes five calls, some 900 bytes of stack while they are not compiled yet, and a
    /// thread may have no more than 256 KiB.
    private static final int DEEP = 96;

    /// The greatest depth at which code is made. Making it takes as much stack as two hundred
    /// levels, which a small thread does not have left deep in a graph.
    private static final int SHALLOW = 32;

    private final Plan plan;
    private final Tiers tiers;

    /// Objects that may still come by here. Counted without care: nothing depends on the number.
    private int left;

    /// When and how code is made.
    public interface Tiers {
        /// After how many objects of a class.
        int after();

        /// Makes it.
        Codec generate(Plan plan) throws InvalidClassException;
    }

    /// Serves a class of which all fields may be set.
    public FirstCodec(Plan plan, Tiers tiers) {
        super(plan, DEEP);
        this.plan = plan;
        this.tiers = tiers;
        this.left = tiers.after();
    }

    /// What serves the class when much is to be done.
    @Override
    public Codec last() {
        var made = latest();
        return made == this ? make() : made;
    }

    /// Without a lock while code is made, which may initialize classes: two may make it at once.
    private Codec make() {
        Codec made;
        try {
            made = tiers.generate(plan);
        } catch (InvalidClassException e) {
            throw new IllegalStateException("it could be reached before", e);
        }
        synchronized (this) {
            if (latest() == this) {
                succeed(made);
            }
            return latest();
        }
    }

    private Codec next(int depth) {
        return --left > 0 || depth > SHALLOW ? latest() : last();
    }

    @Override
    public int put(Encoder to, Object object, int depth, int at) throws IOException {
        var other = next(depth);
        if (other != this) {
            to.latest(other);
            return other.put(to, object, depth, at);
        }
        to.filled(at);
        var references = fields(to, object);
        while (references.more()) {
            to.write(references.next(), depth);
        }
        return to.position();
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        var other = next(depth);
        if (other != this) {
            from.latest(this, other);
            return other.read(from, depth);
        }
        var build = begin(from);
        for (var slot : plan.slots().references()) {
            from.cost(0);
            build.take(
                    slot.type() == String.class
                            ? from.readText(from.tag(), depth)
                            : from.read(depth));
        }
        return build.finish();
    }
}
