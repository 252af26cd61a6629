package org.ibidem.handshake;

import java.util.Objects;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.connect.Unreachable;
import org.jspecify.annotations.Nullable;

/// There is no path to a peer over which data may go in clear. To try it again is no use; another
/// stack may do.
public final class NotDirect extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// With the reason why no direct path could be made.
    public NotDirect(IbidemException why) {
        super(String.valueOf(why.getMessage()), why);
    }

    /// Whether something comes of this.
    public static boolean caused(@Nullable Throwable what) {
        for (var cause = what; cause != null; cause = cause.getCause()) {
            if (cause instanceof NotDirect) {
                return true;
            }
        }
        return false;
    }

    /// Whether one end of a connection refused it because of what could be read.
    public static boolean said(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> false;
            case Untrusted untrusted -> untrusted.refusal() == Refusal.CLEAR;
            case HandshakeRefused refused -> refused.refusal() == Refusal.CLEAR;
            case Unreachable unreachable ->
                    Stream.concat(
                                    unreachable.attempts().stream().map(each -> each.cause()),
                                    Stream.of(unreachable.getCause()))
                            .filter(Objects::nonNull)
                            .anyMatch(NotDirect::said);
            default -> said(failure.getCause());
        };
    }
}
