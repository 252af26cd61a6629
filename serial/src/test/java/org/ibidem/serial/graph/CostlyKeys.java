package org.ibidem.serial.graph;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Month;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Keys that take some hundred steps to hash or to compare, of every class of the JDK that is let
/// in, and tables of every kind.
@SuppressWarnings("JdkObsolete") // classes that are let in
public final class CostlyKeys {
    /// Elements of a key.
    private static final int LONG = 300;

    /// Of one that takes more steps for each: its elements are compared with each other, or are
    /// asked for their identities. `Set.of` compares such a key with others or does not, by chance,
    /// and two of them are to be let in.
    private static final int DEAR = 60;

    private static final int BYTES = LONG << 4;
    private static final int CHARACTERS = LONG << 6;

    private CostlyKeys() {}

    private static List<Integer> numbers(int which) {
        var all = new ArrayList<>(IntStream.range(0, LONG).boxed().toList());
        all.add(-which);
        return all;
    }

    private static Map<Integer, Integer> map(int which) {
        var map = new HashMap<Integer, Integer>();
        numbers(which).forEach(number -> map.put(number, which));
        return map;
    }

    private static <M extends Map<Integer, Integer>> M filled(M map, int which) {
        map.putAll(map(which));
        return map;
    }

    private static byte[] bytes(int which) {
        var bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) 90);
        bytes[BYTES - 1] = (byte) which;
        return bytes;
    }

    /// A number of some thousand digits.
    public static BigDecimal decimal(int which, int scale) {
        return new BigDecimal(new BigInteger(bytes(which)), scale);
    }

    private static String text(int which) {
        return "x".repeat(CHARACTERS) + (which == 1 ? "Aa" : "BB");
    }

    /// A comparator around a comparator, and so on.
    public static <T> Comparator<T> reversed(Comparator<T> first, int times) {
        Comparator<T> around = first;
        for (int i = 0; i < times; i++) {
            around = new Around<>(around);
        }
        return around;
    }

    /// Compares as another does.
    private record Around<T>(Comparator<T> inside) implements Comparator<T>, java.io.Serializable {
        @Override
        public int compare(T one, T other) {
            return inside.compare(one, other);
        }
    }

    private static IdentityHashMap<Object, Object> identities(int which) {
        var map = new IdentityHashMap<Object, Object>();
        numbers(which).subList(0, DEAR).forEach(number -> map.put(number, which));
        return map;
    }

    private static Map<Month, Object> months(int which) {
        return new EnumMap<>(Map.of(Month.MAY, numbers(which)));
    }

    private static BitSet bits(int which) {
        var bits = new BitSet();
        bits.set(CHARACTERS * 8 + which);
        return bits;
    }

    private static Object[] array(int which) {
        return numbers(which).toArray();
    }

    /// Lists, in which one may put a costly one.
    private static Map<String, IntFunction<Object>> lists() {
        return Map.ofEntries(
                Map.entry("ArrayList", CostlyKeys::numbers),
                Map.entry("LinkedList", which -> new LinkedList<>(numbers(which))),
                Map.entry("Vector", which -> new Vector<>(numbers(which))),
                Map.entry("Stack", CostlyKeys::stack),
                Map.entry(
                        "CopyOnWriteArrayList",
                        which -> new CopyOnWriteArrayList<>(numbers(which))),
                Map.entry("Arrays.asList", which -> Arrays.asList(array(which))),
                Map.entry("List.of", which -> List.of(array(which))),
                Map.entry("List.of one", which -> List.of(numbers(which))),
                Map.entry("singletonList", which -> Collections.singletonList(numbers(which))),
                Map.entry("nCopies", which -> Collections.nCopies(LONG, which)),
                Map.entry(
                        "synchronizedList",
                        which -> Collections.synchronizedList(new LinkedList<>(numbers(which)))),
                Map.entry(
                        "synchronizedList, random",
                        which -> Collections.synchronizedList(numbers(which))),
                Map.entry(
                        "unmodifiableList",
                        which -> Collections.unmodifiableList(new LinkedList<>(numbers(which)))),
                Map.entry(
                        "unmodifiableList, random",
                        which -> Collections.unmodifiableList(numbers(which))));
    }

    private static Object stack(int which) {
        var stack = new Stack<Integer>();
        stack.addAll(numbers(which));
        return stack;
    }

    private static Map<String, IntFunction<Object>> sets() {
        return Map.ofEntries(
                Map.entry("HashSet", which -> new HashSet<>(numbers(which))),
                Map.entry("LinkedHashSet", which -> new LinkedHashSet<>(numbers(which))),
                Map.entry("TreeSet", which -> new TreeSet<>(numbers(which))),
                Map.entry(
                        "ConcurrentSkipListSet",
                        which -> new ConcurrentSkipListSet<>(numbers(which))),
                Map.entry(
                        "CopyOnWriteArraySet",
                        which -> new CopyOnWriteArraySet<>(numbers(which).subList(0, DEAR))),
                Map.entry("Set.of", which -> Set.of(array(which))),
                Map.entry("Set.of one", which -> Set.of(numbers(which))),
                Map.entry("singleton", which -> Collections.singleton(numbers(which))),
                Map.entry("newSetFromMap", CostlyKeys::fromMap),
                Map.entry(
                        "synchronizedSet",
                        which -> Collections.synchronizedSet(new HashSet<>(numbers(which)))),
                Map.entry(
                        "unmodifiableSet",
                        which -> Collections.unmodifiableSet(new HashSet<>(numbers(which)))),
                Map.entry(
                        "unmodifiableSortedSet",
                        which -> Collections.unmodifiableSortedSet(new TreeSet<>(numbers(which)))));
    }

    private static Object fromMap(int which) {
        var set = Collections.newSetFromMap(new HashMap<Object, Boolean>());
        set.addAll(numbers(which));
        return set;
    }

    private static Map<String, IntFunction<Object>> maps() {
        return Map.ofEntries(
                Map.entry("HashMap", CostlyKeys::map),
                Map.entry("LinkedHashMap", which -> filled(new LinkedHashMap<>(), which)),
                Map.entry("TreeMap", which -> filled(new TreeMap<>(), which)),
                Map.entry("Hashtable", which -> filled(new Hashtable<>(), which)),
                Map.entry("ConcurrentHashMap", which -> filled(new ConcurrentHashMap<>(), which)),
                Map.entry(
                        "ConcurrentSkipListMap",
                        which -> filled(new ConcurrentSkipListMap<>(), which)),
                Map.entry("EnumMap", CostlyKeys::months),
                Map.entry("IdentityHashMap", CostlyKeys::identities),
                Map.entry("Map.of", which -> Map.copyOf(map(which))),
                Map.entry("Map.of one", which -> Map.of(which, numbers(which))),
                Map.entry("singletonMap", which -> Collections.singletonMap(which, map(which))),
                Map.entry("synchronizedMap", which -> Collections.synchronizedMap(map(which))),
                Map.entry("unmodifiableMap", which -> Collections.unmodifiableMap(map(which))),
                Map.entry(
                        "unmodifiableSortedMap",
                        which -> Collections.unmodifiableSortedMap(filled(new TreeMap<>(), which))),
                Map.entry(
                        "SimpleEntry",
                        which -> new AbstractMap.SimpleEntry<>(which, numbers(which))),
                Map.entry(
                        "SimpleImmutableEntry",
                        which -> new AbstractMap.SimpleImmutableEntry<>(numbers(which), which)),
                Map.entry("BitSet", CostlyKeys::bits));
    }

    /// Those whose hash takes as long as they are.
    public static final Map<String, IntFunction<Object>> HASHED = hashed();

    private static Map<String, IntFunction<Object>> hashed() {
        var all = new TreeMap<String, IntFunction<Object>>();
        all.putAll(lists());
        all.putAll(sets());
        all.putAll(maps());
        all.put("BigInteger", which -> new BigInteger(bytes(which)));
        all.put("BigDecimal", which -> decimal(which, 0));
        return all;
    }

    /// Those that are compared as long as they are alike.
    public static final Map<String, IntFunction<Object>> COMPARED =
            Map.of(
                    "String", CostlyKeys::text,
                    "BigInteger", which -> new BigInteger(bytes(which)),
                    "BigDecimal", which -> decimal(which, 0));

    /// Two of one hash, of a class that orders itself.
    public static final Map<String, IntFunction<Object>> SAME_HASH =
            Map.of("String", CostlyKeys::text, "BigInteger", CostlyKeys::sameHash);

    /// The hash is that of the words, each times a power of 31.
    private static Object sameHash(int which) {
        var bytes = bytes(1);
        bytes[BYTES - 1] = (byte) (which == 1 ? 1 : 32);
        bytes[BYTES - 5] = (byte) (which == 1 ? 2 : 1);
        return new BigInteger(bytes);
    }

    private static Map<Object, Object> entries(Collection<?> keys) {
        var map = new LinkedHashMap<Object, Object>();
        keys.forEach(key -> map.put(key, 1));
        return map;
    }

    private static Object setFromMap(Collection<?> keys) {
        var set = Collections.newSetFromMap(new ConcurrentHashMap<Object, Boolean>());
        set.addAll(keys);
        return set;
    }

    /// Tables with trees.
    public static final Map<String, Function<Collection<?>, Object>> HASHING_ALL =
            Map.of(
                    "HashSet", HashSet::new,
                    "LinkedHashSet", LinkedHashSet::new,
                    "HashMap", keys -> new HashMap<>(entries(keys)),
                    "LinkedHashMap", keys -> new LinkedHashMap<>(entries(keys)),
                    "ConcurrentHashMap", keys -> new ConcurrentHashMap<>(entries(keys)),
                    "a subclass", keys -> new OwnMap(entries(keys)),
                    "newSetFromMap", CostlyKeys::setFromMap,
                    "Hashtable", keys -> new Hashtable<>(entries(keys)));

    /// A map that reads itself.
    @SuppressWarnings("serial")
    private static final class OwnMap extends HashMap<Object, Object> {
        OwnMap(Map<?, ?> entries) {
            super(entries);
        }
    }

    /// Tables that hash a key.
    public static final Map<String, Function<Object, Object>> HASHING = hashing();

    private static Map<String, Function<Object, Object>> hashing() {
        var all = new TreeMap<String, Function<Object, Object>>();
        HASHING_ALL.forEach((name, table) -> all.put(name, key -> table.apply(List.of(key))));
        all.put("Set.of", key -> Set.of(key, "other", "third"));
        all.put("Set.of one", key -> Set.of(key));
        all.put("Map.of", key -> Map.of(key, 1, "other", 2));
        all.put("Map.of one", key -> Map.of(key, 1));
        return all;
    }

    /// Tables that compare keys.
    public static final Map<String, Function<Collection<?>, Object>> COMPARING =
            Map.of(
                    "TreeSet", keys -> new TreeSet<>(keys),
                    "TreeMap", keys -> new TreeMap<>(entries(keys)),
                    "ConcurrentSkipListSet", keys -> new ConcurrentSkipListSet<>(keys),
                    "ConcurrentSkipListMap", keys -> new ConcurrentSkipListMap<>(entries(keys)),
                    "PriorityQueue", keys -> new PriorityQueue<>(keys),
                    "CopyOnWriteArraySet", keys -> new CopyOnWriteArraySet<>(keys));

    private static <T> Object compared(Collection<T> table, Collection<T> keys) {
        table.addAll(keys);
        return table;
    }

    /// Tables that compare by a comparator.
    public static final Map<String, BiFunction<Comparator<Integer>, List<Integer>, Object>>
            COMPARED_BY =
                    Map.of(
                            "TreeSet", (by, keys) -> compared(new TreeSet<>(by), keys),
                            "ConcurrentSkipListSet",
                                    (by, keys) -> compared(new ConcurrentSkipListSet<>(by), keys),
                            "PriorityQueue", (by, keys) -> compared(new PriorityQueue<>(by), keys));

    /// What may be around a key.
    public static final Map<String, Function<Object, Object>> AROUND =
            Map.of(
                    "nothing", key -> key,
                    "a list", key -> new ArrayList<>(Collections.singletonList(key)),
                    "a list of one", Collections::singletonList,
                    "a vector", key -> new Vector<>(Collections.singletonList(key)),
                    "a map", key -> new HashMap<>(Collections.singletonMap(1, key)),
                    "an entry", key -> new AbstractMap.SimpleEntry<>(1, key));

    /// Collections in which there are, at the end, so many sets of themselves, or of what is around
    /// them; an array does not ask what is in it for its hash.
    public static final Map<String, BiFunction<Integer, Function<Object, Object>, Object>> GROWING =
            Map.of(
                    "ArrayList", (times, around) -> grown(new ArrayList<>(), times, around),
                    "LinkedList", (times, around) -> grown(new LinkedList<>(), times, around),
                    "LinkedHashSet", (times, around) -> grown(new LinkedHashSet<>(), times, around),
                    "LinkedHashMap", CostlyKeys::grownMap,
                    "Arrays.asList", CostlyKeys::grownArray);

    private static Object[] sets(int times, Object key) {
        return IntStream.range(0, times)
                .mapToObj(_ -> new HashSet<>(Collections.singleton(key)))
                .toArray();
    }

    private static Object grown(
            Collection<Object> all, int times, Function<Object, Object> around) {
        var sets = sets(times, around.apply(all));
        all.addAll(numbers(1));
        all.add(sets);
        return all;
    }

    private static Object grownMap(int times, Function<Object, Object> around) {
        var map = new LinkedHashMap<Object, Object>();
        var sets = sets(times, around.apply(map));
        numbers(1).forEach(number -> map.put(number, 1));
        map.put("sets", sets);
        return map;
    }

    private static Object grownArray(int times, Function<Object, Object> around) {
        var array = new Object[LONG + 1];
        array[LONG] = sets(times, around.apply(Arrays.asList(array)));
        Arrays.fill(array, 0, LONG, 1);
        return array;
    }

    /// Names of those that are small, or whose hash is their identity.
    public static final List<String> SMALL =
            Stream.of(
                            "java.lang.Object Class Boolean Byte Character Short Integer Long Float"
                                    + " Double Number Enum String$CaseInsensitiveComparator",
                            "java.math.MathContext RoundingMode",
                            "java.time.DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime"
                                    + " Month MonthDay OffsetDateTime OffsetTime Period Ser Year"
                                    + " YearMonth ZoneId ZoneOffset ZoneRegion ZonedDateTime",
                            "java.util.AbstractCollection AbstractList AbstractMap AbstractQueue"
                                    + " AbstractSequentialList AbstractSet ArrayDeque CollSer"
                                    + " Comparators$NaturalOrderComparator Date EnumSet"
                                    + " EnumSet$SerializationProxy JumboEnumSet RegularEnumSet"
                                    + " Locale Map$Entry PriorityQueue UUID KeyValueHolder",
                            "java.util.Collections$EmptyList EmptyMap EmptySet ReverseComparator"
                                    + " ReverseComparator2 SynchronizedCollection"
                                    + " UnmodifiableCollection",
                            "java.io.ObjectStreamClass",
                            "java.util.concurrent.ArrayBlockingQueue ConcurrentHashMap$Segment"
                                    + " ConcurrentLinkedDeque ConcurrentLinkedQueue"
                                    + " LinkedBlockingDeque LinkedBlockingQueue TimeUnit",
                            "java.util.concurrent.locks.AbstractOwnableSynchronizer"
                                    + " AbstractQueuedSynchronizer"
                                    + " AbstractQueuedSynchronizer$ConditionObject ReentrantLock"
                                    + " ReentrantLock$FairSync ReentrantLock$NonfairSync"
                                    + " ReentrantLock$Sync",
                            "java.util.concurrent.atomic.AtomicBoolean AtomicInteger"
                                    + " AtomicIntegerArray AtomicLong AtomicLongArray"
                                    + " AtomicReference")
                    .flatMap(CostlyKeys::names)
                    .toList();

    private static Stream<String> names(String line) {
        int end = line.indexOf(' ') < 0 ? line.length() : line.indexOf(' ');
        int first = line.substring(0, end).lastIndexOf('.') + 1;
        if (line.startsWith("java.util.Collections$")) {
            first = "java.util.Collections$".length();
        }
        var prefix = line.substring(0, first);
        return Arrays.stream(line.substring(first).split(" ", -1)).map(name -> prefix + name);
    }
}
