package org.ibidem.mpj.device.circuit;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Matcher;
import org.ibidem.mpj.device.Request;
import org.jspecify.annotations.Nullable;

/// A send or a receive that was begun. It changes with the circuit's turn in hand; whether it is
/// over may be asked by any thread.
abstract class Operation extends Matcher.Entry implements Request, BooleanSupplier {
    final CircuitDevice device;
    private @Nullable Envelope result;
    private @Nullable DeviceFailed failure;
    private volatile boolean done;

    Operation(CircuitDevice device) {
        this.device = device;
    }

    /// It is complete.
    void over(Envelope with) {
        if (!done) {
            result = with;
            done = true;
        }
    }

    /// It has failed.
    void failed(DeviceFailed why) {
        if (!done) {
            failure = why;
            done = true;
        }
    }

    /// As what is waited for, without an object of its own.
    @Override
    public boolean getAsBoolean() {
        return done;
    }

    @Override
    public boolean isDone() {
        return done;
    }

    @Override
    public Envelope await() {
        if (!done) {
            device.await(this);
        }
        return outcome();
    }

    @Override
    public @Nullable Envelope test() {
        if (!done) {
            device.progress();
        }
        return done ? outcome() : null;
    }

    private Envelope outcome() {
        var why = failure;
        if (why != null) {
            throw new DeviceFailed(String.valueOf(why.getMessage()), why);
        }
        return Objects.requireNonNull(result);
    }
}
