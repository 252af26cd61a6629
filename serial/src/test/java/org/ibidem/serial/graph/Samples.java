package org.ibidem.serial.graph;

import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ibidem.serial.graph.HookTypes.Custom;
import org.ibidem.serial.graph.HookTypes.CustomChild;
import org.ibidem.serial.graph.HookTypes.Ext;
import org.ibidem.serial.graph.HookTypes.ExtNoConstructor;
import org.ibidem.serial.graph.HookTypes.Failing;
import org.ibidem.serial.graph.HookTypes.FailingRead;
import org.ibidem.serial.graph.HookTypes.FailingUnchecked;
import org.ibidem.serial.graph.HookTypes.InheritsReplace;
import org.ibidem.serial.graph.HookTypes.Invalid;
import org.ibidem.serial.graph.HookTypes.NoReader;
import org.ibidem.serial.graph.HookTypes.NotInherited;
import org.ibidem.serial.graph.HookTypes.OnlyReader;
import org.ibidem.serial.graph.HookTypes.OptionalEnd;
import org.ibidem.serial.graph.HookTypes.Persistent;
import org.ibidem.serial.graph.HookTypes.PersistentSubset;
import org.ibidem.serial.graph.HookTypes.PersistentTwice;
import org.ibidem.serial.graph.HookTypes.PersistentUnmatched;
import org.ibidem.serial.graph.HookTypes.ReadsLess;
import org.ibidem.serial.graph.HookTypes.ReadsObjectTooMuch;
import org.ibidem.serial.graph.HookTypes.ReadsSharedUnshared;
import org.ibidem.serial.graph.HookTypes.ReadsTooMuch;
import org.ibidem.serial.graph.HookTypes.Replaces;
import org.ibidem.serial.graph.HookTypes.ReplacesNull;
import org.ibidem.serial.graph.HookTypes.ReplacesSame;
import org.ibidem.serial.graph.HookTypes.ReplacesSelf;
import org.ibidem.serial.graph.HookTypes.ResolveFails;
import org.ibidem.serial.graph.HookTypes.Singleton;
import org.ibidem.serial.graph.HookTypes.UnsharedBoth;
import org.ibidem.serial.graph.HookTypes.UnsharedField;
import org.ibidem.serial.graph.HookTypes.Validated;
import org.ibidem.serial.graph.HookTypes.WritesUnshared;
import org.ibidem.serial.graph.PlainTypes.Big;
import org.ibidem.serial.graph.PlainTypes.Boxed;
import org.ibidem.serial.graph.PlainTypes.Chain;
import org.ibidem.serial.graph.PlainTypes.Checked;
import org.ibidem.serial.graph.PlainTypes.Child;
import org.ibidem.serial.graph.PlainTypes.Color;
import org.ibidem.serial.graph.PlainTypes.Deep;
import org.ibidem.serial.graph.PlainTypes.Fields;
import org.ibidem.serial.graph.PlainTypes.Finals;
import org.ibidem.serial.graph.PlainTypes.Handler;
import org.ibidem.serial.graph.PlainTypes.InheritedChain;
import org.ibidem.serial.graph.PlainTypes.LongChain;
import org.ibidem.serial.graph.PlainTypes.Lru;
import org.ibidem.serial.graph.PlainTypes.ManyRefs;
import org.ibidem.serial.graph.PlainTypes.MyList;
import org.ibidem.serial.graph.PlainTypes.MyMap;
import org.ibidem.serial.graph.PlainTypes.Named;
import org.ibidem.serial.graph.PlainTypes.Node;
import org.ibidem.serial.graph.PlainTypes.NotSerializableParent;
import org.ibidem.serial.graph.PlainTypes.OfNoSuchConstructor;
import org.ibidem.serial.graph.PlainTypes.OfNotSerializable;
import org.ibidem.serial.graph.PlainTypes.Outer;
import org.ibidem.serial.graph.PlainTypes.Point3;
import org.ibidem.serial.graph.PlainTypes.Primitives;
import org.ibidem.serial.graph.PlainTypes.Replaced;
import org.ibidem.serial.graph.PlainTypes.Resolved;

/// Graphs of all kinds that the contract of [Serializable] knows.
public final class Samples {
    private static final List<Object> HOOKS =
            List.of(
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
                    new HookTypes.PersistentGone(),
                    new HookTypes.PersistentGoneUnread(),
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
                    new Finals());

    private Samples() {}

    /// By name.
    public static Map<String, Object> all() {
        var all = new LinkedHashMap<String, Object>();
        values(all);
        arrays(all);
        classes(all);
        records(all);
        hooks(all);
        subclasses(all);
        odd(all);
        CollectionSamples.add(all);
        return all;
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

    private static void values(Map<String, Object> all) {
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
    }

    private static void arrays(Map<String, Object> all) {
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
    }

    private static void classes(Map<String, Object> all) {
        all.put("primitives", new Primitives());
        all.put("fields", Fields.leadingTo(true));
        all.put("fields.named", Fields.leadingTo(false));
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
    }

    private static void records(Map<String, Object> all) {
        all.put("records", new Boxed(new Point3(1, 2, "z"), null, 5, Color.BLUE, 7));
        all.put(
                "shared records",
                new Deep(
                        new Deep(null, List.of()),
                        new ArrayList<>(List.of(new Point3(1, 2, "three")))));
        Chain chain = null;
        LongChain longChain = null;
        InheritedChain inherited = null;
        for (int i = 0; i < 50; i++) {
            chain = new Chain(i, chain);
            longChain = new LongChain(i, longChain);
        }
        for (int i = 0; i < 300; i++) { // deeper than code calls itself
            inherited = new InheritedChain(i, inherited);
        }
        all.put("chain", chain);
        all.put("chain of children", longChain);
        all.put("chain by an inherited field", inherited);
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
    }

    private static void hooks(Map<String, Object> all) {
        for (var one : HOOKS) {
            all.put(one.getClass().getSimpleName(), one);
            all.put(
                    "twice " + one.getClass().getSimpleName(),
                    new Object[] {one, "between", one, new Node()});
        }
    }

    private static void subclasses(Map<String, Object> all) {
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
    }

    private static void odd(Map<String, Object> all) {
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
    }
}
