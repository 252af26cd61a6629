package org.ibidem.lab.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.ibidem.wrap.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Programs that know nothing of Ibidem, on one machine: their rules leave them nothing but shared
/// memory. `10.77.0.0` is nowhere else.
@Tag("lab")
@Timeout(240)
@Isolated("starts processes")
class JavaProgramsTest {
    private Programs programs;

    @TempDir private Path folder;

    @BeforeEach
    void begin() {
        programs = new Programs(2);
    }

    @AfterEach
    void end() throws InterruptedException {
        programs.close();
    }

    private void serveAndAsk(Class<?> program) throws Exception {
        var server = programs.start(0, "shm", program, "server", "0");
        var port = Programs.said(server, "listening on ");
        var client = programs.start(1, "shm", program, "client", Programs.address(0), port, "20");
        assertThat(Programs.rest(client)).contains("checked", "NANOS");
    }

    @Test
    void grpc_calls_and_streams() throws Exception {
        serveAndAsk(GrpcHello.class);
    }

    @Test
    void http_of_netty() throws Exception {
        serveAndAsk(NettyHttp.class);
    }

    /// The server knows nothing of Ibidem at all: a node beside it takes what comes for its port.
    @Test
    void jdbc_asks_postgresql_by_a_node_beside_it() throws Exception {
        assumeTrue(Postgres.there(), "there is no PostgreSQL: './ibidem setup'");
        int port = Programs.freePort();
        try (var postgres = new Postgres()) {
            try (var server = new Programs(1)) {
                Programs.said(server.run(postgres.command(port)), "ready to accept connections");
                try (var node = programs.join(0);
                        var agent = Agent.start(node, "", "auto", folder.resolve("agent"))) {
                    agent.serve(port);
                    var client =
                            programs.start(
                                    1,
                                    "shm",
                                    JdbcQuery.class,
                                    Programs.address(0),
                                    port + "",
                                    "20");
                    assertThat(Programs.rest(client)).contains("checked", "NANOS");
                }
            }
        }
    }
}
