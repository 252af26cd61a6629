package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ArrayList;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Reads records that the peer described otherwise than they are here: components are matched by
/// name, and what did not come is zero or null.
public final class RecordReader extends Codec {
    private final Plan plan;
    private final Description there;
    private final Resolving resolving;

    /// A codec for this one peer.
    public RecordReader(Plan plan, Description there) throws InvalidClassException {
        super(plan.shape().type, there.has(Description.VALUE) ? VALUE : SHARED);
        if (there.levels().isEmpty()) {
            throw new InvalidClassException(there.name(), "a record without a level");
        }
        this.plan = plan;
        this.there = there;
        this.resolving = new Resolving(plan.shape());
    }

    @Override
    public void write(Encoder to, Object object, int depth) {
        throw new IllegalStateException("it only reads");
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        boolean shared = mode == SHARED;
        int handle = shared ? from.register(null) : -1;
        var levels = there.levels();
        for (int i = 0; i < levels.size() - 1; i++) {
            new Values(null).read(levels.get(i).fields(), from, depth);
        }
        var values = new Values(plan.shape().levels.getLast());
        long cost = values.read(levels.getLast().fields(), from, depth);
        var made = plan.construct(arguments(values));
        if (shared) {
            from.replace(handle, made);
            from.cost(handle, cost);
        }
        return resolving.resolve(from, made, handle);
    }

    private @Nullable Object[] arguments(Values values) {
        var arguments = new ArrayList<@Nullable Object>();
        for (var component : plan.shape().type.getRecordComponents()) {
            arguments.add(values.component(component.getName(), component.getType()));
        }
        return arguments.toArray();
    }
}
