package org.ibidem.lab.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.BufferPool;
import org.ibidem.config.Options;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.Catalog;
import org.ibidem.link.Driver;
import org.ibidem.link.Filter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Reach;
import org.ibidem.stack.Stack;

/// Both ends of a link over one stack, in this JVM.
record Pair(FrameLink one, FrameLink other, List<MetLower> lowers) implements AutoCloseable {
    static final Catalog CATALOG = Catalog.found();

    private static final boolean QUICK = Boolean.getBoolean("ibidem.quick");
    private static final long TODAY = System.currentTimeMillis() / 86_400_000;
    private static final int EVERY = 3;

    /// Those that are asked for, where not all are: a regular expression.
    private static final Pattern ONLY = Pattern.compile(System.getProperty("tests.stacks", ".*"));

    private static final int LIMIT_SECONDS = 60;
    private static final Executor THREADS =
            body -> Thread.ofPlatform().daemon().name("contract").start(body);

    static Pair open(String text) throws Exception {
        var stack = Stack.parse(text, CATALOG);
        var pool = new BufferPool();
        var lowers = MetLower.pair();
        var other = start(() -> stack.build(lowers[1].domains(), lowers[1], pool));
        try {
            return new Pair(
                    stack.build(lowers[0].domains(), lowers[0], pool), get(other), List.of(lowers));
        } catch (IOException e) {
            throw new UncheckedIOException(text, e);
        }
    }

    /// The network drivers that work here and promise what links do.
    static Stream<String> networks() {
        return CATALOG.drivers().stream().filter(Pair::works).map(Driver::name).filter(Pair::whole);
    }

    private static boolean whole(String stack) {
        return Stack.parse(stack, CATALOG).delivery().isFaithful();
    }

    /// What is mended: the drivers that work here and do not, and faults.
    private static Stream<String> mended() {
        var drivers =
                CATALOG.drivers().stream()
                        .filter(Pair::works)
                        .map(Driver::name)
                        .filter(each -> !whole(each))
                        .flatMap(each ->
                                Stream.of(
                                        "reliable > " + each,
                                        "fragment(size=512) > checksum > reliable > " + each));
        return Stream.concat(
                drivers,
                Stream.of(
                        "reliable > drop > loopback",
                        "compress(level=1) > reliable > drop > loopback",
                        "compress(level=1) > reliable > reorder > drop > parallel(3) > tcp",
                        "rate(limit=400M) > reliable > duplicate > reorder > drop > loopback",
                        "checksum > reliable(window=512) > duplicate > reorder > drop > tcp"));
    }

    private static boolean works(Driver driver) {
        try (var threads = new Threads("contract");
                var domain = driver.domain(threads, false)) {
            return domain.reach(domain.place()) instanceof Reach.Yes;
        }
    }

    /// Every network driver that works here alone, and under every filter that keeps what links
    /// promise; and some higher stacks.
    static Stream<String> faithful() {
        return turns(all().toList());
    }

    /// The same, whoever's turn it is.
    static Stream<String> all() {
        return Stream.of(networks(), filtered(false), idleFaults(), towers(), seams(), mended())
                .flatMap(s -> s);
    }

    /// In the quick suite a third of them, another one each day.
    private static Stream<String> turns(List<String> stacks) {
        return IntStream.range(0, stacks.size())
                .filter(i -> !QUICK || (i + TODAY) % EVERY == 0)
                .mapToObj(stacks::get)
                .filter(each -> ONLY.matcher(each).matches());
    }

    /// Faults that are told to do none.
    private static Stream<String> idleFaults() {
        return CATALOG.filters().stream()
                .filter(Pair::isUnfaithful)
                .filter(f -> Options.names(f.options()).contains("rate"))
                .map(f -> f.name() + "(rate=0) > loopback");
    }

    /// Adapters both ways, combined layers.
    private static Stream<String> towers() {
        return networks()
                .flatMap(n ->
                        Stream.of(
                                "cut(after=1G) > " + n,
                                "fragment(size=1k) > cut(after=1G) > delay(by=50us) > fragment > "
                                        + n));
    }

    /// The end of a message has to get out of one below the other; adapters over frames that become
    /// smaller.
    private static Stream<String> seams() {
        return Stream.of(
                "greet > hoard(size=100) > fragment > hoard > tcp",
                "parallel(3) > tcp",
                "hoard(size=100) > compress(level=1, codec=deflate) > fragment > hoard > tcp",
                "compress(level=1, codec=zstd) > rate(limit=400M) > tcp",
                "rate(limit=400M, share=contract) > parallel(3) > tcp",
                "rate(limit=400M, share=contract) > fragment > rate > loopback",
                "fragment(size=1k) > checksum > hoard > checksum > shrink > loopback");
    }

    /// The filter that is left out over what is faithful, over what only may not be.
    static Stream<String> whole() {
        return networks()
                .map(n -> "whole > checksum(then=lose) > " + n)
                .filter(each -> ONLY.matcher(each).matches());
    }

    /// Every network driver that works here under every filter that breaks what links promise.
    static Stream<String> unfaithful() {
        return filtered(true);
    }

    private static Stream<String> filtered(boolean unfaithful) {
        return CATALOG.filters().stream()
                .filter(f -> isUnfaithful(f) == unfaithful)
                .flatMap(f -> networks().map(n -> f.name() + " > " + n));
    }

    private static boolean isUnfaithful(Filter filter) {
        return filter.getClass().isAnnotationPresent(Unfaithful.class);
    }

    /// Runs `body` on a thread of its own.
    static <T> CompletableFuture<T> start(Callable<T> body) {
        var result = new CompletableFuture<T>();
        THREADS.execute(() -> {
            try {
                result.complete(body.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /// What `result` gives, or its failure as it was thrown.
    static <T> T get(CompletableFuture<T> result) throws Exception {
        try {
            return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw e;
            }
        }
    }

    @Override
    public void close() {
        one.close();
        other.close();
        lowers.forEach(MetLower::close);
    }
}
