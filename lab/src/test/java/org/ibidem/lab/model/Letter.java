package org.ibidem.lab.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReadMismatch;
import org.ibidem.port.WriteMessage;

/// A message of the model.
///
/// @param id no other has it
/// @param abandoned its sender gives it up after it was flushed
record Letter(long id, List<Item> items, boolean abandoned) {
    private static final int HEAD = Long.BYTES;

    /// One thing in it.
    record Item(Kind kind, Object value) {}

    static Letter some(RandomGenerator random, long id, PortType type) {
        var items = new ArrayList<Item>();
        for (int i = random.nextInt(5); i > 0; i--) {
            var kind = Kind.some(random, type);
            items.add(new Item(kind, kind.make(random)));
        }
        return new Letter(id, List.copyOf(items), random.nextInt(12) == 0);
    }

    /// Writes it; finishes it or not.
    void write(RandomGenerator random, PortType type, WriteMessage message) {
        message.writeArray(ByteBuffer.allocate(HEAD).putLong(id).array());
        for (var item : items) {
            item.kind.write(message, item.value);
            if (random.nextInt(8) == 0 && type.data() == Data.OBJECT) {
                message.reset();
            }
            if (random.nextInt(6) == 0) {
                message.flush();
            } else if (random.nextInt(6) == 0) {
                message.sync(message.send());
            }
        }
        if (abandoned) {
            message.flush();
            message.close();
        } else if (random.nextInt(4) == 0) {
            message.finishHeld();
        } else {
            message.finish();
        }
    }

    /// The id of the message in hand.
    static long idOf(ReadMessage message) {
        var head = new byte[HEAD];
        message.readArray(head);
        return ByteBuffer.wrap(head).getLong();
    }

    /// Reads what is after the id: all of it, or a part; with reads that do not match between.
    void check(RandomGenerator random, ReadMessage message) {
        var type = message.port().type();
        boolean all = random.nextInt(4) > 0;
        for (var item : items) {
            if (!all && random.nextInt(3) == 0) {
                break;
            }
            if (random.nextInt(8) == 0) {
                mismatch(message, type, item.kind);
            }
            var got = item.kind.read(message, item.value);
            assertThat(Objects.deepEquals(got, item.value))
                    .as("%s of message %d reads as it was written", item.kind, id)
                    .isTrue();
        }
        if (all && abandoned) {
            try {
                message.readByte();
                throw new AssertionError("message " + id + " was given up by its sender");
            } catch (MessageAbandoned e) {
                // as it was
            }
        } else if (all) {
            assertThat(message.remaining()).as("bytes left").isIn(0L, -1L);
        }
    }

    private static void mismatch(ReadMessage message, PortType type, Kind next) {
        if (type.has(Capability.UNCHECKED) || type.data() == Data.BYTES) {
            return;
        }
        try {
            if (next == Kind.LONG) {
                message.readFloat();
            } else {
                message.readLong();
            }
            throw new AssertionError("a read that does not match " + next);
        } catch (ReadMismatch e) {
            // and goes on as if nothing had happened
        }
    }

    /// About how many bytes it takes.
    int bytes() {
        return 100 + 900 * items.size();
    }
}
