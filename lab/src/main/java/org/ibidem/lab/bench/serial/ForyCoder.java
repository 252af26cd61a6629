package org.ibidem.lab.bench.serial;

import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.memory.MemoryUtils;
import org.jspecify.annotations.Nullable;

/// Apache Fory, with its classes registered and its code generated before it is measured.
final class ForyCoder implements Coder {
    private static final int ROOM = 64 << 20;
    private static final int DEEPEST = 10_000;

    private final Fory fory;
    private final MemoryBuffer buffer = MemoryUtils.buffer(ROOM);

    ForyCoder(boolean references, boolean compatible) {
        fory =
                Fory.builder()
                        .withXlang(false)
                        .withRefTracking(references)
                        .requireClassRegistration(true)
                        .withNumberCompressed(false)
                        .withStringCompressed(true)
                        .withAsyncCompilation(false)
                        .withCompatible(compatible)
                        .withMaxDepth(DEEPEST)
                        .build();
        for (var type : Work.CLASSES) {
            if (!type.isArray() && type.getName().startsWith("org.ibidem")) {
                fory.register(type);
            }
        }
    }

    @Override
    public int write(Object graph) {
        buffer.writerIndex(0);
        fory.serialize(buffer, graph);
        return buffer.writerIndex();
    }

    @Override
    public @Nullable Object read() {
        buffer.readerIndex(0);
        return fory.deserialize(buffer);
    }
}
