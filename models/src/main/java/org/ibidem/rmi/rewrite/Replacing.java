package org.ibidem.rmi.rewrite;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Rewrites a class file so that what it has of `java.rmi` is ours. Only names in its constant pool
/// change (JVMS 4.4), no code does, so class files of all versions will do.
public final class Replacing {
    private static final String OURS = "org/ibidem/rmi/program/";
    private static final String SERVER = "java/rmi/server/";
    private static final String JMX = "javax/management/remote/";
    private static final String MANAGERS = OURS + "SecurityManagers";

    private static final Map<String, String> REPLACED =
            Map.of(
                    "java/rmi/MarshalledObject",
                    OURS + "MarshalledObject",
                    "java/rmi/Naming",
                    OURS + "Naming",
                    "java/rmi/registry/LocateRegistry",
                    OURS + "LocateRegistry",
                    SERVER + "UnicastRemoteObject",
                    OURS + "UnicastRemoteObject",
                    SERVER + "RemoteServer",
                    OURS + "RemoteServer",
                    SERVER + "RemoteObject",
                    OURS + "RemoteObject",
                    // what the oldest exportObject gives
                    SERVER + "RemoteStub",
                    "java/rmi/Remote");

    /// What is named in strings alone.
    private static final Map<String, String> STRINGS =
            Map.of(
                    "com.sun.jndi.rmi.registry.RegistryContextFactory",
                    "org.ibidem.rmi.program.RegistryContextFactory");

    /// What programs may use that would bring the JDK's own RMI.
    private static final Set<String> WITHOUT =
            Set.of(
                    SERVER + "RMIClassLoader",
                    SERVER + "RMISocketFactory",
                    SERVER + "RemoteObjectInvocationHandler",
                    SERVER + "RemoteRef",
                    "java/rmi/dgc/DGC",
                    JMX + "JMXConnectorFactory",
                    JMX + "JMXConnectorServerFactory",
                    JMX + "rmi/RMIConnector",
                    JMX + "rmi/RMIConnectorServer",
                    JMX + "rmi/RMIJRMPServerImpl",
                    "javax/rmi/ssl/SslRMIClientSocketFactory",
                    "javax/rmi/ssl/SslRMIServerSocketFactory");

    /// A class file that was rewritten.
    ///
    /// @param name of the class, as in a program
    /// @param file the class file
    /// @param changed false: as it was; it is told of because of what is left
    /// @param left classes of the JDK's RMI that it uses, for which nothing stands
    public record Replaced(String name, byte[] file, boolean changed, Set<String> left) {}

    private final Constants constants;

    private Replacing(Constants constants) {
        this.constants = constants;
    }

    /// Rewrites a class file.
    ///
    /// @return empty: there is nothing to be rewritten
    /// @throws IllegalArgumentException when it is no class file
    public static Optional<Replaced> rewrite(byte[] file) {
        return new Replacing(Constants.of(file)).rewritten();
    }

    private Optional<Replaced> rewritten() {
        boolean changed = names();
        changed |= securityManagers();
        var left = new TreeSet<String>();
        for (int i = 1; i < constants.count(); i++) {
            if (constants.is(i, Constants.CLASS) && WITHOUT.contains(constants.className(i))) {
                left.add(constants.className(i).replace('/', '.'));
            }
        }
        return changed || !left.isEmpty()
                ? Optional.of(
                        new Replaced(
                                constants.name().replace('/', '.'),
                                constants.file(),
                                changed,
                                left))
                : Optional.empty();
    }

    /// A name in a string of the program's stays: it gets a text of its own.
    private boolean names() {
        var strings = new HashMap<Integer, List<Integer>>();
        for (int i = 1; i < constants.count(); i++) {
            if (constants.is(i, Constants.STRING)) {
                strings.computeIfAbsent(constants.first(i), _ -> new ArrayList<>()).add(i);
            }
        }
        boolean changed = false;
        int count = constants.count();
        for (int i = 1; i < count; i++) {
            var before = constants.is(i, Constants.TEXT) ? constants.text(i) : "";
            var after = replaced(before);
            var named = STRINGS.get(before);
            if (named != null) {
                constants.text(i, named);
                changed = true;
            } else if (!after.equals(before)) {
                for (int string : strings.getOrDefault(i, List.of())) {
                    constants.first(string, constants.addText(before));
                }
                constants.text(i, after);
                changed = true;
            }
        }
        return changed;
    }

    private static String replaced(String text) {
        var whole = REPLACED.get(text);
        if (whole != null) {
            return whole;
        }
        var now = text;
        if (text.contains("Ljava/rmi/")) { // a descriptor, a signature, or the class of an array
            for (var each : REPLACED.entrySet()) {
                now = now.replace("L" + each.getKey() + ";", "L" + each.getValue() + ";");
                now = now.replace("L" + each.getKey() + "<", "L" + each.getValue() + "<");
            }
        }
        return now;
    }

