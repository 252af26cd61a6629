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

/// [Middleware], wrapped at both ends: rank 0 at a site behind a firewall, rank 1 at one behind a
/// symmetric NAT. All of it goes by the one agent of its machine, compressed and encrypted.
@Laboratory(Town.Sites.class)
@Timeout(240)
class MiddlewareSitesTest {
    private static final int HUB = 8893;
    private static final String SERVED = "8722";

    @TempDir private static Path folder;
    private static Agents agents;
    private static Middleware both;

    @BeforeAll
    static void begin(Lab lab) throws IOException {
        agents = Agents.start(lab, folder, HUB, List.of("office1", "hotel1"), "--serve", SERVED);
        agents.haveAddresses();
        both = new Middleware(lab, folder, agents.end(0), agents.end(1), "2222");
    }

    @AfterAll
    static void end() {
        if (both != null) {
            both.close();
            agents.haveNone();
        }
    }

    @Test
    void mpich() throws Exception {
        both.mpich();
    }

    @Test
    @Tag("full")
    void open_mpi() throws Exception {
        both.openMpi();
    }

    @Test
    void pvm_by_its_daemons_and_directly() throws Exception {
        both.pvm();
    }

    @Test
    @Tag("full")
    void omniorb() throws Exception {
        both.omniorb();
    }

    @Test
    @Tag("full")
    void ice() throws Exception {
        both.ice();
    }

    @Test
    @Tag("full")
    void gsoap() throws Exception {
        both.gsoap();
    }

    /// The agent of its machine has others reach it.
    @Test
    @Tag("turn2")
    void a_server_that_nobody_has_wrapped() throws Exception {
        var plain = new End("office1", "", "", "", List.of());
        both.gsoap(plain, SERVED);
    }

    @Test
    @Tag("turn1")
    void mpi_and_corba_in_one_process() throws Exception {
        both.mpiAndCorba();
    }

    @Test
    void a_tunnel_of_wireguard() throws Exception {
        both.wireguard();
    }
}
