package org.ibidem.lab.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.lab.history.Notebook;
import org.ibidem.registry.Membership;

/// What runs in a process with nodes: `NAME FILE SEED PHASE PLACE…`. Each node has two threads that
/// do things all the time; besides, guests come and go. Says `ready`, and obeys: `phase N`, `done`,
/// `quiet`, `report`, `settle`, `end`; answers to all but the first with the same word.
final class Worker {
    private static final int THREADS = 2;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final long SHORTEST_PAUSE = 10_000_000;
    private static final long PAUSES = 60_000_000;

    private final String name;
    private final Notebook notes;
    private final long seed;
    private final List<Place> places;
    private final List<Client> clients = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private volatile int phase;
    private volatile boolean quiet;

    private Worker(String[] arguments) throws IOException {
        name = arguments[0];
        notes = new Notebook(Path.of(arguments[1]));
        seed = Long.parseLong(arguments[2]);
        phase = Integer.parseInt(arguments[3]);
        places = Arrays.stream(arguments).skip(4).map(Place::parse).toList();
    }

    public static void main(String[] arguments) throws IOException {
        var worker = new Worker(arguments);
        worker.begin();
        System.out.println("ready");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            worker.obey(line.split(" ", -1));
        }
        Runtime.getRuntime().halt(0); // its parent is gone, or has no use for it any more
    }

    private static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    private void begin() {
        Watch.start(notes, name);
        for (var place : places) {
            var client = new Client(notes, name, place, done);
            if (!client.join(place, LONG)) {
                throw new IllegalStateException("it cannot join at " + place);
            }
            clients.add(client);
        }
        for (var client : clients) {
            for (int i = 0; i < THREADS; i++) {
                var random = random(seed + 31L * threads.size());
                start(() -> work(client, random));
            }
        }
        start(() -> invite(random(seed - 1)));
    }

    private void start(Runnable body) {
        threads.add(Thread.ofVirtual().start(body));
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "phase" -> phase = Integer.parseInt(words[1]);
            case "done" -> System.out.println("done " + done);
            case "quiet" -> {
                quiet = true;
                threads.forEach(Worker::join);
                System.out.println("quiet");
            }
            case "report" -> {
                clients.forEach(client -> client.view(Wishes.elections(phase + 1)));
                System.out.println("report");
            }
            case "settle" -> {
                settle();
                System.out.println("settle");
            }
            default -> {
                clients.forEach(Client::close);
                System.out.println("end");
            }
        }
    }

    @SuppressWarnings("ThreadJoinLoop") // an interrupt is not for whoever waits here
    private static void join(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                // meant for the call before
            }
        }
    }

    private void settle() {
        var wishes = new Wishes(clients.getFirst(), random(seed));
        Wishes.tokens(phase + 1).forEach(tokens -> wishes.count(tokens, LONG, "settled"));
    }

    private void work(Client client, RandomGenerator random) {
        var wishes = new Wishes(client, random);
        while (!quiet && !client.over()) {
            perform(wishes, random);
        }
    }

    /// Sometimes whoever waits is interrupted. Between calls there is a pause, so that few
    /// processors do for many nodes, and histories do not grow too long to be checked.
    private void perform(Wishes wishes, RandomGenerator random) {
        if (random.nextInt(40) == 0) {
            interrupted(random.nextInt(30_000_000), () -> wishes.one(phase));
        } else {
            wishes.one(phase);
        }
        LockSupport.parkNanos(SHORTEST_PAUSE + random.nextLong(PAUSES));
    }

    private static void interrupted(long after, Runnable body) {
        var over = new AtomicBoolean();
        var thread = Thread.currentThread();
        var other =
                Thread.ofVirtual()
                        .start(() -> {
                            LockSupport.parkNanos(after);
                            if (over.compareAndSet(false, true)) {
                                thread.interrupt();
                            }
                        });
        body.run();
        if (!over.compareAndSet(false, true)) {
            join(other); // else the interrupt may come later
            Thread.interrupted();
        }
    }

    /// Guests: nodes of any kind that join, do a few things and leave, or are held for dead.
    private void invite(RandomGenerator random) {
        while (!quiet) {
            var like = places.get(random.nextInt(places.size()));
            var kinds = Membership.values();
            var place = like.with(kinds[random.nextInt(kinds.length)], random.nextInt(3) == 0);
            var guest = new Client(notes, name, place, done);
            if (guest.join(place, Duration.ofSeconds(8))) {
                var wishes = new Wishes(guest, random);
                for (int left = random.nextInt(8); left > 0 && !guest.over(); left--) {
                    perform(wishes, random);
                }
                if (random.nextInt(5) == 0) {
                    assumeDead(guest, wishes, random);
                }
                guest.close();
            }
            LockSupport.parkNanos(random.nextLong(10 * PAUSES));
        }
    }

    private void assumeDead(Client guest, Wishes wishes, RandomGenerator random) {
        var killer = clients.get(random.nextInt(clients.size()));
        killer.call(
                Duration.ofSeconds(10),
                () -> {
                    killer.node().assumeDead(guest.node().id(), "for a trial");
                    return List.of();
                },
                "assume",
                guest.name());
        for (int i = 0; i < 3 && !guest.over(); i++) {
            wishes.one(phase);
        }
    }
}
