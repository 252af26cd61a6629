package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.port.Capability;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.NotConnected;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;

/// How messages of the model are sent and received.
final class Exchange {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int LOOKS = 3;

    private final RandomGenerator random;
    private final List<String> log;
    private final Map<Long, Letter> letters = new ConcurrentHashMap<>();
    private final Set<Sender> held = new HashSet<>();

    /// Of the types with total numbers: the number of each message that was received, by its id.
    private final Map<PortType, NavigableMap<Long, Long>> totals = new HashMap<>();

    private long ids;

    Exchange(RandomGenerator random, List<String> log) {
        this.random = random;
        this.log = log;
    }

    /// What an upcall got.
    private record Got(Origin origin, long id, long number) {}

    void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waited until %s", what).isLessThan(end);
            LockSupport.parkNanos(100_000);
        }
    }

    /// Of connections that may break the model learns from the port.
    void forgetGone(Sender sender) {
        if (sender.doubtful()) {
            var there = sender.port.connections();
            sender.lines.keySet().removeIf(target -> !there.contains(target));
        }
    }

    void send(Sender sender) throws Exception {
        var letter = Letter.some(random, ids++, sender.port.type());
        log.add("send " + letter.id() + " from " + sender + " to " + sender.lines.keySet());
        if (!sender.untold.isEmpty()) {
            tells(sender, sender.port::newMessage);
            return;
        }
        if (sender.lines.isEmpty()) {
            assertThatThrownBy(sender.port::newMessage)
                    .isInstanceOfAny(
                            NotConnected.class,
                            Types.breaks(sender.port.type())
                                    ? ConnectionLost.class
                                    : NotConnected.class);
        } else if (Types.breaks(sender.port.type())) {
            sendPerhaps(sender, letter);
        } else {
            put(sender, letter);
            held.add(sender);
            try (var message = sender.port.newMessage()) {
                letter.write(random, sender.port.type(), message);
            }
        }
    }

    /// Messages that were finished but held back are sent.
    private void flush() throws Exception {
        for (var sender : held) {
            if (!sender.untold.isEmpty()) {
                tells(sender, sender.port::flush);
            }
            if (!sender.lines.isEmpty()) {
                flush(sender);
            }
        }
        held.clear();
    }

    private void flush(Sender sender) {
        try {
            sender.port.flush();
        } catch (ConnectionLost | NotConnected e) {
            assertThat(Types.breaks(sender.port.type())).as(e.getMessage()).isTrue();
            forgetGone(sender);
        }
    }

    /// A port that is closed has sent everything.
    void closed(Sender sender) {
        held.remove(sender);
    }

    /// The next use tells of what is over, each once; or the program asks.
    private void tells(Sender sender, ThrowingCallable use) throws Exception {
        if (sender.port.type().has(Capability.CONNECTION_DOWNCALLS)) {
            until(
                    "all losses are told",
                    () -> {
                        sender.port
                                .lostConnections()
                                .forEach(lost -> sender.untold.remove(lost.peer()));
                        return sender.untold.isEmpty();
                    });
            return;
        }
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        ConnectionLost.class,
                        lost ->
                                assertThat(sender.untold)
                                        .allSatisfy(target ->
                                                assertThat(lost)
                                                        .hasMessageContaining(target.toString())));
        sender.untold.clear();
    }

    private void put(Sender sender, Letter letter) {
        letters.put(letter.id(), letter);
        sender.lines.values().forEach(line -> line.waiting.add(letter));
    }

    /// Over what may break: whoever is connected afterwards gets the message, unless it was never
    /// begun.
    private void sendPerhaps(Sender sender, Letter letter) {
        put(sender, letter);
        held.add(sender);
        try (var message = sender.port.newMessage()) {
            letter.write(random, sender.port.type(), message);
        } catch (ConnectionLost | NotConnected e) {
            log.add("failed: " + e.getMessage());
        }
        forgetGone(sender);
    }

    /// Receives a message that must come.
    void receive(Receiver receiver) throws Exception {
        flush();
        log.add("receive at " + receiver);
        if (receiver.hasUpcall()) {
            check(receiver, receiver.upcalls.poll(LIMIT.toSeconds(), TimeUnit.SECONDS));
            return;
        }
        if (receiver.hasPolledUpcall()) {
            until("an upcall is made", () -> runUpcall(receiver) || !receiver.owed());
            return;
        }
        try (var message = random.nextBoolean() ? receiver.port.receive(LIMIT) : polled(receiver)) {
            assertThat(message).as("the message that is owed").isNotNull();
            read(receiver, message);
        } catch (MessageAbandoned e) {
            log.add("abandoned");
        } catch (ConnectionLost e) {
            log.add("lost: " + e.getMessage());
            assertThat(receiver.mayBreak()).as(e.getMessage()).isTrue();
        }
    }

    private ReadMessage polled(Receiver receiver) throws Exception {
        var message = new AtomicReference<ReadMessage>();
        until(
                "a poll finds a message",
                () -> {
                    message.set(receiver.port.poll());
                    return message.get() != null;
                });
        return message.get();
    }

    /// In this thread, while it is called.
    private boolean runUpcall(Receiver receiver) {
        boolean ran;
        try {
            ran = receiver.port.runUpcall();
        } catch (MessageAbandoned e) {
            log.add("abandoned"); // told when what its handler left is skipped
            ran = true;
        } catch (ConnectionLost e) {
            assertThat(receiver.mayBreak()).as(e.getMessage()).isTrue();
            ran = !receiver.upcalls.isEmpty();
        }
        assertThat(ran && !receiver.upcallsEnabled).as("while they are disabled").isFalse();
        assertThat(receiver.upcalls).hasSize(ran ? 1 : 0);
        if (ran) {
            check(receiver, receiver.upcalls.poll());
        }
        return ran;
    }

    private void read(Receiver receiver, ReadMessage message) {
        long id = Letter.idOf(message);
        took(receiver, new Got(message.origin(), id, message.sequenceNumber()));
        try {
            letters.get(id).check(random, message);
        } catch (ConnectionLost e) {
            assertThat(receiver.mayBreak()).as(e.getMessage()).isTrue();
        }
    }

    private void took(Receiver receiver, Got got) {
        log.add("got " + got.id + " at " + receiver);
        var letter = receiver.lineOf(got.origin, got.id).take(got.id);
        assertThat(letter).isEqualTo(letters.get(got.id));
        boolean numbered = receiver.port.type().has(Capability.NUMBERED);
        if (receiver.port.type().has(Capability.TOTAL)) {
            inOrder(totals.computeIfAbsent(receiver.port.type(), _ -> new TreeMap<>()), got);
        }
        if (!Types.doubtful(receiver.port.type())) {
            // Of a sender that connected anew, all of the older connection comes first.
            assertThat(receiver.lines)
                    .filteredOn(line -> line.origin.equals(got.origin))
                    .filteredOn(line -> !line.waiting.isEmpty())
                    .filteredOn(line -> line.waiting.peek().id() < got.id)
                    .as("what was sent before message %d", got.id)
                    .isEmpty();
        }
        if (numbered && !Types.doubtful(receiver.port.type())) {
            var before = receiver.numbers.put(got.origin, got.number);
            assertThat(got.number).as("number").isGreaterThan(before == null ? -1 : before);
        } else if (!numbered) {
            assertThat(got.number).as("number").isEqualTo(-1);
        }
    }

    /// One program sends, so each message begins when the one before it is over: whichever port it
    /// is of, the later one has the higher number.
    private static void inOrder(NavigableMap<Long, Long> numbers, Got got) {
        var same = numbers.putIfAbsent(got.id, got.number);
        assertThat(same == null || same == got.number).as("one message, one number").isTrue();
        var earlier = numbers.lowerEntry(got.id);
        var later = numbers.higherEntry(got.id);
        assertThat(got.number)
                .as("total number of %d between %s and %s", got.id, earlier, later)
                .isGreaterThan(earlier == null ? -1 : earlier.getValue())
                .isLessThan(later == null ? Long.MAX_VALUE : later.getValue());
    }

    private void check(Receiver receiver, Object upcall) {
        receiver.handled++;
        switch (upcall) {
            case Got got -> took(receiver, got);
            case Throwable thrown -> throw new AssertionError("in an upcall", thrown);
            case null -> throw new AssertionError("no upcall for the message that is owed");
            default -> throw new AssertionError(upcall);
        }
    }

    /// Called by the port's thread.
    void upcall(ReadMessage message, Queue<Object> upcalls) {
        try {
            long id = Letter.idOf(message);
            var got = new Got(message.origin(), id, message.sequenceNumber());
            var mine = RandomGeneratorFactory.of("L64X128MixRandom").create(id);
            try {
                letters.get(id).check(mine, message);
            } catch (MessageAbandoned | ConnectionLost e) {
                // as its sender wanted, or its stack
            }
            upcalls.add(got);
        } catch (RuntimeException | AssertionError e) {
            upcalls.add(e);
        }
    }

    /// Looks whether there is a message, where none must come.
    void look(Receiver receiver) throws Exception {
        flush();
        log.add("look at " + receiver);
        for (int i = 0; i < LOOKS; i++) {
            lookOnce(receiver);
        }
        for (var line : List.copyOf(receiver.lines)) {
            if (receiver.upcallsEnabled && receiver.mustEnd(line)) {
                until("the end of " + line.origin + " is read", () -> isOver(receiver, line));
                over(receiver, line);
            }
        }
        receiver.forgetGone();
    }

    /// Nobody need receive for the ends to be noticed of those whose messages were all received.
    void noticeEnds(Receiver receiver) throws Exception {
        for (var line : List.copyOf(receiver.lines)) {
            if (line.ended && !line.doubtful && line.waiting.isEmpty()) {
                long open = receiver.linesOf(line.origin);
                until(
                        "the end of " + line.origin + " is noticed",
                        () ->
                                receiver.port.connections().stream()
                                                .filter(line.origin::equals)
                                                .count()
                                        < open);
                over(receiver, line);
            }
        }
    }

    private static void over(Receiver receiver, Line line) {
        receiver.lines.remove(line);
        if (!line.told) {
            receiver.untoldLost.add(line.origin);
        }
    }

    private boolean isOver(Receiver receiver, Line line) {
        lookOnce(receiver);
        long open =
                receiver.lines.stream().filter(other -> other.origin.equals(line.origin)).count();
        long there = receiver.port.connections().stream().filter(line.origin::equals).count();
        boolean over = there < open;
        while (over && !receiver.upcalls.isEmpty()) {
            lookOnce(receiver); // what was handed over before the end was read
        }
        return over;
    }

    private void lookOnce(Receiver receiver) {
        if (receiver.hasUpcall()) {
            var got = receiver.upcalls.poll();
            if (got != null) {
                check(receiver, got);
            }
            return;
        }
        if (receiver.hasPolledUpcall()) {
            runUpcall(receiver);
            return;
        }
        try (var message = receiver.port.poll()) {
            if (message != null) {
                read(receiver, message);
            }
        } catch (MessageAbandoned e) {
            log.add("abandoned");
        } catch (ConnectionLost e) {
            assertThat(receiver.mayBreak()).as(e.getMessage()).isTrue();
        }
    }

    /// What the port says of connections since the last time, each once.
    void downcalls(Receiver receiver) throws Exception {
        var type = receiver.port.type();
        if (!type.has(Capability.CONNECTION_DOWNCALLS)) {
            return;
        }
        if (Types.breaks(type)) {
            receiver.port.newConnections();
            receiver.port.lostConnections();
            return;
        }
        var fresh = new ArrayList<Origin>();
        until(
                "the new connections of " + receiver + " are told",
                () -> {
                    fresh.addAll(receiver.port.newConnections());
                    return fresh.size() >= receiver.untoldNew.size();
                });
        assertThat(fresh)
                .as("new connections of %s", receiver)
                .containsExactlyElementsOf(receiver.untoldNew);
        receiver.untoldNew.clear();
        until(
                "the ends of " + receiver.untoldLost + " are told",
                () -> {
                    for (var lost : receiver.port.lostConnections()) {
                        boolean known =
                                receiver.untoldLost.remove(lost.peer())
                                        || receiver.lines.stream()
                                                .filter(line -> line.ended && !line.told)
                                                .filter(line -> line.origin.equals(lost.peer()))
                                                .findFirst()
                                                .map(line -> line.told = true)
                                                .orElse(false);
                        assertThat(known).as("%s at %s", lost, receiver).isTrue();
                    }
                    return receiver.untoldLost.isEmpty();
                });
    }
}
