package org.ibidem.lab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.ibidem.arbitration.Threads;
import org.ibidem.config.Notation;
import org.ibidem.config.Options;
import org.ibidem.link.Driver;
import org.ibidem.link.Filter;
import org.ibidem.link.Reach;
import org.ibidem.stack.Stack;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What every network driver and filter found says of itself.
class DriverContractTest {
    /// A driver or filter, by what the two have alike.
    record Found(String name, Class<? extends Record> options, Class<?> type, String lower) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Driver> drivers() {
        return Pair.CATALOG.drivers().stream();
    }

    static Stream<Found> all() {
        var filters = Pair.CATALOG.filters().stream();
        return Stream.concat(
                drivers().map(d -> new Found(d.name(), d.options(), d.getClass(), "")),
                filters.map(f -> new Found(f.name(), f.options(), f.getClass(), " > loopback")));
    }

    /// What does not work here is left out of all contracts: that shall not happen unseen.
    @Test
    void the_drivers_of_the_core_are_asked_to_keep_their_contract() {
        assertThat(Pair.networks()).contains("loopback", "tcp");
        assertThat(Pair.all()).contains("reliable > udp");
        assumeTrue(Files.isWritable(Path.of("/dev/shm")), "no memory to share in /dev/shm here");
        assertThat(Pair.networks()).contains("shm");
    }

    @ParameterizedTest
    @MethodSource("all")
    void is_called_as_its_folder(Found found) {
        assertThat(found.type().getPackageName()).endsWith("." + found.name());
        assertThat(Notation.parse(found.name()).name()).isEqualTo(found.name());
    }

    @ParameterizedTest
    @MethodSource("all")
    void has_options_with_defaults_that_need_not_be_written(Found found) {
        assertThat(Options.print(Options.defaults(found.options()))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void reads_back_as_it_is_printed(Found found) {
        var text = found.name() + found.lower();
        var stack = Stack.parse(text, Pair.CATALOG);
        assertThat(stack).hasToString(text).isEqualTo(Stack.parse(text, Pair.CATALOG));
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void says_whom_it_reaches_and_else_why_not(Driver driver) {
        try (var threads = new Threads("test");
                var domain = driver.domain(threads, false)) {
            for (var place : new String[] {domain.place(), "", "nowhere at all", "\0:\uFFFF"}) {
                switch (domain.reach(place)) {
                    case Reach.Yes(long cost) -> assertThat(cost).isPositive();
                    case Reach.No(String why) -> assertThat(why).isNotBlank();
                }
            }
            assertThat(domain.place()).isEqualTo(domain.place()).matches("\\p{Print}*");
        }
    }

    @ParameterizedTest
    @MethodSource("drivers")
    void needs_nothing_but_its_provides_line(Driver driver) {
        assertThat(Pair.CATALOG.driver(driver.name())).containsSame(driver);
        assertThat(Pair.CATALOG.filter(driver.name()).map(Filter::name)).isEmpty();
    }
}
