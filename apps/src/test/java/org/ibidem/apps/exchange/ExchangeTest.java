package org.ibidem.apps.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The whole job with its hub in this JVM: real nodes, real ports.
@Timeout(60)
class ExchangeTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private static Join join(Hub hub, int rank, int ranks) {
        return Join.pool("exchange").hub("localhost:" + hub.port()).size(ranks).rank(rank);
    }

    private CompletableFuture<Totals> start(Join join, Options options) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (var node = Node.join(join)) {
                        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
                        return new Exchange(node, options, out).run();
                    }
                },
                Thread::startVirtualThread);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 5, 100, auto",
        "2, 20, 300000, tcp",
        "3, 20, 40000, auto",
        "5, 8, 100000, checksum > tcp"
    })
    void each_block_arrives_as_it_was_sent(int ranks, int rounds, int largest, String stack)
            throws Exception {
        var options =
                Options.parse("--rounds", "" + rounds, "--largest", "" + largest, "--stack", stack);
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var results = new ArrayList<CompletableFuture<Totals>>();
            for (int rank = 0; rank < ranks; rank++) {
                results.add(start(join(hub, rank, ranks), options));
            }
            long sum = 0;
            var blocks = new Blocks(largest);
            for (int round = 0; round < rounds; round++) {
                for (int pair = 0; pair < ranks * ranks; pair++) {
                    var address = new Blocks.Address(round, pair / ranks, pair % ranks);
                    boolean sent = address.from() != address.to();
                    sum += sent ? Blocks.checksum(blocks.block(address)) : 0;
                }
            }
            var all = results.getFirst().get(40, TimeUnit.SECONDS);
            assertThat(all.received()).isEqualTo((long) rounds * ranks * (ranks - 1));
            assertThat(all.receivedSum()).as("computed by one alone").isEqualTo(sum);
            assertThat(all.match()).isTrue();
            for (var result : results) {
                result.get(40, TimeUnit.SECONDS);
            }
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("all blocks arrived as they were sent");
    }

    @Test
    void a_block_that_is_not_what_was_sent_ends_the_job_and_says_which() throws Exception {
        var options = Options.parse("--rounds", "3", "--largest", "1000", "--stack", "tcp");
        var type = PortType.manyToOne().stack("tcp");
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var liar = Node.join(join(hub, 1, 2));
                var in = ReceivePort.open(liar, type, "blocks")) {
            var honest = start(join(hub, 0, 2), options);
            var members = liar.awaitMembers(2, Duration.ofSeconds(20));
            var block = new Blocks(1000).block(new Blocks.Address(0, 1, 0));
            block[0] ^= 1;
            try (var out = SendPort.open(liar, type, "blocks")) {
                out.connect(members.getFirst().id(), "blocks");
                try (var message = out.newMessage()) {
                    message.writeInt(1).writeInt(0).writeInt(block.length).writeArray(block);
                    message.finish();
                }
                assertThatThrownBy(() -> honest.get(40, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(BadExchange.class)
                        .hasMessageContaining("the block of rank 1 in round 0 has checksum");
                assertThat(in.name()).isEqualTo("blocks");
            }
        }
    }

    @Test
    void what_is_not_understood_is_refused_with_the_usage() {
        assertThatThrownBy(() -> Options.parse("--rounds", "0"))
                .isInstanceOf(BadExchange.class)
                .hasMessageContaining("--rounds is a number from 1 to")
                .hasMessageContaining("all-to-all");
        assertThatThrownBy(() -> Options.parse("--round", "1"))
                .hasMessageContaining("'--round' is no option");
    }
}
