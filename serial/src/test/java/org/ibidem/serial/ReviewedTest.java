package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
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
import java.util.PriorityQueue;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One of each class that every policy lets in, there and back by every serializer.
@SuppressWarnings("JdkObsolete") // classes that are let in
class ReviewedTest {
    private static final List<Serializer> SERIALIZERS =
            List.of(new GeneratedSerializer(), new ExtendedSerializer(), new JdkSerializer());

    private static final List<Integer> LIST = new ArrayList<>(List.of(1, 2));
    private static final TreeMap<Integer, Integer> MAP = new TreeMap<>(Map.of(1, 2, 3, 4));
    private static final TreeSet<Integer> SET = new TreeSet<>(LIST);

    private static IdentityHashMap<Month, Integer> identities() {
        var map = new IdentityHashMap<Month, Integer>();
        map.put(Month.MAY, 1);
        return map;
    }

    private static Stream<Object> atomics() {
        return Stream.of(
                new AtomicBoolean(true),
                new AtomicInteger(1),
                new AtomicIntegerArray(2),
                new AtomicLong(1),
                new AtomicLongArray(2),
                new AtomicReference<>(1));
    }

    @SuppressWarnings("JavaUtilDate") // it is on the list
    private static Stream<Object> values() {
        var zone = ZoneId.of("Europe/Paris");
        return Stream.of(
                ArrayList.class,
                true,
                (byte) 1,
                'c',
                (short) 1,
                1,
                1L,
                1f,
                1d,
                "text",
                String.CASE_INSENSITIVE_ORDER,
                BigInteger.ONE,
                BigDecimal.ONE,
                MathContext.DECIMAL32,
                RoundingMode.UP,
                DayOfWeek.FRIDAY,
                Duration.ZERO,
                Instant.EPOCH,
                LocalDate.EPOCH,
                LocalDateTime.MIN,
                LocalTime.MIN,
                Month.MAY,
                MonthDay.of(1, 1),
                OffsetDateTime.MIN,
                OffsetTime.MIN,
                Period.ZERO,
                Year.of(1),
                YearMonth.of(1, 1),
                zone,
                ZoneOffset.UTC,
                ZonedDateTime.of(LocalDateTime.MIN, zone),
                new Date(1),
                Locale.GERMANY,
                Locale.forLanguageTag("th-TH-u-ca-buddhist"),
                new UUID(1, 2),
                TimeUnit.DAYS,
                ObjectStreamClass.lookup(ArrayList.class),
                Comparator.naturalOrder(),
                Collections.reverseOrder(),
                Collections.reverseOrder(String.CASE_INSENSITIVE_ORDER));
    }

    private static Stream<Object> collections() {
        return Stream.of(
                new AbstractMap.SimpleEntry<>(1, 2),
                new AbstractMap.SimpleImmutableEntry<>(1, 2),
                new Map.Entry<?, ?>[] {new AbstractMap.SimpleEntry<>(1, 2)},
                new ArrayDeque<>(LIST),
                LIST,
                Arrays.asList(1, 2),
                BitSet.valueOf(new long[] {5}),
                new EnumMap<>(Map.of(Month.MAY, 1)),
                EnumSet.of(Month.MAY),
                EnumSet.of(Character.UnicodeScript.LATIN),
                new HashMap<>(MAP),
                new HashSet<>(LIST),
                new Hashtable<>(MAP),
                identities(),
                List.of(),
                List.of(1),
                List.of(1, 2, 3),
                Map.of(),
                Map.of(1, 2),
                Map.of(1, 2, 3, 4),
                Set.of(),
                Set.of(1),
                Set.of(1, 2, 3),
                new LinkedHashMap<>(MAP),
                new LinkedHashSet<>(LIST),
                new LinkedList<>(LIST),
                new PriorityQueue<>(LIST),
                new PriorityQueue<>(Comparator.<Integer>reverseOrder()),
                stack(),
                MAP,
                SET,
                new Vector<>(LIST),
                new ArrayBlockingQueue<>(2, false, LIST),
                new ArrayBlockingQueue<>(2, true, LIST),
                new ConcurrentHashMap<>(MAP),
                new ConcurrentLinkedDeque<>(LIST),
                new ConcurrentLinkedQueue<>(LIST),
                new ConcurrentSkipListMap<>(MAP),
                new ConcurrentSkipListSet<>(LIST),
                new CopyOnWriteArrayList<>(LIST),
                new CopyOnWriteArraySet<>(LIST),
                new LinkedBlockingDeque<>(LIST),
                new LinkedBlockingQueue<>(LIST));
    }

