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
import java.util.Iterator;
import java.util.Objects;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.table.Foreign;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// What `readObject` and `readExternal` read from.
final class HookInput extends HookNumbers {
    private static final int NONE = -1000;

    /// In the place of a tag: the next object is a default field that was read already.
    private static final int SINGLE = -1001;

    private final Decoder from;
    private @Nullable Active active;

    /// What is being read.
    private static final class Active {
        final @Nullable Stratum stratum;
        final Object object;
        final int depth;

        /// The fields as the peer described them.
        final Description.@Nullable Level level;

        /// Fields that came already, or were asked for.
        @Nullable Values values;

        boolean fieldsTaken;

        /// Bytes left of a piece of custom data, of which some were read perhaps.
        int left;

        boolean begun;

        /// Default fields that are read one by one, as objects of custom data are.
        Iterator<@Nullable Object> single = Collections.emptyIterator();

        boolean singly;

        /// The table that the JDK makes of the objects, if it is one.
        @Nullable Foreign table;

        /// The tag of what comes next, if it was looked at.
        int next = NONE;

        boolean ended;
        long cost = 1;

        Active(
                @Nullable Stratum stratum,
                Object object,
                int depth,
                Description.@Nullable Level level) {
            this.stratum = stratum;
            this.object = object;
            this.depth = depth;
            this.level = level;
        }
    }

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
    long custom(Stratum stratum, Object object, int depth, Description.Level level)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, level);
        var table = Foreign.of(stratum.level.type, from);
        mine.table = table;
        active = mine;
        try {
            stratum.read(object, this);
            skipRest();
            return table == null ? mine.cost : Decoder.sum(mine.cost, table.compared());
        } finally {
            active = outer;
        }
    }

    /// Lets a level's `readObject` read fields that came without custom data.
    long plain(Stratum stratum, Object object, int depth, Values values)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, null);
        mine.values = values;
        mine.ended = true;
        active = mine;
        try {
            stratum.read(object, this);
            return mine.cost;
        } finally {
            active = outer;
        }
    }

    /// Lets the JDK set fields that we cannot reach.
    void lent(Stratum stratum, Object object, Values values)
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
            object.readExternal(this);
            skipRest();
            return mine.cost;
        } finally {
            active = outer;
        }
    }

    /// Reads what a `writeObject` wrote into a level that has no `readObject`: its fields.
    long unread(Stratum stratum, Object object, int depth, Description.Level level)
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
        var object = from.read(tag, now.depth);
        now.cost = Decoder.sum(now.cost, from.cost());
        from.work(Decoder.sum(from.cost(), 1)); // as it may hash what it read
        var table = now.table;
        if (table != null) {
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
        return from.readUnshared(tag, now.depth);
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
        var level = now.level;
        boolean here = takeFields(now);
        var code = stratum.fields;
        if (here && code != null && level != null && same(level, stratum)) {
            now.cost = Decoder.sum(now.cost, code.fill(from, now.object, now.depth));
        } else {
            var values = fields(now, stratum, here);
            var table = now.table;
            if (table != null) {
                table.fields(values);
            }
            if (stratum.fields != null) {
                values.set(now.object, stratum.accesses);
            } else {
                lent(stratum, now.object, values);
            }
        }
    }

    private static boolean same(Description.Level level, Stratum stratum) {
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

    private Values fields(Active now, Stratum stratum, boolean here)
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
        var values = fields(now, stratum, takeFields(now));
        var table = now.table;
        if (table != null) {
            table.fields(values);
        }
        return values;
    }

    @Override
    public void registerValidation(@Nullable ObjectInputValidation object, int priority)
            throws NotActiveException, InvalidObjectException {
        active();
        if (object == null) {
            throw new InvalidObjectException("null callback");
        }
        from.atEnd(priority, object::validateObject);
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
