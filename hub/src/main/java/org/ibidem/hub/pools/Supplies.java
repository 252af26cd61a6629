package org.ibidem.hub.pools;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.registry.wire.Parts;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.topology.NodeId;

/// The tokens of one pool: how many there are of each name, and who waits for one, in order. There
/// is never both a token and somebody who waits for it.
final class Supplies {
    private static final int MOST_WAITING = 64 * 1024;

    final Map<String, Supply> supplies = new LinkedHashMap<>();
    private int waiting;

    /// Who waits.
    ///
    /// @param id the member
    /// @param call its operation
    record Waiter(NodeId id, long call) {}

    static final class Supply {
        long count;
        final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
    }

    boolean full(String name) {
        return supplies.size() >= Protocol.MOST_NAMES && !supplies.containsKey(name);
    }

    boolean crowded() {
        return waiting >= MOST_WAITING;
    }

    long count(String name) {
        var supply = supplies.get(name);
        return supply == null ? 0 : supply.count;
    }

    /// Says how many there are; the first who wait get some.
    ///
    /// @return who got one
    List<Waiter> set(String name, long count) {
        var supply = supplies.computeIfAbsent(name, _ -> new Supply());
        supply.count = count;
        var served = new ArrayList<Waiter>();
        while (supply.count > 0 && !supply.waiters.isEmpty()) {
            supply.count--;
            waiting--;
            served.add(supply.waiters.removeFirst());
        }
        tidy(name, supply);
        return served;
    }

    /// Takes one, if there is one.
    boolean take(String name) {
        var supply = supplies.get(name);
        if (supply == null || supply.count == 0) {
            return false;
        }
        supply.count--;
        tidy(name, supply);
        return true;
    }

    void await(String name, Waiter waiter) {
        supplies.computeIfAbsent(name, _ -> new Supply()).waiters.add(waiter);
        waiting++;
    }

    /// Waits no more.
    ///
    /// @return false when it did not wait
    boolean cancel(Waiter waiter) {
        for (var entry : supplies.entrySet()) {
            if (entry.getValue().waiters.remove(waiter)) {
                waiting--;
                tidy(entry.getKey(), entry.getValue());
                return true;
            }
        }
        return false;
    }

    /// A member is gone, and waits no more.
    void gone(NodeId id) {
        waiting = 0;
        for (var supply : supplies.values()) {
            supply.waiters.removeIf(waiter -> waiter.id().equals(id));
            waiting += supply.waiters.size();
        }
        supplies.values().removeIf(supply -> supply.count == 0 && supply.waiters.isEmpty());
    }

    private void tidy(String name, Supply supply) {
        if (supply.count == 0 && supply.waiters.isEmpty()) {
            supplies.remove(name);
        }
    }

    void write(ControlWriter out) {
        out.i32(supplies.size());
        supplies.forEach((name, supply) -> {
            Parts.name(out, name).i64(supply.count).i32(supply.waiters.size());
            supply.waiters.forEach(waiter -> Parts.id(out, waiter.id()).i64(waiter.call()));
        });
    }

    void read(ControlReader in) {
        for (int left = in.i32("supplies"); left > 0; left--) {
            var supply = new Supply();
            supplies.put(Parts.name(in), supply);
            supply.count = in.i64("count");
            for (int some = in.i32("waiters"); some > 0; some--) {
                supply.waiters.add(new Waiter(Parts.id(in), in.i64("call")));
                waiting++;
            }
        }
    }
}
