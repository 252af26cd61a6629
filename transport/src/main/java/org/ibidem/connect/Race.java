package org.ibidem.connect;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.IbidemException;
import org.ibidem.connect.Check.Claim;
import org.ibidem.connect.Unreachable.Attempt;
import org.ibidem.link.Path;
import org.ibidem.task.Tasks.Task;
import org.jspecify.annotations.Nullable;

/// One race over several routes to a peer: each gets a small head start over the next, and the
/// first whose peer proves itself wins (after RFC 8305, "Happy Eyeballs").
///
/// The thread that calls [#run] is the referee; every runner tells it what happened through one
/// queue, which is bounded by the number of runners.
///
/// @param <T> what a proved connection is to the caller
public final class Race<T> {
    /// What an address gets ahead of the next, usually.
    public static final Duration HEAD_START = Duration.ofMillis(50);

    /// How systems say that no interface leads there.
    private static final String NO_WAY = "unreachable";

    private final String whom;
    private final List<Route> routes;
    private final Check<T> check;
    private final MethodContext context;
    private Duration headStart = HEAD_START;
    private final LinkedBlockingQueue<Event<T>> events = new LinkedBlockingQueue<>();
    private final List<Runner> runners = new ArrayList<>();
    private @Nullable Task nextStart;

    /// A race still to be run.
    ///
    /// @param whom for messages: `node 12ab`
    /// @param routes the likely ones first; at least one
    public Race(String whom, List<? extends Route> routes, Check<T> check, MethodContext context) {
        this.whom = whom;
        this.routes = List.copyOf(routes);
        this.check = check;
        this.context = context;
    }

    /// With another head start; none at all when it is zero.
    public Race<T> headStart(Duration each) {
        headStart = each;
        return this;
    }

    private sealed interface Event<T> {}

    private record NextStarts<T>() implements Event<T> {}

    private record TimeIsUp<T>() implements Event<T> {}

    private record Failed<T>(int runner, String why, Exception cause) implements Event<T> {}

    private record Proves<T>(int runner, Claim<T> claim) implements Event<T> {}

    /// Runs it.
    ///
    /// @return what the check made of the connection that won; all others are closed
    /// @throws Unreachable with every route tried and why each failed
    public T run() {
        var limit = context.limit();
        var clock =
                context.tasks()
                        .alarm(limit, "time limit of a race", () -> events.add(new TimeIsUp<>()));
        int winner = -1;
        try {
            startNext();
            while (true) {
                switch (events.take()) {
                    case NextStarts<T>() -> startNext();
                    case TimeIsUp<T>() -> throw lost("did not answer in time");
                    case Failed<T>(int runner, String why, Exception cause) ->
                            failed(runner, why, cause);
                    case Proves<T>(int runner, Claim<T> claim) -> {
                        try {
                            T proved = claim.take();
                            winner = runner;
                            return proved;
                        } catch (IOException | IbidemException e) {
                            failed(runner, reason(e, routes.get(runner)), e);
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
        if (next < routes.size()) {
            var runner = new Runner(next, routes.get(next));
            runners.add(runner);
            runner.task = context.tasks().attend("connect " + runner.route.address(), runner::run);
            if (next + 1 < routes.size()) {
                announceNext();
            }
        }
    }

    private void announceNext() {
        if (headStart.isZero()) {
            startNext();
        } else {
            nextStart =
                    context.tasks()
                            .alarm(headStart, "head start", () -> events.add(new NextStarts<>()));
        }
    }

    private void failed(int runner, String why, Exception cause) {
        runners.get(runner).failure = attempt(runners.get(runner).route, why, cause);
        startNext();
        if (runners.stream().allMatch(each -> each.failure != null)) {
            throw lost("");
        }
    }

    private Unreachable lost(String whyOthers) {
        var attempts = new ArrayList<Attempt>();
        for (var runner : runners) {
            attempts.add(runner.failure != null ? runner.failure : runner.unfinished(whyOthers));
        }
        for (var route : routes.subList(runners.size(), routes.size())) {
            attempts.add(attempt(route, "was not tried", null));
        }
        return new Unreachable(whom + " cannot be reached", attempts);
    }

    private static Attempt attempt(Route route, String why, @Nullable Exception cause) {
        return new Attempt(
                route.address(), route.via().isEmpty() ? why : route.via() + " " + why, cause);
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

    private static String reason(Exception e, Route route) {
        if (e instanceof IbidemException) {
            return String.valueOf(e.getMessage());
        }
        if (e instanceof ConnectException && String.valueOf(e.getMessage()).contains("refused")) {
            return "refused: nobody listens there";
        }
        var said = e.getMessage() == null ? e.toString() : e.getMessage();
        return "failed: " + said + (said.contains(NO_WAY) ? lacking(route.address()) : "");
    }

    /// What is missing here, where that is why the system knows no way.
    private static String lacking(InetSocketAddress to) {
        var address = to.getAddress();
        return address == null || LocalAddresses.hasFamilyOf(address)
                ? ""
                : ", because this machine has no "
                        + (address instanceof Inet6Address ? "IPv6" : "IPv4")
                        + " address: give it one, or use an address of the other family";
    }

    /// One route being tried, on its own thread.
    private final class Runner {
        final int number;
        final Route route;
        @Nullable Task task; // the referee's, as is `failure`
        @Nullable Attempt failure;
        private @Nullable SocketChannel socket;
        private @Nullable Path path;
        private boolean stopped;

        Runner(int number, Route route) {
            this.number = number;
            this.route = route;
        }

        void run() {
            try {
                events.add(new Proves<>(number, claim(route.connections())));
            } catch (IOException | RuntimeException e) {
                close();
                events.add(new Failed<>(number, reason(e, route), e));
            } catch (Error e) { // whoever waits for an end of this attempt must hear of it
                close();
                var why = new IbidemException("failed: " + e, e);
                events.add(new Failed<>(number, reason(why, route), why));
            } catch (InterruptedException _) {
                close(); // stopped: nobody asks any more
            }
        }

        private Claim<T> claim(int connections) throws IOException, InterruptedException {
            var connected = adopt(route.connect(this::open));
            try {
                if (connected instanceof SocketPath path) {
                    Heartbeat.USUAL.keep(path.socket());
                }
                var claim = check.check(connected);
                route.proved(connected);
                return claim;
            } catch (IOException | IbidemException e) {
                connected.close();
                if (connections == 1 || isStopped()) {
                    throw e;
                }
                return claim(connections - 1);
            }
        }

        Attempt unfinished(String why) {
            var progress = route.progress();
            return attempt(route, progress.isEmpty() ? why : why + " (" + progress + ")", null);
        }

        void stop() {
            close();
            if (task != null) {
                task.stop();
            }
        }

        private synchronized SocketChannel open() throws IOException {
            if (stopped) {
                throw new ClosedChannelException();
            }
            drop(); // a route that tries again has done with the one before
            socket = Route.socket();
            return socket;
        }

        /// Not every connection is made of a socket from [#open].
        private synchronized Path adopt(Path connected) throws IOException {
            if (stopped) {
                connected.close();
                throw new ClosedChannelException();
            }
            path = connected;
            return connected;
        }

        private synchronized boolean isStopped() {
            return stopped;
        }

        private synchronized void close() {
            stopped = true;
            drop();
        }

        private void drop() {
            if (path != null) {
                path.close();
            }
            if (socket != null) {
                try {
                    socket.close();
                } catch (IOException _) {
                    // it lost anyway
                }
            }
        }
    }
}
