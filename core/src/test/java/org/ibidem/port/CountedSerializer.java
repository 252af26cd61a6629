package org.ibidem.port;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.config.Services;
import org.ibidem.serial.ObjectIn;
import org.ibidem.serial.ObjectOut;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.Serializer;
import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;

/// The usual serializer, counting how often it is told that a message has ended.
public final class CountedSerializer implements Serializer {
    static final String NAME = "counted";
    static final AtomicInteger WRITTEN = new AtomicInteger();
    static final AtomicInteger READ = new AtomicInteger();

    private static Serializer usual() {
        return Services.of(Serializer.class).stream()
                .filter(one -> one.name().equals(ObjectCoder.USUAL))
                .findAny()
                .orElseThrow();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ObjectOut out(Sink sink) {
        var out = usual().out(sink);
        return new ObjectOut() {
            @Override
            public void write(Object graph) throws IOException {
                out.write(graph);
            }

            @Override
            public void reset() throws IOException {
                out.reset();
            }

            @Override
            public void endMessage() {
                WRITTEN.incrementAndGet();
                out.endMessage();
            }

            @Override
            public void introduce() throws IOException {
                out.introduce();
            }
        };
    }

    @Override
    public ObjectIn in(Source source, ObjectPolicy policy) {
        var in = usual().in(source, policy);
        return new ObjectIn() {
            @Override
            public Object read() throws IOException, ClassNotFoundException {
                return in.read();
            }

            @Override
            public void endMessage() {
                READ.incrementAndGet();
                in.endMessage();
            }

            @Override
            public void describe(byte[] description) {
                in.describe(description);
            }
        };
    }
}
