package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ibidem.Forwarder;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A hub without state is started again, and the first connection over which it takes a member back
/// is cut, after each of many numbers of bytes: it is a member all the same.
@Tag("slow")
@Timeout(120)
class CutReturnTest {
    /// More than the hub says to one who returns, and is alone.
    private static final int FARTHEST = 480;

    private static final int STEP = 8;

    /// One that lives through more connections than that goes round and round.
    private static final int MOST_CONNECTIONS = 4;

    /// A member of a pool of its own, whose connection is cut after so many bytes.
    private record Cut(long bytes, Forwarder between, Node node, Heard heard) {
        static Cut join(int port, int bytes) throws IOException {
            var between = new Forwarder("between", port);
            var join =
                    Join.pool("cut after " + bytes)
                            .hub("127.0.0.1:" + between.port())
                            .membership(Membership.ORDERED)
                            .limit(Duration.ofSeconds(20));
            var node = Node.join(join);
            return new Cut(bytes, between, node, Heard.by(node));
        }

        /// @param before connections it had tried to make before the hub was there again
        void requireBack(long before) {
            var told = "told by the hub, cut after " + bytes;
            heard.await(PoolEvent.Restarted.class);
            assertThat(node.elections().elect("master").winner().id()).isEqualTo(node.id());
            heard.await(PoolEvent.Elected.class);
            assertThat(node.members()).as(told).hasSize(1);
            assertThat(heard.all())
                    .as(told)
                    .noneMatch(PoolEvent.Died.class::isInstance)
                    .noneMatch(PoolEvent.Left.class::isInstance);
            assertThat(between.taken() - before).as(told).isLessThanOrEqualTo(MOST_CONNECTIONS);
        }

        void end() throws IOException {
            node.close();
            between.close();
        }
    }

    @Test
    void a_return_to_a_hub_that_began_anew_that_is_cut_anywhere_is_one_return() throws Exception {
        var all = new ArrayList<Cut>();
        var hub = Hub.start(Hub.Options.DEFAULT.port(0));
        try (var many = Executors.newVirtualThreadPerTaskExecutor()) {
            int port = hub.port();
            for (int bytes = 1; bytes <= FARTHEST; bytes += STEP) {
                all.add(Cut.join(port, bytes));
            }
            hub.close();
            var before = new ArrayList<Long>();
            for (var one : all) {
                one.between.cutAfter(one.bytes);
                before.add(one.between.taken());
            }
            hub = Hub.start(Hub.Options.DEFAULT.port(port));
            List<Future<?>> back = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                var one = all.get(i);
                long tried = before.get(i);
                back.add(many.submit(() -> one.requireBack(tried)));
            }
            for (var one : back) {
                one.get();
            }
            long cut = all.stream().filter(one -> one.between.hasCut()).count();
            assertThat(cut)
                    .as("cuts of %s", all.size())
                    .isBetween(all.size() / 2L, all.size() - 1L);
        } finally {
            for (var one : all) {
                one.end();
            }
            hub.close();
        }
    }
}
