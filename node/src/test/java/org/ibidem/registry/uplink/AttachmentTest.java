package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class AttachmentTest {
    private static final NodeId FIRST = new NodeId(0x8123456789abcdefL, 1);
    private static final NodeId SECOND = new NodeId(0x9fedcba987654321L, 2);
    private static final List<Member> BOTH =
            List.of(
                    new Member(FIRST, 0, Location.parse("n1")),
                    new Member(SECOND, 1, Location.parse("n2")));

    private static List<Member> namedTo(long known) {
        return new Attachment.Memory(BOTH, List.of()).beyond(known);
    }

    @Test
    void a_hub_that_knows_the_same_members_is_told_none() {
        assertThat(namedTo(Reply.Forgotten.sum(Stream.of(SECOND, FIRST)))).isEmpty();
    }

    @Test
    void a_hub_that_knows_others_is_told_all() {
        assertThat(namedTo(Reply.Forgotten.sum(Stream.of()))).isEqualTo(BOTH);
        assertThat(namedTo(Reply.Forgotten.sum(Stream.of(FIRST)))).isEqualTo(BOTH);
        assertThat(namedTo(Reply.Forgotten.sum(Stream.of(FIRST, SECOND, new NodeId(7, 7)))))
                .isEqualTo(BOTH);
    }
}
