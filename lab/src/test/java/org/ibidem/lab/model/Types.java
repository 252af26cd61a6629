package org.ibidem.lab.model;

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
            type = type.with(Capability.UPCALLS);
        }
        int stack = random.nextInt(8);
        if (stack == 0) {
            return type.stack(BREAKING.get(random.nextInt(BREAKING.size())));
        }
        if (stack == 1) {
            return type.without(Capability.RELIABLE).stack(LOSSY.get(random.nextInt(LOSSY.size())));
        }
        return type.stack(SOUND.get(random.nextInt(SOUND.size())));
    }

    /// Messages of this type may not arrive.
    static boolean doubtful(PortType type) {
        return !type.has(Capability.RELIABLE) || type.stack().startsWith("cut");
    }

    /// Connections of this type may break.
    static boolean breaks(PortType type) {
        return type.stack().startsWith("cut");
    }
}
