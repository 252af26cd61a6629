package org.ibidem.port;

import java.nio.charset.StandardCharsets;
import org.ibidem.Visible;

/// What a port may be called: 1 to 255 bytes of UTF-8, without control characters.
final class PortNames {
    static final int LONGEST = 255;

    private PortNames() {}

    static String check(String name) {
        if (name.isBlank() || name.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException(
                    "the name of a port has 1 to "
                            + LONGEST
                            + " bytes in UTF-8, not: '"
                            + Visible.of(name)
                            + "'");
        }
        return Visible.name("the name of a port", name);
    }
}
