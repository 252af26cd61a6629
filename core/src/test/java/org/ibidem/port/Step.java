package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Something that is written into a message, and read out of it as the same.
sealed interface Step {
    void write(WriteMessage message);

    void read(ReadMessage message);

    /// Mostly primitives; half of the time of one kind.
    static List<Step> some(Random random, int count, boolean objects) {
        var steps = new ArrayList<Step>();
        var kinds = Primitive.values();
        var usual = kinds[random.nextInt(kinds.length)];
        for (int i = 0; i < count; i++) {
            steps.add(
                    switch (random.nextInt(16)) {
                        case 0 -> new Array(random.nextInt(20));
                        case 1 -> new Text("é".repeat(random.nextInt(20)));
                        case 2 -> new Flush();
                        case 3 -> objects ? new Graph("object " + i) : new Flush();
                        case 4, 5, 6, 7, 8 -> new Value(usual, random.nextLong());
                        default -> new Value(kinds[random.nextInt(8)], random.nextLong());
                    });
        }
        return steps;
    }

    /// A primitive.
    record Value(Primitive kind, long value) implements Step {
        @Override
        public void write(WriteMessage message) {
            kind.write(message, value);
        }

        @Override
        public void read(ReadMessage message) {
            assertThat(kind.read(message)).isEqualTo(kind.of(value));
        }
    }

    /// An array of so many.
    record Array(int count) implements Step {
        private short[] values() {
            var values = new short[count];
            Arrays.fill(values, (short) (count * 321));
            return values;
        }

        @Override
        public void write(WriteMessage message) {
            message.writeArray(values());
        }

        @Override
        public void read(ReadMessage message) {
            var got = new short[count];
            message.readArray(got);
            assertThat(got).isEqualTo(values());
        }
    }

    /// A string.
    record Text(String text) implements Step {
        @Override
        public void write(WriteMessage message) {
            message.writeString(text);
        }

        @Override
        public void read(ReadMessage message) {
            assertThat(message.readString()).isEqualTo(text);
        }
    }

    /// An object.
    record Graph(String object) implements Step {
        @Override
        public void write(WriteMessage message) {
            message.writeObject(object);
        }

        @Override
        public void read(ReadMessage message) {
            assertThat(message.readObject()).isEqualTo(object);
        }
    }

    /// The end of a frame.
    record Flush() implements Step {
        @Override
        public void write(WriteMessage message) {
            message.flush();
        }

        @Override
        public void read(ReadMessage message) {
            assertThat(message.bytesRead()).isNotNegative();
        }
    }
}
