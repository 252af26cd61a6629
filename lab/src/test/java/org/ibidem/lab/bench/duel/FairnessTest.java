package org.ibidem.lab.bench.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.ibidem.Background;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.lab.bench.peers.AeronPeer;
import org.ibidem.lab.bench.peers.IbidemMpi;
import org.ibidem.lab.bench.peers.MpiPeer;
import org.ibidem.lab.bench.peers.MpjExpress;
import org.ibidem.lab.bench.peers.NettyNio;
import org.ibidem.lab.bench.peers.OnlyWork;
import org.ibidem.lab.bench.suite.Suite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// All contestants do the same work: each rewrites what it sends and sums up what it gets.
///
/// The two sides are told to play differently: one sends messages 0 and 1 in one sample, the other
/// expects message 0 in each of two. Who does not look, or sends the same again, does not notice.
@Tag("lab")
@Timeout(60)
class FairnessTest {
    @TempDir Path folder;

    record Case(Contestant contestant, Measure measure) {
        @Override
        public String toString() {
            return contestant.name() + " " + measure.name();
        }
    }

    /// Streams, of every contestant of every benchmark that plays here.
    static Stream<Case> cases() {
        var cases = new LinkedHashMap<String, Case>();
        for (var benchmark : Suite.ALL) {
            for (var contestant : benchmark.contestants()) {
                benchmark.measures().stream()
                        .filter(measure ->
                                measure.kind() == Measure.Kind.BANDWIDTH
                                        || measure.kind() == Measure.Kind.RATE)
                        .filter(contestant::plays)
                        .filter(_ -> playsHere(contestant))
                        .map(measure -> new Case(contestant, measure))
                        .forEach(each -> cases.putIfAbsent(each.toString(), each));
            }
        }
        return cases.values().stream();
    }

    /// Not the floor in which no message moves; nor those that need a process of their own, in C or
    /// with options: Aeron's loops are everybody's, and so are those of our MPI, of which a process
    /// has one.
    private static boolean playsHere(Contestant contestant) {
        return !(contestant instanceof OnlyWork)
                && !(contestant instanceof MpiPeer)
                && !(contestant instanceof MpjExpress)
                && !(contestant instanceof IbidemMpi)
                && !(contestant instanceof NettyNio)
                && !(contestant instanceof AeronPeer);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void who_gets_another_message_than_expected_says_so(Case each) throws Exception {
        var missing = each.contestant.missing();
        assumeTrue(missing.isEmpty(), missing.orElse(""));
        try (var leader = new Encounter(true, folder);
                var follower = new Encounter(false, folder)) {
            leader.meet(follower.meet(0));
            var opening = Background.call(() -> each.contestant.open(follower));
            try (Player leads = each.contestant.open(leader);
                    Player follows = opening.get(30, TimeUnit.SECONDS)) {
                var leading =
                        Background.call(() -> {
                            leads.lead(each.measure, new Burst(1, 2), new long[1]);
                            return "led";
                        });
                var following =
                        Background.call(() -> {
                            follows.follow(each.measure, new Burst(2, 1));
                            return "followed";
                        });
                requireCorrupt("the one who follows", following);
                requireCorrupt("the one who leads", leading);
            }
        }
    }

    private static void requireCorrupt(String who, CompletableFuture<String> side) {
        var failure = Assertions.catchThrowable(() -> side.get(30, TimeUnit.SECONDS));
        assertThat(failure).as(who).hasRootCauseInstanceOf(Payload.Corrupt.class);
    }
}
