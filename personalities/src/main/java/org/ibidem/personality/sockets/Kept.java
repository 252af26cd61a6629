package org.ibidem.personality.sockets;

import java.net.SocketException;
import java.net.SocketOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Options that mean nothing to a VLink: they are checked as the JDK checks them, kept, and do
/// nothing. By their names, as some are of a module that need not be there.
public final class Kept {
    private static final int MOST_LINGER = 0xFFFF;
    private static final int MOST_TOS = 0xFF;

    /// What they are until somebody sets them, where that is neither 0 nor false.
    private static final Map<String, Object> USUAL =
            Map.of(
                    "SO_LINGER", -1,
                    "SO_SNDBUF", 64 << 10,
                    "SO_RCVBUF", 64 << 10,
                    "TCP_KEEPIDLE", 7200,
                    "TCP_KEEPCOUNT", 9,
                    "TCP_KEEPINTERVAL", 75);

    private final Map<SocketOption<?>, Object> all = new ConcurrentHashMap<>();

    /// None is set.
    public Kept() {}

    /// Sets one.
    ///
    /// @throws IllegalArgumentException when it cannot be that
    /// @throws SocketException when it is only read
    public <T> void set(SocketOption<T> name, @Nullable T value) throws SocketException {
        all.put(name, checked(name, value));
    }

    /// What it is.
    public <T> T get(SocketOption<T> name) {
        var value = all.get(name);
        if (value == null) {
            value = USUAL.get(name.name());
        }
        if (value == null) {
            value = name.type() == Boolean.class ? (Object) false : (Object) 0;
        }
        return name.type().cast(value);
    }

    static <T> T checked(SocketOption<T> name, @Nullable T value) throws SocketException {
        if (value == null || !name.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
        if (!(value instanceof Integer number)) {
            return value;
        }
        return switch (name.name()) {
            case "SO_LINGER" -> name.type().cast(Math.clamp(number, -1, MOST_LINGER));
            case "SO_SNDBUF", "SO_RCVBUF" ->
                    required(number >= 0, value, "Invalid send/receive buffer size");
            case "IP_TOS" ->
                    required(number >= 0 && number <= MOST_TOS, value, "Invalid IP_TOS value");
            case "SO_INCOMING_NAPI_ID" ->
                    throw new SocketException("Attempt to set read only option " + name.name());
            default -> value;
        };
    }

    private static <T> T required(boolean is, T value, String otherwise) {
        if (!is) {
            throw new IllegalArgumentException(otherwise);
        }
        return value;
    }
}
