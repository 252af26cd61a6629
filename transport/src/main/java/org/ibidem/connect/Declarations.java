package org.ibidem.connect;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ibidem.config.Settings;
import org.ibidem.config.Settings.Given;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.Subnet;
import org.jspecify.annotations.Nullable;

/// What somebody has declared of sites, usually in the configuration file; it goes before what was
/// found.
///
/// - `ibidem.site.SITE`: the subnets of a site, with commas between. Who has an address in one of
///   them, and says of its location no more than its host, is there.
/// - `ibidem.egress.SITE`: how connections get out of a site: `untranslated`, `preserving`,
///   `independent`, `symmetric` or `proxy`.
/// - `ibidem.costs.HERE.THERE`, or the other way round, then `ibidem.costs.THERE`, then
///   `ibidem.costs`: how long the others are given before a method begins, such as `direct=0ms,
///   routed=2s`, for connections between nodes of these sites. Those not named keep their usual
///   time.
public final class Declarations {
    private static final String SITE = "ibidem.site.";
    private static final String EGRESS = "ibidem.egress.";
    private static final String COSTS = "ibidem.costs";

    /// Nobody has declared anything.
    public static final Declarations NONE = new Declarations();

    private final List<String> methods;
    private final Map<String, List<Subnet>> sites = new LinkedHashMap<>();
    private final Map<String, Declared<Egress>> egresses = new HashMap<>();
    private final Map<String, Declared<Map<String, Duration>>> costs = new HashMap<>();

    /// Something declared.
    ///
    /// @param value what
    /// @param where such as `ibidem.egress.home (line 3 of c)`
    public record Declared<T>(T value, String where) {
        static <T> Declared<T> of(T value, Given given) {
            return new Declared<>(value, given.name() + " (" + given.place() + ")");
        }
    }

    private Declarations() {
        methods = List.of();
    }

    /// Reads all of them.
    ///
    /// @param methods all there are
    /// @throws org.ibidem.config.SettingException when one of them is not what it has to be
    public Declarations(Settings settings, List<ConnectMethod> methods) {
        this.methods = methods.stream().map(ConnectMethod::name).toList();
        for (var given : settings.under(SITE)) {
            sites.put(given.name().substring(SITE.length()), read(given, Declarations::subnets));
        }
        for (var given : settings.under(EGRESS)) {
            egresses.put(
                    given.name().substring(EGRESS.length()),
                    Declared.of(read(given, Declarations::egress), given));
        }
        for (var given : settings.under(COSTS)) {
            costs.put(given.name(), Declared.of(read(given, this::costs), given));
        }
    }

    /// Whether there is any site of which the subnets are declared.
    public boolean hasSites() {
        return !sites.isEmpty();
    }

    /// Where somebody is, who says where he is and has these addresses.
    ///
    /// @param said or null, when he said nothing
    public @Nullable Location place(@Nullable Location said, Collection<InetAddress> addresses) {
        if (said == null || said.levels().size() > 1) {
            return said;
        }
        for (var site : sites.entrySet()) {
            for (var subnet : site.getValue()) {
                if (addresses.stream().anyMatch(subnet::holds)) {
                    return new Location(List.of(said.levels().getFirst(), site.getKey()));
                }
            }
        }
        return said;
    }

    /// Whether this is an address that is declared for a site.
    public boolean holds(String site, InetAddress address) {
        return sites.getOrDefault(site, List.of()).stream()
                .anyMatch(subnet -> subnet.holds(address));
    }

    /// How connections get out of where somebody is.
    public Optional<Declared<Egress>> egress(@Nullable Location of) {
        return of == null ? Optional.empty() : Optional.ofNullable(egresses.get(site(of)));
    }

    /// When methods are begun between nodes at these places, by name.
    public Optional<Declared<Map<String, Duration>>> costs(
            @Nullable Location here, @Nullable Location there) {
        var from = here == null ? "" : site(here);
        var to = there == null ? "" : site(there);
        return List.of(
                        COSTS + "." + from + "." + to,
                        COSTS + "." + to + "." + from,
                        COSTS + "." + to,
                        COSTS)
                .stream()
                .flatMap(name -> Optional.ofNullable(costs.get(name)).stream())
                .findFirst();
    }

    /// Why a method is of no use between nodes at these places, or an empty text. Two of one site
    /// have nothing between them.
    public String whyNot(ConnectMethod method, @Nullable Location here, @Nullable Location there) {
        if (method.traits().nat() != Traits.Nat.LEARNABLE
                || (here != null && there != null && site(here).equals(site(there)))) {
            return "";
        }
        for (var end : Arrays.asList(here, there)) {
            var declared = egress(end);
            if (declared.isPresent() && !declared.get().value().foreseeable()) {
                return declared.get().where() + " says that " + declared.get().value().inSentence();
            }
        }
        return "";
    }

    private static String site(Location of) {
        return of.levels().getLast();
    }

    private interface Reading<T> {
        T of(String text);
    }

    private static <T> T read(Given given, Reading<T> reading) {
        try {
            return reading.of(given.value());
        } catch (IllegalArgumentException e) {
            throw Settings.wrong(given, String.valueOf(e.getMessage()));
        }
    }

    private static List<Subnet> subnets(String text) {
        return Arrays.stream(text.split(",", -1)).map(each -> Subnet.parse(each.strip())).toList();
    }

    private static Egress egress(String text) {
        for (var egress : Egress.values()) {
            if (egress != Egress.UNKNOWN && name(egress).equals(text.strip())) {
                return egress;
            }
        }
        throw new IllegalArgumentException(
                "a way out is one of "
                        + Arrays.stream(Egress.values())
                                .filter(each -> each != Egress.UNKNOWN)
                                .map(Declarations::name)
                                .collect(Collectors.joining(", ")));
    }

    private static String name(Egress egress) {
        return egress.name().toLowerCase(Locale.ROOT);
    }

    private Map<String, Duration> costs(String text) {
        var read = new HashMap<String, Duration>();
        for (var each : text.split(",", -1)) {
            int at = each.indexOf('=');
            var name = at < 0 ? each.strip() : each.substring(0, at).strip();
            if (at < 0 || !methods.contains(name)) {
                throw new IllegalArgumentException(
                        "is a list such as direct=0ms, routed=2s with the methods "
                                + methods
                                + ", not '"
                                + each.strip()
                                + "'");
            }
            read.put(name, Settings.read(each.substring(at + 1).strip(), Duration.ZERO));
        }
        return Map.copyOf(read);
    }
}
