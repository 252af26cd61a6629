package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.messaging.Members.LIMIT;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.port.Data;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Objects as whole messages, from a sender to a receiver.
@Timeout(60)
class SubjectTest {
    record Item(String name, List<Integer> numbers) implements Serializable {}

    record Task(int id, List<Item[]> rows) implements Serializable {}

    sealed interface Move extends Serializable {}

    record Step(int by) implements Move {}

    record Stop() implements Move {}

    static final class Stranger implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private static Members members;
    private static int names;

    @BeforeAll
    static void join() {
        members = new Members(2);
    }

    @AfterAll
    static void leave() {
        members.close();
    }

    private static <T> Subject<T> subject(Class<T> kind) {
        return Subject.of("subject" + names++, kind);
    }

    private static <T> Sender<T> sender(Subject<T> subject) {
        return subject.sender(members.get(0), members.get(1).id());
    }

    private static Task task(int id) {
        return new Task(id, List.<Item[]>of(new Item[] {new Item("a", List.of(id, 2))}));
    }

    @Test
    void a_record_and_what_it_is_made_of_arrives_whole() {
        var tasks = subject(Task.class);
        try (var in = tasks.receiver(members.get(1));
                var out = sender(tasks)) {
            out.send(task(7));
            var got = in.receive();
            assertThat(got.id()).isEqualTo(7);
            assertThat(got.rows().getFirst()[0]).isEqualTo(new Item("a", List.of(7, 2)));
        }
    }

    @Test
    void a_loop_ends_when_the_last_sender_has_gone() throws Exception {
        var numbers = subject(Integer.class);
        var got = new ArrayList<Integer>();
        try (var in = numbers.receiver(members.get(1))) {
            var looping =
                    Background.call(() -> {
                        for (var number : in) {
                            got.add(number);
                        }
                        return true;
                    });
            try (var out = sender(numbers)) {
                for (int i = 0; i < 1000; i++) {
                    out.send(i);
                }
            }
            assertThat(looping.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(got).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @Test
    void a_loop_that_begins_when_all_have_gone_ends_at_once() {
        var numbers = subject(Integer.class);
        try (var in = numbers.receiver(members.get(1))) {
            try (var out = sender(numbers)) {
                out.send(1);
                assertThat(in.receive()).isEqualTo(1);
            }
            assertThat(in).isEmpty();
        }
    }

    @Test
    void a_handler_gets_the_object_and_from_whom() throws Exception {
        var moves = subject(Move.class);
        var got = new LinkedBlockingQueue<Object>();
        var handler =
                (OriginHandler<Move>)
                        (move, from) -> {
                            got.add(move);
                            got.add(from);
                        };
        try (var _ = moves.originReceiver(members.get(1), handler);
                var out = sender(moves)) {
            out.send(new Step(3));
            out.send(new Stop());
            var me = new Origin(members.get(0).id(), moves.name());
            for (var wanted : List.of(new Step(3), me, new Stop(), me)) {
                assertThat(got.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(wanted);
            }
        }
    }

    @Test
    void what_a_handler_throws_is_told_to_the_hook_and_it_goes_on() throws Exception {
        var told = new LinkedBlockingQueue<Object>();
        var numbers = subject(Integer.class).failures((_, _, why) -> told.add(why.getMessage()));
        Handler<Integer> handler =
                number -> {
                    if (number < 2) {
                        throw new java.io.IOException("no " + number);
                    }
                    told.add(number);
                };
        try (var _ = numbers.receiver(members.get(1), handler);
                var out = sender(numbers)) {
            for (int i = 0; i < 3; i++) {
                out.send(i);
            }
            for (var wanted : List.<Object>of("no 0", "no 1", 2)) {
                assertThat(told.poll(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(wanted);
            }
        }
    }

    @Test
    void what_is_not_let_in_is_thrown_or_skipped_and_told() {
        var told = new ArrayList<Throwable>();
        var things = subject(Serializable.class).failures((_, _, why) -> told.add(why));
        try (var in = things.receiver(members.get(1))) {
            try (var out = sender(things)) {
                out.send(new Stranger());
                assertThatThrownBy(in::receive).isInstanceOf(ObjectRefused.class);
                out.send(new Stranger());
                out.send("good");
            }
            assertThat(in).containsExactly("good");
        }
        assertThat(told).singleElement().isInstanceOf(ObjectRefused.class);
    }

    @Test
    void an_object_of_another_kind_says_both_kinds() {
        var numbers = subject(Integer.class);
        var texts = Subject.of(numbers.name(), String.class);
        try (var in = texts.receiver(members.get(1));
                var out = sender(numbers)) {
            out.send(1);
            assertThatThrownBy(in::receive)
                    .isInstanceOf(UnexpectedObject.class)
                    .hasMessageContaining("java.lang.Integer")
                    .hasMessageContaining("java.lang.String");
        }
    }

    @Test
    void a_port_of_the_same_type_is_understood_both_ways() {
        var texts = subject(String.class);
        assertThat(texts.type().data()).isEqualTo(Data.OBJECT);
        try (var in = texts.receiver(members.get(1));
                var out = SendPort.open(members.get(0), texts.type(), "plain")) {
            out.connect(members.get(1).id(), texts.name());
            try (var message = out.newMessage()) {
                message.writeObject("long form").finish();
            }
            assertThat(in.receive()).isEqualTo("long form");
        }
        try (var in = ReceivePort.open(members.get(1), texts.type(), texts.name());
                var out = sender(texts)) {
            out.send("short form");
            try (var message = in.receive()) {
                assertThat(message.readObject()).isEqualTo("short form");
                assertThat(message.remaining()).isZero();
            }
        }
    }

    @Test
    void waits_no_longer_than_it_is_told() {
        var numbers = subject(Integer.class);
        try (var in = numbers.receiver(members.get(1));
                var out = sender(numbers)) {
            assertThat(in.poll()).isNull();
            assertThat(in.receive(java.time.Duration.ofMillis(1))).isNull();
            out.send(4);
            assertThat(in.receive(LIMIT)).isEqualTo(4);
        }
    }
}
