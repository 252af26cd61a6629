package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.hub.Hub;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.ibidem.messaging.Caller;
import org.ibidem.messaging.Procedure;
import org.ibidem.messaging.Server;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Requests and replies as users have them: one caller, and a server that answers in the thread
/// that reads.
public record IbidemCalls() implements Contestant {
    private static final Procedure<Long, Long> ECHO =
            Procedure.of("echo", Long.class, Long.class).stack("shm");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "ibidem-call";
    }

    @Override
    public Waiting waiting() {
        return Waiting.USUAL;
    }

    @Override
    public String about() {
        return "Procedure.call over shm, the server's handler in the thread that reads";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() == Measure.Kind.PING_PONG
                && measure.payload().get() instanceof Payload.Word;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        if (meeting.leads()) {
            int hub = Hub.start(Hub.Options.DEFAULT.port(0)).port(); // lives as the process does
            meeting.tell(Integer.toString(hub));
            var node = IbidemPorts.join(hub);
            return new Asks(node, ECHO.caller(node, NodeId.parse(meeting.hear())));
        }
        var node = IbidemPorts.join(Integer.parseInt(meeting.hear()));
        var answers = new Answers(node);
        meeting.tell(node.id().toString());
        return answers;
    }

    private record Asks(Node node, Caller<Long, Long> caller) implements Player {
        @Override
        public void lead(Measure measure, Burst burst, long[] nanos) {
            for (int sample = 0; sample < burst.samples(); sample++) {
                long before = System.nanoTime();
                for (long i = 0; i < burst.times(); i++) {
                    if (caller.call(i, LIMIT) != i) {
                        throw new IllegalStateException("the answer to " + i + " is another");
                    }
                }
                nanos[sample] = System.nanoTime() - before;
            }
        }

        @Override
        public void follow(Measure measure, Burst burst) {
            throw new IllegalStateException("it leads");
        }

        @Override
        public void close() {
            caller.close();
            node.close();
        }
    }

    private static final class Answers implements Player {
        private final Node node;
        private final Server<Long, Long> server;
        private final AtomicLong left = new AtomicLong();
        private final Semaphore done = new Semaphore(0);

        Answers(Node node) {
            this.node = node;
            this.server = ECHO.server(node, this::answer);
        }

        private Long answer(Long question) {
            if (left.decrementAndGet() == 0) {
                done.release();
            }
            return question;
        }

        @Override
        public void lead(Measure measure, Burst burst, long[] nanos) {
            throw new IllegalStateException("it follows");
        }

        /// Questions may have come before this was called.
        @Override
        public void follow(Measure measure, Burst burst) throws InterruptedException {
            long all = (long) burst.samples() * burst.times();
            if (left.addAndGet(all) > 0) {
                done.acquire();
            } else {
                done.drainPermits();
            }
        }

        @Override
        public void close() {
            server.close();
            node.close();
        }
    }
}
