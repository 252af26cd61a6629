package org.ibidem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/// Test vectors of a wire format: lines `name = hexadecimal`, comments after `#`.
public final class Vectors {
    private final Map<String, byte[]> values = new LinkedHashMap<>();

    /// Reads `wire/NAME.txt` among the test resources.
    public static Vectors read(String name) throws IOException {
        var vectors = new Vectors();
        try (var in = Vectors.class.getResourceAsStream("/wire/" + name + ".txt")) {
            for (var line :
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    var parts = line.split(" = ", 2);
                    vectors.values.put(
                            parts[0], HexFormat.of().parseHex(parts[1].replace(" ", "")));
                }
            }
        }
        return vectors;
    }

    /// The bytes of this name.
    public byte[] get(String name) {
        if (!values.containsKey(name)) {
            throw new IllegalArgumentException("no vector is called " + name);
        }
        return values.get(name).clone();
    }

    /// All whose names begin so.
    public Map<String, byte[]> starting(String prefix) {
        var found = new LinkedHashMap<>(values);
        found.keySet().removeIf(name -> !name.startsWith(prefix));
        return found;
    }
}
