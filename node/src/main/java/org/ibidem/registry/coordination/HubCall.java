package org.ibidem.registry.coordination;

import java.nio.charset.StandardCharsets;
import org.ibidem.IbidemException;
import org.ibidem.Visible;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;

/// What all that is asked of a hub has in common: what may be a name.
final class HubCall {
    private HubCall() {}

    static String name(String name) {
        return text("a name", Visible.name("a name", name), Protocol.NAME_BYTES);
    }

    static String text(String what, String text, int most) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > most) {
            throw new IllegalArgumentException(
                    what + " has at most " + most + " bytes in UTF-8, not " + bytes);
        }
        return text;
    }

    static long number(Outcome outcome) {
        if (outcome instanceof Outcome.Value(var value)) {
            return value;
        }
        throw unexpected(outcome);
    }

    static IbidemException unexpected(Outcome outcome) {
        return new IbidemException("the hub gave an answer to another question: " + outcome);
    }
}
