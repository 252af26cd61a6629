package org.ibidem.rmi.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.Serializable;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// Objects as the bytes in which they travel.
@Isolated("the node of the process is one for the whole JVM")
@Timeout(60)
class MarshalledObjectTest {
    private static OwnPool pool;

    record Parcel(int weight) implements Serializable {}

    static class Box implements Serializable {
        private static final long serialVersionUID = 1L;
        int size = 1;
    }

    @BeforeAll
    static void open() {
        pool = new OwnPool(ObjectPolicy.NOTHING_BUT_VALUES.allow(Box.class));
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    @Test
    void an_object_is_held_as_it_was() throws Exception {
        var box = new Box();
        var held = new MarshalledObject<>(box);
        box.size = 2;
        assertThat(held.get().size).isEqualTo(1);
        assertThat(held.get()).as("each is a copy").isNotSameAs(held.get());
        assertThat(new MarshalledObject<>(null).get()).isNull();
    }

    @Test
    void those_of_the_same_bytes_are_equal() throws IOException {
        var one = new MarshalledObject<>("text");
        var same = new MarshalledObject<>("text");
        var other = new MarshalledObject<>("next");
        var none = new MarshalledObject<>(null);
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(other);
        assertThat(one).isNotEqualTo(none).isNotEqualTo("text");
        assertThat(one.hashCode()).isNotEqualTo(other.hashCode()).isNotZero();
        assertThat(none)
                .isEqualTo(new MarshalledObject<>(null))
                .hasSameHashCodeAs(new java.rmi.MarshalledObject<>(null));
    }

    @Test
    void what_cannot_travel_or_is_not_let_in_is_refused() throws IOException {
        assertThatThrownBy(() -> new MarshalledObject<>(new Object()))
                .isInstanceOf(NotSerializableException.class);
        var refused = new MarshalledObject<>(new Parcel(1));
        assertThatThrownBy(refused::get)
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(Parcel.class.getName());
    }
}
