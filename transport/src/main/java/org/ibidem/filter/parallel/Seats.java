package org.ibidem.filter.parallel;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.ibidem.link.Line;
import org.ibidem.link.Lower.Again;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Who sits where: the strands of a [Bundle], each in a seat that one has at a time, and those that
/// have come and not said which is theirs. Under the bundle's lock, but for what dials.
final class Seats {
    private static final System.Logger LOG = System.getLogger(Seats.class.getName());

    /// As many as a step of [Width] may add: what they say first may be long on its way.
    private static final int MOST_GUESTS = 32;

    private static final Duration GUEST_LIMIT = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final Bundle bundle;
    private final boolean active;
    private final int most;
    private final int begin;
    private final long silence;
    private final Tasks tasks;

    /// The number of the last that had each seat; -1: nobody yet.
    private final int[] numbers = new int[Parallel.MOST];

    private final boolean[] dialled = new boolean[Parallel.MOST];
    private final List<Strand> guests = new ArrayList<>();
    private Strand[] seated = {};
    private Strand[] all = {};

    /// Names to be said to be lost.
    private final ArrayDeque<Long> lost = new ArrayDeque<>();

    /// Over how many this end sends, where it chooses; and how many it has to ask for.
    private final @Nullable Pace pace;

    private int width;
    private int wanted;

    private @Nullable Again again;
    private int send;
    private int receive;

    /// How many somebody wants, and what is known of the line.
    record Wish(Parallel options, Line line) {}

    Seats(Bundle bundle, boolean active, Wish wish, Tasks tasks) {
        this.bundle = bundle;
        var options = wish.options;
        boolean chooses = options.streams() == 0;
        this.active = active;
        this.most = chooses ? Parallel.MOST : options.streams();
        this.begin = Math.max(1, options.streams());
        var line = wish.line;
        this.pace = chooses ? new Pace(line.known().streams(), line, new Resent()) : null;
        this.width = chooses ? 1 : Parallel.MOST;
        this.silence = options.silence().toNanos();
        this.tasks = tasks;
        Arrays.fill(numbers, -1);
    }

    /// The one that both ends have from the beginning sits in the first seat.
    void first(StreamPath path, Again others) {
        again = others;
        numbers[0] = 0;
        sit(new Strand(path, Wire.name(0, 0)));
        widen(begin);
    }

    /// Makes so many, at the end that makes them.
    void widen(int count) {
        for (int seat = 1; active && seat < Math.min(count, most); seat++) {
            if (numbers[seat] < 0) {
                dial(seat);
            }
        }
    }

    /// How many there may ever be.
    int most() {
        return most;
    }

    /// Over how many of them this end sends.
    int width() {
        return width;
    }

    /// How many to ask the other end for; 0: none. Once.
    int takeWanted() {
        int count = wanted;
        wanted = 0;
        return count;
    }

    /// Looks how sending goes on.
    ///
    /// @param waiting whether something waits to be sent
    void measure(long now, long arrived, boolean waiting) {
        if (pace == null) {
            return;
        }
        long roundTrip = Long.MAX_VALUE;
        for (var strand : seated) {
            roundTrip = Math.min(roundTrip, strand.roundTrip());
        }
        int count = pace.look(now, arrived, waiting, roundTrip, seated.length);
        if (count > width) {
            widen(count);
            wanted = active ? 0 : count;
        }
        width = count;
    }

    private void sit(Strand strand) {
        guests.remove(strand);
        var more = new ArrayList<>(List.of(seated));
        more.add(strand);
        more.sort(Comparator.comparingInt(each -> Wire.seat(each.name)));
        seated = more.toArray(Strand[]::new);
        listed();
        watch(strand);
    }

    private void watch(Strand strand) {
        if (strand.driven == null) {
            strand.driven = new Watch(bundle, strand).begin(tasks);
        }
    }

    private void listed() {
        var everybody = new ArrayList<>(List.of(seated));
        everybody.addAll(guests);
        all = everybody.toArray(Strand[]::new);
    }

    Strand[] all() {
        return all;
    }

    Strand[] seated() {
        return seated;
    }

    boolean none() {
        return seated.length == 0;
    }

    boolean idle() {
        for (var strand : seated) {
            if (!strand.idle()) {
                return false;
            }
        }
        return true;
    }

    /// Whether nothing is owed by anybody.
    boolean quiet() {
        for (var strand : seated) {
            if (strand.underWay() > 0 || strand.owesAny()) {
                return false;
            }
        }
        return guests.isEmpty();
    }

    /// The other end has made one more.
    void arrived(StreamPath path) {
        bundle.locked(() -> {
            if (bundle.isOver() || guests.size() >= MOST_GUESTS) {
                path.reset();
                return false;
            }
            tune(path);
            var guest = new Strand(path, -1);
            guest.since(tasks.nanoTime());
            guests.add(guest);
            listed();
            watch(guest);
            return true;
        });
    }

