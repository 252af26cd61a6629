package org.ibidem.stack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.buffer.BufferPool;
import org.ibidem.config.Argument;
import org.ibidem.config.Layer;
import org.ibidem.config.Notation;
import org.ibidem.config.NotationException;
import org.ibidem.config.Options;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Catalog;
import org.ibidem.link.Collapsing;
import org.ibidem.link.ConnectionFilter;
import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.Driver;
import org.ibidem.link.Encrypting;
import org.ibidem.link.FanIn;
import org.ibidem.link.FanOut;
import org.ibidem.link.Filter;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.Link;
import org.ibidem.link.Losses;
import org.ibidem.link.Lower;
import org.ibidem.link.Placed;
import org.ibidem.link.StreamFilter;
import org.ibidem.link.Terms;

/// A stack whose drivers are known and whose options are bound: `fragment(size=4k) > tcp`.
///
/// Prints canonically (defaults left out, values in their shortest form); two stacks are equal when
/// they print the same. [#build] makes the link: it opens the network driver, puts the filters on
/// from the bottom up, gives every filter its place in the combined headers, puts adapters where
/// the paradigms differ and leaves out what has nothing to do.
///
/// What stands over several links, `multicast` and `multireceive`, may only be written at the top
/// and is no part of a link: [#link] is the stack without it, [#fanOut] and [#fanIn] put it over
/// links that are there. What changes connections, `multiplex`, may only be written right above the
/// network driver, which then finds it in the place of the lower.
public final class Stack {
    private final String source;
    private final Catalog catalog;
    private final List<Floor> tops;
    private final List<Floor> filters;
    private final Driver driver;
    private final Record options;
    private final String text;

    /// A filter in its place.
    private record Floor(Filter filter, Record options, int column) {}

    private Stack(Stack whole, List<Floor> tops) {
        this(whole.source, whole.catalog, tops, whole.filters, whole.driver, whole.options);
    }

    private Stack(
            String source,
            Catalog catalog,
            List<Floor> tops,
            List<Floor> filters,
            Driver driver,
            Record options) {
        this.source = source;
        this.catalog = catalog;
        this.tops = tops;
        this.filters = filters;
        this.driver = driver;
        this.options = options;
        this.text =
                Stream.concat(
                                Stream.concat(tops.stream(), filters.stream())
                                        .map(f -> print(f.filter().name(), f.options())),
                                Stream.of(print(driver.name(), options)))
                        .collect(Collectors.joining(" > "));
    }

    private static String print(String name, Record options) {
        return new Layer(name, Options.print(options), null, 0).toString();
    }

    /// Reads a stack.
    ///
    /// @throws NotationException when it cannot be read, names what `catalog` does not hold, or
    ///   makes no sense
    public static Stack parse(String text, Catalog catalog) {
        return of(Notation.parse(text), text, catalog);
    }

    /// Binds a stack that was read already.
    ///
    /// @param text what it was read from, for errors
    /// @throws NotationException when it names what `catalog` does not hold, or makes no sense
    public static Stack of(Layer top, String text, Catalog catalog) {
        try {
            var tops = new ArrayList<Floor>();
            var floors = new ArrayList<Floor>();
            var layer = top;
            for (var lower = layer.lower(); lower != null; lower = layer.lower()) {
                var filter = filter(layer, catalog);
                var floor = new Floor(filter, bind(filter.options(), layer), layer.column());
                if (filter instanceof FanOut || filter instanceof FanIn) {
                    checkTop(floor, tops, floors);
                    tops.add(floor);
                } else {
                    floors.add(floor);
                }
                layer = lower;
            }
            var driver = driver(layer, catalog);
            checkConnections(floors, driver);
            checkPlaces(floors);
            var options = bind(driver.options(), layer);
            var stack = new Stack(text, catalog, tops, floors, driver, options);
            Notation.checkLength(text, 1, stack.toString());
            return stack;
        } catch (NotationException e) {
            throw e.in(text);
        }
    }

    private static void checkTop(Floor floor, List<Floor> tops, List<Floor> floors) {
        if (!floors.isEmpty()) {
            throw new NotationException(
                    floor.column(),
                    floor.filter().name()
                            + " stands over several links, so at the top only: write it before "
                            + floors.getFirst().filter().name());
        }
        boolean out = floor.filter() instanceof FanOut;
        if (tops.stream().anyMatch(other -> other.filter() instanceof FanOut == out)) {
            throw new NotationException(
                    floor.column(),
                    "one filter over several "
                            + (out ? "receivers" : "senders")
                            + " is enough: remove "
                            + floor.filter().name());
        }
    }

    private static void checkConnections(List<Floor> floors, Driver driver) {
        for (var floor : floors.subList(0, Math.max(0, floors.size() - 1))) {
            if (floor.filter() instanceof ConnectionFilter filter) {
                var last = floors.getLast().filter();
                throw new NotationException(
                        floor.column(),
                        last instanceof ConnectionFilter && !last.name().equals(filter.name())
                                ? bothBelow(filter, last)
                                : "%s works on the connection of the network driver: write it right before %s, once"
                                        .formatted(filter.name(), driver.name()));
            }
        }
    }

