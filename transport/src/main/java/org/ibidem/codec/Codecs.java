package org.ibidem.codec;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ibidem.config.Services;

/// The codecs there are, by number.
public final class Codecs {
    private static final int MOST = 255;
    private final Map<Integer, Codec> all = new TreeMap<>();

    private Codecs(Collection<? extends Codec> codecs) {
        for (var codec : codecs) {
            if (codec.number() < 1 || codec.number() > MOST) {
                throw new IllegalArgumentException(
                        "the codec %s has the number %d; there are 1 to %d"
                                .formatted(codec.name(), codec.number(), MOST));
            }
            var other = all.put(codec.number(), codec);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two codecs have the number %d: %s and %s; remove one of their modules"
                                .formatted(codec.number(), other.name(), codec.name()));
            }
        }
    }

    /// Those that the modules here provide.
    public static Codecs found() {
        return new Codecs(Services.of(Codec.class));
    }

    /// Just these.
    ///
    /// @throws IllegalArgumentException when two have the same number
    public static Codecs of(Collection<? extends Codec> codecs) {
        return new Codecs(codecs);
    }

    /// The one of this number.
    public Optional<Codec> get(int number) {
        return Optional.ofNullable(all.get(number));
    }

    /// All of them, by number.
    public List<Codec> all() {
        return List.copyOf(all.values());
    }

    /// The names, for people.
    @Override
    public String toString() {
        return String.join(", ", all.values().stream().map(Codec::name).toList());
    }
}
