package org.ibidem.lab.model;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.PortType;

/// Random port types.
final class Types {
    private static final List<String> SOUND =
            List.of(
                    "loopback",
                    "shm",
                    "tcp",
                    "auto",
                    "multi(shm, tcp)",
                    "multiplex > tcp",
                    "fragment(size=600) > shm",
                    "checksum > fragment(size=900) > tcp",
                    "multicast > conversion > checksum > shm",
                    "delay(by=1ms) > tcp");
    private static final List<String> LOSSY =
            List.of(
                    "drop(rate=0.1) > loopback",
                    "checksum(then=lose) > corrupt(rate=0.05) > tcp",
                    "reorder(rate=0.1) > duplicate(rate=0.1) > shm");
    private static final List<String> BREAKING =
            List.of("cut(after=4k) > shm", "cut(after=9k) > tcp");

    private Types() {}

    static PortType some(RandomGenerator random) {
        var type = sound(random);
        int stack = random.nextInt(8);
        if (stack == 0) {
            return type.stack(BREAKING.get(random.nextInt(BREAKING.size())));
        }
        if (stack == 1) {
            return type.without(Capability.RELIABLE).stack(LOSSY.get(random.nextInt(LOSSY.size())));
        }
        return type;
    }

    private static PortType sound(RandomGenerator random) {
        var kinds =
                List.of(
                        PortType.oneToOne(),
                        PortType.oneToMany(),
                        PortType.manyToOne(),
                        PortType.manyToMany());
        var data = List.of(Data.values()).get(random.nextInt(3));
        var type = kinds.get(random.nextInt(4)).data(data);
        for (var one : List.of(Capability.NUMBERED, Capability.UNCHECKED)) {
            if (random.nextInt(3) == 0) {
                type = type.with(one);
            }
        }
        if (random.nextInt(4) == 0) {
            type = type.with(Capability.CONNECTION_DOWNCALLS);
        }
        if (random.nextInt(8) == 0) {
            type = type.with(Capability.TOTAL);
        }
        int serving = random.nextInt(8);
        if (serving < 2) {
            type = type.with(Capability.UPCALLS);
        } else if (serving == 2) {
            type = type.with(Capability.POLLED_UPCALLS);
        }
        return type.stack(SOUND.get(random.nextInt(SOUND.size())));
    }

    /// As many types as there are stacks with faults, each over another of them.
    static List<PortType> faulty(RandomGenerator random) {
        var types = new ArrayList<PortType>();
        for (var stack : BREAKING) {
            types.add(sound(random).stack(stack));
        }
        for (var stack : LOSSY) {
            types.add(sound(random).without(Capability.RELIABLE).stack(stack));
        }
        return types;
    }

    /// Messages of this type may not arrive.
    static boolean doubtful(PortType type) {
        return !type.has(Capability.RELIABLE) || type.stack().contains("cut(");
    }

    /// Connections of this type may break.
    static boolean breaks(PortType type) {
        return type.stack().contains("cut(");
    }
}
