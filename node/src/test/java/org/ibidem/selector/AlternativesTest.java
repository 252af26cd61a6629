package org.ibidem.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.link.Line;
import org.ibidem.link.Lines;
import org.ibidem.link.LinkBroken;
import org.ibidem.stack.Domains;
import org.ibidem.stack.Stack;
import org.ibidem.topology.Contact;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is tried next when something cannot be opened over a stack, or is refused over it.
class AlternativesTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String WIDE = "compress > parallel > tcp";

    private final Threads threads = new Threads("test");
    private final Catalog catalog = Catalog.found();
    private final Domains domains = new Domains(catalog, threads, false);
    private final Selector selector = new Selector(catalog, domains);
    private final Contact peer = new Contact(Identity.create().id(), List.of(), Map.of());
    private final List<String> tried = new ArrayList<>();

    @AfterEach
    void end() {
        domains.close();
        threads.close();
    }

    /// Opens over a line that takes so long there and back.
    private Alternatives.Found<String> open(long millis, Alternatives.Opening<String> opening) {
        var trip = Duration.ofMillis(millis);
        Line line = () -> new Line.Known(trip, 0, 0, 0, 0, Duration.ZERO);
        return new Alternatives(selector, threads, (_, _) -> line, () -> Wide.ALL)
                .first("auto", peer, LIMIT, opening);
    }

    private String unless(String stack, IbidemException why, Stack now) {
        tried.add(now.toString());
        if (now.toString().equals(stack)) {
            throw why;
        }
        return "opened";
    }

    @Test
    void over_a_long_line_the_peer_may_have_named_the_bare_network() {
        var found =
                open(
                        40,
                        (stack, _) -> unless(WIDE, new IbidemException("it goes over tcp"), stack));
        assertThat(found.stack()).hasToString("tcp");
        assertThat(found.passedOver()).contains(WIDE + ": no, it goes over tcp");
        assertThat(tried).containsExactly(WIDE, "tcp");
    }

    @Test
    void what_is_refused_over_the_bare_network_too_is_refused() {
        assertThatThrownBy(() ->
                        open(
                                40,
                                (stack, _) -> {
                                    tried.add(stack.toString());
                                    throw new IbidemException("no " + stack);
                                }))
                .hasMessage("no tcp");
        assertThat(tried).containsExactly(WIDE, "tcp");
    }

    @Test
    void a_link_that_cannot_be_had_is_tried_another_way() {
        var found = open(40, (stack, _) -> unless(WIDE, new LinkBroken("no way"), stack));
        assertThat(found.stack()).hasToString("tcp");
    }

    /// As nodes make them, and nobody has set anything.
    private Alternatives usual(Lines lines) {
        return new Alternatives(selector, threads, lines);
    }

    @Test
    void where_nothing_is_set_a_long_line_gets_all_and_a_short_one_nothing() {
        for (var each : Map.of(40L, WIDE, 4L, WIDE, 3L, "tcp", 1L, "tcp").entrySet()) {
            var trip = Duration.ofMillis(each.getKey());
            Line line = () -> new Line.Known(trip, 0, 0, 0, 0, Duration.ZERO);
            var found = usual((_, _) -> line).first("auto", peer, LIMIT, (_, _) -> "opened");
            assertThat(found.stack()).as("%s", trip).hasToString(each.getValue());
            assertThat(found.decided()).startsWith(each.getValue().equals(WIDE) ? "auto: " : "");
        }
    }

    @Test
    void what_is_to_be_left_out_is_left_out_of_what_is_added() {
        var trip = Duration.ofMillis(40);
        Line line = () -> new Line.Known(trip, 0, 0, 0, 0, Duration.ZERO);
        var found =
                usual((_, _) -> line)
                        .without("compress")
                        .first("auto", peer, LIMIT, (_, _) -> "opened");
        assertThat(found.stack()).hasToString("parallel > tcp");
    }

    /// Nothing is measured on one machine, and nothing is added there.
    @Test
    void whoever_shares_memory_with_the_peer_asks_for_no_line() {
        var near = new Contact(peer.id(), List.of(), domains.places());
        var first =
                usual(
                                (_, _) -> {
                                    throw new AssertionError("a peer on this machine was measured");
                                })
                        .first("auto", near, LIMIT, (_, _) -> "opened");
        assertThat(first.stack().toString()).isIn("loopback", "shm");
    }

    /// A stack that is written is what was wanted, however long the line.
    @Test
    void a_stack_without_a_choice_is_made_as_it_is_written() {
        var found =
                usual(
                                (_, _) -> {
                                    throw new AssertionError("a peer was asked for nothing");
                                })
                        .first("multi(tcp)", peer, LIMIT, (_, _) -> "opened");
        assertThat(found.stack()).hasToString("tcp");
    }

    @Test
    void where_auto_may_add_nothing_no_line_is_asked_for() {
        var found =
                new Alternatives(
                                selector,
                                threads,
                                (_, _) -> {
                                    throw new AssertionError("a peer was asked for nothing");
                                },
                                List::of)
                        .first("auto", peer, LIMIT, (_, _) -> "opened");
        assertThat(found.stack()).hasToString("tcp");
    }

    @Test
    void where_auto_added_nothing_a_refusal_is_final() {
        assertThatThrownBy(() ->
                        open(
                                1,
                                (stack, _) ->
                                        unless("tcp", new IbidemException("it says no"), stack)))
                .hasMessage("it says no");
        assertThat(tried).containsExactly("tcp");
    }
}
