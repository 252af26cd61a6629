package org.ibidem.dial;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ibidem.config.Services;
import org.ibidem.connect.ConnectMethod;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.Subnet;
import org.ibidem.topology.Surroundings;
import org.ibidem.topology.Surroundings.Interface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DialScheduleTest {
    private static final List<ConnectMethod> ALL = Services.of(ConnectMethod.class);
    private static final DialSchedule USUAL = new DialSchedule(false, Map.of(), false);

    /// The methods in the order of their turns, each with its milliseconds.
    private static List<String> of(DialSchedule schedule, String first, boolean ordered) {
        return schedule.of(ALL, first, ordered).entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(turn -> turn.getKey().name() + " " + turn.getValue().toMillis())
                .toList();
    }

    @Test
    void the_usual_order() {
        assertThat(of(USUAL, "", false))
                .containsExactly(
                        "direct 0", "reverse 200", "splice 400", "socks 1000", "routed 4000");
        assertThat(of(new DialSchedule(true, Map.of(), false), "", false)).contains("routed 250");
    }

    @Test
    void what_worked_begins_at_once_and_the_others_a_second_later() {
        assertThat(of(USUAL, "splice", false))
                .containsExactly(
                        "splice 0", "direct 1000", "reverse 1200", "socks 2000", "routed 5000");
    }

    @Test
    void a_splice_that_what_the_peer_said_speaks_against_comes_last_but_comes() {
        var doubt = new DialSchedule(false, Map.of(), true);
        assertThat(of(doubt, "", false))
                .containsExactly(
                        "direct 0", "reverse 200", "socks 1000", "routed 4000", "splice 6000");
        assertThat(ALL.stream().filter(doubt::doubtful).map(ConnectMethod::name))
                .containsExactly("splice");
        assertThat(of(doubt, "splice", false)).contains("splice 0"); // it worked a moment ago
    }

    @ParameterizedTest
    @CsvSource({
        "PRESERVING, 192.168.1.11,               10.1.1.1,              false",
        "SYMMETRIC,  192.168.1.11,               10.1.1.1,              true",
        "SYMMETRIC,  192.168.1.11 2001:db8::11,  10.1.1.1,              true",
        "SYMMETRIC,  192.168.1.11,               10.1.1.1 2001:db8::1,  true",
        "SYMMETRIC,  192.168.1.11 2001:db8::11,  10.1.1.1 2001:db8::1,  false",
        "SYMMETRIC,  192.168.1.11 fd00::11,      10.1.1.1 2001:db8::1,  true",
        "PROXY,      192.168.1.11 2001:db8::11,  10.1.1.1 2001:db8::1,  true"
    })
    void a_nat_that_cannot_be_foreseen_speaks_against_ipv4_only(
            Egress egress, String theirs, String mine, boolean unforeseeable) {
        var interfaces =
                Stream.of(theirs.split(" ", -1))
                        .map(InetAddress::ofLiteral)
                        .map(each -> new Interface("eth0", new Subnet(each, 16)))
                        .toList();
        var said = new Surroundings(Location.parse("here"), interfaces, egress, "", "", List.of());
        var addresses = Stream.of(mine.split(" ", -1)).map(InetAddress::ofLiteral).toList();
        assertThat(DialSchedule.unforeseeable(said, addresses)).isEqualTo(unforeseeable);
    }

    @Test
    void declared_costs_go_before_what_is_usual_and_before_what_worked() {
        var costs = Map.of("direct", Duration.ofSeconds(3), "routed", Duration.ZERO);
        var declared = new DialSchedule(false, costs, false);
        assertThat(of(declared, "direct", true))
                .containsExactly(
                        "routed 0", "reverse 200", "splice 400", "socks 1000", "direct 3000");
        assertThat(ALL.stream().filter(declared::declared).map(ConnectMethod::name))
                .containsExactlyInAnyOrder("direct", "routed");
    }
}
