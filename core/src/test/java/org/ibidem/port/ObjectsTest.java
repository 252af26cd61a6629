package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Objects inside messages: what is said once on a connection, and what once in a message.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp", "fragment(size=128) > tcp"})
@Timeout(60)
class ObjectsTest {
    private final PortType type;
    @AutoClose private final Pair pair = new Pair();

    ObjectsTest(String stack) {
        this.type = PortType.oneToOne().stack(stack).data(Data.OBJECT);
    }

    /// Something with references.
    static final class Tree implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;
        Tree left;
        Tree right;
        final String theNameOfTheTree;

        Tree(int number) {
            this.number = number;
            this.theNameOfTheTree = "tree " + number;
        }

        int sum() {
            return number + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
        }
    }

    static final class NotSerializable {}

    private static Tree tree(int depth) {
        var tree = new Tree(depth);
        if (depth > 0) {
            tree.left = tree(depth - 1);
            tree.right = tree(depth - 1);
        }
        return tree;
    }

    private ReceivePort receiver(PortType what, String name) {
        return pair.receive(pair.there, what, name);
    }

    private SendPort sender(PortType what) {
        return pair.send(pair.here, what, "out");
    }

    private static long send(SendPort out, Object... graphs) {
        try (var message = out.newMessage()) {
            for (var graph : graphs) {
                message.writeObject(graph);
            }
            return message.finish();
        }
    }

    private static List<Object> receive(ReceivePort in, int count) {
        try (var message = in.receive()) {
            var graphs = new ArrayList<Object>();
            for (int i = 0; i < count; i++) {
                graphs.add(message.readObject());
            }
            return graphs;
        }
    }

    @Test
    void a_class_is_described_once_on_a_connection_even_if_nobody_reads_the_message() {
        try (var in = receiver(type, "in");
                var out = sender(type)) {
            out.connect(pair.there.id(), "in");
            long first = send(out, new Tree(1));
            in.receive().close();
            long second = send(out, new Tree(2));
            assertThat(first - second).isGreaterThan("theNameOfTheTree".length());
            assertThat(((Tree) receive(in, 1).getFirst()).number).isEqualTo(2);
            long third = send(out, 1, tree(3), "x");
            try (var message = in.receive()) {
                assertThat(message.readObject()).isEqualTo(1);
            }
            assertThat(third).isPositive();
            send(out, tree(4));
            assertThat(((Tree) receive(in, 1).getFirst()).sum()).isEqualTo(tree(4).sum());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"object", "jdk"})
    void the_graphs_of_a_message_share_objects_until_reset_and_those_of_two_do_not(String by) {
        var mine = type.objects(by);
        try (var in = receiver(mine, "in");
                var out = sender(mine)) {
            out.connect(pair.there.id(), "in");
            var tree = tree(2);
            try (var message = out.newMessage()) {
                message.writeObject(tree).writeInt(5).writeObject(List.of(tree, tree.left));
                message.reset().writeObject(tree).writeObject(tree).finish();
            }
            send(out, tree);
            try (var message = in.receive()) {
                var first = (Tree) message.readObject();
                assertThat(message.readInt()).isEqualTo(5);
                var list = (List<?>) message.readObject();
                assertThat(list.getFirst()).isSameAs(first);
                assertThat(list.getLast()).isSameAs(first.left);
                var again = message.readObject();
                assertThat(again).isNotSameAs(first);
                assertThat(message.readObject()).isSameAs(again);
            }
            assertThat(((Tree) receive(in, 1).getFirst()).sum()).isEqualTo(tree.sum());
        }
    }

    /// The beginning of the message has left, and cannot say any more that nothing is named.
    @Test
    void an_object_is_named_after_the_first_of_the_message_has_left() {
        try (var in = receiver(type, "in");
                var out = sender(type)) {
            out.connect(pair.there.id(), "in");
            for (int i = 0; i < 3; i++) {
                var tree = tree(2);
                try (var message = out.newMessage()) {
                    message.writeObject(tree).flush().writeObject(tree.right).finish();
                }
                try (var message = in.receive()) {
                    var first = (Tree) message.readObject();
                    assertThat(first.sum()).isEqualTo(tree.sum());
                    assertThat(message.readObject()).isSameAs(first.right);
                }
            }
        }
    }

    @Test
    void who_connects_late_gets_the_descriptions_it_lacks() {
        var many = PortType.oneToMany().stack(type.stack()).data(Data.OBJECT);
        try (var early = receiver(many, "early");
                var late = receiver(many, "late");
                var out = sender(many)) {
            out.connect(pair.there.id(), "early");
            send(out, new Tree(1));
            assertThat(((Tree) receive(early, 1).getFirst()).number).isEqualTo(1);
            out.connect(pair.there.id(), "late");
            send(out, new Tree(2));
            for (var in : List.of(early, late)) {
                assertThat(((Tree) receive(in, 1).getFirst()).number).isEqualTo(2);
            }
            out.disconnect(pair.there.id(), "early");
            send(out, new Tree(3));
            assertThat(((Tree) receive(late, 1).getFirst()).number).isEqualTo(3);
        }
    }

    @Test
    void who_connects_to_another_port_says_all_anew() {
        try (var first = receiver(type, "first");
                var second = receiver(type, "second");
                var out = sender(type)) {
            for (var in : List.of(first, second)) {
                out.connect(pair.there.id(), in.name());
                send(out, new Tree(1));
                assertThat(((Tree) receive(in, 1).getFirst()).number).isEqualTo(1);
                out.disconnect();
            }
        }
    }

    @Test
    void several_senders_have_numbers_of_their_own() {
        var many = PortType.manyToOne().stack(type.stack()).data(Data.OBJECT);
        try (var in = receiver(many, "in");
                var one = sender(many);
                var other = sender(many)) {
            one.connect(pair.there.id(), "in");
            other.connect(pair.there.id(), "in");
            for (int round = 0; round < 3; round++) {
                send(one, new Tree(round), new Tree[] {new Tree(1)});
                assertThat(((Tree) receive(in, 2).getFirst()).number).isEqualTo(round);
                send(other, new Object[] {new Tree[] {new Tree(round)}});
                var got = (Tree[]) receive(in, 1).getFirst();
                assertThat(got[0].number).isEqualTo(round);
            }
        }
    }

    @Test
    void descriptions_in_a_message_given_up_are_said_again() throws Exception {
        try (var in = receiver(type, "in");
                var out = sender(type)) {
            out.connect(pair.there.id(), "in");
            var large = IntStream.range(0, 30_000).mapToObj(Tree::new).toArray(Tree[]::new);
            var writing =
                    Background.call(() -> {
                        for (int size : new int[] {0, 1, 30_000}) {
                            try (var message = out.newMessage()) {
                                message.writeObject(java.util.Arrays.copyOf(large, size));
                            }
                        }
                        return send(out, new Tree(7), new Tree[0]);
                    });
            Object got = null;
            while (got == null) {
                try {
                    got = receive(in, 1).getFirst();
                } catch (MessageAbandoned _) {
                    // the large one
                }
            }
            assertThat(((Tree) got).number).isEqualTo(7);
            writing.get();
        }
    }

    @Test
    void what_cannot_be_sent_is_refused_and_the_rest_of_the_message_is_read() {
        try (var in = receiver(type, "in");
                var out = sender(type)) {
            out.connect(pair.there.id(), "in");
            try (var message = out.newMessage()) {
                assertThatThrownBy(() ->
                                message.writeObject(List.of(new Tree(1), new NotSerializable())))
                        .isInstanceOf(ObjectRefused.class)
                        .hasMessageContaining("NotSerializableException")
                        .hasMessageContaining("ObjectsTest$NotSerializable");
                message.writeInt(3).writeObject(new Tree(4)).finish();
            }
            try (var message = in.receive()) {
                assertThatThrownBy(message::readObject)
                        .isInstanceOf(ObjectRefused.class)
                        .hasMessageContaining("the writer failed");
                assertThat(message.readInt()).isEqualTo(3);
                assertThat(((Tree) message.readObject()).number).isEqualTo(4);
            }
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"jdk", "object", "extended"})
    void ports_without_tags_or_reliability_carry_objects_too(String serializer) {
        for (var what :
                List.of(
                        type.objects(serializer),
                        type.objects(serializer).with(Capability.UNCHECKED),
                        type.objects(serializer).without(Capability.RELIABLE))) {
            try (var in = receiver(what, "in");
                    var out = sender(what)) {
                out.connect(pair.there.id(), "in");
                for (int round = 0; round < 3; round++) {
                    send(out, tree(3), new double[50_000], "x");
                    if (round == 1) {
                        in.receive().close();
                    } else {
                        var got = receive(in, 3);
                        assertThat(((Tree) got.getFirst()).sum()).isEqualTo(tree(3).sum());
                        assertThat((double[]) got.get(1)).hasSize(50_000);
                    }
                }
            }
        }
    }

    private static class Origin {
        final int number;

        Origin(int number) {
            this.number = number;
        }
    }

    private static final class Branch extends Origin {
        final String name = String.valueOf(number);
        Branch self = this;

        Branch(int number) {
            super(number);
        }
    }

    private record Twig(int length, Branch branch, Origin origin) {}

    @Test
    void what_is_not_serializable_travels_where_the_type_says_extended() {
        var branch = new Branch(5);
        var twig = new Twig(3, branch, new Origin(6));
        var extended = type.objects("extended");
        try (var in = receiver(extended, "in");
                var out = sender(extended)) {
            out.connect(pair.there.id(), "in");
            send(out, branch, twig);
            var got = receive(in, 2);
            var first = (Branch) got.getFirst();
            assertThat(first.number).isEqualTo(5);
            assertThat(first.name).isEqualTo("5");
            assertThat(first.self).isSameAs(first);
            var second = (Twig) got.getLast();
            assertThat(second.branch).isSameAs(first);
            assertThat(second.origin.number).isEqualTo(6);
            assertThat(second.length).isEqualTo(3);
        }
        try (var in = receiver(type, "in");
                var out = sender(type)) {
            out.connect(pair.there.id(), "in");
            try (var message = out.newMessage()) {
                for (var graph : List.of(branch, twig)) {
                    assertThatThrownBy(() -> message.writeObject(graph))
                            .isInstanceOf(ObjectRefused.class)
                            .hasMessageContaining("NotSerializableException")
                            .hasMessageContaining(graph.getClass().getName());
                }
                message.writeInt(3).finish();
            }
            in.receive().close();
        }
    }

    @Test
    void types_say_what_they_carry_and_data_refuses_objects() {
        var data = PortType.oneToOne().stack(type.stack());
        assertThat(data.toString()).contains(" data ");
        assertThat(type.toString()).contains(" object ");
        assertThat(type.objects("jdk").toString()).contains(" object(jdk) ");
        try (var in = receiver(data, "in");
                var out = sender(data)) {
            out.connect(pair.there.id(), "in");
            try (var message = out.newMessage()) {
                assertThatThrownBy(() -> message.writeObject("x"))
                        .isInstanceOf(ObjectRefused.class)
                        .hasMessageContaining("carries no objects");
                message.writeInt(1).finish();
            }
            try (var message = in.receive()) {
                assertThatThrownBy(message::readObject).isInstanceOf(ObjectRefused.class);
                assertThat(message.readInt()).isEqualTo(1);
            }
        }
    }

    /// To end a message resets tables, which costs as much as a small message.
    @Test
    void messages_without_objects_do_not_ask_the_serializer() {
        var counted = type.objects(CountedSerializer.NAME);
        try (var in = receiver(counted, "counted");
                var out = sender(counted)) {
            out.connect(pair.there.id(), "counted");
            CountedSerializer.WRITTEN.set(0);
            CountedSerializer.READ.set(0);
            send(out, List.of(1, 2));
            assertThat(receive(in, 1)).containsExactly(List.of(1, 2));
            for (int i = 0; i < 10; i++) {
                send(out);
                receive(in, 0);
            }
            send(out, List.of(3)); // the end of a message is seen to when the next is received
            assertThat(receive(in, 1)).containsExactly(List.of(3));
            send(out);
            receive(in, 0);
            assertThat(CountedSerializer.WRITTEN).hasValue(2);
            assertThat(CountedSerializer.READ).hasValue(2);
        }
    }
}
