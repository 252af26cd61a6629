package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.ibidem.channel.ChannelRefused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Frames of a circuit come from the node whose number they are known by, and from no other.
@Timeout(60)
class StrangersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void a_stranger_gets_no_link_under_a_members_number() {
        try (var group = new Group(3)) {
            var members = group.ids().subList(0, 2);
            var stranger = CircuitProtocol.of(group.stations.get(2));
            var asked = new CircuitRequest("a", 1, 2, CircuitRequest.sum(members), "auto");
            try (var _ =
                    Circuit.open(group.stations.get(0), "a", members, "auto", new Mailbox(2))) {
                assertThatThrownBy(() -> stranger.connect(members.get(0), asked, LIMIT))
                        .isInstanceOf(ChannelRefused.class)
                        .hasMessageContaining(
                                "it is not member 1 of circuit 'a', but node "
                                        + members.get(1).brief()
                                        + " is");
            }
        }
    }
}