    /// One says which seat it has. A seat it cannot have is refused: there is none, or somebody had
    /// it after him.
    void join(Strand strand, long name) throws Violation {
        if (active || strand.name >= 0) {
            throw new Violation("the peer seats a connection that has a seat");
        }
        int seat = Wire.seat(name);
        int number = Wire.number(name);
        if (name < 0 || seat >= most || number <= numbers[seat]) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a connection that claims seat {0}, which it cannot have, was refused",
                    seat);
            leave(strand);
            return;
        }
        for (var old : seated) {
            if (Wire.seat(old.name) == seat) {
                lose(old, tasks.nanoTime());
            }
        }
        numbers[seat] = number;
        strand.name = name;
        sit(strand);
    }

    /// One has ended: what it had under way leaves by the others.
    void lose(Strand strand, long now) {
        boolean sat = Arrays.asList(seated).contains(strand);
        leave(strand);
        if (!sat) {
            return;
        }
        bundle.sendAgain(strand.unconfirmed());
        lost.add(strand.name);
        sayAgain(strand);
        if (active && !bundle.isOver()) {
            dial(Wire.seat(strand.name));
        }
    }

    /// What the other end was told by one that may have been lost with it.
    private void sayAgain(Strand strand) {
        lost.addAll(strand.told());
        if (!active && pace != null && width > 1) {
            wanted = width;
        }
    }

    private void leave(Strand strand) {
        strand.gone = true;
        guests.remove(strand);
        seated = Arrays.stream(seated).filter(each -> !each.equals(strand)).toArray(Strand[]::new);
        listed();
        strand.path.reset();
        bundle.stop(strand.driven);
    }

    /// The other end says that it has lost this one.
    void lost(long name, long now) {
        for (var strand : seated) {
            if (strand.name == name) {
                lose(strand, now);
                lost.remove(name);
                return;
            }
        }
    }

    /// A name to be said to be lost, taken; null: none.
    @Nullable Long pollLost() {
        return lost.poll();
    }

    /// Looks for those who say nothing. The last is kept: it may be the line.
    void look(long now) {
        for (var strand : seated) {
            if (seated.length > 1 && strand.silent(now, silence)) {
                lose(strand, now);
            }
        }
        for (var guest : List.copyOf(guests)) {
            if (guest.waited(now) > GUEST_LIMIT.toNanos()) {
                leave(guest);
            }
        }
    }

    private void dial(int seat) {
        var redial = again;
        if (dialled[seat] || redial == null) {
            return;
        }
        dialled[seat] = true;
        if (numbers[seat] < 0) {
            tasks.start("parallel connects", () -> connect(seat, redial, PAUSE));
        } else {
            later(seat, redial, PAUSE);
        }
    }

    private void later(int seat, Again redial, Duration pause) {
        try {
            tasks.after(pause, "parallel connects", () -> connect(seat, redial, longer(pause)));
        } catch (IllegalStateException e) {
            LOG.log(System.Logger.Level.DEBUG, "the node was closed: {0}", e.getMessage());
        }
    }

    private static Duration longer(Duration pause) {
        var next = pause.multipliedBy(2);
        return next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
    }

    private void connect(int seat, Again redial, Duration pause) {
        if (bundle.isOver()) {
            return;
        }
        try {
            var path = redial.stream();
            bundle.locked(() -> seat(path, seat));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "no further connection: {0}", e.getMessage());
            later(seat, redial, pause);
        }
    }

    private boolean seat(StreamPath path, int seat) {
        dialled[seat] = false;
        if (bundle.isOver()) {
            path.reset();
            return false;
        }
        tune(path);
        numbers[seat]++;
        var strand = new Strand(path, Wire.name(seat, numbers[seat]));
        strand.stage(Wire.JOIN, strand.name);
        sit(strand);
        bundle.changed(tasks.nanoTime());
        return true;
    }

    private void tune(StreamPath path) {
        try {
            path.tune(send, receive);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "it has ended already: {0}", e.getMessage());
        }
    }

    /// Of those that are there, and those to come.
    void tune(int sendBuffer, int receiveBuffer) throws IOException {
        send = sendBuffer;
        receive = receiveBuffer;
        for (var strand : seated) {
            strand.path.tune(send, receive);
        }
    }

    void reset() {
        end(StreamPath::reset);
    }

    void close() {
        end(StreamPath::close);
    }

    private void end(java.util.function.Consumer<StreamPath> how) {
        for (var strand : all) {
            strand.gone = true;
            how.accept(strand.path);
            bundle.stop(strand.driven);
        }
        guests.clear();
        seated = new Strand[0];
        listed();
    }
}
