package org.ibidem.config;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Finds what is provided for a service, on the module path and on the class path alike.
///
/// On the module path [ServiceLoader] reads the `provides` lines. On the class path it does not:
/// there the `module-info.class` files are read here, so that one `provides` line serves both.
public final class Services {
    /// Read once for each service: what lies on a class path stays there, and each node asks.
    private static final ClassValue<List<String>> PROVIDED =
            new ClassValue<>() {
                @Override
                protected List<String> computeValue(Class<?> service) {
                    return provided(service, service.getClassLoader());
                }
            };

    private Services() {}

    /// One new instance of every provider of `service`, each class once.
    ///
    /// @param service in an exported package; the module it is of names it in a `uses` line, so
    ///   that its providers are there
    /// @throws ServiceConfigurationError when a provider cannot be made
    public static <S> List<S> of(Class<S> service) {
        var loader = service.getClassLoader();
        Services.class.getModule().addUses(service); // those who ask are in other modules
        var found = new LinkedHashMap<Class<?>, S>();
        for (var provider : ServiceLoader.load(service, loader)) {
            found.putIfAbsent(provider.getClass(), provider);
        }
        if (!service.getModule().isNamed()) {
            for (var name : PROVIDED.get(service)) {
                var provider = made(service, name, loader);
                found.putIfAbsent(provider.getClass(), provider);
            }
        }
        return List.copyOf(found.values());
    }

    /// One new instance of every provider of `service` that lies in `loader` itself, not in those
    /// above it: by the `provides` line of its module, or as [ServiceLoader] finds it on the class
    /// path.
    ///
    /// @throws ServiceConfigurationError when a provider cannot be made
    public static <S> List<S> in(URLClassLoader loader, Class<S> service) {
        Services.class.getModule().addUses(service);
        var found = new LinkedHashMap<Class<?>, S>();
        ServiceLoader.load(service, loader).stream()
                .filter(provider -> loader.equals(provider.type().getClassLoader()))
                .forEach(provider -> found.put(provider.type(), provider.get()));
        var moduleInfo = loader.findResource("module-info.class");
        try {
            for (var name :
                    moduleInfo == null ? List.<String>of() : provided(service, moduleInfo)) {
                var provider = made(service, name, loader);
                found.putIfAbsent(provider.getClass(), provider);
            }
        } catch (IOException e) {
            throw new ServiceConfigurationError("cannot read " + moduleInfo, e);
        }
        return List.copyOf(found.values());
    }

    /// The classes that the modules lying on the class path provide.
    private static List<String> provided(Class<?> service, ClassLoader loader) {
        var names = new ArrayList<String>();
        try {
            for (var url : loader.resources("module-info.class").toList()) {
                if (!url.getProtocol()
                        .equals("jrt")) { // the JDK's own modules provide nothing of ours
                    names.addAll(provided(service, url));
                }
            }
        } catch (IOException e) {
            throw new ServiceConfigurationError("cannot read the modules on the class path", e);
        }
        return List.copyOf(names);
    }

    private static List<String> provided(Class<?> service, URL moduleInfo) throws IOException {
        try (var in = moduleInfo.openStream()) {
            return ModuleDescriptor.read(in).provides().stream()
                    .filter(p -> p.service().equals(service.getName()))
                    .flatMap(p -> p.providers().stream())
                    .toList();
        }
    }

    private static <S> S made(Class<S> service, String name, ClassLoader loader) {
        try {
            return service.cast(
                    Class.forName(name, true, loader).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new ServiceConfigurationError(service.getName() + ": cannot make " + name, e);
        }
    }
}
