package org.ibidem.mpj.data;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.serial.ObjectWriter;

/// Objects as a message. Its static section has a byte for each, which says whether it is there, or
/// null; its dynamic section is one graph, an array of all: who is in two of them arrives once.
final class ObjectMessage implements Outgoing {
    private final MemorySegment memory;
    private final int objects;
    private final long size;
    private long written;

    ObjectMessage(Part part) {
        this.objects = Math.toIntExact(part.elements());
        Object[] array = (Object[]) part.array();
        Object[] all = new Object[objects];
        Walk walk = new Walk(part);
        for (int i = 0; i < objects; i++) {
            all[i] = array[walk.index()];
            walk.skip(1);
        }
        Bytes bytes = new Bytes(objects);
        if (objects > 0) {
            try (ObjectWriter out = ObjectWriter.to(bytes)) {
                out.write(all);
            } catch (IOException e) {
                throw new Fault(ErrorClass.TYPE, "an object cannot be sent: " + e, e);
            }
        }
        this.size = bytes.size();
        this.memory = bytes.memory();
        for (int i = 0; i < objects; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (all[i] == null ? 0 : 1));
        }
    }

    @Override
    public int type() {
        return Kind.OBJECT.code();
    }

    @Override
    public long bytes() {
        return objects;
    }

    @Override
    public long objects() {
        return size - objects;
    }

    @Override
    public void write(MemorySegment into, long at, int count) {
        MemorySegment.copy(memory, written, into, at, count);
        written += count;
    }
}
