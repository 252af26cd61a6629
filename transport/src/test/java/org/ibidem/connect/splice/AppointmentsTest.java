package org.ibidem.connect.splice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.MethodContext;
import org.ibidem.connect.splice.Appointments.Part;
import org.ibidem.connect.splice.Appointments.With;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;

/// Requests that cross have nothing in common: each has its own port at the end that is asked, and
/// begins once.
class AppointmentsTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final NodeId ONE = new NodeId(1, 1);
    private static final NodeId OTHER = new NodeId(2, 2);

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final MethodContext context = new MethodContext(threads, LIMIT);

    /// What each end has been asked.
    private final Map<NodeId, Appointments> ends =
            Map.of(ONE, new Appointments(), OTHER, new Appointments());

    private final List<Begun> begun = new CopyOnWriteArrayList<>();

    /// Kept until the end: the system may give one that was given back to the next who asks.
    private final List<LocalPort> taken = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        threads.close();
        taken.forEach(LocalPort::close);
    }

    /// Somebody asks somebody.
    private record Request(NodeId asker, NodeId asked, long token) {
        /// Where the asking end is, which tells its requests apart.
        Offer where() {
            int port = (asker.equals(ONE) ? 1_000 : 2_000) + (int) token;
            return new Offer(true, token, List.of(at(port)));
        }
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// One of its two words.
    private record Word(Request request, boolean whole) {}

    private record Begun(Request request, int port, Offer theirs) {}

    private Offer hear(Word word) throws IOException {
        var request = word.request;
        var part =
                new Part() {
                    @Override
                    public Offer offer(LocalPort port) {
                        return new Offer(true, request.token, List.of(at(port.number())));
                    }

                    @Override
                    public Duration delay() {
                        return Duration.ZERO;
                    }

                    @Override
                    public void begin(LocalPort port, Offer theirs) {
                        taken.add(port);
                        begun.add(new Begun(request, port.number(), theirs));
                    }
                };
        return ends.get(request.asked)
                .heard(
                        new With(request.asker, request.token),
                        word.whole ? request.where() : Offer.prepare(request.token),
                        part,
                        context);
    }

    /// The same number is chosen by both, as it may be; one asks twice; and words come in any
    /// order.
    @RepeatedTest(50)
    @Tag("slow")
    void each_of_those_that_cross_begins_once_with_its_own_port(RepetitionInfo repetition)
            throws IOException {
        var requests =
                List.of(
                        new Request(ONE, OTHER, 1),
                        new Request(OTHER, ONE, 1),
                        new Request(ONE, OTHER, 2));
        var words = new ArrayList<Word>();
        for (var request : requests) {
            words.add(new Word(request, false));
            words.add(new Word(request, true));
        }
        Collections.shuffle(words, new Random(repetition.getCurrentRepetition()));
        var answers = new HashMap<Request, Offer>();
        for (var word : words) {
            var answer = hear(word);
            assertThat(answers.computeIfAbsent(word.request, _ -> answer)).isEqualTo(answer);
        }
        eventually("each has begun", () -> begun.size() >= requests.size());
        clock.advance(LIMIT);
        eventually("nothing is left to do", () -> threads.size() == 0);
        assertThat(begun).extracting(Begun::request).containsExactlyInAnyOrderElementsOf(requests);
        assertThat(begun).extracting(Begun::port).doesNotHaveDuplicates();
        assertThat(begun)
                .allSatisfy(each -> {
                    assertThat(each.theirs).isEqualTo(each.request.where());
                    assertThat(answers.get(each.request).addresses())
                            .containsExactly(at(each.port));
                });
    }
}
