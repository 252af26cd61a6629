package org.ibidem.hub.pools;

import java.util.HashSet;
import java.util.Set;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.wire.ChangeCoding;
import org.ibidem.registry.wire.Parts;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// All that [Pools] are, as bytes: who reads them goes on exactly where they were written. Equal
/// pools have equal bytes. Described in `docs/wire/journal.md`.
public final class Image {
    private Image() {}

    /// The bytes of these pools.
    public static byte[] of(Pools pools) {
        var out = new ControlWriter(CommandCoding.MOST_BYTES);
        out.i64(pools.epoch()).i32(pools.all().size());
        pools.all().forEach(pool -> write(out, pool));
        return out.toBytes();
    }

    /// The pools that these bytes are.
    ///
    /// @throws Malformed when they are none
    public static Pools read(byte[] bytes, Limits limits) {
        var in = new ControlReader(bytes);
        long epoch = in.i64("epoch");
        if (epoch == 0) {
            throw in.bad("epoch", "is never 0");
        }
        var pools = new Pools(epoch, limits);
        for (int left = in.i32("pools"); left > 0; left--) {
            pools.restore(pool(in, limits));
        }
        in.end();
        return pools;
    }

    private static void write(ControlWriter out, Pool pool) {
        out.text(pool.name, CommandCoding.POOL_BYTES).i32(pool.size);
        Parts.flag(Parts.reason(out, pool.closed), pool.terminated != null);
        if (pool.terminated != null) {
            Parts.member(out, pool.terminated);
        }
        Parts.flag(out, pool.recallUntil != null);
        if (pool.recallUntil != null) {
            out.i64(pool.recallUntil);
        }
        out.i32(pool.seats.size());
        pool.seats.values().forEach(seat -> seat.write(out));
        out.i32(pool.dead.size());
        pool.dead.forEach(
                (id, death) -> Parts.reason(Parts.id(out, id), death.why()).i64(death.number()));
        out.i64(pool.deathForgotten).i64(pool.restarted);
        pool.races.write(out);
        pool.supplies.write(out);
        out.i32(pool.sequences.size());
        pool.sequences.forEach((name, next) -> Parts.name(out, name).i64(next));
        log(out, pool.log);
    }

    private static Pool pool(ControlReader in, Limits limits) {
        var name = in.text("pool", CommandCoding.POOL_BYTES);
        var pool = new Pool(name, in.i32("size"), new ChangeLog(limits.changes()));
        pool.closed = Parts.reason(in);
        pool.terminated = Parts.flag(in, "terminated") ? Parts.member(in) : null;
        pool.recallUntil = Parts.flag(in, "recalls") ? Long.valueOf(in.i64("until")) : null;
        for (int left = in.i32("seats"); left > 0; left--) {
            pool.place(Seat.read(in));
        }
        for (int left = in.i32("dead"); left > 0; left--) {
            pool.dead.put(Parts.id(in), new Pool.Death(Parts.reason(in), in.i64("death")));
        }
        pool.deathForgotten = in.i64("death forgotten");
        pool.restarted = in.i64("restarted");
        pool.races.read(in);
        pool.supplies.read(in);
        for (int left = in.i32("sequences"); left > 0; left--) {
            pool.sequences.put(Parts.name(in), in.i64("next"));
        }
        log(in, pool);
        return pool;
    }

    private static void log(ControlWriter out, ChangeLog log) {
        out.i64(log.first()).i64(log.last());
        for (long number = log.first(); number <= log.last(); number++) {
            var entry = log.at(number);
            ChangeCoding.write(out, entry.change());
            var to = entry.to();
            out.i32(to == null ? -1 : to.size());
            if (to != null) {
                to.stream().sorted().forEach(id -> Parts.id(out, id));
            }
        }
    }

    // A hub started with smaller bounds keeps the newest.
    private static void log(ControlReader in, Pool pool) {
        long first = in.i64("first");
        long last = in.i64("last");
        if (first < 1 || last < first - 1) {
            throw in.bad("last", "changes " + first + " to " + last + " cannot be");
        }
        pool.log.startAfter(first - 1);
        for (long number = first; number <= last; number++) {
            pool.add(new ChangeLog.Entry(ChangeCoding.read(in), to(in)));
        }
    }

    private static @Nullable Set<NodeId> to(ControlReader in) {
        int count = in.i32("addressees");
        if (count < 0) {
            return null;
        }
        var to = new HashSet<NodeId>();
        for (int left = count; left > 0; left--) {
            to.add(Parts.id(in));
        }
        return to;
    }
}
