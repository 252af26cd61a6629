package org.ibidem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.buffer.BufferPool;
import org.ibidem.cli.run.MpiPrograms;
import org.ibidem.config.Limit;
import org.ibidem.config.OwnFolder;
import org.ibidem.config.Services;
import org.ibidem.config.Settings;
import org.ibidem.config.Settings.Given;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.Heartbeat;
import org.ibidem.connect.Preferences;
import org.ibidem.hub.Bounds;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.satin.Stealing;
import org.ibidem.satin.rewrite.Returns;
import org.ibidem.selector.Alternatives;
import org.ibidem.selector.Selector;
import org.ibidem.stack.Domains;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.Location;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.JobFile;

/// What becomes of each setting where it is used, tried before anything runs.
final class SettingChecks {
    private static final String SET = "'): "; // between what is set and why it is wrong

    private final Map<String, Check> checks = new TreeMap<>();

    /// Throws, with the reason, where a value would be refused.
    @FunctionalInterface
    private interface Check {
        void of(Given given) throws Exception;
    }

    /// Of these settings.
    SettingChecks(Settings settings) {
        var join = Join.pool("any");
        Check stack = SettingChecks::stack;
        Check methods = SettingChecks::methods;
        Check sites = given -> new Declarations(alone(given), Services.of(ConnectMethod.class));
        checks.put("ibidem.stack", stack);
        checks.put("ibidem.stack.*", stack);
        checks.put("ibidem.auto", _ -> Alternatives.additions(settings));
        checks.put("ibidem.lines", given -> besides(given.value().strip()));
        checks.put("ibidem.wait", given -> WaitPolicy.parse(given.value()));
        checks.put("ibidem.heartbeat", _ -> Heartbeat.of(settings));
        checks.put("ibidem.buffer", given -> new BufferPool(Settings.read(given.value(), 1)));
        checks.put("ibidem.monitor", given -> monitor(given.value()));
        checks.put("ibidem.shm", given -> folder(Path.of(given.value())));
        checks.put("ibidem.hub", given -> hubs(given.value()));
        checks.put("ibidem.pool", given -> Join.pool(given.value()));
        checks.put("ibidem.job", given -> job(given.value().strip()));
        checks.put("ibidem.size", _ -> join.size(settings.value("ibidem.size", 0)));
        checks.put("ibidem.rank", _ -> join.rank(settings.value("ibidem.rank", 0)));
        checks.put("ibidem.open", _ -> settings.value("ibidem.open", false));
        checks.put("ibidem.port", _ -> NodeRuntime.usualPort());
        checks.put(
                "ibidem.membership", _ -> settings.value("ibidem.membership", Membership.EVENTUAL));
        checks.put("ibidem.location", given -> Location.parse(given.value()));
        checks.put("ibidem.identity", given -> identity(Path.of(given.value())));
        checks.put("ibidem.authority", given -> Authority.read(Path.of(given.value())));
        checks.put("ibidem.certificate", given -> Chain.read(Path.of(given.value())));
        checks.put("ibidem.methods", methods);
        checks.put("ibidem.methods.*", methods);
        for (var name : List.of("site.*", "egress.*", "costs", "costs.*")) {
            checks.put("ibidem." + name, sites);
        }
        checks.put("ibidem.proxy", _ -> NodeRuntime.proxies());
        checks.put("ibidem.linger", _ -> NodeRuntime.linger());
        for (var limit : Limit.values()) {
            checks.put(limit.setting(), _ -> limit.of(settings));
        }
        checks.put("ibidem.suspicion", _ -> Bounds.of(settings));
        programs(settings);
    }

    /// Of those of MPI programs and of others that `ibidem run` starts in their own way.
    private void programs(Settings settings) {
        Check text = _ -> {};
        Check number =
                given -> {
                    long value = Settings.read(given.value(), 1L);
                    if (value < 1) {
                        throw new IllegalArgumentException("it is 1 or more, not " + value);
                    }
                };
        Check yes = given -> settings.value(given.name(), false);
        for (var name : List.of("mpj.stack", "satin.stack", "rmi.stack")) {
            checks.put("ibidem." + name, SettingChecks::stack);
        }
        for (var name : List.of("mpj.eager", "mpj.window", "satin.threads", "satin.workers")) {
            checks.put("ibidem." + name, number);
        }
        for (var name : List.of("mpj.debug", "mpj.progress", "satin.copying", "satin.statistics")) {
            checks.put("ibidem." + name, yes);
        }
        // Which devices there are is known where MPI is, and to no other program.
        for (var name :
                List.of(
                        "mpj.device",
                        "mpj.last",
                        "mpj.objects",
                        "mpj.own",
                        "satin.allow",
                        "satin.own",
                        "satin.trace",
                        "rmi.own",
                        "rmi.allow")) {
            checks.put("ibidem." + name, text);
        }
        checks.put("ibidem.mpj.arguments", given -> MpiPrograms.checkArguments(given.value()));
        for (var name : List.of("satin.progress", "satin.patience")) {
            checks.put("ibidem." + name, given -> Settings.read(given.value(), Duration.ZERO));
        }
        checks.put("ibidem.satin.stealing", given -> Stealing.parse(given.value()));
        checks.put("ibidem.satin.returns", given -> Returns.parse(given.value()));
        checks.put("ibidem.sockets", given -> Rules.parse(given.value()));
    }

    /// Why what is given for a setting is refused where that is used.
    ///
    /// @param name of the setting; with `*` at its end where it stands for many
    Optional<String> problem(String name, Given given) {
        var check = checks.get(name);
        if (check == null) {
            throw new IllegalStateException("no check for the setting " + name);
        }
        try {
            check.of(given);
            return Optional.empty();
        } catch (Exception e) {
            var why = String.valueOf(e.getMessage());
            int whose = why.indexOf(SET); // which setting, and where it is set, is shown already
            return Optional.of(whose < 0 ? why : why.substring(whose + SET.length()));
        }
    }

    /// As if nothing else were set, which may be wrong as well.
    private static Settings alone(Given given) {
        return Settings.of(Map.of(given.name(), given.value()));
    }

    private static void stack(Given given) {
        var catalog = Catalog.found();
        try (var tasks = new Threads("explain");
                var domains = new Domains(catalog, tasks, false)) {
            new Selector(catalog, domains).alternatives(given.value());
        }
    }

    private static void methods(Given given) {
        var preferences = new Preferences(alone(given), Services.of(ConnectMethod.class));
        var site = given.name().substring(given.name().lastIndexOf('.') + 1);
        preferences.towards(new Location(List.of(site)));
    }

    private static void monitor(String value) throws Exception {
        var folder = Path.of(value);
        if (!value.equals("on") && !value.equals("off") && Files.exists(folder)) {
            OwnFolder.check(folder);
        }
    }

    private static void folder(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("there is no folder " + folder);
        }
    }

    /// A file that is made where it is used, in a folder that is there.
    private static void besides(String file) {
        var folder = file.isEmpty() ? null : Path.of(file).toAbsolutePath().getParent();
        if (folder != null) {
            folder(folder);
        }
    }

    private static void hubs(String value) {
        for (var hub : value.split(",", -1)) {
            Join.pool("any").hub(hub.strip());
        }
    }

    /// One that is not there yet is made where it is used.
    private static void identity(Path file) {
        if (Files.exists(file)) {
            Identity.stored(file);
        }
    }

    private static void job(String file) throws IOException {
        if (!file.isEmpty()) {
            JobFile.read(Path.of(file));
        }
    }
}
