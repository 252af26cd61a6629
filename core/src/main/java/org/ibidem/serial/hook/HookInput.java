package org.ibidem.serial.hook;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.NotActiveException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.OptionalDataException;
import java.io.StreamCorruptedException;
import java.util.Objects;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// What `readObject` and `readExternal` read from.
final class HookInput extends ObjectInputStream {
    private static final int NONE = -1000;

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

        /// Bytes left of a piece of custom data.
        int left;

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
        made.setObjectInputFilter(info -> judge(info, from));
        from.attach(made);
        return made;
    }

    /// What the JDK's own methods ask before they make tables, and so on.
    private static ObjectInputFilter.Status judge(ObjectInputFilter.FilterInfo info, Decoder from) {
        var type = info.serialClass();
        if (type == null || !type.isArray() || info.arrayLength() < 0) {
            return from.filter().checkInput(info);
        }
        try {
            from.array(type, (int) info.arrayLength(), Long.BYTES);
            return ObjectInputFilter.Status.UNDECIDED;
        } catch (InvalidClassException _) {
            return ObjectInputFilter.Status.REJECTED;
        }
    }

    /// Lets a level's `readObject` read what the peer's `writeObject` wrote.
    ///
    /// @return what it costs to hash the objects read
    long custom(Stratum stratum, Object object, int depth, Description.Level level)
            throws IOException, ClassNotFoundException {
        var outer = active;
        var mine = new Active(stratum, object, depth, level);
        active = mine;
        try {
            stratum.read(object, this);
            skipRest();
            return mine.cost;
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
            if (next(mine) == Tag.FIELDS) {
                defaultReadObject();
            }
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
                case Tag.CUSTOM -> now.left = from.getCount();
                case Tag.END -> now.ended = true;
                default -> now.next = tag;
            }
        }
        return now.next;
    }

    private void skipRest() throws IOException, ClassNotFoundException {
        var now = active();
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
        from.cost(0);
        from.count(1);
        var object = from.read(tag, now.depth);
        now.cost = Decoder.sum(now.cost, from.cost());
        from.work(Decoder.sum(from.cost(), 1)); // as it may hash what it read
        return object;
    }

    @Override
    public @Nullable Object readUnshared() throws IOException, ClassNotFoundException {
        var now = active();
        int tag = reference(now);
        from.count(1);
        return from.readUnshared(tag, now.depth);
    }

    /// The tag of the reference that must come next.
    private int reference(Active now) throws IOException {
        int tag = next(now);
        if (now.left > 0) {
            throw optional(now.left);
        }
        if (now.ended) {
            throw Reflection.endOfCustomData();
        }
        if (tag == Tag.FIELDS) {
            throw new StreamCorruptedException(
                    "the default fields come next; call defaultReadObject or readFields first");
        }
        now.next = NONE;
        return tag;
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
            throw new NotActiveException("fields were read already");
        }
        now.fieldsTaken = true;
        boolean here = now.level != null && next(now) == Tag.FIELDS && now.left == 0;
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
        } else if (level != null && !level.fields().isEmpty()) {
            throw new StreamCorruptedException(
                    "the default fields were expected and not written there");
        }
        return values;
    }

    @Override
    public GetField readFields() throws IOException, ClassNotFoundException {
        var now = active();
        var stratum = now.stratum;
        if (stratum == null) {
            throw new NotActiveException("not in call to readObject");
        }
        if (now.values != null) {
            now.fieldsTaken = true;
            return now.values;
        }
        return fields(now, stratum, takeFields(now));
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

    @Override
    public int available() throws IOException {
        var now = active();
        next(now);
        return now.left;
    }

    @Override
    public int read() throws IOException {
        var now = active();
        next(now);
        if (now.left == 0) {
            return -1;
        }
        now.left--;
        return from.getUnsigned();
    }

    @Override
    public int read(byte[] bytes) throws IOException {
        return read(bytes, 0, bytes.length);
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        var now = active();
        next(now);
        int some = Math.min(now.left, count);
        if (some == 0) {
            return count == 0 ? 0 : -1;
        }
        from.getBytes(bytes, offset, some);
        now.left -= some;
        return some;
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
        readFully(bytes, 0, bytes.length);
    }

    @Override
    public void readFully(byte[] bytes, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        for (int done = 0; done < count; ) {
            int some = read(bytes, offset + done, count - done);
            if (some < 0) {
                throw new EOFException();
            }
            done += some;
        }
    }

    @Override
    public int skipBytes(int count) throws IOException {
        int done = 0;
        while (done < count && read() >= 0) {
            done++;
        }
        return done;
    }

    private long number(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << Byte.SIZE | readUnsignedByte();
        }
        return value;
    }

    @Override
    public boolean readBoolean() throws IOException {
        return readUnsignedByte() != 0;
    }

    @Override
    public byte readByte() throws IOException {
        return (byte) readUnsignedByte();
    }

    @Override
    public int readUnsignedByte() throws IOException {
        int value = read();
        if (value < 0) {
            throw new EOFException();
        }
        return value;
    }

    @Override
    public short readShort() throws IOException {
        return (short) number(Short.BYTES);
    }

    @Override
    public int readUnsignedShort() throws IOException {
        return (int) number(Short.BYTES);
    }

    @Override
    public char readChar() throws IOException {
        return (char) number(Character.BYTES);
    }

    @Override
    public int readInt() throws IOException {
        return (int) number(Integer.BYTES);
    }

    @Override
    public long readLong() throws IOException {
        return number(Long.BYTES);
    }

    @Override
    public float readFloat() throws IOException {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public double readDouble() throws IOException {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester")
    public @Nullable String readLine() throws IOException {
        return new DataInputStream(this).readLine();
    }

    @Override
    public String readUTF() throws IOException {
        return DataInputStream.readUTF(this);
    }

    @Override
    public void close() {
        // belongs to the message
    }
}
