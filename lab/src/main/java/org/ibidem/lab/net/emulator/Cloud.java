package org.ibidem.lab.net.emulator;

import org.ibidem.lab.net.plan.Line;

/// All that lies between the sites: a line up from each, a line between each two, a line down to
/// each, in each direction. What all of a site share is on its lines up and down.
///
/// Knows no clock and no device; one thread uses it.
public final class Cloud {
    /// Where packets come out.
    public interface Exit {
        /// Hands a packet to a site.
        ///
        /// @return the time just before it did
        long deliver(int site, int packet);
    }

    private final Packets packets;
    private final Recorder recorder;
    private final Exit exit;
    private final Agenda agenda = new Agenda();
    private final int sites;
    private final Pipe[] pipes;
    private final Tamperer tamperer;
    private final long[] refused = new long[Fate.values().length];
    private long now;
    private long delivered;
    private long late;
    private long latest;

    private final Pipe.Ends ends =
            new Pipe.Ends() {
                @Override
                public void passed(int packet, long time) {
                    goOn(packet, time);
                }

                @Override
                public void dropped(int packet, Fate why) {
                    end(packet, why, now);
                }
            };

    /// @param sites are numbered from 1 to this
    Cloud(int sites, Packets packets, Recorder recorder, Exit exit, long seed) {
        this.sites = sites;
        this.packets = packets;
        this.recorder = recorder;
        this.exit = exit;
        this.tamperer = new Tamperer(packets);
        pipes = new Pipe[(sites + 1) * (sites + 1)];
        for (int i = 0; i < pipes.length; i++) {
            pipes[i] = new Pipe(i, packets, agenda, ends, seed);
        }
    }

    /// The line from one site to another; 0 is the middle, so that `pipe(3, 0)` is the line up from
    /// site 3 and `pipe(0, 3)` the one down to it.
    Pipe pipe(int from, int to) {
        return pipes[from * (sites + 1) + to];
    }

    /// Changes the line from one site to another; 0 is the middle.
    public void set(int from, int to, Line line, long time) {
        pipe(from, to).set(line, time);
    }

    /// What a line is set to; numbered as in `set`.
    public Line line(int from, int to) {
        return pipe(from, to).line();
    }

    /// Who does harm to what the packets carry.
    public Tamperer tamperer() {
        return tamperer;
    }

    /// What a line has done.
    public Tally tally(int from, int to) {
        return pipe(from, to).tally();
    }

    /// A site sent this.
    ///
    /// @param packet its bytes and length are there
    void enter(int site, int packet, long time) {
        now = time;
        int length = packets.length[packet];
        int to = Header.destination(packets.memory, Packets.at(packet), length);
        int from = Header.source(packets.memory, Packets.at(packet), length);
        packets.from[packet] = (short) site;
        packets.to[packet] = (short) to;
        packets.stage[packet] = 0;
        packets.entry[packet] = recorder.sent(packets, packet, time);
        if (to == Header.NOBODY || to > sites) {
            end(packet, Fate.UNROUTABLE, time);
        } else if (from != site) {
            end(packet, Fate.FOREIGN, time);
        } else if (tamperer.stops(packet)) {
            end(packet, Fate.LOST, time);
        } else {
            goOn(packet, time);
        }
    }

    /// Does what is due.
    ///
    /// @return when to come again at the latest
    long advance(long time) {
        now = time;
        while (agenda.next() <= time) {
            long due = agenda.next();
            int event = agenda.take();
            if (event < 0) {
                pipes[~event].serveNext(due);
            } else {
                goOn(event, due);
            }
        }
        return agenda.next();
    }

    /// A packet that was not even written down, for want of room.
    void crowded() {
        refused[Fate.CROWDED.code()]++;
    }

    /// How many packets had this fate, of those that no line counts.
    public long refused(Fate fate) {
        return refused[fate.code()];
    }

    /// Packets delivered, and by how many nanoseconds too late: all together and the worst.
    public String lateness() {
        return delivered + " " + late + " " + latest;
    }

    private void goOn(int packet, long time) {
        int from = packets.from[packet];
        int to = packets.to[packet];
        switch (packets.stage[packet]++) {
            case 0 -> pipe(from, 0).enter(packet, time);
            case 1 -> pipe(from, to).enter(packet, time);
            case 2 -> pipe(0, to).enter(packet, time);
            default -> deliver(packet, time);
        }
    }

    private void deliver(int packet, long due) {
        long time = exit.deliver(packets.to[packet], packet);
        recorder.ended(packets.entry[packet], Fate.DELIVERED, time);
        packets.give(packet);
        delivered++;
        late += time - due;
        latest = Math.max(latest, time - due);
    }

    private void end(int packet, Fate fate, long time) {
        refused[fate.code()]++;
        recorder.ended(packets.entry[packet], fate, time);
        packets.give(packet);
    }
}
