package org.ibidem.lab.bench;

/// The loops themselves; [Loop] runs copies of this class and never the class itself.
final class Bursts implements Loop.Body {
    private final End end;
    private final Payload out;
    private final Payload in;
    private final Measure.Kind kind;
    private final Payload.Word acknowledgement = new Payload.Word();

    Bursts(Measure measure, End end) {
        this.end = end;
        kind = measure.kind();
        out = measure.payload().get();
        in = measure.payload().get();
    }

    @Override
    public void lead(Burst burst, long[] nanos) throws Exception {
        for (int sample = 0; sample < burst.samples(); sample++) {
            long before = System.nanoTime();
            if (kind == Measure.Kind.PING_PONG) {
                ping(end, burst.times());
            } else {
                stream(end, burst.times());
            }
            nanos[sample] = System.nanoTime() - before;
        }
    }

    @Override
    public void follow(Burst burst) throws Exception {
        for (int sample = 0; sample < burst.samples(); sample++) {
            if (kind == Measure.Kind.PING_PONG) {
                pong(end, burst.times());
            } else {
                sink(end, burst.times());
            }
        }
    }

    private void ping(End over, int times) throws Exception {
        var there = out;
        var back = in;
        for (int i = 0; i < times; i++) {
            there.rewrite(i);
            over.send(there);
            over.receive(back);
            back.verify(i);
        }
    }

    private void pong(End over, int times) throws Exception {
        var payload = in;
        for (int i = 0; i < times; i++) {
            over.receive(payload);
            payload.verify(i);
            over.send(payload);
        }
    }

    private void stream(End over, int times) throws Exception {
        var payload = out;
        for (int i = 0; i < times; i++) {
            payload.rewrite(i);
            over.send(payload);
        }
        over.flush();
        over.receive(acknowledgement);
        acknowledgement.verify(times);
    }

    private void sink(End over, int times) throws Exception {
        var payload = in;
        for (int i = 0; i < times; i++) {
            over.receive(payload);
            payload.verify(i);
        }
        acknowledgement.rewrite(times);
        over.send(acknowledgement);
        over.flush();
    }
}
