package org.ibidem.lab.net.wide;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// [Middleware] between two machines that reach each other by themselves, of which one alone is
/// wrapped: either speaks to the other as if nobody were. It is tried with the one end wrapped,
/// then with the other.
@Laboratory(Town.Sites.class)
@Timeout(240)
class MiddlewareOneEndTest {
    private static final int HUB = 8895;
    private static final List<String> HOSTS = List.of("square1", "crowd1");

    @TempDir private static Path folder;
    private static List<Middleware> ways = List.of();

    private interface Trial {
        void of(Middleware middleware) throws IOException;
    }

    @BeforeAll
    static void begin(Lab lab) throws IOException {
        var agents = Agents.start(lab, folder, HUB, HOSTS);
        var first = new Middleware(lab, folder, wrapped(agents, lab, 0), plain(lab, 1), "2224");
        ways = List.of(first); // so that it is ended if the other cannot be
        ways =
                List.of(
                        first,
                        new Middleware(
                                lab, folder, plain(lab, 0), wrapped(agents, lab, 1), "2225"));
    }

    private static End plain(Lab lab, int which) {
        var host = HOSTS.get(which);
        var address = lab.machine(host).address();
        var route =
                lab.machine(host).run("ip", "-o", "route", "get", lab.machine("hub1").address());
        var device = route.getFirst().replaceFirst("^.* dev (\\S+).*$", "$1");
        return new End(host, address, address, device, List.of());
    }

    private static End wrapped(Agents agents, Lab lab, int which) {
        var plain = plain(lab, which);
        var wrap = agents.wrap(plain.host());
        return new End(plain.host(), plain.name(), plain.address(), plain.device(), wrap);
    }

    @AfterAll
    static void end() {
        ways.forEach(Middleware::close);
    }

    private static void eachWay(Trial trial) throws IOException {
        for (var each : ways) {
            trial.of(each);
        }
    }

    @Test
    @Tag("turn1")
    void ice() throws Exception {
        eachWay(Middleware::ice);
    }
}
