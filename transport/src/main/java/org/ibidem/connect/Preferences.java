package org.ibidem.connect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ibidem.config.Settings;
import org.ibidem.config.Settings.Given;
import org.ibidem.topology.Location;
import org.jspecify.annotations.Nullable;

/// Which connect methods may be used towards a peer, and in which order they are tried, where
/// somebody has said so: the settings `ibidem.methods.SITE`, for peers at that site (the widest
/// level of their location), and `ibidem.methods`, for all others.
///
/// @param settings where it is said
/// @param methods all there are
public record Preferences(Settings settings, List<ConnectMethod> methods) {
    private static final String NAME = "ibidem.methods";

    /// Keeps its own copy, and looks whether what is said for all can be.
    public Preferences {
        var all = List.copyOf(methods);
        settings.given(NAME).ifPresent(given -> read(given, all));
        methods = all;
    }

    /// The methods that may be used towards a peer, in the order to be tried.
    ///
    /// @param there where the peer is, or null when that is not known
    /// @return empty: nobody has said anything
    /// @throws org.ibidem.config.SettingException when what was said names no method
    public Optional<List<ConnectMethod>> towards(@Nullable Location there) {
        return given(there).map(given -> read(given, methods));
    }

    /// Why a method is not used towards a peer, or an empty text when it may be.
    public String whyNot(ConnectMethod method, @Nullable Location there) {
        var given = given(there);
        return given.isEmpty() || read(given.get(), methods).contains(method)
                ? ""
                : "%s (%s) allows only %s"
                        .formatted(given.get().name(), given.get().place(), given.get().value());
    }

    private Optional<Given> given(@Nullable Location there) {
        var ofSite =
                there == null
                        ? Optional.<Given>empty()
                        : settings.given(NAME + "." + there.levels().getLast());
        return ofSite.isPresent() ? ofSite : settings.given(NAME);
    }

    private static List<ConnectMethod> read(Given given, List<ConnectMethod> methods) {
        var wanted = new ArrayList<ConnectMethod>();
        for (var word : given.value().split(",", -1)) {
            var name = word.strip();
            var known = methods.stream().filter(each -> each.name().equals(name)).findAny();
            if (known.isEmpty()) {
                var names = methods.stream().map(ConnectMethod::name).toList();
                throw Settings.wrong(
                        given, "there is no connect method '" + name + "', only " + names);
            }
            wanted.add(known.get());
        }
        return List.copyOf(wanted);
    }
}
