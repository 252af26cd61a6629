package org.ibidem.serial.graph;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.URI;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/// Graphs of all kinds that the contract of [Serializable] knows.
public final class Samples {
    private Samples() {}

    public enum Color {
        RED,
        GREEN {
            @Override
            int number() {
                return 2;
            }
        },
        BLUE;

        int number() {
            return 1;
        }
    }

    public static class Node implements Serializable {
        int a = 1, b = -2;
        long c = 3;
        Node left, right;
        Object other;
    }

    public static class Primitives implements Serializable {
        boolean z = true;
        byte b = -1;
        short s = -2;
        char c = '\u20ac';
        int i = -3;
        long j = -4;
        float f = 1.5f;
        double d = -2.5;
        boolean z2;
        byte b2 = 7;
        short s2 = 9;
        char c2 = 'x';
        float f2 = Float.NaN;
        double d2 = Double.MIN_VALUE;
        int i3 = 77;
    }

    public static class Parent implements Serializable {
        int x = 5;
        private String name = "parent";
        Object self;
    }

    public static class Child extends Parent {
        int x = 6;
        private final String name = "child";
        final double[] numbers = {1, 2};
        transient int skipped = 99;
        static int shared = 4;
    }

    public static class NotSerializableParent {
        int kept = 42;
        String text = "constructed";
    }

    public static class OfNotSerializable extends NotSerializableParent implements Serializable {
        int mine = 3;

        OfNotSerializable() {
            kept = 1;
            text = "changed";
        }
    }

    public static class NoSuchConstructor {
        NoSuchConstructor(int x) {}
    }

    public static class OfNoSuchConstructor extends NoSuchConstructor implements Serializable {
        OfNoSuchConstructor() {
            super(1);
        }
    }

    public record Point3(int x, double y, String z) implements Serializable {}

    public record Boxed(Point3 one, Point3 two, Integer n, Color color, long big)
            implements Serializable {}

    public record Deep(Object any, List<Point3> points) implements Serializable {}

    public record Checked(int n) implements Serializable {
        public Checked {
            if (n == 13) throw new IllegalArgumentException("unlucky");
        }
    }

    public record Resolved(String name) implements Serializable {
        Object readResolve() {
            return "resolved " + name;
        }
    }

    public record Replaced(String name) implements Serializable {
        Object writeReplace() {
            return "replaced " + name;
        }
    }

