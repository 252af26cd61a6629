package mpjbuf;

import java.util.List;
import org.ibidem.mpj.data.Kind;

/// The type of a section of a [Buffer].
public final class Type {
    /// Of `byte`.
    public static final Type BYTE = new Type(Kind.BYTE);

    /// Of `short`.
    public static final Type SHORT = new Type(Kind.SHORT);

    /// Of `int`.
    public static final Type INT = new Type(Kind.INT);

    /// Of `long`.
    public static final Type LONG = new Type(Kind.LONG);

    /// Of `char`.
    public static final Type CHAR = new Type(Kind.CHAR);

    /// Of `float`.
    public static final Type FLOAT = new Type(Kind.FLOAT);

    /// Of `double`.
    public static final Type DOUBLE = new Type(Kind.DOUBLE);

    /// Of `boolean`.
    public static final Type BOOLEAN = new Type(Kind.BOOLEAN);

    /// Of `Object`.
    public static final Type OBJECT = new Type(Kind.OBJECT);

    private static final List<Type> ALL =
            List.of(BYTE, SHORT, INT, LONG, CHAR, FLOAT, DOUBLE, BOOLEAN, OBJECT);

    private final Kind kind;

    private Type(Kind kind) {
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /// Its number.
    public int getCode() {
        return kind.code();
    }

    /// The type with this number.
    public static Type getType(int code) throws BufferException {
        for (Type type : ALL) {
            if (type.getCode() == code) {
                return type;
            }
        }
        throw new BufferException("there is no type " + code);
    }

    @Override
    public String toString() {
        return kind.name();
    }
}
