package org.ibidem.connect.socks;

import java.net.Authenticator;
import java.net.Authenticator.RequestorType;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.connect.socks.ProxyAddress.Kind;
import org.ibidem.connect.socks.ProxyAddress.Login;
import org.jspecify.annotations.Nullable;

/// Which proxies there are on the way out, from three places:
///
/// 1. the setting `ibidem.proxy`: one or several with commas between, or `none`; where it is set,
///    the others do not count;
/// 2. what the JVM was told: its [ProxySelector], which reads `socksProxyHost`, `https.proxyHost`
///    and the like, with `java.net.socks.username` and `.password`, or its [Authenticator];
/// 3. the environment: `ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in large or small
///    letters. They are meant for other programs: what is not known here is passed over.
///
/// Nobody is asked for the way to this machine itself.
final class Proxies {
    private static final String SETTING = "ibidem.proxy";
    private static final String NONE = "none";
    private static final List<String> VARIABLES = List.of("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY");

    private final Settings settings;
    private final @Nullable ProxySelector selector;

    Proxies(Settings settings, @Nullable ProxySelector selector) {
        this.settings = settings;
        this.selector = selector;
    }

    /// Those of this JVM.
    static Proxies system() {
        return new Proxies(Settings.system(), ProxySelector.getDefault());
    }

    /// The proxies for one target, the first to be tried first; none for which there is to be none.
    ///
    /// @param target resolved or not
    /// @throws SettingException when one of them is set to something it cannot be
    List<ProxyAddress> on(InetSocketAddress target) {
        if (isHere(target)) {
            return List.of();
        }
        var ours = settings.text(SETTING);
        if (ours.isPresent()) {
            return ours.get().strip().equals(NONE) ? List.of() : read(SETTING, ours.get());
        }
        var all = new LinkedHashSet<ProxyAddress>();
        all.addAll(selected(target, "socket", Proxy.Type.SOCKS, Kind.SOCKS5));
        all.addAll(selected(target, "https", Proxy.Type.HTTP, Kind.HTTP));
        var exceptions = new Exceptions(settings.environment("NO_PROXY").orElse(""));
        if (!exceptions.cover(target)) {
            for (var variable : VARIABLES) {
                all.addAll(foreign(variable, _ -> {}));
            }
        }
        return List.copyOf(all);
    }

    /// Why variables of the environment are passed over, each with its name.
    List<String> passedOver() {
        var reasons = new ArrayList<String>();
        if (settings.text(SETTING).isEmpty()) {
            for (var variable : VARIABLES) {
                foreign(variable, reasons::add);
            }
        }
        return reasons;
    }

    /// What a variable says that may be meant for others.
    private List<ProxyAddress> foreign(String variable, Consumer<String> otherwise) {
        try {
            var value = settings.environment(variable);
            return value.isPresent() ? read(variable, value.get()) : List.of();
        } catch (SettingException e) {
            otherwise.accept(String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    /// A proxy would take it for itself.
    private static boolean isHere(InetSocketAddress target) {
        var address = target.getAddress();
        var name = target.getHostString().toLowerCase(Locale.ROOT);
        return address == null
                ? name.equals("localhost") || name.endsWith(".localhost")
                : address.isLoopbackAddress();
    }

    /// Is there any at all?
    Set<ProxyAddress> any() {
        var somewhere = InetSocketAddress.createUnresolved("example.org", 443);
        return new LinkedHashSet<>(on(somewhere));
    }

    private static List<ProxyAddress> read(String name, String value) {
        try {
            return Stream.of(value.split(",", -1))
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .map(ProxyAddress::parse)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new SettingException(name + ": " + e.getMessage());
        }
    }

    private List<ProxyAddress> selected(
            InetSocketAddress target, String scheme, Proxy.Type type, Kind kind) {
        if (selector == null) {
            return List.of();
        }
        var host = target.getHostString();
        var shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return selector.select(URI.create(scheme + "://" + shown + ":" + target.getPort())).stream()
                .filter(proxy -> proxy.type() == type)
                .map(proxy -> of(kind, (InetSocketAddress) proxy.address()))
                .toList();
    }

    private ProxyAddress of(Kind kind, InetSocketAddress address) {
        var plain = new ProxyAddress(kind, address.getHostString(), address.getPort(), null);
        return plain.withLogin(login(plain));
    }

    /// As the JDK's own sockets look for it.
    private @Nullable Login login(ProxyAddress proxy) {
        var asked =
                Authenticator.requestPasswordAuthentication(
                        proxy.host(),
                        null,
                        proxy.port(),
                        proxy.kind().name(),
                        "a proxy",
                        proxy.kind().name(),
                        null,
                        RequestorType.PROXY);
        if (asked != null) {
            return new Login(asked.getUserName(), new String(asked.getPassword()));
        }
        Optional<String> user =
                proxy.kind() == Kind.SOCKS5
                        ? settings.property("java.net.socks.username")
                        : Optional.empty();
        return user.map(name ->
                        new Login(name, settings.property("java.net.socks.password").orElse("")))
                .orElse(null);
    }
}
