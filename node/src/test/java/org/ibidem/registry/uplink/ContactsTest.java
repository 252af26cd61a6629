package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class ContactsTest {
    private static final Member OTHER = new Member(new NodeId(2, 2), 1, Location.parse("there"));

    private final Contacts contacts = new Contacts();

    /// As after a year of lookups.
    @Test
    void calls_that_come_round_pass_over_those_that_wait() {
        int waits = contacts.ask(OTHER.id());
        var found =
                new Reply.Whereabouts(
                        Optional.of(OTHER), new Contact(OTHER.id(), List.of(), Map.of()));
        int again = contacts.askAgain(found);
        contacts.numbers.goOnFrom(Integer.MAX_VALUE);
        assertThat(contacts.ask(new NodeId(3, 3))).isEqualTo(Integer.MAX_VALUE);
        assertThat(contacts.ask(new NodeId(4, 4))).isPositive().isNotIn(waits, again);
        contacts.answered(new Reply.Found(waits, Optional.of(found), ""));
        assertThat(contacts.answer(waits)).isNotNull();
    }
}
