package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.stream.Collectors;
import org.ibidem.config.Services;
import org.ibidem.connect.Traits.Firewalls;
import org.ibidem.connect.Traits.Nat;
import org.junit.jupiter.api.Test;

/// Table 1 of Denis et al. (HPDC 2004), with `reverse`, which is not in it.
class TraitsTest {
    @Test
    void methods_are_as_in_the_table() {
        var table =
                Services.of(ConnectMethod.class).stream()
                        .collect(Collectors.toMap(ConnectMethod::name, ConnectMethod::traits));
        assertThat(table)
                .containsOnlyKeys("direct", "reverse", "splice", "socks", "routed")
                .containsEntry(
                        "direct", new Traits(Firewalls.NONE, Nat.CLIENT, true, true, false, false))
                .containsEntry(
                        "reverse",
                        new Traits(Firewalls.PEERS, Nat.SERVER, false, true, false, true))
                .containsEntry(
                        "splice",
                        new Traits(Firewalls.BOTH, Nat.LEARNABLE, false, true, false, true))
                .containsEntry(
                        "socks", new Traits(Firewalls.BOTH, Nat.ANY, false, true, true, true))
                .containsEntry(
                        "routed", new Traits(Firewalls.BOTH, Nat.ANY, true, false, true, false));
    }

    @Test
    void every_method_is_told_in_words_of_its_own() {
        var words =
                Services.of(ConnectMethod.class).stream()
                        .map(ConnectMethod::traits)
                        .collect(Collectors.toMap(Traits::inWords, Function.identity()));
        assertThat(words).hasSize(5);
        assertThat(words.keySet())
                .anySatisfy(text ->
                        assertThat(text)
                                .isEqualTo(
                                        "past firewalls in front of both; NATs of all kinds; needs"
                                                + " no other connection; no native TCP; relayed; nothing to"
                                                + " agree on first"));
    }
}
