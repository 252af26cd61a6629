package org.ibidem.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.ibidem.IbidemException;
import org.jspecify.annotations.Nullable;

/// The peer could not be reached, or not in time: the message lists every address tried and why
/// each failed, or the cause says what was waited for.
public final class Unreachable extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final transient List<Attempt> attempts;

    /// One address that was tried.
    ///
    /// @param address where
    /// @param why the exact reason of the failure, for people
    /// @param cause what was thrown, if anything was
    public record Attempt(InetSocketAddress address, String why, @Nullable Exception cause) {
        @Override
        public String toString() {
            if (address.getPort() == 0) {
                return why; // of an address that nobody knows yet
            }
            var host =
                    address.isUnresolved()
                            ? address.getHostString()
                            : address.getAddress().getHostAddress();
            var shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            return shown + ":" + address.getPort() + " " + why;
        }
    }

    /// Says who could not be reached.
    ///
    /// @param what who or what could not be reached, and the reason when nothing could be tried
    /// @param attempts in the order in which they were tried
    public Unreachable(String what, List<Attempt> attempts) {
        super(message(what, attempts));
        this.attempts = List.copyOf(attempts);
        for (var attempt : attempts) {
            if (attempt.cause() != null) {
                addSuppressed(attempt.cause());
            }
        }
    }

    /// Says what there is no connection to, and the limit of the call.
    ///
    /// @param what who or what
    /// @param cause what went wrong last
    public Unreachable(String what, Duration limit, IbidemException cause) {
        super(
                "no connection to "
                        + what
                        + " (limit "
                        + (limit.toMillis() < 10_000
                                ? limit.toMillis() + " ms"
                                : limit.toSeconds() + " s")
                        + "): "
                        + cause.getMessage(),
                cause);
        this.attempts = cause instanceof Unreachable inner ? inner.attempts : List.of();
    }

    /// What was tried, in order.
    public List<Attempt> attempts() {
        return attempts;
    }

    private static String message(String what, List<Attempt> attempts) {
        if (attempts.isEmpty()) {
            return what;
        }
        return attempts.stream()
                .map(Attempt::toString)
                .collect(Collectors.joining("; ", what + "; tried: ", ""));
    }
}
