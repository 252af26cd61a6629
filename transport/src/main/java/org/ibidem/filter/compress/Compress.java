package org.ibidem.filter.compress;

import java.util.regex.Pattern;

/// The options of the filter `compress`.
///
/// @param level `auto`: what measuring says is fastest, for each block anew; `off`: none; else a
///   level of the codec, always
/// @param codec name of the only one to use, which then both ends need; `auto`: any that both have
public record Compress(String level, String codec) {
    static final String AUTO = "auto";
    static final String OFF = "off";
    private static final Pattern LEVEL = Pattern.compile("auto|off|-?[1-9][0-9]?");

    /// The defaults: all is decided by measuring.
    public Compress() {
        this(AUTO, AUTO);
    }

    /// Checks the level.
    public Compress {
        if (!LEVEL.matcher(level).matches()) {
            throw new IllegalArgumentException(
                    "level is auto, off or a number from 1 to 99, or from -1 to -99 where the"
                            + " codec has faster ones, not '"
                            + level
                            + "'");
        }
    }

    boolean decides() {
        return level.equals(AUTO);
    }

    /// 0: off.
    int fixed() {
        return level.equals(OFF) ? 0 : Integer.parseInt(level);
    }
}