    private boolean securityManagers() {
        int ours = 0;
        for (int i = 1; i < constants.count(); i++) {
            if (constants.is(i, Constants.METHOD)
                    && constants.className(constants.first(i)).equals("java/lang/System")
                    && constants.memberName(i).equals("setSecurityManager")) {
                ours = ours != 0 ? ours : constants.addClass(MANAGERS);
                constants.first(i, ours);
            }
        }
        return ours != 0;
    }

    /// The constant pool of a class file.
    private static final class Constants {
        static final int TEXT = 1;
        static final int CLASS = 7;
        static final int STRING = 8;
        static final int METHOD = 10;

        private static final int MAGIC = 0xCAFEBABE;
        private static final int START = 10;
        private static final int COUNT_AT = 8;
        private static final int MOST = 65_535;
        private static final byte[] NONE = new byte[0];

        /// By number, each with its tag; of a number that is none, nothing.
        private final List<byte[]> entries = new ArrayList<>();

        private final ByteBuffer before;
        private final ByteBuffer after;

        private Constants(ByteBuffer file) {
            int count = Short.toUnsignedInt(file.getShort(COUNT_AT));
            before = file.slice(0, COUNT_AT);
            file.position(START);
            entries.add(NONE);
            while (entries.size() < count) {
                int tag = file.get(file.position());
                var entry = new byte[size(tag, file)];
                file.get(entry);
                entries.add(entry);
                if (tag == 5 || tag == 6) { // a long or a double takes two numbers
                    entries.add(NONE);
                }
            }
            after = file.slice();
        }

        static Constants of(byte[] file) {
            try {
                var buffer = ByteBuffer.wrap(file);
                if (buffer.getInt(0) == MAGIC) {
                    return new Constants(buffer);
                }
            } catch (java.nio.BufferUnderflowException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("a class file that is cut off", e);
            }
            throw new IllegalArgumentException("no class file");
        }

        private static int size(int tag, ByteBuffer file) {
            return switch (tag) {
                case TEXT -> 3 + Short.toUnsignedInt(file.getShort(file.position() + 1));
                case 3, 4, 9, METHOD, 11, 12, 17, 18 -> 5;
                case 5, 6 -> 9;
                case CLASS, STRING, 16, 19, 20 -> 3;
                case 15 -> 4;
                default -> throw new IllegalArgumentException("a constant of the kind " + tag);
            };
        }

        int count() {
            return entries.size();
        }

        boolean is(int index, int tag) {
            return entries.get(index).length > 0 && entries.get(index)[0] == tag;
        }

        /// The number behind its tag.
        int first(int index) {
            return number(index, 1);
        }

        private int number(int index, int at) {
            return Short.toUnsignedInt(ByteBuffer.wrap(entries.get(index)).getShort(at));
        }

        void first(int index, int number) {
            ByteBuffer.wrap(entries.get(index)).putShort(1, (short) number);
        }

        /// Names of classes and descriptors; of what is not plain Latin text, something that is
        /// none.
        String text(int index) {
            var entry = entries.get(index);
            return new String(entry, 3, entry.length - 3, StandardCharsets.ISO_8859_1);
        }

        void text(int index, String text) {
            entries.set(index, entry(text));
        }

        private static byte[] entry(String text) {
            var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            return ByteBuffer.allocate(3 + bytes.length)
                    .put((byte) TEXT)
                    .putShort((short) bytes.length)
                    .put(bytes)
                    .array();
        }

        String className(int index) {
            return text(first(index));
        }

        String memberName(int index) {
            return text(first(number(index, 3)));
        }

        int addText(String text) {
            entries.add(entry(text));
            return entries.size() - 1;
        }

        int addClass(String name) {
            int text = addText(name);
            entries.add(ByteBuffer.allocate(3).put((byte) CLASS).putShort((short) text).array());
            return entries.size() - 1;
        }

        /// What the class is called: behind the pool are its flags, then its own number.
        String name() {
            return className(Short.toUnsignedInt(after.getShort(2)));
        }

        byte[] file() {
            if (entries.size() > MOST) {
                throw new IllegalArgumentException(
                        "class " + name() + " has no room for more constants");
            }
            int size = START + after.remaining();
            for (var entry : entries) {
                size += entry.length;
            }
            var out = ByteBuffer.allocate(size).put(before.duplicate());
            out.putShort((short) entries.size());
            entries.forEach(out::put);
            return out.put(after.duplicate()).array();
        }
    }
}
