package org.ibidem.rmi.frame;

import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;
import org.jspecify.annotations.Nullable;

/// A call as it is carried out. Its subclasses are generated, one for each method, with a field for
/// each argument: nothing is boxed.
public abstract class Incoming {
    private long bits;
    private @Nullable Object object;

    /// A call without arguments yet.
    protected Incoming() {}

    /// Another one of the same method.
    public abstract Incoming fresh();

    /// Takes the arguments, in their order.
    public abstract void read(ReadMessage from);

    /// Calls the method of this object, and gives its result to `returned`.
    ///
    /// @throws Throwable whatever the method throws
    public abstract void run(Object target) throws Throwable;

    /// The method has returned this.
    protected final void returnedObject(@Nullable Object value) {
        object = value;
    }

    /// The method has returned this.
    protected final void returned(boolean value) {
        bits = value ? 1 : 0;
    }

    /// The method has returned this.
    protected final void returned(byte value) {
        bits = value;
    }

    /// The method has returned this.
    protected final void returned(short value) {
        bits = value;
    }

    /// The method has returned this.
    protected final void returned(char value) {
        bits = value;
    }

    /// The method has returned this.
    protected final void returned(int value) {
        bits = value;
    }

    /// The method has returned this.
    protected final void returned(long value) {
        bits = value;
    }

    /// The method has returned this.
    protected final void returned(float value) {
        bits = Float.floatToRawIntBits(value);
    }

    /// The method has returned this.
    protected final void returned(double value) {
        bits = Double.doubleToRawLongBits(value);
    }

    /// Has no result any more.
    public final void clear() {
        object = null;
    }

    /// Writes the result.
    public final void write(RemoteMethod.Kind kind, WriteMessage to) {
        switch (kind) {
            case VOID -> {}
            case BOOLEAN -> to.writeBoolean(bits != 0);
            case BYTE -> to.writeByte((byte) bits);
            case SHORT -> to.writeShort((short) bits);
            case CHAR -> to.writeChar((char) bits);
            case INT -> to.writeInt((int) bits);
            case LONG -> to.writeLong(bits);
            case FLOAT -> to.writeFloat(Float.intBitsToFloat((int) bits));
            case DOUBLE -> to.writeDouble(Double.longBitsToDouble(bits));
            case OBJECT, FUTURE -> to.writeObject(object);
        }
    }
}
