package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs from the distribution, of which none knows of Ibidem, between a site behind a symmetric
/// NAT and one behind a firewall: nothing gets from one to the other by itself.
@Laboratory(Town.Sites.class)
@Timeout(240)
class WrapSitesTest {
    private static final int HUB = 8891;
    private static final int BYTES = 5_000_000;

    @TempDir private Path folder;

    @BeforeAll
    static void begin(Lab lab) {
        Command.require("nginx", "curl");
        Command.hub(lab, HUB);
    }

    private static Running wrap(Lab lab, String machine, String... more) {
        var all = new ArrayList<>(List.of("wrap", "--pool", "web", "--open"));
        all.addAll(List.of("--hub", lab.machine("hub1").address() + ":" + HUB));
        all.addAll(List.of(more));
        return Command.start(lab, machine, all.toArray(String[]::new));
    }

    /// Begins nginx, and waits until it listens: it has pages at port 8080, and at 8081 those of
    /// rank 0.
    private Running nginx(Lab lab, String machine, String rank) throws IOException {
        var own = Files.createDirectory(folder.resolve("rank" + rank));
        var configuration = own.resolve("nginx.conf");
        Files.writeString(
                configuration,
                """
                user root; daemon off; worker_processes 2; pid FOLDER/pid; error_log FOLDER/errors;
                events {}
                http {
                    access_log FOLDER/access; client_body_temp_path FOLDER/b;
                    proxy_temp_path FOLDER/p; fastcgi_temp_path FOLDER/f;
                    uwsgi_temp_path FOLDER/u; scgi_temp_path FOLDER/s;
                    server { listen 8080; root FOLDER; }
                    server { listen 8081; location / { proxy_pass http://127.80.0.0:8080; } }
                }
                """
                        .replace("FOLDER", own.toString()));
        var nginx = wrap(lab, machine, "--rank", rank, "nginx", "-c", configuration.toString());
        withinAMinute("nginx has begun", () -> Files.exists(own.resolve("pid")));
        return nginx;
    }

    private Path page() throws IOException {
        var bytes = new byte[BYTES];
        new Random(7).nextBytes(bytes);
        return Files.write(folder.resolve("rank0/page"), bytes);
    }

    private void gets(Running curl, Running nginx, Path page) {
        assertThat(curl.code(Town.LONG)).as("%s%n%s", curl.lines(), nginx.lines()).isZero();
        assertThat(folder.resolve("got")).hasSameBinaryContentAs(page);
    }

    private String[] curl(String from) {
        var to = folder.resolve("got").toString();
        return new String[] {"curl", "-sS", "--fail", "-o", to, from};
    }

    @Test
    void curl_gets_pages_of_nginx(Lab lab) throws Exception {
        var nginx = nginx(lab, "office1", "0");
        try {
            var page = page();
            var all = new ArrayList<>(List.of("--rank", "1", "--over", "compress > auto"));
            all.addAll(List.of(curl("http://0.web.ibidem:8080/page")));
            gets(wrap(lab, "hotel1", all.toArray(String[]::new)), nginx, page);
            // the accepting side knows who it was
            assertThat(Files.readString(folder.resolve("rank0/access"))).startsWith("127.80.0.1 ");
            var proxy = nginx(lab, "hotel1", "2");
            try { // whose client nobody has wrapped
                var here = lab.machine("hotel1").start(curl("http://127.0.0.1:8081/page"));
                gets(here, proxy, page);
            } finally {
                Command.end(proxy);
            }
            assertThat(Files.readAllLines(folder.resolve("rank0/access")).getLast())
                    .startsWith("127.80.0.2 ");
        } finally {
            Command.end(nginx);
        }
    }
}
