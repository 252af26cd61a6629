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

/// As [MiddlewareSitesTest], by the preloaded library instead of seccomp.
@Laboratory(Town.Sites.class)
@Timeout(240)
class MiddlewarePreloadTest {
    private static final int HUB = 8894;
    private static final String PRELOAD = "--preload";

    @TempDir private static Path folder;
    private static Agents agents;
    private static Middleware both;

    @BeforeAll
    static void begin(Lab lab) throws IOException {
        agents = Agents.start(lab, folder, HUB, List.of("office1", "hotel1"));
        agents.haveAddresses();
        both = new Middleware(lab, folder, agents.end(0, PRELOAD), agents.end(1, PRELOAD), "2223");
    }

    @AfterAll
    static void end() {
        if (both != null) {
            both.close();
            agents.haveNone();
        }
    }

    @Test
    @Tag("full")
    void mpich() throws Exception {
        both.mpich();
    }

    @Test
    @Tag("turn2")
    void open_mpi() throws Exception {
        both.openMpi();
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

    @Test
    @Tag("turn0")
    void pvm_by_its_daemons_and_directly() throws Exception {
        both.pvm();
    }
}
