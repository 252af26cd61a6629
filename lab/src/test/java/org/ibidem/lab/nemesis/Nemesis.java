package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.ibidem.Forwarder;

/// Does harm to a world, and puts it right again.
final class Nemesis {
    private static final String SELF = "nemesis";
    private static final byte[] UNIT = {(byte) 0xFF, 0x49, 0x42, (byte) 0xFE};
    private static final int ENOUGH = 10;
    private static final Duration MOST_PATIENCE = Duration.ofMinutes(1);
    private static final Duration LONG = World.SUSPICION.plusMillis(700);

    private final World world;
    private final RandomGenerator random;

    Nemesis(World world, RandomGenerator random) {
        this.world = world;
        this.random = random;
    }

    /// Does one thing, and is over when all processes do their work again.
    void strike(Fault fault) throws Exception {
        var name = fault.name().toLowerCase(Locale.ROOT);
        world.nextPhase();
        pause(300, 300);
        world.notes.note(SELF, "begin", name);
        act(fault);
        awaitWork();
        world.notes.note(SELF, "end", name);
    }

    private void awaitWork() throws InterruptedException {
        var before = world.done();
        long end = System.nanoTime() + MOST_PATIENCE.toNanos();
        for (var now = before; !isEnough(before, now); now = world.done()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("nothing is done any more: " + before);
            }
            pause(100, 50);
        }
    }

    private static boolean isEnough(Map<String, Long> before, Map<String, Long> now) {
        return before.entrySet().stream()
                .allMatch(each -> now.get(each.getKey()) >= each.getValue() + ENOUGH);
    }

    /// Time that goes by is what is done here.
    private void pause(long least, int more) {
        long end = System.nanoTime() + 1_000_000 * (least + random.nextInt(more));
        for (long left = 1; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void act(Fault fault) throws Exception {
        switch (fault) {
            case KILLED -> killed();
            case KILLED_TWICE -> {
                killed();
                pause(0, 400);
                killed();
            }
            case TORN -> torn();
            case FLIPPED -> flipped();
            case STOPPED -> stopped(400, 2_000);
            case STOPPED_AND_CUT -> {
                cut(world.near);
                stopped(LONG.toMillis(), 1);
                heal(world.near);
            }
            case FULL -> full(500, 2_000);
            case FULL_AND_CUT -> {
                cut(world.near);
                full(LONG.toMillis(), 1);
                heal(world.near);
            }
            case FLAPPING -> {
                for (int i = 0; i < 12; i++) {
                    full(40, 150);
                    pause(10, 100);
                }
            }
            case CLOCK -> clock();
            case RESET -> oneOf(world.near, world.far).reset();
            case ENDED -> oneOf(world.near, world.far).end();
            case SILENT -> silent();
            case DEAF -> deaf();
            case NODES_STOPPED -> {
                var which = random.nextBoolean() ? "second" : world.victim();
                world.stop(which);
                pause(300, 3_000);
                world.goOn(which);
            }
            case NODES_DEAD -> dead();
            case NODES_KILLED -> {
                world.killVictim();
                pause(100, 1_000);
                world.replaceVictim();
            }
            case LOST -> lost();
        }
    }

    private Forwarder oneOf(Forwarder one, Forwarder other) {
        return random.nextBoolean() ? one : other;
    }

    private void kill() {
        world.notes.note("hub", "unable");
        world.killHub();
    }

    private void killed() throws Exception {
        kill();
        pause(1, 300);
        start();
    }

    private void start() throws Exception {
        var said = world.startHub();
        if (!said.startsWith("ready")) {
            throw new AssertionError("the hub does not start again: " + said);
        }
        world.notes.note("hub", "able");
    }

    private void torn() throws Exception {
        kill();
        var file = world.journal();
        var all = Files.readAllBytes(file);
        int last = lastUnit(all, all.length);
        // A unit that has a whole beginning, or nothing sensible.
        var more = new byte[1 + random.nextInt(Math.min(200, all.length - last))];
        System.arraycopy(all, last, more, 0, more.length);
        if (random.nextBoolean() || more.length == all.length - last) {
            random.nextBytes(more);
        }
        Files.write(file, more, StandardOpenOption.APPEND);
        start();
    }

    private void flipped() throws Exception {
        kill();
        var file = world.journal();
        int end = lastUnit(Files.readAllBytes(file), Integer.MAX_VALUE);
        int at = random.nextInt(end);
        int bit = 1 << random.nextInt(8);
        flip(file, at, bit);
        var said = world.startHub();
        if (!said.startsWith("refuses") || !said.contains("journal-")) {
            throw new AssertionError(
                    "bit %d of byte %d, before %d, was flipped, and the hub says: %s"
                            .formatted(bit, at, end, said));
        }
        world.killHub();
        flip(file, at, bit);
        start();
    }

    private static void flip(Path file, int at, int bit) throws IOException {
        try (var channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var one = ByteBuffer.allocate(1);
            channel.read(one, at);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ bit)}), at);
        }
    }

    /// Where the last unit of a journal begins, before this place.
    private static int lastUnit(byte[] journal, int before) {
        for (int at = Math.min(before, journal.length) - UNIT.length; at >= 0; at--) {
            boolean is = true;
            for (int i = 0; i < UNIT.length; i++) {
                is &= journal[at + i] == UNIT[i];
            }
            if (is) {
                return at;
            }
        }
        throw new AssertionError("a journal without units");
    }

    private void stopped(long least, int more) throws Exception {
        world.notes.note("hub", "unable");
        world.hub().signal("STOP");
        pause(least, more);
        world.hub().signal("CONT");
        world.notes.note("hub", "able");
    }

    private void full(long least, int more) throws Exception {
        world.disk.fill();
        world.notes.note("hub", "unable");
        pause(least, more);
        world.disk.free();
        world.notes.note("hub", "able");
    }

    private void cut(Forwarder forwarder) {
        world.notes.note(forwarder.name(), "cut");
        forwarder.silent(true);
        forwarder.reset();
    }

    private void heal(Forwarder forwarder) {
        forwarder.silent(false);
        world.notes.note(forwarder.name(), "healed");
    }

    private void clock() throws Exception {
        for (long hours : new long[] {-1, 25, -24 * 400, 0}) {
            world.clock.set(Duration.ofHours(hours));
            pause(500, 500);
        }
    }

    private void silent() {
        var forwarder = oneOf(world.near, world.far);
        world.notes.note(forwarder.name(), "cut");
        forwarder.silent(true);
        pause(500, (int) World.SUSPICION.toMillis() - 1_500);
        if (random.nextBoolean()) {
            forwarder.reset();
        }
        heal(forwarder);
    }

    private void deaf() {
        var forwarder = oneOf(world.near, world.far);
        world.notes.note(forwarder.name(), "cut");
        forwarder.deaf(true);
        pause(200, 1_500);
        forwarder.deaf(false);
        forwarder.reset();
        world.notes.note(forwarder.name(), "healed");
    }

    private void dead() throws Exception {
        world.stop(world.victim());
        long silence = 3 * World.HEARTBEAT.toMillis() + LONG.toMillis();
        pause(silence, 500);
        world.goOn(world.victim());
        pause(2_000, 500);
        world.killVictim();
        world.replaceVictim();
    }

    private void lost() throws Exception {
        var all = new byte[0];
        for (int last = 0; last == 0 || last == lastUnit(all, Integer.MAX_VALUE); ) {
            // Something has to be answered first.
            last = lastUnit(Files.readAllBytes(world.journal()), Integer.MAX_VALUE);
            pause(50, 50);
            all = Files.readAllBytes(world.journal());
        }
        world.notes.note("hub", "lost");
        kill();
        var file = world.journal();
        all = Files.readAllBytes(file);
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(lastUnit(all, all.length) + 7L);
        }
        start();
    }
}
