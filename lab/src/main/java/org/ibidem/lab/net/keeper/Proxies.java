package org.ibidem.lab.net.keeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.lab.net.plan.Addresses;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Proxy;
import org.ibidem.lab.net.plan.Site;
import org.ibidem.lab.net.proxy.HttpProxy;

/// Starts the proxies of the gateways, and waits until they listen.
final class Proxies {
    private static final Path RUN = Path.of("/run/proxies");
    private static final long LOOK_EVERY_NANOS = 5_000_000;
    private static final int LOOKS = 4_000;

    private final Addresses addresses;
    private final Builder builder;

    private record Started(String what, Process process, Path log, Path sockets, int port) {}

    Proxies(Network network, Builder builder) {
        this.addresses = new Addresses(network);
        this.builder = builder;
    }

    void start(List<Site> sites) throws IOException {
        Files.createDirectories(RUN);
        var all = new ArrayList<Started>();
        for (var site : sites) {
            for (var proxy : site.proxies()) {
                all.add(start(site, proxy));
            }
        }
        for (var each : all) {
            await(each);
        }
    }

    private Started start(Site site, Proxy proxy) throws IOException {
        var what = site.name() + "-" + proxy.port();
        var command =
                switch (proxy.protocol()) {
                    case SOCKS -> dante(site, proxy, what);
                    case HTTP -> http(proxy);
                };
        var log = RUN.resolve(what + ".log");
        var process =
                new ProcessBuilder(builder.inside(site.name(), command))
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        var sockets = Path.of("/proc/" + builder.pids().get(site.name()) + "/net");
        return new Started(what, process, log, sockets, proxy.port());
    }

    private String[] dante(Site site, Proxy proxy, String what) throws IOException {
        var file = RUN.resolve(what + ".conf");
        Files.writeString(file, configuration(site, proxy));
        if (proxy.login() != null) {
            addUser(site.name(), proxy.login());
        }
        return new String[] {"danted", "-f", file.toString()};
    }

    private String configuration(Site site, Proxy proxy) {
        var text = new StringBuilder("logoutput: stderr\nexternal: " + Blueprint.WAN + "\n");
        if (site.family().four()) {
            text.append(internal(addresses.inside4(site) + ".254", proxy));
        }
        if (site.family().six()) {
            text.append(internal(addresses.inside6(site) + "::1", proxy));
        }
        text.append("clientmethod: none\nsocksmethod: ")
                .append(proxy.login() == null ? "none" : "username")
                .append("\nuser.privileged: root\nuser.unprivileged: root\n")
                .append("client pass { from: 0/0 to: 0/0 }\n")
                .append("socks pass { from: 0/0 to: 0/0 command: ")
                .append(proxy.bind() ? "connect bind bindreply" : "connect")
                .append(" }\n");
        return text.toString();
    }

    private static String internal(String address, Proxy proxy) {
        return "internal: " + address + " port = " + proxy.port() + "\n";
    }

    /// The system's users are the proxy's: in the gateway's own view of the files there is one
    /// more.
    private void addUser(String gateway, Proxy.Login login) throws IOException {
        Shell.run(
                """
                set -e
                hash=$(perl -e 'print crypt($ARGV[0], q($6$laboratory$))' "$2")
                for file in passwd shadow; do cp "/etc/$file" "/run/proxies/$3.$file"; done
                echo "$1:x:65533:65533::/:/bin/false" >>"/run/proxies/$3.passwd"
                echo "$1:$hash:19000:0:99999:7:::" >>"/run/proxies/$3.shadow"
                for file in passwd shadow; do mount --bind "/run/proxies/$3.$file" "/etc/$file"; done
                """,
                builder.inside(gateway, "sh", "-s", login.user(), login.password(), gateway));
    }

    private static String[] http(Proxy proxy) {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:-UsePerfData",
                                "-Xmx64m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                HttpProxy.class.getName(),
                                String.valueOf(proxy.port())));
        if (proxy.login() != null) {
            command.add(proxy.login().user());
            command.add(proxy.login().password());
        }
        return command.toArray(String[]::new);
    }

    private static void await(Started started) throws IOException {
        for (int i = 0; i < LOOKS && started.process().isAlive(); i++) {
            if (listens(started.sockets().resolve("tcp"), started.port())
                    || listens(started.sockets().resolve("tcp6"), started.port())) {
                return;
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        throw new IOException(
                "the proxy "
                        + started.what()
                        + " does not listen: "
                        + Files.readString(started.log(), StandardCharsets.UTF_8).strip());
    }

    /// Lines of the kernel's table: `1: 0100A8C0:0438 00000000:0000 0A …`, 0A being "listens".
    private static boolean listens(Path table, int port) throws IOException {
        var local = String.format(Locale.ROOT, ":%04X ", port);
        try (var lines = Files.lines(table)) {
            return lines.anyMatch(line -> {
                var words = line.strip().split("\\s+", -1);
                return words.length > 3
                        && (words[1] + " ").endsWith(local)
                        && words[3].equals("0A");
            });
        }
    }
}
