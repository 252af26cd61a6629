package org.ibidem.lab.net.emulator;

import org.ibidem.lab.net.plan.Line;

/// One [Line] at work. All times are those at which things are due, not those at which somebody got
/// round to them, so that a late loop changes no rate.
final class Pipe {
    /// What becomes of a packet.
    interface Ends {
        /// It has come out.
        void passed(int packet, long time);

        /// It was dropped.
        void dropped(int packet, Fate why);
    }

    private static final long SECOND = 1_000_000_000L;

    private final int number;
    private final Packets packets;
    private final Agenda agenda;
    private final Ends ends;
    private long random;

    private Line line = Line.IDEAL;
    private long delay;
    private long jitter;

    private int head = Packets.NONE;
    private int tail = Packets.NONE;
    private long waiting;
    private long served = Agenda.NEVER;
    private long lastOut = Long.MIN_VALUE;

    private long passed;
    private long bytes;
    private long lost;
    private long overflowed;
    private long mostWaiting;

    /// @param number by which the agenda knows it
    Pipe(int number, Packets packets, Agenda agenda, Ends ends, long seed) {
        this.number = number;
        this.packets = packets;
        this.agenda = agenda;
        this.ends = ends;
        // Never 0, of which xorshift makes nothing else.
        this.random = (seed + number + 1) * 0x9E3779B97F4A7C15L | 1;
    }

    Line line() {
        return line;
    }

    /// From now on it is like this; what travels already arrives when it would have.
    void set(Line now, long time) {
        if (head != Packets.NONE && now.rate() != line.rate()) {
            resume(now.rate(), time);
        }
        if (!now.delay().equals(line.delay()) || !now.jitter().equals(line.jitter())) {
            lastOut = Long.MIN_VALUE;
        }
        line = now;
        mostWaiting = waiting;
        delay = now.delay().toNanos();
        jitter = now.jitter().toNanos();
    }

    /// A packet comes in.
    void enter(int packet, long time) {
        if (line.loss() > 0 && draw() < line.loss()) {
            lost++;
            ends.dropped(packet, Fate.LOST);
            return;
        }
        if (line.rate() == 0 && head == Packets.NONE) {
            leave(packet, time);
            return;
        }
        int length = packets.length[packet];
        if (head != Packets.NONE && waiting + length > line.queue()) {
            overflowed++;
            ends.dropped(packet, Fate.OVERFLOWED);
            return;
        }
        append(packet);
        if (head == packet) {
            serve(time);
        }
    }

    /// The agenda says that the head of the queue may have been sent.
    void serveNext(long time) {
        if (time != served) {
            return; // an appointment from before the rate was changed
        }
        int packet = head;
        head = packets.behind[packet];
        waiting -= packets.length[packet];
        served = Agenda.NEVER;
        if (head != Packets.NONE) {
            serve(time);
        }
        leave(packet, time);
    }

    /// What it has done so far.
    Tally tally() {
        return new Tally(passed, bytes, lost, overflowed, waiting, mostWaiting);
    }

    private void append(int packet) {
        packets.behind[packet] = Packets.NONE;
        if (head == Packets.NONE) {
            head = packet;
        } else {
            packets.behind[tail] = packet;
        }
        tail = packet;
        waiting += packets.length[packet];
        mostWaiting = Math.max(mostWaiting, waiting);
    }

    private void serve(long time) {
        served = time + timeFor(packets.length[head], line.rate());
        agenda.add(served, ~number);
    }

    /// The packet being sent goes on at another rate.
    private void resume(long rate, long time) {
        double share =
                line.rate() == 0
                        ? 1
                        : Math.clamp(
                                (served - time)
                                        / (double) timeFor(packets.length[head], line.rate()),
                                0,
                                1);
        served = time + (long) (share * timeFor(packets.length[head], rate));
        agenda.add(served, ~number);
    }

    private static long timeFor(int length, long rate) {
        return rate == 0 ? 0 : length * 8L * SECOND / rate;
    }

    private void leave(int packet, long time) {
        passed++;
        bytes += packets.length[packet];
        long out = time + delay;
        if (jitter > 0) {
            out += (long) ((2 * draw() - 1) * jitter);
        }
        out = Math.max(out, lastOut);
        lastOut = out;
        if (out == time) {
            ends.passed(packet, time);
        } else {
            agenda.add(out, packet);
        }
    }

    /// Evenly from 0 to 1, by xorshift: the same seed, the same losses.
    private double draw() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (random >>> 11) * 0x1.0p-53;
    }
}
