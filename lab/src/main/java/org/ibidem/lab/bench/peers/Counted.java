package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.util.Set;
import org.ibidem.buffer.Tally;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// [IbidemPorts] over shared memory, in classes of their own: with the counters, or without the
/// code that counts. Nothing in the product can leave it out; here [Tally] is changed as it is
/// loaded.
public final class Counted implements Contestant {
    private static final String OURS = "org.ibidem.";
    private static final String SHARED = "org.ibidem.lab.bench.";
    private static final String PEERS = IbidemPorts.class.getPackageName() + ".";
    private static final String PORTS = IbidemPorts.class.getName();
    private static final Set<String> COUNTING = Set.of("add", "count");

    private final IbidemPorts like;
    private final boolean counts;
    private @Nullable Contestant ports;

    /// @param label what distinguishes it, in its name
    public Counted(String label, boolean counts) {
        this.like = new IbidemPorts(label, "shm", Waiting.SPIN);
        this.counts = counts;
    }

    /// Loads the runtime once more, and what plays on it.
    static ClassLoader classes(boolean counts) {
        return new Own(counts);
    }

    private Contestant ports() throws ReflectiveOperationException {
        if (ports == null) {
            var type = classes(counts).loadClass(PORTS);
            var made = type.getConstructor(String.class, String.class, Waiting.class);
            ports = (Contestant) made.newInstance(like.label(), like.stack(), like.waiting());
        }
        return ports;
    }

    @Override
    public String name() {
        return like.name();
    }

    @Override
    public Waiting waiting() {
        return like.waiting();
    }

    @Override
    public String about() {
        return like.about()
                + "; classes of its own, "
                + (counts ? "which count as they come" : "in which nothing is counted");
    }

    @Override
    public void mix() throws Exception {
        ports().mix();
    }

    @Override
    public Player open(Meeting meeting) throws Exception {
        return ports().open(meeting);
    }

    private static final class Own extends ClassLoader {
        private final boolean counts;

        Own(boolean counts) {
            super(Counted.class.getClassLoader());
            this.counts = counts;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                var loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return isOwn(name) ? define(name) : super.loadClass(name, resolve);
            }
        }

        /// What the benchmark and its contestants say to each other in is shared.
        private static boolean isOwn(String name) {
            return name.startsWith(OURS) && (!name.startsWith(SHARED) || name.startsWith(PEERS));
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            var file = name.replace('.', '/') + ".class";
            try (InputStream in = getResourceAsStream(file)) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                var code = in.readAllBytes();
                var wanted = counts || !name.equals(Tally.class.getName()) ? code : silent(code);
                return defineClass(name, wanted, 0, wanted.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        private static byte[] silent(byte[] tally) {
            var classes = ClassFile.of();
            return classes.transformClass(
                    classes.parse(tally),
                    ClassTransform.transformingMethods(
                            method -> COUNTING.contains(method.methodName().stringValue()),
                            (method, part) -> {
                                if (part instanceof CodeModel) {
                                    method.withCode(code -> code.return_());
                                } else {
                                    method.with(part);
                                }
                            }));
        }
    }
}
