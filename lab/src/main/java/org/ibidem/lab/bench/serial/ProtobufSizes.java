package org.ibidem.lab.bench.serial;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Arrays;

/// The sizes of nested messages, which stand before them: found out first, in the order in which
/// they are written then. Generated classes keep each in the message object.
final class ProtobufSizes {
    private int[] sizes = new int[1 << 12];
    private int at;

    void clear() {
        at = 0;
    }

    /// A place for the size of a message whose fields are sized next.
    int slot() {
        if (at == sizes.length) {
            sizes = Arrays.copyOf(sizes, 2 * at);
        }
        return at++;
    }

    int set(int slot, int size) {
        sizes[slot] = size;
        return size;
    }

    void rewind() {
        at = 0;
    }

    /// The message that is written now.
    void next() {
        at++;
    }

    /// Begins a field that is the next message.
    void begin(CodedOutputStream out, int number) throws IOException {
        out.writeTag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(sizes[at]);
    }

    /// Bytes of a field with a number below 16 that is a message of so many bytes.
    static int field(int size) {
        return 1 + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }
}
