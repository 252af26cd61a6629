package org.ibidem.serial.graph;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.net.URI;
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
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.ibidem.serial.graph.PlainTypes.Color;
import org.ibidem.serial.graph.PlainTypes.Function2;
import org.ibidem.serial.graph.PlainTypes.Node;

/// Collections and values of the JDK.
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "DoubleBraceInitialization"}) // they exist
final class CollectionSamples {
    private CollectionSamples() {}

    static void add(Map<String, Object> all) {
        plain(all);
        sorted(all);
        immutable(all);
        wrapped(all);
        values(all);
    }

    private static void plain(Map<String, Object> all) {
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
    }

    private static void sorted(Map<String, Object> all) {
        var shared = new Node();
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
    }

    private static void immutable(Map<String, Object> all) {
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
    }

    private static void wrapped(Map<String, Object> all) {
        var shared = new Node();
        all.put("as list", Arrays.asList("a", shared, shared));
        all.put(
                "wrappers",
                new Object[] {
                    Collections.unmodifiableList(new ArrayList<>(List.of("a", shared))),
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
        all.put("deep lists", deepLists(200));
    }

    private static Object deepLists(int depth) {
        Object inner = "end";
        for (int i = 0; i < depth; i++) {
            inner = new ArrayList<>(Collections.singletonList(inner));
        }
        return inner;
    }

    private static void values(Map<String, Object> all) {
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
