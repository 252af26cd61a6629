package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputValidation;
import java.io.OptionalDataException;
import java.io.StreamCorruptedException;
import java.util.Collections;
import java.util.Objects;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.table.Foreign;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// What `readObject` and `readExternal` read from.
final class HookInput extends HookNumbers {
    private static final int NONE = Active.NONE;

    /// In the place of a tag: the next object is a default field that was read already.
    private static final int SINGLE = -1001;

    private final Decoder from;
    private @Nullable Active active;

    private HookInput(Decoder from) throws IOException {
        this.from = from;
    }

    /// The one of this decoder.
    static HookInput of(Decoder from) throws IOException {
        if (from.attachment() instanceof HookInput known) {
            return known;
        }
        var made = new HookInput(from);
        made.setObjectInputFilter(made::judge);
        from.attach(made);
        return made;
    }

    /// What the JDK's own methods ask before they make tables, and so on.
    private ObjectInputFilter.Status judge(ObjectInputFilter.FilterInfo info) {
        var type = info.serialClass();
        if (type == null || !type.isArray() || info.arrayLength() < 0) {
            return from.filter().checkInput(info);
        }
        try {
            from.array(type, (int) info.arrayLength(), Long.BYTES);
        } catch (InvalidClassException _) {
            return ObjectInputFilter.Status.REJECTED;
        }
        var table = active == null ? null : active.table;
        if (table != null) {
            table.announced((int) info.arrayLength());
        }
        return ObjectInputFilter.Status.UNDECIDED;
    }

