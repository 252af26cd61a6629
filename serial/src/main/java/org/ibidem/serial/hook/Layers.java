package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// How the levels that a peer described meet those of the class here: what came for a level, what
/// came for a level that is not here, and levels for which nothing came.
final class Layers {
    /// One level, there or here or both.
    ///
    /// @param there as described; null: nothing comes
    /// @param here null: what comes is thrown away
    private record Layer(Description.@Nullable Level there, @Nullable LevelCodec here) {}

    private final List<Layer> layers;
    private final boolean layered;

    private Layers(List<Layer> layers, Description there) {
        this.layers = layers;
        this.layered = there.has(Description.LAYERED);
    }

    /// Matches levels by their names, as the JDK does.
    ///
    /// @param here from the top down
    static Layers match(Description description, List<LevelCodec> here)
            throws InvalidClassException {
        var layers = new ArrayList<Layer>();
        int next = 0;
        for (var there : description.levels()) {
            int match = next;
            while (match < here.size()
                    && !here.get(match).level.type.getName().equals(there.name())) {
                match++;
            }
            if (match < here.size()) {
                for (; next < match; next++) {
                    layers.add(new Layer(null, here.get(next)));
                }
                var level = here.get(next++);
                compatible(there, level);
                layers.add(new Layer(there, level));
            } else {
                layers.add(new Layer(there, null));
            }
        }
        for (; next < here.size(); next++) {
            layers.add(new Layer(null, here.get(next)));
        }
        return new Layers(layers, description);
    }

    private static void compatible(Description.Level there, LevelCodec here)
            throws InvalidClassException {
        if (there.version() != here.level.version) {
            throw new InvalidClassException(
                    there.name(),
                    "local class incompatible: stream classdesc serialVersionUID = "
                            + there.version()
                            + ", local class serialVersionUID = "
                            + here.level.version);
        }
    }

    /// Reads all levels of an object.
    ///
    /// @param object null: all is thrown away
    /// @return what it costs to hash what is in it
    long read(Decoder from, @Nullable Object object, int depth)
            throws IOException, ClassNotFoundException {
        if (!layered) {
            return merged(from, object, depth);
        }
        long cost = 1;
        for (var layer : layers) {
            var there = layer.there;
            var here = layer.here;
            if (there == null) {
                noData(from, here, object);
            } else if (object == null || here == null) {
                discard(from, there, depth);
            } else if (!there.custom()) {
                cost = Decoder.sum(cost, fields(from, there, here, object, depth));
            } else if (here.hasReader()) {
                cost = Decoder.sum(cost, HookInput.of(from).custom(here, object, depth, there));
            } else {
                cost = Decoder.sum(cost, HookInput.of(from).unread(here, object, depth, there));
            }
        }
        return cost;
    }

    private static void noData(Decoder from, @Nullable LevelCodec here, @Nullable Object object)
            throws IOException, ClassNotFoundException {
        if (here != null && object != null) {
            try {
                here.readNoData(object);
            } catch (RuntimeException e) {
                throw from.passing(e, here.level.type);
            }
        }
    }

    private static void discard(Decoder from, Description.Level there, int depth)
            throws IOException, ClassNotFoundException {
        if (there.custom()) {
            HookInput.of(from).skip(null, depth, there);
        } else {
            new Values(null).read(there.fields(), from, depth);
        }
    }

    private static long fields(
            Decoder from, Description.Level there, LevelCodec here, Object object, int depth)
            throws IOException, ClassNotFoundException {
        var code = here.fields;
        if (!here.hasReader()
                && code != null
                && there.fields().equals(here.level.described().fields())) {
            return code.fill(from, object, depth);
        }
        var values = new Values(here.level);
        long cost = values.read(there.fields(), from, depth);
        return Decoder.sum(cost, take(from, here, object, depth, values));
    }

    /// Gives a level what came for it.
    static long take(Decoder from, LevelCodec here, Object object, int depth, Values values)
            throws IOException, ClassNotFoundException {
        if (here.hasReader()) {
            return HookInput.of(from).plain(here, object, depth, values);
        }
        if (here.isSetSingly()) {
            values.set(object, here.accesses);
        } else {
            HookInput.of(from).lent(here, object, values);
        }
        return 0;
    }

    /// A field and the values of its level.
    private record Place(Description.Field field, Values values) implements Description.Sized {
        @Override
        public int size() {
            return field.size();
        }
    }

    private long merged(Decoder from, @Nullable Object object, int depth)
            throws IOException, ClassNotFoundException {
        var all = new ArrayList<Place>();
        var byLayer = new ArrayList<Values>();
        for (var layer : layers) {
            var values = new Values(layer.here == null ? null : layer.here.level);
            byLayer.add(values);
            if (layer.there != null) {
                layer.there.fields().forEach(field -> all.add(new Place(field, values)));
            }
        }
        long cost = read(from, all, depth);
        for (int i = 0; i < layers.size(); i++) {
            var here = layers.get(i).here;
            if (here == null || object == null) {
                continue;
            }
            if (layers.get(i).there == null) {
                noData(from, here, object);
            } else {
                cost = Decoder.sum(cost, take(from, here, object, depth, byLayer.get(i)));
            }
        }
        return cost;
    }

    private static long read(Decoder from, List<Place> all, int depth)
            throws IOException, ClassNotFoundException {
        var layout = Layout.of(all);
        from.count(layout.references().size());
        for (var place : layout.primitives()) {
            place.values.primitive(place.field, from);
        }
        long cost = 1;
        for (var place : layout.references()) {
            from.cost(0);
            place.values.reference(place.field, from, from.tag(), depth);
            cost = Decoder.sum(cost, from.cost());
        }
        return cost;
    }
}
