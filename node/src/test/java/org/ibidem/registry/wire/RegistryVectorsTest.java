package org.ibidem.registry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.ibidem.Seeded;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Egress;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.ProbeResult;
import org.ibidem.topology.Subnet;
import org.ibidem.topology.Surroundings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The registry protocol as `docs/wire/registry.md` has it, byte for byte.
class RegistryVectorsTest {
    private static final NodeId ID = NodeId.parse("00112233445566778899aabbccddeeff");
    private static final Member MEMBER =
            new Member(ID, 3, Location.parse("n1@left"), Tag.of((byte) 0xca, (byte) 0xfe));

    @Test
    void messages_are_the_bytes_of_the_vectors_both_ways() throws IOException {
        var made = new LinkedHashMap<String, String>();
        requests()
                .forEach((name, request) -> {
                    var bytes = RequestCoding.encode(request);
                    made.put(name, HexFormat.of().formatHex(bytes));
                    assertThat(RequestCoding.decode(bytes)).isEqualTo(request);
                });
        replies()
                .forEach((name, reply) -> {
                    var bytes = ReplyCoding.encode(reply);
                    made.put(name, HexFormat.of().formatHex(bytes));
                    assertThat(ReplyCoding.decode(bytes)).isEqualTo(reply);
                });
        var vectors = new LinkedHashMap<String, String>();
        Vectors.read("registry")
                .starting("")
                .forEach((name, bytes) -> vectors.put(name, HexFormat.of().formatHex(bytes)));
        assertThat(vectors).containsExactlyEntriesOf(made);
    }

    @Test
    void another_version_is_recognized_whatever_follows() {
        var bytes = HexFormat.of().parseHex("01" + "0700" + "ffffffff");
        assertThat(RequestCoding.decode(bytes)).isEqualTo(new Request.Unspoken(7));
        bytes[0] = 10; // a visitor's
        assertThat(RequestCoding.decode(bytes)).isEqualTo(new Request.Unspoken(7));
    }

