package org.ibidem.lab.bench.serial;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Who takes part.
final class Coders {
    /// Ours.
    static final String OURS = "ibidem";

    /// Ours, with classes that were rewritten.
    static final String REWRITTEN = "ibidem-rewritten";

    private static final String PROTOBUF = "protobuf";
    private static final String JDK = "jdk";

    /// Made where it is used: each has a process of its own.
    private static final Map<String, Supplier<Coder>> ALL = all();

    private Coders() {}

    private static Map<String, Supplier<Coder>> all() {
        var all = new LinkedHashMap<String, Supplier<Coder>>();
        all.put(OURS, IbidemCoder::new);
        all.put(REWRITTEN, IbidemCoder::new);
        all.put("hand", () -> new HandCoder(false));
        all.put("hand-table", () -> new HandCoder(true));
        all.put("fory", () -> new ForyCoder(true, false));
        all.put("fory-norefs", () -> new ForyCoder(false, false));
        all.put("fory-compatible", () -> new ForyCoder(true, true));
        all.put("kryo", () -> new KryoCoder(true));
        all.put("kryo-norefs", () -> new KryoCoder(false));
        all.put(PROTOBUF, ProtobufCoder::new);
        all.put(JDK, JdkCoder::new);
        return all;
    }

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static boolean plays(String contestant, String work) {
        return switch (contestant) {
            case PROTOBUF -> ProtobufCoder.plays(work);
            case JDK -> !work.equals("list"); // which is deeper than its stack
            default -> true;
        };
    }

    static Coder make(String name) {
        var maker = ALL.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("no contestant is called " + name);
        }
        return maker.get();
    }
}
