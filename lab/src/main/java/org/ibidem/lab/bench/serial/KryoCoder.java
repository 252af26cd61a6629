package org.ibidem.lab.bench.serial;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// Kryo, with its classes registered.
final class KryoCoder implements Coder {
    private static final int ROOM = 64 << 20;

    private final Kryo kryo = new Kryo();
    private final byte[] buffer = new byte[ROOM];
    private final Output out = new Output(buffer);
    private final Input in = new Input();

    KryoCoder(boolean references) {
        kryo.setReferences(references);
        kryo.setRegistrationRequired(true);
        Work.CLASSES.forEach(kryo::register);
        kryo.register(PriorityQueue.class, new JavaSerializer()); // it cannot look in there
        kryo.setInstantiatorStrategy(
                new org.objenesis.strategy.StdInstantiatorStrategy()); // for finals
    }

    @Override
    public int write(Object graph) {
        out.setPosition(0);
        kryo.writeClassAndObject(out, graph);
        return out.position();
    }

    @Override
    public @Nullable Object read() {
        in.setBuffer(buffer, 0, out.position());
        return kryo.readClassAndObject(in);
    }
}
