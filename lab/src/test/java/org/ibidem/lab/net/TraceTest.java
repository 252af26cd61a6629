package org.ibidem.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.lab.net.emulator.Fate;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Test;

class TraceTest {
    private static final Network NETWORK =
            Network.of(Site.of("a", Kind.OPEN), Site.of("b", Kind.OPEN));
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;
    private static final int SYN_ACK = 0x12;

    /// A TCP packet between the two sites, 10 ms on its way.
    private static Packet packet(int from, long sent, int flags, int payload) {
        var header = new byte[40 + Math.min(payload, 24)];
        header[0] = 0x45;
        header[9] = 6;
        System.arraycopy(new byte[] {(byte) 198, 18, (byte) from, 11}, 0, header, 12, 4);
        System.arraycopy(new byte[] {(byte) 198, 18, (byte) (3 - from), 11}, 0, header, 16, 4);
        header[20] = 0x10;
        header[23] = 80;
        header[32] = 0x50;
        header[33] = (byte) flags;
        var times = "7 " + sent + " " + (sent + 10) + " DELIVERED ";
        var sites = from + " " + (3 - from) + " " + (40 + payload) + " ";
        return Packet.parse(times + sites + HexFormat.of().formatHex(header), NETWORK);
    }

    private static Trace trace(Packet... packets) {
        return new Trace(List.of(packets));
    }

    @Test
    void understands_a_record() {
        var packet = packet(1, 100, SYN_ACK, 5);
        assertThat(packet.fromSite()).isEqualTo("a");
        assertThat(packet.toSite()).isEqualTo("b");
        assertThat(packet.from().toString()).isEqualTo("/198.18.1.11:4096");
        assertThat(packet.to().toString()).isEqualTo("/198.18.2.11:80");
        assertThat(packet.payload()).isEqualTo(5);
        assertThat(packet.isSynAck()).isTrue();
        assertThat(packet.isSyn()).isFalse();
        assertThat(packet.arrived()).isTrue();
    }

    @Test
    void understands_ipv6() {
        var header = new byte[60];
        header[0] = 0x60;
        header[6] = 6;
        System.arraycopy(
                HexFormat.of().parseHex("20010db80001000100000000000000ab"), 0, header, 8, 16);
        header[40] = 0x10;
        header[52] = 0x50;
        header[53] = SYN;
        var packet = Packet.parse("0 1 0 LOST 1 2 60 " + HexFormat.of().formatHex(header), NETWORK);
        assertThat(packet.from().toString()).isEqualTo("/[2001:db8:1:1:0:0:0:ab]:4096");
        assertThat(packet.isSyn()).isTrue();
        assertThat(packet.payload()).isZero();
        assertThat(packet.fate()).isEqualTo(Fate.LOST);
    }

    @Test
    void survives_records_of_what_is_no_whole_packet() {
        var whole = HexFormat.of().formatHex(new byte[64]).replaceFirst("^00", "45");
        for (int length = 0; length <= 64; length++) {
            var text = "0 1 0 UNROUTABLE 1 0 " + length + " " + whole.substring(0, 2 * length);
            assertThat(Packet.parse(text, NETWORK).toSite()).isEmpty();
        }
    }

    @Test
    void counts_a_question_and_its_answer_as_one_round_trip() {
        var trace = trace(packet(1, 0, SYN, 0), packet(2, 10, SYN_ACK, 0), packet(1, 20, ACK, 0));
        assertThat(trace.crossings()).isEqualTo(2);
        assertThat(trace.roundTrips()).isEqualTo(1);
    }

    @Test
    void counts_what_crosses_on_the_way_once() {
        assertThat(trace(packet(1, 0, SYN, 0), packet(2, 5, SYN, 0)).crossings()).isEqualTo(1);
        assertThat(trace(packet(1, 0, SYN, 0), packet(2, 9, SYN, 0)).crossings()).isEqualTo(1);
    }

    @Test
    void counts_many_packets_of_one_direction_once() {
        var many =
                Stream.iterate(0L, i -> i + 1).limit(50).map(i -> packet(1, i, ACK, 1000)).toList();
        assertThat(new Trace(many).crossings()).isEqualTo(1);
    }

    @Test
    void does_not_take_acknowledgements_or_the_lost_for_steps() {
        var lost = new Packet(1, 30, 0, Fate.LOST, "b", "a", null, null, 6, ACK, 100, 140);
        assertThat(
                        trace(
                                        packet(1, 0, ACK, 100),
                                        packet(2, 10, ACK, 0),
                                        packet(1, 20, ACK, 100),
                                        lost)
                                .crossings())
                .isEqualTo(1);
    }

    @Test
    void follows_a_conversation() {
        var trace =
                trace(
                        packet(1, 0, SYN, 0),
                        packet(2, 10, SYN_ACK, 0),
                        packet(1, 20, ACK, 300),
                        packet(2, 30, ACK, 500),
                        packet(1, 41, ACK, 10));
        assertThat(trace.crossings()).isEqualTo(5);
        assertThat(trace.roundTrips()).isEqualTo(3);
    }

    @Test
    void syns_cross_when_none_has_arrived_before_the_last_is_sent() {
        assertThat(trace(packet(1, 0, SYN, 0), packet(2, 9, SYN, 0)).synsCross()).isTrue();
        assertThat(trace(packet(1, 0, SYN, 0), packet(2, 10, SYN, 0)).synsCross()).isFalse();
        // One that is repeated was not answered in time.
        var repeated = packet(1, 30, SYN, 0);
        assertThat(trace(packet(1, 0, SYN, 0), packet(2, 5, SYN, 0), repeated).synsCross())
                .isFalse();
    }
}