    private static String bothBelow(Filter one, Filter other) {
        return Stream.of(one.name(), other.name())
                .sorted()
                .collect(
                        Collectors.joining(
                                " or ",
                                "streams of one connection are no faster together: write ",
                                ""));
    }

    private static void checkPlaces(List<Floor> floors) {
        var above = new ArrayList<Filter>();
        for (var floor : floors) {
            var why = floor.filter() instanceof Placed able ? able.objection(above) : null;
            if (why != null) {
                throw new NotationException(floor.column(), why);
            }
            above.add(floor.filter());
        }
    }

    private static Filter filter(Layer layer, Catalog catalog) {
        if (catalog.driver(layer.name()).isPresent()) {
            throw new NotationException(
                    layer.column(),
                    layer.name()
                            + " is a network driver: nothing can stand below it, remove what follows");
        }
        return catalog.filter(layer.name()).orElseThrow(() -> unknown(layer, catalog));
    }

    private static Driver driver(Layer layer, Catalog catalog) {
        if (catalog.filter(layer.name()).isPresent()) {
            refuseSeveral(layer);
            var networks =
                    catalog.drivers().stream().map(Driver::name).collect(Collectors.joining(", "));
            throw new NotationException(
                    layer.column(),
                    layer.name()
                            + " is a filter and needs something below it: write '"
                            + layer
                            + " > NETWORK' with one of: "
                            + networks);
        }
        return catalog.driver(layer.name()).orElseThrow(() -> unknown(layer, catalog));
    }

    private static NotationException unknown(Layer layer, Catalog catalog) {
        return NotationException.unknown(
                layer.column(), "driver or filter", layer.name(), catalog.names());
    }

    private static <R extends Record> R bind(Class<R> type, Layer layer) {
        refuseSeveral(layer);
        return Options.bind(shown(type), layer);
    }

    /// Records lie in the rooms of their drivers and filters, and [Options] in another module: what
    /// is open to this one, as all rooms of its own are, becomes so to that one.
    private static <R extends Record> Class<R> shown(Class<R> type) {
        var room = type.getPackageName();
        if (type.getModule().isOpen(room, Stack.class.getModule())) {
            type.getModule().addOpens(room, Options.class.getModule());
        }
        return type;
    }

    /// The notation knows stacks over several lowers; which filters take them is theirs to say, and
    /// none does here.
    private static void refuseSeveral(Layer layer) {
        var alone = layer.arguments().stream().filter(Argument::alone).toList();
        if (alone.size() > 1) {
            throw new NotationException(
                    alone.get(1).column(),
                    layer.name()
                            + " takes one value without a name, and no filter here stands over several"
                            + " lowers: name the options, and write the one lower after '>'");
        }
    }

    /// The part of it that is one link's: without what stands over several links.
    public Stack link() {
        return tops.isEmpty() ? this : new Stack(this, List.of());
    }

    /// One sink over the links of several receivers: by the filter written at the top, else
    /// `multicast`.
    ///
    /// @param lowers two or more
    public FrameSink fanOut(List<? extends FrameSink> lowers, Losses losses) {
        var floor = top(FanOut.class, "multicast");
        return ((FanOut) floor.filter()).over(lowers, floor.options(), losses);
    }

    /// One source over the links of several senders: by the filter written at the top, else
    /// `multireceive`.
    ///
    /// @param lowers two or more
    public FanIn.Source fanIn(List<? extends FrameSource> lowers, Losses losses) {
        var floor = top(FanIn.class, "multireceive");
        return ((FanIn) floor.filter()).over(lowers, floor.options(), losses);
    }

    private static Record defaults(Filter filter) {
        return Options.defaults(shown(filter.options()));
    }

    private Floor top(Class<? extends Filter> kind, String usual) {
        return tops.stream()
                .filter(floor -> kind.isInstance(floor.filter()))
                .findAny()
                .or(() ->
                        catalog.filter(usual)
                                .filter(kind::isInstance)
                                .map(filter -> new Floor(filter, defaults(filter), 0)))
                .orElseThrow(() -> new IllegalStateException("there is no filter '" + usual + "'"));
    }

    /// The versions of its parts, as `checksum 1, tcp 1`: equal at both ends of a link.
    public String versions() {
        return Stream.concat(
                        filters.stream().map(f -> f.filter().name() + " " + f.filter().version()),
                        Stream.of(driver.name() + " " + driver.version()))
                .collect(Collectors.joining(", "));
    }

    /// Whether its links share a connection.
    public boolean shares() {
        return !filters.isEmpty()
                && filters.getLast().filter() instanceof ConnectionFilter filter
                && filter.shares();
    }

    /// Whether nobody on the way can read what its links carry: it is encrypted, or there is no
    /// way, as in shared memory.
    public boolean isSecret() {
        return !driver.overConnections()
                || filters.stream().anyMatch(floor -> floor.filter() instanceof Encrypting);
    }

