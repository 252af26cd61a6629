package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.Test;

/// A hub that is killed while it relays.
@Laboratory(Town.Sites.class)
class RelayKilledTest {
    private static final List<String> HOSTS = List.of("home1", "square1", "hotel1", "office1");

    @Test
    void what_a_killed_hub_carried_is_lost_at_once_and_comes_back_with_it(Lab lab) {
        var town = new Town(lab).start("-Dibidem.heartbeat=5s", HOSTS.toArray(String[]::new));
        var relayed = town.stream("hotel1", "office1");
        var straight = town.stream("home1", "square1");
        assertThat(relayed.open()).isEqualTo("routed");
        straight.open();
        relayed.carry(3, 1000);
        long before = town.losses("office1");
        var lost = CompletableFuture.supplyAsync(relayed::fail, Thread::startVirtualThread);
        town.program("hub1").kill();
        assertThat(lost.join()).contains("lost");
        town.awaitLoss("office1", before);
        straight.carry(3, 1000);
        town.startHub();
        for (var host : HOSTS) {
            town.program(host).any(line -> line.equals("hub back"), Town.LONG);
        }
        var again = town.stream("hotel1", "office1");
        assertThat(again.open()).isEqualTo("routed");
        again.carry(3, 1000);
    }
}
