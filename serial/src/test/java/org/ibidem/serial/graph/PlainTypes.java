package org.ibidem.serial.graph;

import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Classes, records and enums without serialization methods of their own.
@SuppressWarnings({
    "serial",
    "unused",
    "HidingField",
    "ReferenceEquality"
}) // their fields are there to be serialized
public final class PlainTypes {
    private PlainTypes() {}

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

    /// A list whose only reference is the one to its rest.
    public static class Chain implements Serializable {
        int value;
        byte flag;
        Chain next;

        public Chain(int value, Chain next) {
            this.value = value;
            this.flag = (byte) -value;
            this.next = next;
        }
    }

    /// The same, one level down.
    public static class LongChain extends Parent {
        long value;
        LongChain rest;

        public LongChain(long value, LongChain rest) {
            this.value = value;
            this.rest = rest;
        }
    }

    /// Its only reference leads to a child of it, which has none of its own.
    public static class Inherited implements Serializable {
        InheritedChain next;
    }

    public static class InheritedChain extends Inherited {
        int value;

        public InheritedChain(int value, InheritedChain next) {
            this.value = value;
            this.next = next;
        }
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

    /// A field of every kind, in no order, two of 4 bytes behind each other and references. Its
    /// bytes are in `wire/graphs.txt`.
    public static class Fields implements Serializable {
        private static final long serialVersionUID = 9L;
        boolean flag = true;
        String name;
        int first;
        char letter = '\u20ac';
        float part = 1.5f;
        int second = -2;
        Fields next;
        short small = -3;
        long time = 0x1112131415161718L;
        byte tiny = -4;
        double whole = -2.5;
        Object other;

        private Fields(int first) {
            this.first = first;
        }

        /// One that leads to another, or to itself.
        public static Fields leadingTo(boolean another) {
            var one = new Fields(0x01020304);
            one.name = "a";
            one.next = another ? new Fields(0x01020305) : one;
            one.other = 5;
            return one;
        }
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

    /// Says so when it is initialized.
    public static class Loud implements Serializable {
        public static final String PROPERTY = "ibidem.test.loud";

        private static final long serialVersionUID = 3L;

        static {
            System.setProperty(PROPERTY, "initialized");
        }
    }

    public static class Louder extends Loud {
        int many;
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

    public static class Outer implements Serializable {
        int k = 9;

        public class Inner implements Serializable {
            int i = k + 1;
        }

        public Object anonymous() {
            return new Object() {};
        }

        public Serializable serializableAnonymous() {
            return new Serializable() {
                int v = k;
            };
        }

        public Object local() {
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

    public static class Big implements Serializable {
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

    public static class Finals implements Serializable {
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

    /// Makes a chain of so many nodes, by their left ends.
    public static void connect(Node top, int depth) {
        var at = top;
        for (int i = 1; i < depth; i++) {
            at.left = new Node();
            at = at.left;
        }
    }

    /// Nodes of such a chain.
    public static int depth(Node top) {
        int depth = 0;
        for (var at = top; at != null; at = at.left) {
            depth++;
        }
        return depth;
    }
}
