package org.ibidem.serial;

import java.util.HashSet;
import java.util.Set;

/// Classes of the JDK that every policy lets in: values, and collections of what else is let in.
/// Why each may be here: `docs/serialization.md`.
final class Reviewed {
    private static final Set<String> NAMES = names();

    private Reviewed() {}

    static boolean has(String name) {
        return NAMES.contains(name);
    }

    static Set<String> all() {
        return NAMES;
    }

    private static Set<String> names() {
        var names = new HashSet<String>();
        add(
                names,
                "java.lang.",
                "Object Class Boolean Byte Character Short Integer Long Float Double Number String Enum"
                        + " String$CaseInsensitiveComparator");
        add(names, "java.math.", "BigInteger BigDecimal MathContext RoundingMode");
        add(
                names,
                "java.time.",
                "DayOfWeek Duration Instant LocalDate LocalDateTime LocalTime Month MonthDay"
                        + " OffsetDateTime OffsetTime Period Ser Year YearMonth ZoneId ZoneOffset"
                        + " ZoneRegion ZonedDateTime");
        add(
                names,
                "java.util.",
                "AbstractCollection AbstractList AbstractMap AbstractMap$SimpleEntry"
                        + " AbstractMap$SimpleImmutableEntry AbstractQueue AbstractSequentialList"
                        + " AbstractSet ArrayDeque ArrayList Arrays$ArrayList BitSet CollSer"
                        + " Comparators$NaturalOrderComparator Date EnumMap EnumSet"
                        + " EnumSet$SerializationProxy HashMap HashSet Hashtable IdentityHashMap"
                        + " ImmutableCollections$ListN ImmutableCollections$List12"
                        + " ImmutableCollections$MapN ImmutableCollections$Map1"
                        + " ImmutableCollections$SetN ImmutableCollections$Set12"
                        + " JumboEnumSet KeyValueHolder LinkedHashMap LinkedHashSet LinkedList"
                        + " Locale Map$Entry PriorityQueue RegularEnumSet Stack TreeMap TreeSet"
                        + " UUID Vector");
        add(
                names,
                "java.util.Collections$",
                "CopiesList EmptyList EmptyMap EmptySet ReverseComparator ReverseComparator2"
                        + " SetFromMap SingletonList SingletonMap SingletonSet"
                        + " SynchronizedCollection SynchronizedList SynchronizedMap"
                        + " SynchronizedRandomAccessList SynchronizedSet"
                        + " UnmodifiableCollection UnmodifiableList UnmodifiableMap"
                        + " UnmodifiableRandomAccessList UnmodifiableSet UnmodifiableSortedMap"
                        + " UnmodifiableSortedSet");
        add(names, "java.io.", "ObjectStreamClass");
        concurrent(names);
        return Set.copyOf(names);
    }

    private static void concurrent(Set<String> names) {
        add(
                names,
                "java.util.concurrent.",
                "ArrayBlockingQueue ConcurrentHashMap ConcurrentHashMap$Segment"
                        + " ConcurrentLinkedDeque ConcurrentLinkedQueue ConcurrentSkipListMap"
                        + " ConcurrentSkipListSet CopyOnWriteArrayList CopyOnWriteArraySet"
                        + " LinkedBlockingDeque LinkedBlockingQueue TimeUnit");
        // what the queues that block are made of; who holds a lock, or waits, does not travel
        add(
                names,
                "java.util.concurrent.locks.",
                "AbstractOwnableSynchronizer AbstractQueuedSynchronizer"
                        + " AbstractQueuedSynchronizer$ConditionObject ReentrantLock"
                        + " ReentrantLock$FairSync ReentrantLock$NonfairSync ReentrantLock$Sync");
        add(
                names,
                "java.util.concurrent.atomic.",
                "AtomicBoolean AtomicInteger AtomicIntegerArray AtomicLong AtomicLongArray"
                        + " AtomicReference");
    }

    private static void add(Set<String> names, String prefix, String list) {
        for (var name : list.split(" ", -1)) {
            names.add(prefix + name);
        }
    }
}