    private static Stream<Object> views() {
        return Stream.of(
                Collections.nCopies(2, 1),
                Collections.emptyList(),
                Collections.emptyMap(),
                Collections.emptySet(),
                fromMap(),
                Collections.singletonList(1),
                Collections.singletonMap(1, 1),
                Collections.singleton(1),
                Collections.synchronizedCollection(LIST),
                Collections.synchronizedList(LIST),
                Collections.synchronizedList(new LinkedList<>(LIST)),
                Collections.synchronizedMap(MAP),
                Collections.synchronizedSet(SET),
                Collections.unmodifiableCollection(LIST),
                Collections.unmodifiableList(LIST),
                Collections.unmodifiableList(new LinkedList<>(LIST)),
                Collections.unmodifiableMap(MAP),
                Collections.unmodifiableSet(SET),
                Collections.unmodifiableSortedMap(MAP),
                Collections.unmodifiableSortedSet(SET));
    }

    private static Set<Integer> fromMap() {
        var set = Collections.newSetFromMap(new HashMap<Integer, Boolean>());
        set.add(1);
        return set;
    }

    private static Stack<Integer> stack() {
        var stack = new Stack<Integer>();
        stack.push(1);
        return stack;
    }

    private static List<Object> all() {
        return Stream.of(values(), atomics(), collections(), views())
                .flatMap(Function.identity())
                .toList();
    }

    private static Object through(Serializer serializer, Object graph) throws Exception {
        var bytes = new ByteArrayOutputStream();
        serializer.out(new ToStream(bytes)).write(graph);
        var in = new FromStream(new ByteArrayInputStream(bytes.toByteArray()));
        var policy = ObjectPolicy.NOTHING_BUT_VALUES.allow(Character.UnicodeScript.class);
        return serializer.in(in, policy).read();
    }

    private static String content(Object graph) {
        return graph instanceof Object[] array ? Arrays.toString(array) : graph.toString();
    }

    @Test
    void every_one_arrives() throws Exception {
        for (var graph : all()) {
            for (var serializer : SERIALIZERS) {
                if (graph instanceof ObjectStreamClass && serializer instanceof JdkSerializer) {
                    continue; // its filter is asked for the class described, which is let in or not
                }
                var name = graph.getClass() + " by " + serializer.name();
                var got = through(serializer, graph);
                assertThat(got.getClass()).as(name).isEqualTo(graph.getClass());
                assertThat(content(got)).as(name).isEqualTo(content(graph));
            }
        }
    }

    @Test
    void a_queue_that_blocks_works_where_it_arrives() throws Exception {
        for (var serializer : SERIALIZERS) {
            for (var queue :
                    List.of(
                            new ArrayBlockingQueue<>(3, true, LIST),
                            new LinkedBlockingQueue<>(LIST),
                            new LinkedBlockingDeque<>(LIST))) {
                @SuppressWarnings("unchecked")
                var got = (java.util.concurrent.BlockingQueue<Integer>) through(serializer, queue);
                got.put(3);
                assertThat(List.of(got.take(), got.take(), got.take())).containsExactly(1, 2, 3);
            }
        }
    }

    /// A name of which nothing travels has no place on the list.
    @Test
    void there_is_one_of_each_name() throws Exception {
        var shown = new HashSet<String>();
        for (var graph : all()) {
            for (Class<?> type = graph.getClass(); type != null; type = type.getSuperclass()) {
                shown.add((type.isArray() ? type.getComponentType() : type).getName());
            }
            shown.addAll(described(graph));
        }
        for (var name : Reviewed.all()) {
            var type = Class.forName(name);
            for (var serializer : SERIALIZERS) {
                assertThat(through(serializer, type)).as(name).isEqualTo(type);
            }
            boolean made =
                    !Modifier.isAbstract(type.getModifiers())
                            && Serializable.class.isAssignableFrom(type);
            assertThat(shown.contains(name) || !made).as(name).isTrue();
        }
    }

    /// The classes that a stream of the JDK names.
    private static Set<String> described(Object graph) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(graph);
        }
        var names = new HashSet<String>();
        var in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
                    @Override
                    protected Class<?> resolveClass(ObjectStreamClass described)
                            throws java.io.IOException, ClassNotFoundException {
                        names.add(described.getName());
                        return super.resolveClass(described);
                    }
                };
        try (in) {
            in.readObject();
        }
        return names;
    }

    @Test
    void a_lock_arrives_free() throws Exception {
        var lock = new ReentrantLock();
        lock.lock();
        for (var serializer : SERIALIZERS) {
            assertThat(((ReentrantLock) through(serializer, lock)).isLocked()).isFalse();
        }
    }
}
