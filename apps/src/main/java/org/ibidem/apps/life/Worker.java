package org.ibidem.apps.life;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One process's share of the work: holds strips, computes a block for an era, keeps a copy of the
/// block above. Called by one thread, with letters of the attempt it knows or of a newer one.
final class Worker {
    private final NodeId me;
    private final Torus torus;
    private final Post post;

    /// What it holds of generations that may be needed again.
    private final List<Strip> store = new ArrayList<>();

    private long attempt;
    private @Nullable Era era;

    /// Letters of a plan that this process does not have yet: the others may be faster.
    private final List<Letter> early = new ArrayList<>();

    /// A worker that holds nothing.
    Worker(NodeId me, Torus torus, Post post) {
        this.me = me;
        this.torus = torus;
        this.post = post;
    }

    /// What is under way for a plan.
    private static final class Era {
        final Plan plan;
        final NodeId coordinator;
        final int place;
        final Plan.Block block;
        final byte[][] rows;
        final Map<Long, byte[]> edges = new HashMap<>();
        int generation;
        int missing;
        boolean copied;

        Era(Plan plan, int place, NodeId coordinator) {
            this.plan = plan;
            this.place = place;
            this.coordinator = coordinator;
            this.block = plan.block(place, 0);
            this.generation = plan.generation();
            this.rows = new byte[block.count()][];
            this.copied = plan.blocks().size() == 1;
        }

        Strip strip() {
            return new Strip(generation, block.first(), rows.clone());
        }

        boolean alone() {
            return plan.blocks().size() == 1;
        }
    }

    /// The attempt it is at.
    long attempt() {
        return attempt;
    }

    /// What it holds.
    List<Strip.Held> held() {
        return store.stream().map(Strip::held).toList();
    }

    /// The cells of a row it holds.
    byte @Nullable [] held(int generation, int row) {
        for (var strip : store) {
            if (strip.generation() == generation && strip.has(row)) {
                return strip.row(row);
            }
        }
        return null;
    }

    /// Leaves what it is doing, for a newer attempt.
    void turnTo(long newer) {
        attempt = newer;
        era = null;
        early.removeIf(letter -> letter.attempt() < newer);
    }

    /// Begins an era.
    void begin(Plan plan, NodeId coordinator) {
        store.removeIf(strip ->
                strip.generation() < plan.floor() || strip.generation() > plan.generation());
        for (var transfer : plan.transfers()) {
            if (transfer.from().equals(me)) {
                var strip = cut(plan.generation(), transfer.first(), transfer.count());
                post.send(transfer.to(), new Letter.Rows(attempt, strip));
            }
        }
        var place = plan.place(me);
        if (place.isPresent()) {
            var begun = new Era(plan, place.get(), coordinator);
            era = begun;
            collect(begun);
            var kept = List.copyOf(early);
            early.clear();
            kept.forEach(this::take);
        }
    }

    private Strip cut(int generation, int first, int count) {
        var rows = new byte[count][];
        for (int i = 0; i < count; i++) {
            var row = held(generation, first + i);
            if (row == null) {
                throw new IllegalStateException("asked for row " + (first + i) + ", not held here");
            }
            rows[i] = row;
        }
        return new Strip(generation, first, rows);
    }

    private void collect(Era begun) {
        for (int i = 0; i < begun.rows.length; i++) {
            int row = begun.block.first() + i;
            var held = held(begun.generation, row);
            if (held == null && begun.generation == 0) {
                held = torus.first(row);
            }
            if (held == null) {
                begun.missing++;
            } else {
                begun.rows[i] = held;
            }
        }
        if (begun.missing == 0) {
            ready(begun);
        }
    }

    /// Takes in rows that others send.
    void take(Letter letter) {
        var now = era;
        if (now == null) {
            early.add(letter);
            return;
        }
        switch (letter) {
            case Letter.Rows(_, var strip) -> rows(now, strip);
            case Letter.Copy(_, var strip) -> {
                keep(strip);
                now.copied = true;
            }
            case Letter.Edge(_, var strip) ->
                    now.edges.put(key(strip.generation(), strip.first()), strip.rows()[0]);
            default -> throw new IllegalArgumentException("no rows: " + letter);
        }
        compute(now);
    }

    private static long key(int generation, int row) {
        return (long) generation << Integer.SIZE | row;
    }

    private void rows(Era now, Strip strip) {
        for (int i = 0; i < strip.rows().length; i++) {
            int place = strip.first() + i - now.block.first();
            if (now.rows[place] == null) {
                now.rows[place] = strip.rows()[i];
                now.missing--;
            }
        }
        if (now.missing == 0) {
            ready(now);
        }
    }

    /// The block is whole: keeps it, gives a copy away, and begins.
    private void ready(Era now) {
        var strip = now.strip();
        keep(strip);
        if (!now.alone() && now.plan.steps() > 0) {
            post.send(now.plan.block(now.place, 1).owner(), new Letter.Copy(attempt, strip));
        } else {
            now.copied = true;
        }
        edges(now);
        compute(now);
    }

    private void keep(Strip strip) {
        var held = strip.held();
        store.removeIf(other -> other.held().equals(held));
        store.add(strip);
    }

    /// Sends the outermost rows to whom they are next to.
    private void edges(Era now) {
        if (now.alone() || now.generation == now.plan.generation() + now.plan.steps()) {
            return;
        }
        var above = now.plan.block(now.place, -1).owner();
        var below = now.plan.block(now.place, 1).owner();
        int last = now.rows.length - 1;
        post.send(above, edge(now, 0));
        if (!above.equals(below) || last > 0) {
            post.send(below, edge(now, last));
        }
    }

    private Letter.Edge edge(Era now, int place) {
        var row = new byte[][] {now.rows[place]};
        return new Letter.Edge(attempt, new Strip(now.generation, now.block.first() + place, row));
    }

    /// Goes on for as long as all is there that a generation needs.
    private void compute(Era now) {
        if (now.missing > 0) {
            return;
        }
        int end = now.plan.generation() + now.plan.steps();
        while (now.generation < end && step(now)) {
            edges(now);
        }
        if (now.generation == end && now.copied && era != null) {
            era = null;
            keep(now.strip());
            post.send(now.coordinator, new Letter.Done(attempt, Torus.population(now.rows)));
        }
    }

    private boolean step(Era now) {
        int count = now.rows.length;
        var above = row(now, torus.row(now.block.first(), -1));
        var below = row(now, torus.row(now.block.first(), count));
        if (above == null || below == null) {
            return false;
        }
        var next = new byte[count][];
        for (int i = 0; i < count; i++) {
            next[i] =
                    torus.next(
                            i == 0 ? above : now.rows[i - 1],
                            now.rows[i],
                            i == count - 1 ? below : now.rows[i + 1]);
        }
        System.arraycopy(next, 0, now.rows, 0, count);
        int done = now.generation++;
        now.edges.keySet().removeIf(key -> key >>> Integer.SIZE <= done);
        return true;
    }

    private static byte @Nullable [] row(Era now, int row) {
        int place = row - now.block.first();
        return place >= 0 && place < now.rows.length
                ? now.rows[place]
                : now.edges.get(key(now.generation, row));
    }
}
