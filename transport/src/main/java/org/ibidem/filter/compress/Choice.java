package org.ibidem.filter.compress;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ibidem.codec.Codec;

/// A codec at one of its levels.
record Choice(Codec codec, Codec.Level level) {
    /// As `deflate 1`.
    String name() {
        return codec.name() + " " + level.number();
    }

    /// What `options` leave of these codecs, the fastest first; of one level in several codecs, the
    /// last is that of the greatest number. To decide among, only levels that no other beats in
    /// both rate and ratio: where both ends have zstd, none of deflate.
    ///
    /// @throws IllegalArgumentException where a codec has no such level
    static List<Choice> of(List<Codec> codecs, Compress options) {
        var all = new ArrayList<Choice>();
        for (var codec : codecs) {
            for (var level : options.decides() ? codec.levels() : fixed(codec, options.fixed())) {
                all.add(new Choice(codec, level));
            }
        }
        if (options.decides()) {
            var every = List.copyOf(all);
            all.removeIf(choice -> every.stream().anyMatch(choice::isBeatenBy));
        }
        all.sort(Comparator.comparingDouble((Choice each) -> -each.level().rate()));
        return all;
    }

    private boolean isBeatenBy(Choice other) {
        return other.level.rate() > level.rate() && other.level.ratio() > level.ratio();
    }

    private static List<Codec.Level> fixed(Codec codec, int number) {
        if (number == 0) {
            return List.of();
        }
        codec.encoder(number).close();
        return List.of(new Codec.Level(number, 1, 1));
    }
}
