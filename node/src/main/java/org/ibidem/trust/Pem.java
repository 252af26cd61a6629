package org.ibidem.trust;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Text with sections in base 64 (RFC 7468).
public final class Pem {
    private static final int LINE = 64;

    private Pem() {}

    /// One section.
    public static String section(String label, byte[] content) {
        var body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(content);
        return begin(label) + "\n" + body + "\n" + end(label) + "\n";
    }

    /// All sections with this label, in their order.
    ///
    /// @throws IllegalArgumentException when one is not base 64, or does not end
    public static List<byte[]> sections(String label, String text) {
        var found = new ArrayList<byte[]>();
        int from = text.indexOf(begin(label));
        while (from >= 0) {
            int to = text.indexOf(end(label), from);
            if (to < 0) {
                throw new IllegalArgumentException("the section '" + label + "' does not end");
            }
            var body = text.substring(from + begin(label).length(), to).strip();
            found.add(Base64.getMimeDecoder().decode(body));
            from = text.indexOf(begin(label), to);
        }
        return found;
    }

    private static String begin(String label) {
        return "-----BEGIN " + label + "-----";
    }

    private static String end(String label) {
        return "-----END " + label + "-----";
    }
}
