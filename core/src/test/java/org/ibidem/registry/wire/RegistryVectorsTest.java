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
import org.ibidem.Seeded;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The registry protocol as `docs/wire/registry.md` has it, byte for byte.
class RegistryVectorsTest {
    private static final NodeId ID = NodeId.parse("00112233445566778899aabbccddeeff");
    private static final Member MEMBER = new Member(ID, 3, Location.parse("n1@left"));

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
        assertThat(vectors()).containsExactlyEntriesOf(made);
    }

    @Test
    void another_version_is_recognized_whatever_follows() {
        var bytes = HexFormat.of().parseHex("01" + "0700" + "ffffffff");
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
    void the_fullest_messages_fit() {
        var location = new Location(Collections.nCopies(8, "€".repeat(64)));
        var member = new Member(ID, Integer.MAX_VALUE, location);
        var reason = Protocol.clip("€".repeat(500));
        PoolEvent.Change died = new PoolEvent.Died(member, reason);
        var changes = Collections.nCopies(Protocol.EVENTS_AT_ONCE, died);
        var entries = Collections.nCopies(Protocol.MEMBERS_AT_ONCE, new Reply.Entry(member, true));
        var members = Collections.nCopies(Protocol.MEMBERS_AT_ONCE, member);
        assertThat(ReplyCoding.encode(new Reply.Events(1, changes)).length)
                .isLessThanOrEqualTo(Protocol.MOST_BYTES);
        assertThat(ReplyCoding.encode(new Reply.Snapshot(1, true, reason, entries)).length)
                .isLessThanOrEqualTo(Protocol.MOST_BYTES);
        assertThat(RequestCoding.encode(new Request.Recall(members)).length)
                .isLessThanOrEqualTo(Protocol.MOST_BYTES);
    }

    @Test
    void a_reason_is_clipped_between_characters() {
        assertThat(Protocol.clip("x".repeat(300))).hasSize(256);
        assertThat(Protocol.clip("€".repeat(300)).getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThat(Protocol.clip("😀".repeat(100)).getBytes(StandardCharsets.UTF_8)).hasSize(256);
        assertThat(Protocol.clip("as it is")).isEqualTo("as it is");
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
        var past = new Past(77, 12, "it had all", true);
        requests.put("attach", new Request.Attach(1, contact, here, 4, -1, Past.NONE));
        requests.put("attach again", new Request.Attach(1, contact, here, 4, 3, past));
        requests.put("recall", new Request.Recall(List.of(MEMBER)));
        requests.put("leave", new Request.Leave());
        requests.put("lookup", new Request.Lookup(5, ID));
        requests.put("report", new Request.Report(ID, "reset"));
        return requests;
    }

    private static Map<String, Reply> replies() {
        var replies = new LinkedHashMap<String, Reply>();
        replies.put("welcome", new Reply.Welcome(1, 77, 12, 3, 4, "10.1.2.3:40001"));
        replies.put("forgotten", new Reply.Forgotten());
        replies.put("refused", new Reply.Refused(JoinRefusal.POOL_FULL, "full"));
        var entry = new Reply.Entry(MEMBER, true);
        replies.put("snapshot", new Reply.Snapshot(12, false, "", List.of(entry)));
        var changes =
                List.<PoolEvent.Change>of(
                        new PoolEvent.Joined(MEMBER),
                        new PoolEvent.Suspected(MEMBER, "reset"),
                        new PoolEvent.Restored(MEMBER),
                        new PoolEvent.Left(MEMBER),
                        new PoolEvent.Died(MEMBER, "gone"),
                        new PoolEvent.Closed("lost one"));
        replies.put("events", new Reply.Events(13, changes));
        var contact = new Contact(ID, List.of(), Map.of("tcp", "x"));
        replies.put("found", new Reply.Found(5, Optional.of(contact)));
        replies.put("not found", new Reply.Found(5, Optional.empty()));
        replies.put("bye", new Reply.Bye());
        return replies;
    }

    private static InetAddress address(String hex) {
        try {
            return InetAddress.getByAddress(HexFormat.of().parseHex(hex));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> vectors() throws IOException {
        var vectors = new LinkedHashMap<String, String>();
        try (var in = RegistryVectorsTest.class.getResourceAsStream("/wire/registry.txt")) {
            for (var line :
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    int at = line.indexOf('=');
                    vectors.put(line.substring(0, at).strip(), line.substring(at + 1).strip());
                }
            }
        }
        return vectors;
    }
}
