package org.ibidem.lab.net.wide;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;
import org.ibidem.lab.net.junit.Laboratory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Remote calls where both ends are behind NATs: calls, calls back from within calls, and who has
/// which object. The one who is called is behind a symmetric NAT.
@Laboratory(Town.Sites.class)
@Timeout(240)
class CallsSitesTest {
    private static Running server;

    @BeforeAll
    static void start(Lab lab) {
        new Town(lab);
        server = lab.machine("hotel1").java(Desk.class, hub(lab), "server");
        server.said("ready", Town.LONG);
    }

    private static String hub(Lab lab) {
        return lab.machine("hub1").address() + ":" + Town.PORT;
    }

    /// The second one keeps what it has when the first has let go, and uses it then.
    @Test
    void caller_and_server_behind_nats_call_each_other_and_let_go(Lab lab) {
        var home = lab.machine("home1").java(Desk.class, hub(lab), "client");
        var flat = lab.machine("flat1").java(Desk.class, hub(lab), "client");
        for (var client : new Running[] {home, flat}) {
            assertThat(Integer.parseInt(client.said("sum", Town.LONG))).isIn(5, 10);
            assertThat(client.said("called back", Town.LONG)).isEqualTo("8");
            assertThat(client.said("method", Town.LONG)).isIn("splice", "routed");
            assertThat(client.said("has", Town.LONG)).isEqualTo("101");
        }
        home.say("enough");
        assertThat(home.said("value", Town.LONG)).isEqualTo("102");
        assertThat(server.said("unreferenced", Town.LONG)).isEqualTo("1");
        assertThat(server.lines()).as("the other is kept").doesNotContain("unreferenced 2");
        flat.say("enough");
        assertThat(flat.said("value", Town.LONG)).isEqualTo("102");
        server.any(line -> line.equals("unreferenced 2"), Town.LONG);
    }
}