    /// The same with encryption as far down as it goes: over the first layer that delivers all in
    /// order. As it is where it needs none, or none can be had.
    public Stack encrypted() {
        var filter = catalog.filter("tls");
        if (isSecret() || filter.isEmpty()) {
            return this;
        }
        int place = filters.size() - (groundsDriver() ? 1 : 0);
        while (place > 0 && !delivery(place).isFaithful()) {
            place--;
        }
        if (!delivery(place).isFaithful()) {
            return this;
        }
        var more = new ArrayList<>(filters);
        more.add(place, new Floor(filter.get(), defaults(filter.get()), 0));
        return new Stack(source, catalog, tops, more, driver, options);
    }

    private boolean groundsDriver() {
        return !filters.isEmpty() && filters.getLast().filter() instanceof ConnectionFilter;
    }

    /// What may become of frames on its links, at worst.
    public DeliveryFaults delivery() {
        return delivery(0);
    }

    /// The same below the filter of this number.
    private DeliveryFaults delivery(int from) {
        var said = delivery(driver, DeliveryFaults.FAITHFUL, options);
        for (var floor : filters.subList(from, filters.size()).reversed()) {
            said = delivery(floor.filter(), said, floor.options());
        }
        return said;
    }

    private static DeliveryFaults delivery(Object part, DeliveryFaults below, Record itsOptions) {
        return part instanceof Delivering able ? able.delivery(below, itsOptions) : below;
    }

    /// The network driver at the bottom.
    public Driver driver() {
        return driver;
    }

    /// The network driver's options.
    public Record options() {
        return options;
    }

    /// Makes this end of the link; both ends do, with equal stacks and lowers of the same key. May
    /// block.
    ///
    /// @param domains of this node
    /// @param pool where adapters borrow their buffers
    /// @throws IOException when the network driver cannot make its link, or a filter cannot be put
    ///   over it
    /// @throws NotationException when the layers do not fit each other here, such as headers larger
    ///   than frames
    public FrameLink build(Domains domains, Lower lower, BufferPool pool) throws IOException {
        var link = domains.of(driver).open(ground(lower), options);
        var builder = new Builder(link, lower, pool);
        try {
            for (var floor : filters.reversed()) {
                builder.put(floor);
            }
            return builder.frames();
        } catch (IOException | RuntimeException | Error e) {
            builder.link.close();
            throw e;
        }
    }

    /// What the network driver finds below it.
    private Lower ground(Lower lower) {
        return !filters.isEmpty() && filters.getLast().filter() instanceof ConnectionFilter filter
                ? filter.over(lower, filters.getLast().options())
                : lower;
    }

    /// The link as far as it is built.
    private final class Builder {
        private final Lower lower;
        private final BufferPool pool;
        private Link link;

        /// Bytes of header that the filters so far put in front of the payload of one frame.
        private int headers;

        Builder(Link link, Lower lower, BufferPool pool) {
            this.link = link;
            this.lower = lower;
            this.pool = pool;
        }

        void put(Floor floor) throws IOException {
            switch (floor.filter()) {
                case StreamFilter filter -> {
                    if (filter instanceof FrameFilter either && link instanceof FrameLink) {
                        put(either, floor);
                    } else {
                        put(filter, floor);
                    }
                }
                case FrameFilter filter -> put(filter, floor);
                case ConnectionFilter _ -> {
                    // it is below the driver
                }
                case FanOut _, FanIn _ -> throw new AssertionError("no part of one link");
            }
        }

        private void put(FrameFilter filter, Floor floor) throws IOException {
            var below = frames();
            if (idle(filter, below, floor)) {
                return;
            }
            int offset =
                    link instanceof FrameLink ? headers : 0; // an adapter begins with empty frames
            int header = filter.header(floor.options());
            int largest = below.sink().largest();
            if (largest < header + Terms.LEAST_FRAME) {
                throw new NotationException(
                        source,
                        floor.column(),
                        "%s needs %d bytes of header and %d of payload, but a frame below has %d"
                                .formatted(filter.name(), header, Terms.LEAST_FRAME, largest));
            }
            try {
                link = filter.over(below, offset, floor.options(), lower);
            } catch (IllegalArgumentException e) {
                throw new NotationException(
                        source, floor.column(), filter.name() + ": " + e.getMessage());
            }
            headers = offset + header;
        }

        private void put(StreamFilter filter, Floor floor) throws IOException {
            var below = stream();
            if (!idle(filter, below, floor)) {
                link = filter.over(below, floor.options(), lower);
            }
        }

        private boolean idle(Filter filter, Link below, Floor floor) {
            return filter instanceof Collapsing c && c.idle(below, floor.options(), lower.terms());
        }

        FrameLink frames() {
            return switch (link) {
                case FrameLink frames -> frames;
                case ByteStream stream -> new FramesOverStream(stream, pool, lower.terms().frame());
            };
        }

        private ByteStream stream() {
            return switch (link) {
                case ByteStream stream -> stream;
                case FrameLink frames -> new StreamOverFrames(frames);
            };
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Stack that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// The canonical text.
    @Override
    public String toString() {
        return text;
    }
}
