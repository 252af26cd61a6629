package org.ibidem.serial.hook;

import java.util.Collections;
import java.util.Iterator;
import org.ibidem.serial.table.Foreign;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// What a `readObject` or `readExternal` is reading.
final class Active {
    /// In the place of a tag: nothing was looked at.
    static final int NONE = -1000;

    final @Nullable LevelCodec stratum;
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
            @Nullable LevelCodec stratum,
            Object object,
            int depth,
            Description.@Nullable Level level) {
        this.stratum = stratum;
        this.object = object;
        this.depth = depth;
        this.level = level;
    }

    /// What it costs to hash the objects read, or to compare them with others.
    long whole() {
        return table == null ? cost : Decoder.sum(cost, table.compared());
    }
}