    @Test
    void a_message_cut_short_or_with_a_byte_too_many_is_refused() {
        for (var request : requests().values()) {
            var bytes = RequestCoding.encode(request);
            for (int length = 0; length < bytes.length; length++) {
                var part = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> RequestCoding.decode(part)).isInstanceOf(Malformed.class);
            }
            var more = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> RequestCoding.decode(more)).isInstanceOf(Malformed.class);
        }
        for (var reply : replies().values()) {
            var bytes = ReplyCoding.encode(reply);
            for (int length = 0; length < bytes.length; length++) {
                var part = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> ReplyCoding.decode(part)).isInstanceOf(Malformed.class);
            }
        }
    }

    @Test
    void altered_messages_are_refused_or_are_other_messages() {
        var messages = new ArrayList<byte[]>();
        requests().values().forEach(request -> messages.add(RequestCoding.encode(request)));
        replies().values().forEach(reply -> messages.add(ReplyCoding.encode(reply)));
        Seeded.times(
                5_000,
                random -> {
                    var bytes = messages.get(random.nextInt(messages.size())).clone();
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                    try {
                        RequestCoding.encode(RequestCoding.decode(bytes));
                    } catch (Malformed _) {
                        // as it should be
                    }
                    try {
                        ReplyCoding.encode(ReplyCoding.decode(bytes));
                    } catch (Malformed _) {
                        // as it should be
                    }
                });
    }

    @Test
    void the_fullest_surroundings_fit_and_what_is_too_long_is_cut() {
        var face =
                new Surroundings.Interface(
                        "€".repeat(64),
                        new Subnet(address("fd000102030405060708090a0b0c0d0e"), 64));
        var full =
                new Surroundings(
                        new Location(Collections.nCopies(8, "€".repeat(64))),
                        Collections.nCopies(Surroundings.MOST_INTERFACES, face),
                        Egress.PROXY,
                        "€".repeat(300),
                        "x".repeat(100),
                        Collections.nCopies(Surroundings.MOST_PROXIES, "€".repeat(300)));
        var bytes = ReplyCoding.encode(new Reply.Surveyed(1, 0, Optional.of(full)));
        assertThat(bytes.length).isLessThan(Protocol.MOST_BYTES / 2);
        var read = ((Reply.Surveyed) ReplyCoding.decode(bytes)).found().orElseThrow();
        assertThat(read.proxies()).hasSize(16).allMatch(proxy -> proxy.length() == 85);
        assertThat(read.interfaces()).hasSize(32);
        assertThat(read.seen()).hasSize(64);
    }

    @ParameterizedTest
    @EnumSource(Egress.class)
    void every_way_out_travels(Egress egress) {
        var known = new Surroundings(MEMBER.location(), List.of(), egress, "", "", List.of());
        var request = new Request.Described(known);
        assertThat(RequestCoding.decode(RequestCoding.encode(request))).isEqualTo(request);
    }

    @ParameterizedTest
    @EnumSource(ProbeResult.class)
    void every_result_of_a_probe_travels(ProbeResult result) {
        var reply = new Reply.Probed(1, result, "", "");
        assertThat(ReplyCoding.decode(ReplyCoding.encode(reply))).isEqualTo(reply);
    }

    @Test
    void nobody_is_sent_to_probe_where_other_services_are() {
        var probe = RequestCoding.encode(new Request.Probe(7, 1024, new UUID(1, 2)));
        assertThat(RequestCoding.decode(probe)).isInstanceOf(Request.Probe.class);
        var low = RequestCoding.encode(new Request.Probe(7, 25, new UUID(1, 2)));
        assertThatThrownBy(() -> RequestCoding.decode(low))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("is 1024 or more, not 25");
    }

    @Test
    void the_fullest_messages_fit() {
        var location = new Location(Collections.nCopies(8, "€".repeat(64)));
        var member = new Member(ID, Integer.MAX_VALUE, location, Tag.of(new byte[Tag.MOST_BYTES]));
        var reason = Protocol.clip("€".repeat(500));
        var name = "€".repeat(Protocol.NAME_BYTES / 3);
        var elected = new PoolEvent.Elected(name, member, Long.MAX_VALUE);
        var changes =
                Collections.nCopies(
                        5_000, (PoolEvent.Change) new PoolEvent.Suspected(member, reason));
        int fitting = MessageSplitter.fitting(changes);
        assertThat(fitting).isBetween(20, 100);
        fits(new Reply.Events(1, 9, changes.subList(0, fitting)));
        fits(new Reply.Events(1, 2, List.of(new PoolEvent.Signalled(member, "x".repeat(1024)))));
        var facts = new Reply.Facts(reason, Optional.of(member), true, false);
        var entries = Collections.nCopies(5_000, new Reply.Entry(member, true));
        var dead = Collections.nCopies(4_096, new Reply.Dead(ID, reason));
        var parts =
                MessageSplitter.snapshot(
                        new Reply.Snapshot(
                                1, false, facts, entries, Collections.nCopies(500, elected), dead));
        assertThat(parts.stream().mapToInt(part -> part.dead().size()).sum()).isEqualTo(4_096);
        parts.forEach(RegistryVectorsTest::fits);
        assertThat(parts.stream().mapToInt(part -> part.entries().size()).sum()).isEqualTo(5_000);
        assertThat(parts.stream().mapToInt(part -> part.elections().size()).sum()).isEqualTo(500);
        assertThat(parts).filteredOn(part -> !part.more()).containsExactly(parts.getLast());
        var recalls =
                MessageSplitter.recall(
                        Collections.nCopies(5_000, member), Collections.nCopies(500, elected));
        recalls.forEach(recall ->
                assertThat(RequestCoding.encode(recall).length)
                        .isLessThanOrEqualTo(Protocol.MOST_BYTES));
        assertThat(recalls.stream().mapToInt(part -> part.members().size()).sum()).isEqualTo(5_000);
        var all = Collections.nCopies(Protocol.MOST_ADDRESSEES, ID);
        var open = Collections.nCopies(Protocol.MOST_OPEN, 1L);
        var signal = new Operation.Signal("x".repeat(Protocol.SIGNAL_BYTES), false, all);
        assertThat(RequestCoding.encode(new Request.Operate(1, open, signal)).length)
                .isLessThanOrEqualTo(Protocol.MOST_BYTES);
    }

    @Test
    void short_members_share_a_message_by_the_thousand() {
        var entry = new Reply.Entry(MEMBER, false);
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        var parts =
                MessageSplitter.snapshot(
                        new Reply.Snapshot(
                                1,
                                false,
                                facts,
                                Collections.nCopies(2_000, entry),
                                List.of(),
                                List.of()));
        assertThat(parts).hasSizeLessThanOrEqualTo(4);
    }

    private static void fits(Reply reply) {
        assertThat(ReplyCoding.encode(reply).length).isLessThanOrEqualTo(Protocol.MOST_BYTES);
    }

    @Test
    void a_reason_is_clipped_between_characters() {
        assertThat(Protocol.clip("x".repeat(300))).hasSize(256);
        assertThat(Protocol.clip("€".repeat(300)).getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(Protocol.clip("😀".repeat(100)).getBytes(StandardCharsets.UTF_8)).hasSize(256);
        assertThat(Protocol.clip("as it is")).isEqualTo("as it is");
    }

    @Test
    void a_tag_has_at_most_256_bytes() {
        var most = Tag.of(new byte[256]);
        assertThat(most.bytes()).hasSize(256);
        assertThatThrownBy(() -> Tag.of(new byte[257]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 256 bytes, not 257");
        var bytes = ReplyCoding.encode(new Reply.Settled(9, new Outcome.Elected(MEMBER, 2)));
        int at = HexFormat.of().formatHex(bytes).indexOf("0200cafe") / 2;
        bytes[at + 1] = 2; // 514 bytes
        assertThatThrownBy(() -> ReplyCoding.decode(bytes)).isInstanceOf(Malformed.class);
    }

    @ParameterizedTest
    @EnumSource(JoinRefusal.class)
    void every_refusal_travels(JoinRefusal refusal) {
        var reply = new Reply.Refused(refusal, "why");
        assertThat(ReplyCoding.decode(ReplyCoding.encode(reply))).isEqualTo(reply);
    }

    private static Map<String, Request> requests() {
        var requests = new LinkedHashMap<String, Request>();
        var four = new InetSocketAddress(address("0a010203"), 40_000);
        var six = new InetSocketAddress(address("fd000102030405060708090a0b0c0d0e"), 5);
        var contact = new Contact(ID, List.of(four, six), Map.of("tcp", "", "shm", "boot 7"));
        var here = Location.parse("n1@left");
        var past = new Past(77, 12, "it had all", Optional.of(MEMBER), true);
        var elected = new PoolEvent.Elected("master", MEMBER, 2);
        requests.put(
                "attach",
                new Request.Attach(3, contact, here, 4, -1, Membership.EVENTUAL, Past.NONE));
        requests.put(
                "attach again",
                new Request.Attach(
                        3,
                        contact,
                        here,
                        MEMBER.tag(),
                        4,
                        3,
                        Membership.ORDERED,
                        past,
                        new Request.Arrival(9, "10.1.2.3:40001", "10.9.9.9:8888")));
        requests.put("visit", new Request.Visit(3, contact));
        requests.put("recall", new Request.Recall(List.of(MEMBER), List.of(elected)));
        requests.put("leave", new Request.Leave());
        requests.put("lookup", new Request.Lookup(5, ID));
        requests.put("report", new Request.Report(ID, "reset"));
        requests.put("survey", new Request.Survey(5, ID));
        requests.put("described", new Request.Described(surroundings()));
        requests.put(
                "probe",
                new Request.Probe(7, 40_000, new UUID(0x0011223344556677L, 0x8899aabbccddeeffL)));
        operations().forEach((name, operation) -> requests.put(name, operate(operation)));
        return requests;
    }

    private static Surroundings surroundings() {
        return new Surroundings(
                Location.parse("n1@left"),
                List.of(
                        new Surroundings.Interface("eth0", new Subnet(address("0a010203"), 24)),
                        new Surroundings.Interface(
                                "eth0",
                                new Subnet(address("fd000102030405060708090a0b0c0d0e"), 64))),
                Egress.PRESERVING,
                "",
                "10.1.2.3:40001",
                List.of("socks5://10.1.2.254:1080"));
    }

    private static Request operate(Operation operation) {
        return new Request.Operate(9, List.of(6L, 8L), operation);
    }

    private static Map<String, Operation> operations() {
        var operations = new LinkedHashMap<String, Operation>();
        operations.put("elect", new Operation.Elect("master"));
        operations.put("withdraw", new Operation.Withdraw("master"));
        operations.put("next", new Operation.Next("row", 3));
        operations.put("add", new Operation.Add("licence", 2));
        operations.put("set", new Operation.Set("licence", 0));
        operations.put("take", new Operation.Take("licence", true));
        operations.put("count", new Operation.Count("licence"));
        operations.put("cancel", new Operation.Cancel(6));
        operations.put("signal", new Operation.Signal("stop", false, List.of(ID)));
        operations.put("signal to all", new Operation.Signal("stop", true, List.of()));
        operations.put("assume dead", new Operation.AssumeDead(ID, "no answer"));
        operations.put("close", new Operation.Close("enough"));
        operations.put("terminate", new Operation.Terminate());
        return operations;
    }

    private static void found(Map<String, Reply> replies) {
        var contact = new Contact(ID, List.of(), Map.of("tcp", "x"));
        replies.put(
                "found",
                new Reply.Found(
                        5, Optional.of(new Reply.Whereabouts(Optional.of(MEMBER), contact)), ""));
        replies.put(
                "found a visitor",
                new Reply.Found(
                        5, Optional.of(new Reply.Whereabouts(Optional.empty(), contact)), ""));
        replies.put("not found", new Reply.Found(5, Optional.empty(), ""));
        replies.put("found dead", new Reply.Found(5, Optional.empty(), "gone"));
    }

    private static void settled(Map<String, Reply> replies) {
        replies.put("settled: done", new Reply.Settled(9, new Outcome.Done()));
        replies.put("settled: elected", new Reply.Settled(9, new Outcome.Elected(MEMBER, 2)));
        replies.put("settled: value", new Reply.Settled(9, new Outcome.Value(40)));
        replies.put("settled: taken", new Reply.Settled(9, new Outcome.Taken(true)));
        replies.put("settled: refused", new Reply.Settled(9, new Outcome.Refused("full")));
    }

    private static Map<String, Reply> replies() {
        var replies = new LinkedHashMap<String, Reply>();
        replies.put("welcome", new Reply.Welcome(3, 77, 12, 3, 4, "10.1.2.3:40001"));
        replies.put("welcome of a visitor", new Reply.Welcome(3, 77, 12, -1, 4, "10.1.2.3:40001"));
        replies.put("forgotten", new Reply.Forgotten(0x0102030405060708L));
        replies.put("refused", new Reply.Refused(JoinRefusal.POOL_FULL, "full"));
        var entry = new Reply.Entry(MEMBER, true);
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        replies.put(
                "snapshot",
                new Reply.Snapshot(12, true, facts, List.of(entry), List.of(), List.of()));
        var all = new Reply.Facts("terminated", Optional.of(MEMBER), true, true);
        var elected = new PoolEvent.Elected("master", MEMBER, 2);
        replies.put(
                "snapshot, last part",
                new Reply.Snapshot(
                        12,
                        false,
                        all,
                        List.of(),
                        List.of(elected),
                        List.of(new Reply.Dead(ID, "gone"))));
        var changes =
                List.<PoolEvent.Change>of(
                        new PoolEvent.Joined(MEMBER),
                        new PoolEvent.Suspected(MEMBER, "reset"),
                        new PoolEvent.Restored(MEMBER),
                        new PoolEvent.Left(MEMBER),
                        new PoolEvent.Died(MEMBER, "gone"),
                        new PoolEvent.Closed("lost one"),
                        elected,
                        new PoolEvent.Vacated("master", 2),
                        new PoolEvent.Terminated(MEMBER),
                        new PoolEvent.Signalled(MEMBER, "stop"));
        replies.put("events", new Reply.Events(12, 25, changes));
        found(replies);
        replies.put("bye", new Reply.Bye());
        replies.put("describe", new Reply.Describe());
        replies.put("surveyed", new Reply.Surveyed(5, 1_500, Optional.of(surroundings())));
        replies.put("not surveyed", new Reply.Surveyed(5, 0, Optional.empty()));
        replies.put(
                "probed", new Reply.Probed(7, ProbeResult.DROPPED, "10.1.2.3:40000", "no answer"));
        replies.put("revoked", new Reply.Revoked(new byte[] {0x10, (byte) 0xFF, (byte) 0xEE}));
        settled(replies);
        return replies;
    }

    private static InetAddress address(String hex) {
        try {
            return InetAddress.getByAddress(HexFormat.of().parseHex(hex));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
