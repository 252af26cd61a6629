package org.ibidem.lab.bench.serial;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Loops written by hand for these very classes: what nobody can beat by much. It reads what it
/// knows to have written last, knows every class in advance and trusts every length.
final class HandCoder implements Coder {
    private static final int ROOM = 64 << 20;
    private static final int TABLE = 4096;
    private static final int SPREAD = 0x9E3779B9;
    private static final int SHIFT = 20;

    private final boolean table;
    private final HandBytes bytes = new HandBytes(ROOM);
    private final MemorySegment memory = MemorySegment.ofArray(bytes.page);
    private final HandOrder orders = new HandOrder(bytes);
    private Class<?> last = Object.class;

    private final @Nullable Object[] keys = new @Nullable Object[TABLE];
    private final int[] handles = new int[TABLE];
    private @Nullable Object[] objects = new @Nullable Object[TABLE];
    private int count;

    /// @param table whether it finds out which objects are shared; only the tree has any
    HandCoder(boolean table) {
        this.table = table;
    }

    @Override
    public int write(Object graph) {
        bytes.at = 0;
        last = graph.getClass();
        switch (graph) {
            case Node node -> {
                if (table) {
                    Arrays.fill(keys, null);
                    count = 0;
                    writeShared(node);
                } else {
                    write(node);
                }
            }
            case Order order -> orders.write(order);
            case byte[] all -> {
                bytes.putInt(all.length);
                System.arraycopy(all, 0, bytes.page, bytes.at, all.length);
                bytes.at += all.length;
            }
            case int[] all -> {
                bytes.putInt(all.length);
                var layout = ValueLayout.JAVA_INT_UNALIGNED;
                MemorySegment.copy(all, 0, memory, layout, bytes.at, all.length);
                bytes.at += all.length * Integer.BYTES;
            }
            case double[] all -> {
                bytes.putInt(all.length);
                var layout = ValueLayout.JAVA_DOUBLE_UNALIGNED;
                MemorySegment.copy(all, 0, memory, layout, bytes.at, all.length);
                bytes.at += all.length * Double.BYTES;
            }
            case Odd.Link link -> writeList(link);
            case Object[] all -> writeAll(all);
            default -> throw new IllegalArgumentException("no loop for " + graph.getClass());
        }
        return bytes.at;
    }

    @Override
    public @Nullable Object read() {
        bytes.at = 0;
        if (last == Node.class) {
            return table ? readAll() : readNode();
        }
        if (last == Order.class) {
            return orders.read();
        }
        if (last == byte[].class) {
            var all = new byte[bytes.getInt()];
            System.arraycopy(bytes.page, bytes.at, all, 0, all.length);
            return all;
        }
        if (last == int[].class) {
            var all = new int[bytes.getInt()];
            var layout = ValueLayout.JAVA_INT_UNALIGNED;
            MemorySegment.copy(memory, layout, bytes.at, all, 0, all.length);
            return all;
        }
        if (last == double[].class) {
            var all = new double[bytes.getInt()];
            var layout = ValueLayout.JAVA_DOUBLE_UNALIGNED;
            MemorySegment.copy(memory, layout, bytes.at, all, 0, all.length);
            return all;
        }
        return last == Odd.Link.class ? readList() : readArray();
    }

    /// The beginning of what was written last.
    byte[] copy(int count) {
        return Arrays.copyOf(bytes.page, count);
    }

    private void write(Node node) {
        int at = bytes.at;
        bytes.set(at, node.a, node.b, node.c, node.d);
        var left = node.left;
        var right = node.right;
        bytes.page[at + 16] = (byte) ((left == null ? 0 : 1) | (right == null ? 0 : 2));
        bytes.at = at + 17;
        if (left != null) {
            write(left);
        }
        if (right != null) {
            write(right);
        }
    }

    private Node readNode() {
        int at = bytes.at;
        var node = new Node();
        get(node, at);
        int flags = bytes.page[at + 16];
        bytes.at = at + 17;
        if ((flags & 1) != 0) {
            node.left = readNode();
        }
        if ((flags & 2) != 0) {
            node.right = readNode();
        }
        return node;
    }

    private void get(Node node, int at) {
        node.a = bytes.intAt(at);
        node.b = bytes.intAt(at + 4);
        node.c = bytes.intAt(at + 8);
        node.d = bytes.intAt(at + 12);
    }

