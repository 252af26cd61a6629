package org.ibidem.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.NotationException;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.link.Secrecy;
import org.ibidem.stack.Domains;
import org.ibidem.topology.Contact;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
    private final Catalog catalog = Catalog.found();
    private final Threads threads = new Threads("test");
    private final Domains domains = new Domains(catalog, threads, false);
    private final Selector selector = new Selector(catalog, domains);
    private final Contact here = contact(true);
    private final Contact far = contact(false);

    @AfterEach
    void end() {
        domains.close();
        threads.close();
    }

    /// A peer in this JVM, or one of which nothing is known.
    private Contact contact(boolean near) {
        var places = new HashMap<String, String>();
        if (near) {
            places.putAll(domains.places());
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

    private List<String> chosenFar(String notation) {
        return selector.choose(notation, far, WideTest.FAR).stream().map(Object::toString).toList();
    }

    @Test
    void auto_uses_a_long_line_well_and_has_the_bare_driver_for_the_worst() {
        assertThat(chosenFar("auto")).containsExactly("compress > parallel > tcp", "tcp");
        assertThat(chosenFar("checksum > auto"))
                .containsExactly("checksum > compress > parallel > tcp", "checksum > tcp");
        assertThat(selector.choose("auto", here, WideTest.FAR).getFirst()).hasToString("loopback");
        assertThat(chosenFar("multi(shm, auto)"))
                .containsExactly("compress > parallel > tcp", "tcp");
    }

    @Test
    void auto_adds_what_may_stand_below_what_is_written() {
        assertThat(chosenFar("compress > auto"))
                .containsExactly("compress > parallel > tcp", "compress > tcp");
        assertThat(chosenFar("tls > auto")).containsExactly("tls > parallel > tcp", "tls > tcp");
        assertThat(chosenFar("multiplex > auto")).containsExactly("multiplex > tcp");
        assertThat(chosenFar("parallel(2) > auto")).first().isEqualTo("parallel(streams=2) > tcp");
    }

    @Test
    void what_is_written_without_auto_gets_nothing() {
        assertThat(chosenFar("multi(shm, tcp)")).containsExactly("tcp");
        assertThat(chosenFar("tcp")).containsExactly("tcp");
        assertThat(selector.asks("multi(shm, tcp)", far)).isFalse();
        assertThat(selector.asks("tcp", far)).isFalse();
        assertThat(selector.asks("auto", here)).isFalse();
        assertThat(selector.asks("auto", far)).isTrue();
        assertThat(selector.asks("checksum > auto", far)).isTrue();
    }

    @Test
    void a_receiver_knows_what_may_come_of_auto() {
        assertThat(selector.allows("auto", "compress > parallel > tcp")).isTrue();
        assertThat(selector.allows("auto", "parallel > tcp")).isTrue();
        assertThat(selector.allows("auto", "compress > tcp")).isTrue();
        assertThat(selector.allows("auto", "checksum > tcp")).isFalse();
        assertThat(selector.allows("auto", "compress > shm")).isFalse();
        assertThat(selector.allows("multi(shm, tcp)", "parallel > tcp")).isFalse();
    }

    /// Where what leaves the machine must be encrypted.
    private Selector secret(boolean mayBeClear) {
        return new Selector(
                catalog,
                domains,
                new Secrecy() {
                    @Override
                    public boolean asked() {
                        return true;
                    }

                    @Override
                    public boolean mayBeClear(Contact peer) {
                        return mayBeClear;
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '=',
            value = {
                "auto = loopback, shm, tls > tcp",
                "checksum > auto = checksum > loopback, checksum > shm, checksum > tls > tcp",
                "multi(shm, fragment > tcp) = shm, fragment > tls > tcp",
                "multi(tls > tcp, parallel > tcp) = tls > tcp, tls > parallel > tcp",
                "compress > multi(multiplex > tcp) = compress > tls > multiplex > tcp",
                "multi(whole > reliable > udp) = whole > tls > reliable > udp",
                "multi(whole > udp) = whole > udp", // it has to be refused by the ends
                "tcp = tcp",
            })
    void what_leaves_the_machine_is_encrypted_as_far_down_as_it_goes(String notation, String all) {
        assertThat(secret(false).choose(notation, here).toString()).isEqualTo("[" + all + "]");
        for (var one : all.split(", ", -1)) {
            assertThat(secret(false).allows(notation, one)).as(one).isTrue();
        }
    }

    @Test
    void in_clear_is_tried_first_where_it_may_be_allowed() {
        assertThat(secret(true).choose("auto", here).toString())
                .isEqualTo("[loopback, shm, tcp, tls > tcp]");
        assertThat(secret(false).choose("auto", far, WideTest.FAR).toString())
                .isEqualTo("[compress > tls > parallel > tcp, tls > tcp]");
        assertThat(selector.allows("auto", "tls > tcp")).as("nobody asks for it").isFalse();
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
                "tpc | 1 | there is no driver or filter 'tpc'; known: auto, ",
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