    /// Lets a level's `readObject` read what the peer's `writeObject` wrote.
    ///
    /// @return what it costs to hash the objects read
    long custom(LevelCodec stratum, Object object, int depth, Description.Level level)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, level);
        mine.table = Foreign.of(stratum.level.type, from);
        active = mine;
        try {
            try {
                stratum.read(object, this);
            } catch (RuntimeException e) {
                throw from.passing(e, stratum.level.type);
            }
            skipRest();
            return mine.whole();
        } finally {
            active = outer;
        }
    }

    /// Lets a level's `readObject` read fields that came without custom data.
    ///
    /// @return what it costs to hash them
    long plain(LevelCodec stratum, Object object, int depth, Values values)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, null);
        mine.table = Foreign.of(stratum.level.type, from);
        mine.values = values;
        mine.ended = true;
        active = mine;
        try {
            try {
                stratum.read(object, this);
            } catch (RuntimeException e) {
                throw from.passing(e, stratum.level.type);
            }
            return mine.whole();
        } finally {
            active = outer;
        }
    }

    /// Lets the JDK set fields that we cannot reach.
    void lent(LevelCodec stratum, Object object, Values values)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, 0, null);
        mine.values = values;
        mine.ended = true;
        active = mine;
        try {
            stratum.setFields(object, this);
        } finally {
            active = outer;
        }
    }

    /// Lets an object read itself.
    long external(java.io.Externalizable object, int depth)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(null, object, depth, null);
        active = mine;
        try {
            try {
                object.readExternal(this);
            } catch (RuntimeException e) {
                throw from.passing(e, object.getClass());
            }
            skipRest();
            return mine.cost;
        } finally {
            active = outer;
        }
    }

    /// Reads what a `writeObject` wrote into a level that has no `readObject`: its fields.
    long unread(LevelCodec stratum, Object object, int depth, Description.Level level)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, level);
        active = mine;
        try {
            defaultReadObject();
            skipRest();
            return mine.cost;
        } finally {
            active = outer;
        }
    }

    /// Gets past what a method wrote that nobody here reads.
    void skip(@Nullable Object object, int depth, Description.@Nullable Level level)
            throws IOException, ClassNotFoundException {
        var outer = active;
        active = new Active(null, object == null ? this : object, depth, level);
        try {
            skipRest();
        } finally {
            active = outer;
        }
    }

    private Active active() throws NotActiveException {
        var now = active;
        if (now == null) {
            throw new NotActiveException("not in call to readObject");
        }
        return now;
    }

    /// Looks at what comes next when a piece is used up.
    private int next(Active now) throws IOException {
        while (now.left == 0 && !now.ended && now.next == NONE) {
            int tag = from.tag();
            switch (tag) {
                case Tag.CUSTOM -> {
                    now.left = from.getCount();
                    now.cost = Decoder.sum(now.cost, Decoder.costOfArray(now.left));
                    now.begun = false;
                }
                case Tag.END -> now.ended = true;
                default -> now.next = tag;
            }
        }
        return now.next;
    }

    /// As [#next], for who has not asked for the default fields. With the JDK nothing stands before
    /// them: references come one by one, and if there is none it is as if they were not there.
    private int single(Active now) throws IOException, ClassNotFoundException {
        while (!now.single.hasNext() && now.left == 0) {
            var level = now.level;
            var values = now.values;
            if (level == null && values != null && !now.fieldsTaken && !now.singly) {
                now.singly = true;
                now.single = values.isOfReferences() ? values.byName() : now.single;
            } else if (level != null
                    && next(now) == Tag.FIELDS
                    && level.fields().stream().allMatch(Description.Field::isReference)) {
                now.next = NONE;
                var read = new Values(null);
                now.cost = Decoder.sum(now.cost, read.readAll(level.fields(), from, now.depth));
                now.single = read.byName();
            } else {
                return next(now);
            }
        }
        return now.single.hasNext() ? SINGLE : NONE;
    }

    private void skipRest() throws IOException, ClassNotFoundException {
        var now = active();
        now.single = Collections.emptyIterator();
        for (; ; ) {
            int tag = next(now);
            if (now.left > 0) {
                skipBytes(now.left);
            } else if (now.ended) {
                return;
            } else if (tag == Tag.FIELDS) {
                now.next = NONE;
                var level = now.level;
                if (level == null) {
                    throw from.corrupt("fields in what writeExternal wrote");
                }
                new Values(null).read(level.fields(), from, now.depth);
            } else {
                now.next = NONE;
                from.discard(tag, now.depth);
            }
        }
    }

    @Override
    protected @Nullable Object readObjectOverride() throws IOException, ClassNotFoundException {
        var now = active();
        int tag = reference(now);
        if (tag == SINGLE) {
            return now.single.next();
        }
        from.cost(0);
        from.count(1);
        Object object;
        try {
            object = from.read(tag, now.depth);
        } catch (RuntimeException e) {
            throw from.garbage(e);
        }
        long cost = Decoder.sum(from.cost(), 1);
        now.cost = Decoder.sum(now.cost, cost);
        var table = now.table;
        if (table == null) {
            from.work(cost); // as it may hash what it read
        } else {
            table.read(object);
        }
        return object;
    }

    @Override
    public @Nullable Object readUnshared() throws IOException, ClassNotFoundException {
        var now = active();
        int tag = reference(now);
        if (tag == SINGLE) {
            return now.single.next();
        }
        from.count(1);
        from.cost(0);
        Object object;
        try {
            object = from.readUnshared(tag, now.depth);
        } catch (RuntimeException e) {
            throw from.garbage(e);
        }
        now.cost = Decoder.sum(now.cost, Decoder.sum(from.cost(), 1));
        return object;
    }

    /// The tag of the reference that must come next.
    private int reference(Active now) throws IOException, ClassNotFoundException {
        int tag = single(now);
        if (now.left > 0) {
            throw optional(now.left);
        }
        if (tag == SINGLE) {
            return tag;
        }
        if (now.ended) {
            throw Reflection.endOfCustomData();
        }
        if (tag == Tag.FIELDS) {
            throw fieldsCome();
        }
        now.next = NONE;
        return tag;
    }

    private static StreamCorruptedException fieldsCome() {
        return new StreamCorruptedException(
                "the default fields come next; call defaultReadObject or readFields first");
    }

    private static OptionalDataException optional(int left) {
        var problem = Reflection.endOfCustomData();
        problem.eof = false;
        problem.length = left;
        return problem;
    }

    @Override
    public void defaultReadObject() throws IOException, ClassNotFoundException {
        var now = active();
        var stratum = now.stratum;
        if (stratum == null) {
            throw new NotActiveException("not in call to readObject");
        }
        try {
            readDefault(now, stratum);
        } catch (RuntimeException e) {
            throw from.garbage(e);
        }
    }

    private void readDefault(Active now, LevelCodec stratum)
            throws IOException, ClassNotFoundException {
        var level = now.level;
        boolean here = takeFields(now);
        var code = stratum.fields;
        if (here && code != null && level != null && same(level, stratum)) {
            now.cost = Decoder.sum(now.cost, code.fill(from, now.object, now.depth));
        } else {
            var values = fields(now, stratum, here);
            var table = now.table;
            if (table != null) {
                table.fields(values, values.cost());
            }
            if (stratum.isSetSingly()) {
                values.set(now.object, stratum.accesses);
            } else {
                lent(stratum, now.object, values);
            }
        }
    }

    private static boolean same(Description.Level level, LevelCodec stratum) {
        return level.fields().equals(stratum.level.described().fields());
    }

    /// Whether the fields come next; they are taken only once.
    private boolean takeFields(Active now) throws IOException {
        if (now.fieldsTaken) {
            throw new NotActiveException("not in readObject invocation or fields already read");
        }
        now.fieldsTaken = true;
        if (now.level == null || now.single.hasNext()) {
            return false;
        }
        int tag = next(now);
        if (now.left > 0 && now.begun) {
            throw new IllegalStateException("unread block data");
        }
        boolean here = tag == Tag.FIELDS && now.left == 0;
        if (here) {
            now.next = NONE;
        }
        return here;
    }

    private Values fields(Active now, LevelCodec stratum, boolean here)
            throws IOException, ClassNotFoundException {
        var known = now.values;
        if (known != null) {
            return known;
        }
        var values = new Values(stratum.level);
        now.values = values;
        var level = now.level;
        if (here && level != null) {
            now.cost = Decoder.sum(now.cost, values.read(level.fields(), from, now.depth));
        } else if (level != null) {
            single(now, level, values);
        }
        return values;
    }

    /// Takes objects that were written one by one for the default fields, as the JDK does.
    private void single(Active now, Description.Level level, Values values)
            throws IOException, ClassNotFoundException {
        for (var field : Values.byName(level.fields())) {
            int tag = field.isReference() ? single(now) : NONE;
            if (tag == SINGLE) {
                values.put(field, now.single.next());
            } else if (now.left > 0 || tag == NONE || tag == Tag.FIELDS) {
                throw new StreamCorruptedException(
                        "the default fields were expected and not written there");
            } else {
                now.next = NONE;
                from.count(1);
                from.cost(0);
                values.reference(field, from, tag, now.depth);
                now.cost = Decoder.sum(now.cost, from.cost());
            }
        }
    }

    @Override
    public GetField readFields() throws IOException, ClassNotFoundException {
        var now = active();
        var stratum = now.stratum;
        if (stratum == null) {
            throw new NotActiveException("not in call to readObject");
        }
        try {
            var values = fields(now, stratum, takeFields(now));
            var table = now.table;
            if (table != null) {
                table.fields(values, values.cost());
            }
            return values;
        } catch (RuntimeException e) {
            throw from.garbage(e);
        }
    }

    @Override
    public void registerValidation(@Nullable ObjectInputValidation object, int priority)
            throws NotActiveException, InvalidObjectException {
        active();
        if (object == null) {
            throw new InvalidObjectException("null callback");
        }
        from.atEnd(
                priority,
                () -> {
                    try {
                        object.validateObject();
                    } catch (RuntimeException e) {
                        throw from.passing(e, object.getClass());
                    }
                });
    }

    /// Looks for bytes.
    private void data(Active now) throws IOException {
        try {
            if (single(now) == Tag.FIELDS && now.left == 0) {
                throw fieldsCome();
            }
        } catch (ClassNotFoundException e) {
            throw new StreamCorruptedException("objects come next, and not all can be read: " + e);
        }
    }

    @Override
    public int available() throws IOException {
        var now = active();
        data(now);
        return now.left;
    }

    @Override
    public int read() throws IOException {
        var now = active();
        data(now);
        if (now.left == 0) {
            return -1;
        }
        now.left--;
        now.begun = true;
        return from.getUnsigned();
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        var now = active();
        data(now);
        int some = Math.min(now.left, count);
        if (some == 0) {
            return count == 0 ? 0 : -1;
        }
        from.getBytes(bytes, offset, some);
        now.left -= some;
        now.begun = true;
        return some;
    }

    @Override
    public void close() {
        // belongs to the message
    }
}
