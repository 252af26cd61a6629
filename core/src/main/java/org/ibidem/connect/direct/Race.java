package org.ibidem.connect.direct;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.IbidemException;
import org.ibidem.connect.Check;
import org.ibidem.connect.Check.Claim;
import org.ibidem.connect.Unreachable;
import org.ibidem.connect.Unreachable.Attempt;
import org.ibidem.link.Tasks;
import org.ibidem.link.Tasks.Task;
import org.jspecify.annotations.Nullable;

/// One race over several addresses of a peer. The thread that calls [#run] is the referee; every
/// runner tells it what happened through one queue, which is bounded by the number of runners.
final class Race<T> {
    private static final Duration HEAD_START = Duration.ofMillis(50);

    private final String whom;
    private final List<InetSocketAddress> addresses;
    private final Check<T> check;
    private final Tasks tasks;
    private final Duration limit;
    private final LinkedBlockingQueue<Event<T>> events = new LinkedBlockingQueue<>();
    private final List<Runner> runners = new ArrayList<>();
    private @Nullable Task nextStart;

    Race(
            String whom,
            List<InetSocketAddress> addresses,
            Check<T> check,
            Tasks tasks,
            Duration limit) {
        this.whom = whom;
        this.addresses = addresses;
        this.check = check;
        this.tasks = tasks;
        this.limit = limit;
    }

    private sealed interface Event<T> {}

    private record NextStarts<T>() implements Event<T> {}

    private record TimeIsUp<T>() implements Event<T> {}

    private record Failed<T>(int runner, String why, Exception cause) implements Event<T> {}

    private record Proves<T>(int runner, Claim<T> claim) implements Event<T> {}

    T run() {
        var clock = tasks.after(limit, "time limit of a race", () -> events.add(new TimeIsUp<>()));
        int winner = -1;
        try {
            startNext();
            while (true) {
                switch (events.take()) {
                    case NextStarts<T>() -> startNext();
                    case TimeIsUp<T>() ->
                            throw lost("did not answer within " + limit.toMillis() + " ms");
                    case Failed<T>(int runner, String why, Exception cause) ->
                            failed(runner, why, cause);
                    case Proves<T>(int runner, Claim<T> claim) -> {
                        try {
                            T proved = claim.take();
                            winner = runner;
                            return proved;
                        } catch (IOException | IbidemException e) {
                            failed(runner, reason(e), e);
                        }
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw lost("was given up because the thread was interrupted");
        } finally {
            clock.stop();
            stopAllBut(winner);
        }
    }

    private void startNext() {
        if (nextStart != null) {
            nextStart.stop();
        }
        int next = runners.size();
        if (next < addresses.size()) {
            var runner = new Runner(next, addresses.get(next));
            runners.add(runner);
            runner.task = tasks.start("connect " + runner.address, runner::run);
            if (next + 1 < addresses.size()) {
                nextStart =
                        tasks.after(HEAD_START, "head start", () -> events.add(new NextStarts<>()));
            }
        }
    }

    private void failed(int runner, String why, Exception cause) {
        runners.get(runner).failure = new Attempt(runners.get(runner).address, why, cause);
        startNext();
        if (runners.stream().allMatch(each -> each.failure != null)) {
            throw lost("");
        }
    }

    private Unreachable lost(String whyOthers) {
        var attempts = new ArrayList<Attempt>();
        for (var runner : runners) {
            attempts.add(
                    runner.failure != null
                            ? runner.failure
                            : new Attempt(runner.address, whyOthers, null));
        }
        for (var address : addresses.subList(runners.size(), addresses.size())) {
            attempts.add(new Attempt(address, "was not tried any more", null));
        }
        return new Unreachable(whom + " cannot be reached", attempts);
    }

    private void stopAllBut(int winner) {
        if (nextStart != null) {
            nextStart.stop();
        }
        for (var runner : runners) {
            if (runner.number != winner) {
                runner.stop();
            }
        }
    }

    private static String reason(Exception e) {
        if (e instanceof IbidemException) {
            return String.valueOf(e.getMessage());
        }
        if (e instanceof ConnectException && String.valueOf(e.getMessage()).contains("refused")) {
            return "refused: nobody listens there";
        }
        return "failed: " + (e.getMessage() == null ? e.toString() : e.getMessage());
    }

    /// One address being tried, on its own thread.
    private final class Runner {
        final int number;
        final InetSocketAddress address;
        @Nullable Task task; // the referee's, as is `failure`
        @Nullable Attempt failure;
        private @Nullable SocketChannel channel;
        private boolean stopped;

        Runner(int number, InetSocketAddress address) {
            this.number = number;
            this.address = address;
        }

        void run() {
            try {
                var opened = open();
                if (opened != null) {
                    opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    opened.connect(address);
                    events.add(new Proves<>(number, check.check(opened)));
                }
            } catch (IOException | RuntimeException e) {
                closeChannel();
                events.add(new Failed<>(number, reason(e), e));
            }
        }

        void stop() {
            closeChannel();
            if (task != null) {
                task.stop();
            }
        }

        private synchronized @Nullable SocketChannel open() throws IOException {
            if (stopped) {
                return null;
            }
            channel = SocketChannel.open();
            return channel;
        }

        private synchronized void closeChannel() {
            stopped = true;
            if (channel != null) {
                try {
                    channel.close();
                } catch (IOException _) {
                    // it lost anyway
                }
            }
        }
    }
}
