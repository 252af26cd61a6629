package org.ibidem.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.ibidem.service.Identity;
import org.ibidem.topology.Contact;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
    private final Catalog catalog = Catalog.found();
    private final Selector selector = new Selector(catalog);
    private final Contact here = contact(true);
    private final Contact far = contact(false);

    /// A peer in this JVM, or one of which nothing is known.
    private Contact contact(boolean near) {
        var places = new HashMap<String, String>();
        if (near) {
            catalog.drivers().forEach(driver -> places.put(driver.name(), driver.place()));
        }
        return new Contact(Identity.create().id(), List.of(), places);
    }

    private List<String> chosen(String notation, Contact peer) {
        return selector.choose(notation, peer).stream().map(Object::toString).toList();
    }

    @Test
    void auto_is_every_driver_that_reaches_the_peer_fastest_first() {
        assertThat(chosen("auto", here)).containsExactly("loopback", "shm", "tcp");
        assertThat(chosen("auto", far)).containsExactly("tcp");
        assertThat(chosen("checksum > auto", here))
                .containsExactly("checksum > loopback", "checksum > shm", "checksum > tcp");
    }

    @Test
    void multi_is_those_that_reach_the_peer_in_the_order_written() {
        assertThat(chosen("multi(tcp, shm)", here)).containsExactly("tcp", "shm");
        assertThat(chosen("multi(shm, tcp)", far)).containsExactly("tcp");
        assertThat(chosen("checksum > multi(shm(ring=128k), fragment > tcp)", here))
                .containsExactly("checksum > shm(ring=128k)", "checksum > fragment > tcp");
        assertThat(chosen("multi(shm, multi(auto))", far)).containsExactly("tcp");
    }

    @Test
    void what_stands_over_several_links_is_not_chosen_for_one() {
        assertThat(chosen("multicast > multi(shm, tcp)", far)).containsExactly("tcp");
        assertThat(selector.shape("multicast > auto").toString()).startsWith("multicast > ");
    }

    @Test
    void what_was_written_without_a_choice_is_taken_as_it_is() {
        assertThat(chosen("loopback", far)).containsExactly("loopback");
    }

    @Test
    void says_why_none_reaches_the_peer() {
        assertThatThrownBy(() -> selector.choose("multi(shm, loopback)", far))
                .isInstanceOf(NoWay.class)
                .hasMessageContaining("multi(shm, loopback)")
                .hasMessageContaining("loopback: no, it runs in another JVM")
                .hasMessageContaining("shm: no, it offers no shared memory");
    }

    @Test
    void knows_what_may_come_of_a_choice() {
        assertThat(selector.allows("multi(shm, tcp)", "tcp")).isTrue();
        assertThat(selector.allows("multi(shm, tcp)", "loopback")).isFalse();
        assertThat(selector.allows("fragment > auto", "fragment > shm")).isTrue();
        assertThat(selector.allows("fragment > auto", "shm")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "multi | 1 | multi chooses among stacks: name them",
                "multi(shm, x=3) | 12 | multi has no options",
                "multi(shm, tpc) | 12 | there is no driver or filter 'tpc'",
                "checksum > multi(shm, 3) | 23 | ",
                "auto(shm) | 1 | auto has no options",
            })
    void says_where_a_choice_is_wrong(String text, int column, String reason) {
        assertThatThrownBy(() -> selector.alternatives(text))
                .isInstanceOf(NotationException.class)
                .hasMessageStartingWith("column " + column)
                .hasMessageContaining(": " + (reason == null ? "" : reason));
    }
}