    public static class Custom implements Serializable {
        int n = 5;
        transient String late = "late";
        Object o = "o";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(17);
            out.writeUTF("text \u20ac");
            out.writeObject(List.of("x", this));
            out.writeLong(-5);
            out.write(new byte[3000]);
            out.writeDouble(2.5);
            out.writeBoolean(true);
            out.writeChars("ab");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            int i = in.readInt();
            String s = in.readUTF();
            List<?> l = (List<?>) in.readObject();
            long j = in.readLong();
            byte[] b = new byte[3000];
            in.readFully(b);
            late =
                    i
                            + s
                            + l.size()
                            + j
                            + in.readDouble()
                            + in.readBoolean()
                            + in.readChar()
                            + in.readChar();
        }
    }

    public static class CustomChild extends Custom {
        int m = 8;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject("more");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            late += in.readObject();
        }
    }

    public static class ReadsLess implements Serializable {
        int n = 5;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(new Node());
            out.writeInt(3);
            out.writeObject("unread");
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
        }
    }

    public static class NoReader implements Serializable {
        int n = 5;
        String s = "s";

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(new Node());
            out.writeInt(3);
        }
    }

    public static class OnlyReader implements Serializable {
        int n = 5;
        transient int twice;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            twice = 2 * n;
        }
    }

    public static class ReadsTooMuch implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(1);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.readInt();
            in.readInt();
        }
    }

    public static class ReadsObjectTooMuch implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.readObject();
        }
    }

    public static class OptionalEnd implements Serializable {
        transient int length, eof;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeInt(4);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            try {
                in.readObject();
            } catch (java.io.OptionalDataException e) {
                length = e.length;
            }
            in.readInt();
            try {
                in.readObject();
            } catch (java.io.OptionalDataException e) {
                eof = e.eof ? 1 : 2;
            }
        }
    }

    public static class Failing implements Serializable {
        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new IOException("will not be written");
        }
    }

    public static class FailingRead implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException {
            throw new InvalidObjectException("will not be read");
        }
    }

    public static class FailingUnchecked implements Serializable {
        private void readObject(ObjectInputStream in) {
            throw new UnsupportedOperationException("never");
        }
    }

    public static class Persistent implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("sum", int.class), new ObjectStreamField("name", String.class)
        };
        transient int a = 3, b = 4;
        String name = "n";

        private void writeObject(ObjectOutputStream out) throws IOException {
            var f = out.putFields();
            f.put("sum", a + b);
            f.put("name", name);
            out.writeFields();
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            var f = in.readFields();
            a = f.get("sum", 0);
            b = f.defaulted("sum") ? 1 : 0;
            name = (String) f.get("name", "none");
        }
    }

    public static class PersistentSubset implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", int.class)
        };
        int a = 1;
        int b = 2;
        String c = "c";
    }

    public static class PersistentUnmatched implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("zz", int.class)
        };
        int a = 1;
    }

    public static class PersistentTwice implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", int.class), new ObjectStreamField("a", int.class)
        };
        int a = 1;
    }

    public static class UnsharedField implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", Object.class, true), new ObjectStreamField("b", Object.class)
        };
        Object a = new Node();
        Object b = a;
    }

    public static class UnsharedBoth implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("a", Object.class, true),
            new ObjectStreamField("b", Object.class, true)
        };
        Object a = new Node();
        Object b = a;
    }

    public static class WritesUnshared implements Serializable {
        transient Object a, b;

        WritesUnshared() {
            a = new Node();
            b = a;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeUnshared(a);
            out.writeObject(b);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            a = in.readObject();
            b = in.readObject();
        }
    }

    public static class ReadsSharedUnshared implements Serializable {
        transient Object a;

        ReadsSharedUnshared() {
            a = new Node();
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(a);
            out.writeObject(a);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            a = in.readUnshared();
            in.readObject();
        }
    }

    public static class Ext implements Externalizable {
        int n = 4;
        Object o = "e";

        public Ext() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(n);
            out.writeObject(o);
            out.writeObject(this);
            out.writeByte(3);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            n = in.readInt() + 1;
            o = in.readObject();
            if (in.readObject() != this) throw new IOException("not itself");
            n += in.readByte();
        }
    }

    public static class ExtNoConstructor implements Externalizable {
        ExtNoConstructor(int x) {}

        @Override
        public void writeExternal(ObjectOutput out) {}

        @Override
        public void readExternal(ObjectInput in) {}
    }

    public static class Replaces implements Serializable {
        String name = "r";

        Object writeReplace() {
            return new Replacement(name);
        }
    }

    public static class Replacement implements Serializable {
        String name;

        Replacement(String n) {
            name = n;
        }

        Object readResolve() {
            Replaces r = new Replaces();
            r.name = "from " + name;
            return r;
        }
    }

    public static class ReplacesSelf implements Serializable {
        int n = 4;

        Object writeReplace() {
            return this;
        }
    }

    public static class ReplacesSame implements Serializable {
        int n = 4;

        Object writeReplace() {
            ReplacesSame s = new ReplacesSame();
            s.n = n + 1;
            return s;
        }
    }

    public static class ReplacesNull implements Serializable {
        Object writeReplace() {
            return null;
        }
    }

    public static class InheritsReplace extends Protects {
        int m = 3;
    }

    public static class Protects implements Serializable {
        protected Object writeReplace() {
            return "protected";
        }
    }

    public static class PrivateReplace implements Serializable {
        private Object writeReplace() {
            return "private";
        }
    }

    public static class NotInherited extends PrivateReplace {
        int q = 3;
    }

    public static class ResolveFails implements Serializable {
        Object readResolve() throws ObjectStreamException {
            throw new InvalidObjectException("no");
        }
    }

    public static class Singleton implements Serializable {
        static final Singleton ONE = new Singleton();

        private Singleton() {}

        private Object readResolve() {
            return ONE;
        }
    }

    public static class Outer implements Serializable {
        int k = 9;

        class Inner implements Serializable {
            int i = k + 1;
        }

        Object anonymous() {
            return new Object() {};
        }

        Serializable serializableAnonymous() {
            return new Serializable() {
                int v = k;
            };
        }

        Object local() {
            class Local implements Serializable {
                int y = k;
            }
            return new Local();
        }
    }

    public static class MyList extends ArrayList<Object> {
        int extra = 5;
    }

    public static class MyMap extends HashMap<Object, Object> {
        String extra = "x";
    }

    public static class Lru extends LinkedHashMap<Object, Object> {
        Lru() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Object> e) {
            return size() > 3;
        }
    }

    public static class Handler implements InvocationHandler, Serializable {
        String name = "h";

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            return switch (method.getName()) {
                case "hashCode" -> 1;
                case "equals" -> proxy == args[0];
                case "toString" -> "proxy";
                default -> name;
            };
        }
    }

    public interface Named {
        String name();
    }

    public interface Function2 extends java.util.function.Function<Object, Object>, Serializable {}

    public static class Validated implements Serializable, java.io.ObjectInputValidation {
        int n = 1;
        transient String order = "";

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.registerValidation(this, 1);
            in.registerValidation(() -> order += "first ", 10);
        }

        @Override
        public void validateObject() {
            order += "last";
        }
    }

    public static class Invalid implements Serializable {
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            in.registerValidation(
                    () -> {
                        throw new InvalidObjectException("invalid after all");
                    },
                    0);
        }
    }

    public static class ManyRefs implements Serializable {
        Object a = "a",
                b = 1,
                c = 2L,
                d = 'd',
                e = 1.5,
                f = new int[] {1},
                g = List.of(1),
                h = Map.of("k", 1);
        String s = "s", t = null;
        int[] n = {1, 2};
        String[] strings = {"x", null, "x"};
        List<Object> list = new ArrayList<>(List.of("q"));
        Map<String, Integer> map = new HashMap<>(Map.of("m", 1));
        Color color = Color.GREEN;
        Integer box = 1000;
        Number number = 5L;
    }

    static class Big implements Serializable {
        int i00,
                i01,
                i02,
                i03,
                i04,
                i05,
                i06,
                i07,
                i08,
                i09,
                i10 = 10,
                i11,
                i12,
                i13,
                i14,
                i15,
                i16,
                i17,
                i18,
                i19,
                i20 = 20,
                i21,
                i22,
                i23,
                i24,
                i25,
                i26,
                i27,
                i28,
                i29,
                i30,
                i31,
                i32,
                i33,
                i34,
                i35,
                i36,
                i37,
                i38,
                i39,
                i40,
                i41,
                i42,
                i43 = 43,
                i44,
                i45;
        long l1 = 1, l2 = 2;
        String s1 = "1",
                s2 = "2",
                s3,
                s4,
                s5,
                s6,
                s7,
                s8,
                s9,
                t1,
                t2,
                t3,
                t4,
                t5,
                t6,
                t7,
                t8,
                t9,
                u1,
                u2,
                u3,
                u4,
                u5,
                u6,
                u7,
                u8,
                u9,
                v1,
                v2,
                v3,
                v4,
                v5,
                v6,
                v7,
                v8,
                v9,
                w1 = "w",
                w2 = w1;
        Big next;
        byte b1 = 1;
        boolean z1 = true;
    }

    static class Finals implements Serializable {
        final int a;
        final String b;
        final long[] c;
        final Object d;
        final boolean e;
        final float f;

        Finals() {
            a = 1;
            b = "b";
            c = new long[] {3};
            d = this;
            e = true;
            f = 2.5f;
        }
    }

    private static Node cycle() {
        Node a = new Node(), b = new Node();
        a.left = b;
        b.right = a;
        a.other = a;
        b.other = new Object[] {a, b, a};
        return a;
    }

    private static Object sharedStrings() {
        String s = new String("shared");
        return new Object[] {
            s,
            s,
            new String("shared"),
            "x".repeat(500),
            "\u20ac".repeat(3),
            "\u20ac".repeat(400),
            "",
            "\u00e9",
            "\ud800",
            "a\u0000b"
        };
    }

    /// By name.
    public static Map<String, Object> all() {
        var all = new LinkedHashMap<String, Object>();
        all.put("null", null);
        all.put("string", "text");
        all.put("strings", sharedStrings());
        all.put(
                "boxes",
                new Object[] {
                    true,
                    (byte) 1,
                    (short) 2,
                    'c',
                    3,
                    4L,
                    5f,
                    6.0,
                    -1,
                    Integer.MIN_VALUE,
                    Long.MAX_VALUE,
                    Double.NaN
                });
        all.put(
                "primitive arrays",
                new Object[] {
                    new boolean[] {true, false},
                    new byte[] {1},
                    new short[] {-1},
                    new char[] {'\u20ac'},
                    new int[] {1, 2},
                    new long[] {3},
                    new float[] {4},
                    new double[] {5},
                    new int[0],
                    new byte[100_000],
                    new long[5000]
                });
        all.put(
                "arrays",
                new Object[] {
                    new String[] {"a", null},
                    new int[][] {{1}, null, {2, 3}},
                    new Object[0],
                    new Color[] {Color.RED},
                    new Node[][] {{new Node()}},
                    new Serializable[] {1}
                });
        all.put("primitives", new Primitives());
        all.put("cycle", cycle());
        all.put("inheritance", new Child());
        all.put("not serializable parent", new OfNotSerializable());
        all.put("no constructor", new OfNoSuchConstructor());
        all.put("not serializable", new Object());
        all.put("not serializable inside", new Object[] {1, new NotSerializableParent()});
        all.put("not serializable array", new Thread[0]);
        all.put(
                "enum",
                new Object[] {Color.RED, Color.GREEN, Color.RED, DayOfWeek.MONDAY, TimeUnit.DAYS});
        all.put("records", new Boxed(new Point3(1, 2, "z"), null, 5, Color.BLUE, 7));
        all.put(
                "shared records",
                new Deep(
                        new Deep(null, List.of()),
                        new ArrayList<>(List.of(new Point3(1, 2, "three")))));
        var cyclic = new ArrayList<Point3>();
        var deep = new Object[1];
        deep[0] = new Deep(deep, cyclic);
        all.put("cycle through a record", deep);
        var throughRecord = new ArrayList<Object>();
        throughRecord.add(new Deep(throughRecord, null));
        all.put("record in a cycle", throughRecord);
        var record = new Object[2];
        var holder = new Deep(record, null);
        record[0] = holder;
        all.put("root record in a cycle", holder);
        all.put("checked record", new Checked(3));
        all.put("record resolves", new Object[] {new Resolved("a"), new Resolved("a")});
        all.put("record replaces", new Replaced("a"));
        for (var one :
                new Object[] {
                    new Custom(),
                    new CustomChild(),
                    new ReadsLess(),
                    new NoReader(),
                    new OnlyReader(),
                    new ReadsTooMuch(),
                    new ReadsObjectTooMuch(),
                    new OptionalEnd(),
                    new Failing(),
                    new FailingRead(),
                    new FailingUnchecked(),
                    new Persistent(),
                    new PersistentSubset(),
                    new PersistentUnmatched(),
                    new PersistentTwice(),
                    new UnsharedField(),
                    new UnsharedBoth(),
                    new WritesUnshared(),
                    new ReadsSharedUnshared(),
                    new Ext(),
                    new ExtNoConstructor(1),
                    new Replaces(),
                    new ReplacesSelf(),
                    new ReplacesSame(),
                    new ReplacesNull(),
                    new InheritsReplace(),
                    new NotInherited(),
                    new ResolveFails(),
                    Singleton.ONE,
                    new Validated(),
                    new Invalid(),
                    new ManyRefs(),
                    new Big(),
                    new Finals()
                }) {
            all.put(one.getClass().getSimpleName(), one);
            all.put(
                    "twice " + one.getClass().getSimpleName(),
                    new Object[] {one, "between", one, new Node()});
        }
        var outer = new Outer();
        all.put("inner", outer.new Inner());
        all.put("anonymous", outer.anonymous());
        all.put("serializable anonymous", outer.serializableAnonymous());
        all.put("local", outer.local());
        var list = new MyList();
        list.add(list);
        list.add("e");
        all.put("list subclass", list);
        var map = new MyMap();
        map.put("k", "v");
        map.put("self", map);
        all.put("map subclass", map);
        var lru = new Lru();
        lru.put(1, 2);
        lru.put(3, 4);
        lru.get(1);
        all.put("lru", lru);
        all.put(
                "proxy",
                new Object[] {
                    Proxy.newProxyInstance(
                            Samples.class.getClassLoader(),
                            new Class<?>[] {Named.class},
                            new Handler())
                });
        all.put(
                "classes",
                new Object[] {
                    String.class,
                    int.class,
                    void.class,
                    int[][].class,
                    Node.class,
                    Thread.class,
                    Serializable.class,
                    Color.class,
                    Point3.class,
                    ObjectStreamClass.lookup(Node.class)
                });
        collections(all);
        jdk(all);
        return all;
    }

    private static void collections(Map<String, Object> all) {
        var shared = new Node();
        var many = new ArrayList<Object>();
        for (int i = 0; i < 300; i++) {
            many.add(i % 3 == 0 ? shared : "s" + i);
        }
        all.put("array list", many);
        all.put("linked list", new LinkedList<>(many));
        all.put("array deque", new ArrayDeque<>(List.of(1, 2, 3)));
        var map = new HashMap<Object, Object>();
        map.put(null, "null");
        map.put("a", null);
        map.put(3, map);
        for (int i = 0; i < 500; i++) {
            map.put("k" + i, shared);
        }
        all.put("hash map", map);
        var linked = new LinkedHashMap<Object, Object>(map);
        all.put("linked hash map", linked);
        var byUse = new LinkedHashMap<Object, Object>(16, 0.75f, true);
        byUse.put(1, 1);
        byUse.put(2, 2);
        byUse.get(1);
        all.put("by use", byUse);
        all.put("tree map", new TreeMap<>(Map.of("b", 1, "a", 2)));
        all.put(
                "tree map with comparator",
                new TreeMap<>(Map.of("x", 1)) {
                    {
                        put("y", 2);
                    }
                }.descendingMap());
        var reverse = new TreeMap<String, Integer>(Collections.reverseOrder());
        reverse.put("a", 1);
        reverse.put("b", 2);
        all.put("reverse tree map", reverse);
        var insensitive = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        insensitive.addAll(List.of("b", "A", "c"));
        all.put("tree set", insensitive);
        all.put("hash set", new HashSet<>(List.of("a", "b", 3)));
        all.put("linked hash set", new LinkedHashSet<>(List.of("z", "b", 3)));
        all.put("concurrent map", new ConcurrentHashMap<>(Map.of("a", shared, "b", shared)));
        all.put("enum map", new EnumMap<>(Map.of(Color.RED, "r", Color.BLUE, "b")));
        all.put("empty enum map", new EnumMap<Color, String>(Color.class));
        var set = EnumSet.of(Color.RED, Color.GREEN);
        all.put("enum set", new Object[] {set, set, EnumSet.noneOf(Color.class)});
        all.put(
                "immutable",
                new Object[] {
                    List.of(),
                    List.of(1),
                    List.of(1, 2),
                    List.of(1, 2, 3),
                    Stream.of(1, null, 2, 3).toList(),
                    Stream.of(4, 5, 6).toList(),
                    Set.of(),
                    Set.of(1),
                    Set.of(1, 2, 3),
                    Map.of(),
                    Map.of("k", 1),
                    Map.of("a", 1, "b", 2, "c", 3),
                    List.of(1, 2, 3).subList(1, 2)
                });
        all.put("as list", Arrays.asList("a", shared, shared));
        all.put(
                "wrappers",
                new Object[] {
                    Collections.unmodifiableList(many),
                    Collections.emptyList(),
                    Collections.emptyMap(),
                    Collections.singletonList(shared),
                    Collections.singletonMap("k", shared),
                    Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
                    Collections.nCopies(3, "x"),
                    Collections.newSetFromMap(new HashMap<>()),
                    Collections.checkedList(new ArrayList<>(List.of("c")), String.class)
                });
        var priority = new PriorityQueue<>(Comparator.<Integer>reverseOrder());
        priority.addAll(List.of(1, 5, 3));
        all.put(
                "more",
                new Object[] {
                    priority,
                    new Vector<>(List.of(1)),
                    new Stack<>(),
                    new Hashtable<>(Map.of("h", 1)),
                    new Properties(),
                    new ConcurrentSkipListMap<>(Map.of(1, 2)),
                    new CopyOnWriteArrayList<>(List.of(1)),
                    new ConcurrentLinkedQueue<>(List.of(2)),
                    BitSet.valueOf(new long[] {5, 7}),
                    new AbstractMap.SimpleEntry<>("k", 1)
                });
        var identity = new IdentityHashMap<Object, Object>();
        identity.put("i", 1);
        all.put("identity map", identity);
        all.put("deep lists", deepLists(5000));
    }

    private static Object deepLists(int depth) {
        Object inner = "end";
        for (int i = 0; i < 200; i++) {
            inner = new ArrayList<>(Collections.singletonList(inner));
        }
        return inner;
    }

    private static void jdk(Map<String, Object> all) {
        all.put(
                "numbers",
                new Object[] {
                    BigInteger.TEN.pow(50).negate(),
                    BigInteger.ZERO,
                    new BigDecimal("-12345.6789"),
                    MathContext.DECIMAL64,
                    RoundingMode.UP,
                    new AtomicInteger(5),
                    new AtomicLong(6)
                });
        all.put(
                "time",
                new Object[] {
                    Instant.EPOCH.plusNanos(5),
                    Duration.ofMillis(-7),
                    LocalDate.of(2024, 2, 29),
                    LocalTime.of(1, 2, 3, 4),
                    LocalDateTime.of(1999, 12, 31, 23, 59),
                    ZonedDateTime.of(2020, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Berlin")),
                    OffsetDateTime.parse("2020-01-02T03:04:05+02:00"),
                    Period.ofDays(3),
                    Year.of(2000),
                    ZoneId.of("UTC"),
                    new Date(5),
                    Calendar.getInstance(Locale.ROOT).getTime(),
                    Locale.GERMANY,
                    Currency.getInstance("EUR"),
                    TimeZone.getTimeZone("UTC")
                });
        all.put(
                "names",
                new Object[] {
                    new UUID(1, 2),
                    URI.create("http://a/b"),
                    Optional.class,
                    new Random(5).nextInt()
                });
        all.put("random", new Random(7));
        all.put(
                "exception",
                new IllegalStateException("why", new IOException("cause")).getMessage());
        Function2 lambda = x -> "lambda " + x;
        all.put("lambda class", lambda.apply(1));
    }
}
