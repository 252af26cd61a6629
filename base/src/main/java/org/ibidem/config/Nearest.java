package org.ibidem.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds the name that a mistyped one may have meant, by the fewest edits (Levenshtein, 1966).
public final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    /// The nearest of `known`, when it is near enough to be worth saying.
    public static Optional<String> to(String read, Collection<String> known) {
        if (read.length() > LONGEST) {
            return Optional.empty();
        }
        var word = read.toLowerCase(Locale.ROOT);
        int most = Math.max(1, read.length() / 3);
        return known.stream()
                .filter(name -> edits(word, name) <= most)
                .min(
                        Comparator.comparingInt((String name) -> edits(word, name))
                                .thenComparing(n -> n));
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int corner = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = corner + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                corner = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