    @SuppressWarnings("ReferenceEquality") // identity is what it looks for
    private int find(Object object) {
        int i = ((System.identityHashCode(object) * SPREAD) >>> SHIFT) & (TABLE - 1);
        for (var key = keys[i]; key != null; key = keys[i]) {
            if (key == object) {
                return handles[i];
            }
            i = (i + 1) & (TABLE - 1);
        }
        keys[i] = object;
        handles[i] = count++;
        return -1;
    }

    private void writeShared(@Nullable Node node) {
        int at = bytes.at;
        if (node == null) {
            bytes.page[at] = 0;
            bytes.at = at + 1;
            return;
        }
        int handle = find(node);
        if (handle >= 0) {
            bytes.page[at] = 2;
            bytes.at = at + 1;
            bytes.putInt(handle);
            return;
        }
        bytes.page[at] = 1;
        bytes.set(at + 1, node.a, node.b, node.c, node.d);
        bytes.at = at + 17;
        writeShared(node.left);
        writeShared(node.right);
    }

    private @Nullable Object readAll() {
        count = 0;
        var root = readShared();
        Arrays.fill(objects, 0, count, null);
        return root;
    }

    private @Nullable Node readShared() {
        int at = bytes.at;
        int tag = bytes.page[at];
        bytes.at = at + 1;
        if (tag == 0) {
            return null;
        }
        if (tag == 2) {
            return (Node) objects[bytes.getInt()];
        }
        var node = new Node();
        objects[count++] = node;
        get(node, at + 1);
        bytes.at = at + 17;
        node.left = readShared();
        node.right = readShared();
        return node;
    }

    private void writeList(Odd.Link first) {
        for (var link = first; link != null; link = link.next) {
            bytes.page[bytes.at++] = 1;
            bytes.putInt(link.value);
        }
        bytes.page[bytes.at++] = 0;
    }

    private @Nullable Object readList() {
        var before = new Odd.Link();
        for (var last = before; bytes.page[bytes.at++] != 0; ) {
            var link = new Odd.Link();
            link.value = bytes.getInt();
            last.next = link;
            last = link;
        }
        return before.next;
    }

    private void writeAll(@Nullable Object[] all) {
        bytes.putInt(all.length);
        for (var one : all) {
            switch (one) {
                case Odd.Point(int x, int y, long time) -> {
                    bytes.putInt(x);
                    bytes.putInt(y);
                    bytes.putLong(time);
                }
                case Odd.Finals f -> {
                    bytes.putInt(f.a);
                    bytes.putLong(f.b);
                    bytes.putLong(Double.doubleToRawLongBits(f.c));
                    bytes.putText(f.name);
                    bytes.putInt(f.numbers.length);
                    for (int number : f.numbers) {
                        bytes.putInt(number);
                    }
                }
                case PriorityQueue<?> queue -> {
                    bytes.putInt(queue.size());
                    queue.forEach(element -> bytes.putInt((Integer) element));
                }
                case null, default -> throw new IllegalArgumentException("no loop for " + one);
            }
        }
    }

    private Object readArray() {
        int length = bytes.getInt();
        if (last == Odd.Point[].class) {
            var all = new Odd.Point[length];
            for (int i = 0; i < length; i++) {
                all[i] = new Odd.Point(bytes.getInt(), bytes.getInt(), bytes.getLong());
            }
            return all;
        }
        if (last == Odd.Finals[].class) {
            var all = new Odd.Finals[length];
            for (int i = 0; i < length; i++) {
                all[i] = readFinals();
            }
            return all;
        }
        var all = new PriorityQueue<?>[length];
        for (int i = 0; i < length; i++) {
            int size = bytes.getInt();
            var queue = new PriorityQueue<Integer>(Math.max(1, size));
            for (int j = 0; j < size; j++) {
                queue.add(bytes.getInt());
            }
            all[i] = queue;
        }
        return all;
    }

    private Odd.Finals readFinals() {
        int a = bytes.getInt();
        long b = bytes.getLong();
        double c = Double.longBitsToDouble(bytes.getLong());
        var name = bytes.getText();
        var numbers = new int[bytes.getInt()];
        for (int j = 0; j < numbers.length; j++) {
            numbers[j] = bytes.getInt();
        }
        return new Odd.Finals(a, b, c, name, numbers);
    }
}
