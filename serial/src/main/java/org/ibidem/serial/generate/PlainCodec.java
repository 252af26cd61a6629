package org.ibidem.serial.generate;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.List;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.wire.Build;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Walk;
import org.jspecify.annotations.Nullable;

/// A class whose objects are nothing but their fields. What is here is for graphs too deep for the
/// stack, where time matters less; the usual way is generated.
public abstract class PlainCodec extends Codec {
    private final Plan plan;

    /// For generated classes.
    protected PlainCodec(Plan plan) {
        this(plan, Encoder.DEEP);
    }

    /// @param deep as for [Codec]
    PlainCodec(Plan plan, int deep) {
        super(plan.shape().type, plan.mode(), plan.index(), deep);
        this.plan = plan;
    }

    @Override
    public final Description description() {
        return plan.description();
    }

    @Override
    public final boolean hashesInside() {
        return plan.hashes();
    }

    @Override
    public final void write(Encoder to, Object object, int depth) throws IOException {
        to.filled(put(to, object, depth, to.position()));
    }

    @Override
    public abstract int put(Encoder to, Object object, int depth, int at) throws IOException;

    @Override
    public final @Nullable Walk walk(Encoder to, Object object) throws IOException {
        return plan.leaf() ? null : fields(to, object);
    }

    /// Writes the primitives of an object.
    ///
    /// @return its references
    final Walk fields(Encoder to, Object object) throws IOException {
        for (var field : plan.layout().primitives()) {
            field.write(to, object);
        }
        return new FieldWalk(plan.layout().references(), object);
    }

    private static final class FieldWalk implements Walk {
        private final List<FieldAccess> fields;
        private final Object object;
        private int next;

        FieldWalk(List<FieldAccess> fields, Object object) {
            this.fields = fields;
            this.object = object;
        }

        @Override
        public boolean more() {
            return next < fields.size();
        }

        @Override
        public @Nullable Object next() {
            return fields.get(next++).get(object);
        }
    }

    @Override
    public final @Nullable Build build(Decoder from) throws IOException {
        if (plan.leaf() || plan.slots().references().isEmpty()) {
            return null;
        }
        return plan.shape().type.isRecord() || plan.sets() ? begin(from) : null;
    }

    /// Begins to read an object by the ways to its fields.
    final Build begin(Decoder from) throws IOException {
        return plan.shape().type.isRecord() ? new RecordBuild(from) : new ObjectBuild(from);
    }

    private final class ObjectBuild implements Build {
        private final Decoder from;
        private final Object object;
        private final List<FieldAccess> references;
        private final int handle;
        private int next;
        private long cost = 1;

        ObjectBuild(Decoder from) throws IOException {
            this.from = from;
            this.references = plan.layout().references();
            try {
                object = plan.make().newInstance();
            } catch (ReflectiveOperationException e) {
                var problem =
                        new InvalidClassException(type.getName(), "unable to create instance");
                problem.initCause(e);
                throw problem;
            }
            handle = from.register(object, references.size());
            for (var field : plan.layout().primitives()) {
                field.read(object, from);
            }
        }

        @Override
        public boolean more() {
            return next < references.size();
        }

        @Override
        public void take(@Nullable Object reference) {
            cost = Decoder.sum(cost, from.cost());
            references.get(next++).set(object, reference);
        }

        @Override
        public Object finish() {
            from.cost(handle, plan.hashes() ? cost : 0);
            return object;
        }
    }

    private final class RecordBuild implements Build {
        private final Decoder from;
        private final int handle;
        private final @Nullable Object[] values;
        private final Layout<FieldAccess> layout;
        private int next;
        private long cost = 1;

        RecordBuild(Decoder from) throws IOException {
            this.from = from;
            layout = plan.layout();
            handle = register();
            values = new @Nullable Object[layout.primitives().size() + layout.references().size()];
            for (var field : layout.primitives()) {
                values[plan.place(field)] = FieldAccess.read(field.slot.code(), from);
            }
        }

        @Override
        public boolean more() {
            return next < layout.references().size();
        }

        @Override
        public void take(@Nullable Object reference) {
            cost = Decoder.sum(cost, from.cost());
            values[plan.place(layout.references().get(next++))] = reference;
        }

        private int register() {
            int inside = layout.references().size();
            if (mode == SHARED) {
                return from.register(null, inside);
            }
            from.count(inside);
            return -1;
        }

        @Override
        public Object finish() throws IOException {
            var made = plan.construct(values);
            if (mode == SHARED) {
                from.cost(handle, cost);
                from.replace(handle, made);
            }
            return made;
        }
    }
}
