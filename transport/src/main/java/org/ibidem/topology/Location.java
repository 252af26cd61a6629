package org.ibidem.topology;

import java.util.List;
import org.ibidem.Visible;

/// Where a node is, from the narrowest level to the widest: `host@cluster@site`. Levels compare
/// from the widest.
///
/// @param levels at least one, none empty, none holding `@` or a control character
public record Location(List<String> levels) {
    private static final int MOST_LEVELS = 8;
    private static final int LONGEST_LEVEL = 64;

    /// Checks the levels.
    public Location {
        levels = List.copyOf(levels);
        if (levels.isEmpty() || levels.size() > MOST_LEVELS) {
            throw new IllegalArgumentException(
                    "a location has 1 to " + MOST_LEVELS + " levels, not " + levels.size());
        }
        for (var level : levels) {
            if (level.isBlank() || level.length() > LONGEST_LEVEL || level.indexOf('@') >= 0) {
                throw new IllegalArgumentException(
                        "a level of a location has 1 to "
                                + LONGEST_LEVEL
                                + " characters and no '@': '"
                                + Visible.of(level)
                                + "'");
            }
            Visible.name("a level of a location", level);
        }
    }

    /// Reads `host@cluster@site`.
    public static Location parse(String text) {
        return new Location(List.of(text.split("@", -1)));
    }

    /// How many levels two locations share, counted from the widest; 0: not even the site.
    public int shared(Location other) {
        int mine = levels.size();
        int theirs = other.levels.size();
        int n = 0;
        while (n < mine
                && n < theirs
                && levels.get(mine - 1 - n).equals(other.levels.get(theirs - 1 - n))) {
            n++;
        }
        return n;
    }

    @Override
    public String toString() {
        return String.join("@", levels);
    }
}
