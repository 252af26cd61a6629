package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The same programs between the same sites where nobody has wrapped the server: the agent beside
/// it was told of its ports. It sees the client's rank all the same.
@Laboratory(Town.Sites.class)
@Timeout(240)
@Tag("full")
class ProgramsOneEndTest extends ProgramsSitesTest {
    @Override
    End server() {
        return new End(super.server().host(), "", "", "", List.of());
    }

    @Override
    int port(int which) {
        return super.port(which) + PLAIN;
    }

    /// The proxy is wrapped; neither the server behind it is, nor who asks it.
    @Test
    void nginx_as_a_proxy(Lab lab, @TempDir Path own) throws Exception {
        Command.require("nginx", "curl", "python3");
        var file = file();
        var start = words("python3 -u -m http.server --directory " + file.getParent());
        start.add(port(8) + "");
        var web = server().start(lab, start);
        web.any(line -> line.contains("Serving HTTP"), Town.LONG);
        var configuration =
                Files.writeString(
                        own.resolve("nginx.conf"),
                        """
                        user root; daemon off; worker_processes 2; pid FOLDER/pid; error_log FOLDER/errors;
                        events {}
                        http {
                            access_log off; client_body_temp_path FOLDER/b;
                            proxy_temp_path FOLDER/p; fastcgi_temp_path FOLDER/f;
                            uwsgi_temp_path FOLDER/u; scgi_temp_path FOLDER/s;
                            server { listen 8082; location / { proxy_pass http://127.80.0.0:PORT; } }
                        }
                        """
                                .replace("FOLDER", own.toString())
                                .replace("PORT", "" + port(8)));
        var proxy = client().start(lab, List.of("nginx", "-c", configuration.toString()));
        withinAMinute("nginx has begun", () -> Files.exists(own.resolve("pid")));
        var got = own.resolve("got");
        var curl = words("curl -sS --fail -o " + got + " http://127.0.0.1:8082/file");
        var asks = lab.machine(client().host()).start(curl.toArray(String[]::new));
        assertThat(asks.code(Town.LONG)).as(() -> "" + asks.lines()).isZero();
        assertThat(got).hasSameBinaryContentAs(file);
        client().end(proxy);
        server().end(web);
    }
}
