package org.ibidem.registry.operation;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.config.Services;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.Filter;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.stack.Domains;

/// Network drivers and filters that came into a running node from a jar ("dynamically loadable":
/// Denis, Pérez, Priol, *PadicoTM*, 2003).
///
/// ```java
/// Extension.load(node, Path.of("my-filter.jar")); // at both ends
/// vlinks.connect(peer, "echo", "my > tcp", "", limit);
/// ```
///
/// Its other classes, such as a personality, are had from its [#loader].
///
/// @param names of its drivers and filters
/// @param loader of its classes; it is never closed, as the node may need one at any time
public record Extension(List<String> names, ClassLoader loader) {
    /// Copies the names.
    public Extension {
        names = List.copyOf(names);
    }

    /// Loads what a jar provides, by the `provides` lines of its module or by files in
    /// `META-INF/services`. Stacks may name it from now on, at both ends if both have loaded it.
    /// What is connected stays as it is; there is no way back.
    ///
    /// What a driver publishes of its place reaches those only that ask for this node's contact
    /// from now on.
    ///
    /// @throws IllegalArgumentException when there is nothing to load, or a name is taken: then
    ///   nothing was loaded
    public static Extension load(Node node, Path jar) {
        var runtime = Runtimes.of(node);
        return load(runtime.catalog(), runtime.domains(), jar);
    }

    /// The same for what runs without a pool.
    ///
    /// @param catalog gets its drivers and filters
    /// @param domains gets its drivers
    public static Extension load(Catalog catalog, Domains domains, Path jar) {
        if (!Files.isReadable(jar)) {
            throw new IllegalArgumentException("there is no jar '" + jar + "' that can be read");
        }
        var loader = loader(jar);
        var drivers = Services.in(loader, Driver.class);
        var filters = Services.in(loader, Filter.class);
        if (drivers.isEmpty() && filters.isEmpty()) {
            throw new IllegalArgumentException(
                    "'%s' brings no driver and no filter: it needs a module that provides %s or %s"
                            .formatted(jar, Driver.class.getName(), Filter.class.getName()));
        }
        catalog.add(drivers, filters);
        drivers.forEach(domains::add);
        var names =
                Stream.concat(
                        drivers.stream().map(Driver::name), filters.stream().map(Filter::name));
        return new Extension(names.toList(), loader);
    }

    private static URLClassLoader loader(Path jar) {
        try {
            return new URLClassLoader(
                    "extension " + jar.getFileName(),
                    new URL[] {jar.toUri().toURL()},
                    Extension.class.getClassLoader());
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + jar + "' has no address: " + e, e);
        }
    }
}
