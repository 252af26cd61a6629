package org.ibidem.lab.bench.serial;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Protocol Buffers as their generated classes write and read them, tag by tag through the
/// library's own streams, but straight from and into the objects: without the message objects that
/// a program would have to copy them to and from.
///
/// Arrays of numbers are packed fields of fixed size. What Protocol Buffers are not for (lists as
/// deep as they are long, classes of somebody else) is not played.
final class ProtobufCoder implements Coder {
    private static final int ROOM = 64 << 20;

    private final byte[] page = new byte[ROOM];
    private final ProtobufSizes sizes = new ProtobufSizes();
    private final ProtobufOrder orders = new ProtobufOrder(sizes);
    private Class<?> last = Object.class;
    private int length;

    /// Whether it has a message for this work.
    static boolean plays(String work) {
        return switch (work) {
            case "list", "finals", "closed" -> false;
            default -> true;
        };
    }

    @Override
    public int write(Object graph) throws IOException {
        last = graph.getClass();
        var out = CodedOutputStream.newInstance(page);
        sizes.clear();
        switch (graph) {
            case Node node -> {
                size(node);
                sizes.rewind();
                write(out, node);
            }
            case Order order -> {
                orders.size(order);
                sizes.rewind();
                orders.write(out, order);
            }
            case byte[] all -> out.writeByteArray(1, all);
            case int[] all -> {
                packed(out, all.length * Integer.BYTES);
                for (int each : all) {
                    out.writeSFixed32NoTag(each);
                }
            }
            case double[] all -> {
                packed(out, all.length * Double.BYTES);
                for (double each : all) {
                    out.writeDoubleNoTag(each);
                }
            }
            case Odd.Point[] all -> write(out, all);
            default -> throw new IllegalArgumentException("no message for " + graph.getClass());
        }
        out.flush();
        length = out.getTotalBytesWritten();
        return length;
    }

    @Override
    public @Nullable Object read() throws IOException {
        var in = CodedInputStream.newInstance(page, 0, length);
        if (last == Node.class) {
            return readNode(in);
        }
        if (last == Order.class) {
            return orders.read(in);
        }
        in.readTag();
        if (last == byte[].class) {
            return in.readByteArray();
        }
        if (last == int[].class) {
            var all = new int[in.readRawVarint32() / Integer.BYTES];
            for (int i = 0; i < all.length; i++) {
                all[i] = in.readSFixed32();
            }
            return all;
        }
        if (last == double[].class) {
            var all = new double[in.readRawVarint32() / Double.BYTES];
            for (int i = 0; i < all.length; i++) {
                all[i] = in.readDouble();
            }
            return all;
        }
        return readPoints(in);
    }

    private static void packed(CodedOutputStream out, int bytes) throws IOException {
        out.writeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt32NoTag(bytes);
    }

    private int size(Node node) {
        int slot = sizes.slot();
        int size =
                CodedOutputStream.computeSInt32Size(1, node.a)
                        + CodedOutputStream.computeSInt32Size(2, node.b)
                        + CodedOutputStream.computeSInt32Size(3, node.c)
                        + CodedOutputStream.computeSInt32Size(4, node.d);
        if (node.left != null) {
            size += ProtobufSizes.field(size(node.left));
        }
        if (node.right != null) {
            size += ProtobufSizes.field(size(node.right));
        }
        return sizes.set(slot, size);
    }

    private void write(CodedOutputStream out, Node node) throws IOException {
        sizes.next();
        out.writeSInt32(1, node.a);
        out.writeSInt32(2, node.b);
        out.writeSInt32(3, node.c);
        out.writeSInt32(4, node.d);
        if (node.left != null) {
            sizes.begin(out, 5);
            write(out, node.left);
        }
        if (node.right != null) {
            sizes.begin(out, 6);
            write(out, node.right);
        }
    }

    private static Node readNode(CodedInputStream in) throws IOException {
        var node = new Node();
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> node.a = in.readSInt32();
                case 2 -> node.b = in.readSInt32();
                case 3 -> node.c = in.readSInt32();
                case 4 -> node.d = in.readSInt32();
                case 5 -> {
                    int outer = in.pushLimit(in.readRawVarint32());
                    node.left = readNode(in);
                    in.popLimit(outer);
                }
                case 6 -> {
                    int outer = in.pushLimit(in.readRawVarint32());
                    node.right = readNode(in);
                    in.popLimit(outer);
                }
                default -> in.skipField(tag);
            }
        }
        return node;
    }

    private static void write(CodedOutputStream out, Odd.Point[] all) throws IOException {
        for (var point : all) {
            packed(
                    out,
                    CodedOutputStream.computeSInt32Size(1, point.x())
                            + CodedOutputStream.computeSInt32Size(2, point.y())
                            + CodedOutputStream.computeInt64Size(3, point.time()));
            out.writeSInt32(1, point.x());
            out.writeSInt32(2, point.y());
            out.writeInt64(3, point.time());
        }
    }

    private static Odd.Point[] readPoints(CodedInputStream in) throws IOException {
        var all = new ArrayList<Odd.Point>();
        do {
            int outer = in.pushLimit(in.readRawVarint32());
            int x = 0;
            int y = 0;
            long time = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                switch (WireFormat.getTagFieldNumber(tag)) {
                    case 1 -> x = in.readSInt32();
                    case 2 -> y = in.readSInt32();
                    case 3 -> time = in.readInt64();
                    default -> in.skipField(tag);
                }
            }
            in.popLimit(outer);
            all.add(new Odd.Point(x, y, time));
        } while (in.readTag() != 0);
        return all.toArray(Odd.Point[]::new);
    }
}
