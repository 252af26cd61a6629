package org.ibidem.lab.bench.crowd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Scanner;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.registry.Join;
import org.ibidem.registry.Membership;
import org.ibidem.registry.Node;

/// Some of a crowd's nodes.
///
/// Commands: `shake PORT COUNT AT_ONCE`, `join PORT POOL MEMBERSHIP FOLLOWERS COUNT AT_ONCE` (only
/// the followers join with that membership), `know COUNT`, `look KEY all|followers`, `signal KEY`,
/// `elect KEY`, `number COUNT`, `identity`, `late PORT POOL MEMBERSHIP`, `stay PORT POOL
/// MEMBERSHIP`, `heard KEY`, `leave AT_ONCE`, `heap`. Times are nanoseconds of the machine's clock.
final class MembersWorker {
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final List<Node> nodes = Collections.synchronizedList(new ArrayList<>());
    private int followers;
    private final Arrivals arrivals = new Arrivals();
    private final List<Node> following = Collections.synchronizedList(new ArrayList<>());
    private final List<Node> guests = new ArrayList<>();
    private Identity identity = Identity.create();

    private MembersWorker() {}

    /// Does what it is told until its input ends.
    public static void main(String[] arguments) throws InterruptedException {
        var worker = new MembersWorker();
        try (var commands = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (commands.hasNextLine()) {
                var words = commands.nextLine().split(" ", -1);
                System.out.println(Worker.ANSWER + worker.obey(words));
            }
        }
        Runtime.getRuntime().halt(0); // thousands of goodbyes help nobody
    }

    private Object obey(String... words) throws InterruptedException {
        return switch (words[0]) {
            case "shake" -> shake(number(words[1]), number(words[2]), number(words[3]));
            case "join" -> {
                followers = number(words[4]);
                yield join(join(words), number(words[5]), number(words[6]));
            }
            case "know" -> know(number(words[1]));
            case "look" -> {
                arrivals.look(words[1], words[2].equals("all") ? nodes.size() : followers);
                yield "looks";
            }
            case "signal" -> timed(() -> nodes.getFirst().signals().sendAll(words[1]));
            case "elect" -> timed(() -> nodes.getFirst().elections().elect(words[1]));
            case "number" -> numbers(number(words[1]));
            case "identity" -> {
                identity = Identity.create();
                yield identity.id();
            }
            case "late" -> late(join(words));
            case "gone" -> gone();
            case "heard" -> arrivals.await(words[1]);
            case "leave" -> leave(number(words[1]));
            case "heap" -> Heap.used();
            default -> throw new IllegalArgumentException("no command is called " + words[0]);
        };
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static Join join(String... words) {
        return Join.pool(words[2])
                .hub("127.0.0.1:" + words[1]) // ports are scarce: not ::1, too
                .membership(Membership.valueOf(words[3]))
                .limit(LIMIT);
    }

    /// When it began.
    private static long timed(Runnable body) {
        long begun = System.nanoTime();
        body.run();
        return begun;
    }

    /// How long one asks for a number, so many times.
    private String numbers(int count) {
        var sequences = nodes.getFirst().sequences();
        var times = new StringJoiner(" ");
        for (int i = 0; i < count; i++) {
            long begun = System.nanoTime();
            sequences.next("crowd");
            times.add(String.valueOf(System.nanoTime() - begun));
        }
        return times.toString();
    }

    /// When the first began and the last was done, in two words.
    private static String span(int count, int atOnce, IntFunction<Runnable> body) {
        var places = new Semaphore(atOnce);
        var done = new ArrayList<CompletableFuture<Void>>();
        long begun = System.nanoTime();
        for (int i = 0; i < count; i++) {
            var one = body.apply(i);
            places.acquireUninterruptibly();
            done.add(
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    one.run();
                                } finally {
                                    places.release();
                                }
                            },
                            Thread::startVirtualThread));
        }
        done.forEach(CompletableFuture::join);
        return begun + " " + System.nanoTime();
    }

    private String join(Join join, int count, int atOnce) {
        return span(
                count,
                atOnce,
                i -> () -> add(i < followers ? join : join.membership(Membership.NONE)));
    }

    private void add(Join join) {
        var node = Node.join(join);
        nodes.add(node);
        node.events(arrivals::heard);
        if (join.membership() != Membership.NONE) {
            following.add(node);
        }
    }

    private static String shake(int port, int count, int atOnce) {
        var at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return span(
                count,
                atOnce,
                _ ->
                        () -> {
                            var tasks = new Threads("shake");
                            var handshake = new Handshake(Identity.create(), tasks, LIMIT);
                            try (var channel = SocketChannel.open(at)) {
                                handshake.initiate(
                                        new SocketPath(channel), Hello.bootstrap("shake", null));
                                // Else its port would be kept for a minute, and ports are scarce.
                                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            } finally {
                                tasks.close();
                            }
                        });
    }

    /// When the last of the nodes knew so many members.
    private long know(int count) {
        int all = following.size();
        span(all, Math.max(1, all), i -> () -> following.get(i).awaitMembers(count, LIMIT));
        return System.nanoTime();
    }

    /// Joins one more, which stays until `gone`.
    private long late(Join join) {
        long begun = System.nanoTime();
        guests.add(Node.join(join.identity(identity)));
        return begun;
    }

    private String gone() {
        guests.forEach(Node::close);
        guests.clear();
        return "gone";
    }

    private String leave(int atOnce) {
        var those = List.copyOf(nodes);
        nodes.clear();
        following.clear();
        return span(those.size(), atOnce, i -> those.get(i)::close);
    }
}
