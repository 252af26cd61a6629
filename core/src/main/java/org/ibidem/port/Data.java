package org.ibidem.port;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.ibidem.buffer.Run;

/// What the messages of a port type carry.
public enum Data {
    /// Bytes, arrays of bytes, buffers and segments.
    BYTES(0, List.of(Run.BYTE, Run.ARRAY | Run.BYTE)),
    /// The same, all primitives, arrays of them, and strings.
    DATA(1, upTo(Run.STRING)),
    /// The same, and object graphs.
    OBJECT(2, upTo(Run.OBJECT));

    private final int code;
    private final int kinds;

    Data(int code, List<Integer> kinds) {
        this.code = code;
        this.kinds = kinds.stream().mapToInt(kind -> 1 << kind).reduce(0, (a, b) -> a | b);
    }

    private static List<Integer> upTo(int kind) {
        return Stream.iterate(0, i -> i <= kind, i -> i + 1).toList();
    }

    /// The number on the wire.
    int code() {
        return code;
    }

    /// The kinds of [Run] allowed, a bit each.
    int kinds() {
        return kinds;
    }

    static Optional<Data> of(int code) {
        return Stream.of(values()).filter(data -> data.code == code).findAny();
    }

    /// In lower case.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
