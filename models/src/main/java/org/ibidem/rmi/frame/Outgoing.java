package org.ibidem.rmi.frame;

import java.util.concurrent.CompletableFuture;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;
import org.jspecify.annotations.Nullable;

/// A call as its caller makes it: arguments are put in their order, straight into the message; then
/// it is called, by the method for the kind of its result. What fails before is thrown then, so
/// generated code need not clean up.
public abstract class Outgoing {
    private RemoteMethod method;

    private final Exchange exchange;
    private @Nullable WriteMessage message;
    private @Nullable Throwable failure;
    private long bits;
    private @Nullable Object object;

    /// A call that has not begun.
    protected Outgoing(Exchange exchange, RemoteMethod method) {
        this.exchange = exchange;
        this.method = method;
    }

    /// What is called.
    protected final RemoteMethod method() {
        return method;
    }

    /// It is over, and is another call from now on, which has not begun.
    protected final void again(RemoteMethod other) {
        method = other;
        message = null;
        failure = null;
        object = null;
    }

    /// It has given its result, and its caller does not look at it any more.
    protected abstract void done();

    /// It has begun: arguments go here.
    protected final void into(WriteMessage arguments) {
        message = arguments;
    }

    /// It cannot be made.
    protected final void failed(Throwable why) {
        if (failure == null) {
            failure = why;
        }
    }

    /// Its arguments are all there, or it has failed: sends it, or gives it up, and waits until it
    /// is over where that is wanted.
    ///
    /// @param arguments null: it did not begin
    /// @param why null: it has not failed
    /// @return null: it has a result, which was taken by [#result]; else what to throw
    protected abstract @Nullable Throwable perform(
            @Nullable WriteMessage arguments, @Nullable Throwable why);

    /// The same without waiting.
    protected abstract CompletableFuture<@Nullable Object> start(
            @Nullable WriteMessage arguments, @Nullable Throwable why);

    /// Takes its result from a message.
    protected final void result(RemoteMethod.Kind kind, ReadMessage from) {
        switch (kind) {
            case VOID -> {}
            case BOOLEAN -> bits = from.readBoolean() ? 1 : 0;
            case BYTE -> bits = from.readByte();
            case SHORT -> bits = from.readShort();
            case CHAR -> bits = from.readChar();
            case INT -> bits = from.readInt();
            case LONG -> bits = from.readLong();
            case FLOAT -> bits = Float.floatToRawIntBits(from.readFloat());
            case DOUBLE -> bits = Double.doubleToRawLongBits(from.readDouble());
            case OBJECT, FUTURE -> object = objectOf(from);
        }
    }

    private @Nullable Object objectOf(ReadMessage from) {
        var before = Exchange.enter(exchange);
        try {
            return from.readObject();
        } finally {
            Exchange.enter(before);
        }
    }

    /// Its result, in a box where it is a primitive.
    protected final @Nullable Object boxed(RemoteMethod.Kind kind) {
        return switch (kind) {
            case VOID -> null;
            case BOOLEAN -> bits != 0;
            case BYTE -> (byte) bits;
            case SHORT -> (short) bits;
            case CHAR -> (char) bits;
            case INT -> (int) bits;
            case LONG -> bits;
            case FLOAT -> Float.intBitsToFloat((int) bits);
            case DOUBLE -> Double.longBitsToDouble(bits);
            case OBJECT, FUTURE -> object;
        };
    }

    private void call() {
        var thrown = perform(message, failure);
        if (thrown != null) {
            throw Outgoing.<RuntimeException>unchecked(thrown);
        }
    }

    private long result() {
        call();
        long result = bits;
        done();
        return result;
    }

    /// What a method declares is for the runtime to see to; generated code cares for nothing.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /// Puts an argument.
    public final void putObject(@Nullable Object value) {
        var to = message;
        if (failure != null || to == null) {
            return;
        }
        var before = Exchange.enter(exchange);
        try {
            to.writeObject(value);
        } catch (Throwable e) {
            failed(e);
        } finally {
            Exchange.enter(before);
        }
    }

    /// Puts an argument.
    public final void put(boolean value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeBoolean(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(byte value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeByte(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(short value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeShort(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(char value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeChar(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(int value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeInt(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(long value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeLong(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(float value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeFloat(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Puts an argument.
    public final void put(double value) {
        var to = message;
        if (failure == null && to != null) {
            try {
                to.writeDouble(value);
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    /// Calls it, for nothing.
    public final void callVoid() {
        call();
        done();
    }

    /// Calls it, for an object.
    public final @Nullable Object callObject() {
        call();
        var result = object;
        object = null;
        done();
        return result;
    }

    /// Calls it, for a future.
    public final CompletableFuture<@Nullable Object> callFuture() {
        return start(message, failure);
    }

    /// Calls it, for a primitive.
    public final boolean callBoolean() {
        return result() != 0;
    }

    /// Calls it, for a primitive.
    public final byte callByte() {
        return (byte) result();
    }

    /// Calls it, for a primitive.
    public final short callShort() {
        return (short) result();
    }

    /// Calls it, for a primitive.
    public final char callChar() {
        return (char) result();
    }

    /// Calls it, for a primitive.
    public final int callInt() {
        return (int) result();
    }

    /// Calls it, for a primitive.
    public final long callLong() {
        return result();
    }

    /// Calls it, for a primitive.
    public final float callFloat() {
        return Float.intBitsToFloat((int) result());
    }

    /// Calls it, for a primitive.
    public final double callDouble() {
        return Double.longBitsToDouble(result());
    }
}
