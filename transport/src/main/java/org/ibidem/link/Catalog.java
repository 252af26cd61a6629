package org.ibidem.link;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.ibidem.config.Services;
import org.jspecify.annotations.Nullable;

/// The network drivers and filters there are, by name. Drivers and filters share one set of names.
public final class Catalog {
    private final SortedMap<String, Driver> drivers = new ConcurrentSkipListMap<>();
    private final SortedMap<String, Filter> filters = new ConcurrentSkipListMap<>();
    private final boolean grows;

    /// No drivers and no filters.
    public static final Catalog NONE = of(List.of(), List.of());

    private Catalog(
            Collection<? extends Driver> drivers,
            Collection<? extends Filter> filters,
            boolean grows) {
        this.grows = grows;
        drivers.forEach(d -> check(d.name(), this.drivers.put(d.name(), d), d));
        filters.forEach(f -> check(f.name(), this.filters.put(f.name(), f), f));
        for (var driver : this.drivers.values()) {
            check(driver.name(), this.filters.get(driver.name()), driver);
        }
    }

    private static void check(String name, @Nullable Object other, Object one) {
        if (other != null) {
            throw new IllegalArgumentException(
                    "two drivers are called '%s': %s and %s; remove one of their modules"
                            .formatted(name, one.getClass().getName(), other.getClass().getName()));
        }
    }

    /// Everything that the modules here provide, on the module path or the class path. Looks anew
    /// at each call. More may be added to it.
    public static Catalog found() {
        return new Catalog(Services.of(Driver.class), Services.of(Filter.class), true);
    }

    /// Just these.
    ///
    /// @throws IllegalArgumentException when two have the same name
    public static Catalog of(
            Collection<? extends Driver> drivers, Collection<? extends Filter> filters) {
        return new Catalog(drivers, filters, false);
    }

    /// Adds these, all or none: whoever looks a name up from now on finds them.
    ///
    /// @throws IllegalArgumentException when a name is taken
    /// @throws UnsupportedOperationException when it was not [#found]
    public synchronized void add(
            Collection<? extends Driver> more, Collection<? extends Filter> moreFilters) {
        if (!grows) {
            throw new UnsupportedOperationException("nothing is added to a catalog of a few");
        }
        var added = new Catalog(more, moreFilters, false);
        for (var name : added.names()) {
            check(name, drivers.get(name), added.named(name));
            check(name, filters.get(name), added.named(name));
        }
        drivers.putAll(added.drivers);
        filters.putAll(added.filters);
    }

    private Object named(String name) {
        var driver = drivers.get(name);
        return driver != null ? driver : Objects.requireNonNull(filters.get(name));
    }

    /// The network driver of this name.
    public Optional<Driver> driver(String name) {
        return Optional.ofNullable(drivers.get(name));
    }

    /// The filter of this name.
    public Optional<Filter> filter(String name) {
        return Optional.ofNullable(filters.get(name));
    }

    /// All network drivers, by name.
    public List<Driver> drivers() {
        return List.copyOf(drivers.values());
    }

    /// All filters, by name.
    public List<Filter> filters() {
        return List.copyOf(filters.values());
    }

    /// All names, in order.
    public SortedSet<String> names() {
        var names = new TreeSet<>(drivers.keySet());
        names.addAll(filters.keySet());
        return names;
    }
}
