package org.ibidem.cli.run;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// What somebody may have meant who has misspelt a name.
public final class Near {
    private static final int LETTERS_PER_MISTAKE = 3;

    private Near() {}

    /// Those of the names that this one becomes by few mistakes, the nearest first: one for each
    /// three letters at most, and always one.
    public static List<String> to(String name, Collection<String> names) {
        int most = Math.max(1, name.length() / LETTERS_PER_MISTAKE);
        return names.stream()
                .filter(each -> mistakes(name, each) <= most)
                .sorted(Comparator.comparingInt((String each) -> mistakes(name, each)))
                .toList();
    }

    /// The question whether that was meant; empty: nothing is near.
    static String question(String name, Collection<String> names) {
        var near = to(name, names);
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    /// Letters put in, left out, changed, or swapped with the next one (Damerau 1964), by the table
    /// of Wagner and Fischer 1974.
    private static int mistakes(String one, String other) {
        var table = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                table[i][j] = i + j; // all of one left out, all of the other put in
                if (i > 0 && j > 0) {
                    int changed = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                    int least = 1 + Math.min(table[i - 1][j], table[i][j - 1]);
                    table[i][j] = Math.min(least, table[i - 1][j - 1] + changed);
                }
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    table[i][j] = Math.min(table[i][j], 1 + table[i - 2][j - 2]);
                }
            }
        }
        return table[one.length()][other.length()];
    }
}
