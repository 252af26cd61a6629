package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_Double;
import static java.lang.constant.ConstantDescs.CD_Float;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static org.ibidem.serial.generate.Names.CODEC;
import static org.ibidem.serial.generate.Names.ENCODER;
import static org.ibidem.serial.generate.Names.PAGE;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteOrder;
import java.util.List;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Code that writes fields. Local variables: 1 the encoder, 2 the object, 3 the depth, 4 how far
/// the page is filled.
///
/// ```java
/// begin:
/// at = to.room(at, 20);
/// byte[] page = to.page();
/// Page.putLong(page, at, object.time);
/// Page.putLong(page, at + 8, (object.a & 0xFFFF_FFFFL) | (long) object.b << 32);
/// Page.putInt(page, at + 16, object.c);
/// at = to.putTextOrNull(object.name, at + 20);
/// Node value = object.left;
/// if (value == null) at = to.putNull(at);
/// else if (value.getClass() != Node.class) at = to.write(value, depth, at);
/// else if ((at = to.open(value, codec, depth, at)) < 0) at = ~at;
/// else at = depth < DEEP ? codec.put(to, value, depth + 1, at) : to.enter(codec, value, depth, at);
/// // and where the last reference is of the class itself:
/// else { object = value; goto begin; }
/// ```
public final class WriteCode {
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final MethodTypeDesc GET_CLASS = MethodTypeDesc.of(CD_Class);
    private static final int TO = 1;
    private static final int OBJECT = 2;
    private static final int DEPTH = 3;
    private static final int AT = 4;

    private final CodeBuilder code;
    private final FieldCode fields;
    private final int object;

    /// Code for the local variables of `put`.
    public WriteCode(CodeBuilder code, FieldCode fields) {
        this(code, fields, OBJECT);
    }

    /// Code that finds the object in this local variable.
    public WriteCode(CodeBuilder code, FieldCode fields, int object) {
        this.code = code;
        this.fields = fields;
        this.object = object;
    }

    /// Writes these primitives as one piece.
    void block(List<Slot> slots) {
        int bytes = slots.stream().mapToInt(Slot::size).sum();
        store(room(bytes), Spot.row(slots, AT));
        code.iinc(AT, bytes);
    }

    /// Makes room in the page.
    ///
    /// @return the local variable with the page
    public int room(int bytes) {
        int page = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(TO).iload(AT).loadConstant(bytes);
        code.invokevirtual(ENCODER, "room", Names.INTS_TO_INT).istore(AT);
        code.aload(TO).invokevirtual(ENCODER, "page", Names.TO_BYTES).astore(page);
        return page;
    }

    /// Stores primitives at their places in the page.
    public void store(int page, List<Spot> spots) {
        for (int i = 0; i < spots.size(); i++) {
            var spot = spots.get(i);
            code.aload(page);
            spot.push(code);
            if (spot.pairs(spots, i)) {
                pair(spot.slot(), spots.get(++i).slot());
            } else {
                one(spot.slot(), spot.slot().size());
            }
        }
    }

    private void one(Slot slot, int size) {
        bits(slot);
        switch (size) {
            case Byte.BYTES -> code.bastore();
            case Short.BYTES -> code.i2s().invokestatic(PAGE, "putShort", Names.PUT_SHORT);
            case Integer.BYTES -> code.invokestatic(PAGE, "putInt", Names.PUT_INT);
            default -> code.invokestatic(PAGE, "putLong", Names.PUT_LONG);
        }
    }

    /// Two of 4 bytes as one of 8.
    private void pair(Slot first, Slot second) {
        bits(LITTLE ? first : second);
        code.i2l().loadConstant(0xFFFF_FFFFL).land();
        bits(LITTLE ? second : first);
        code.i2l().loadConstant(Integer.SIZE).lshl().lor();
        code.invokestatic(PAGE, "putLong", Names.PUT_LONG);
    }

    /// Pushes a primitive field as an int or a long.
    private void bits(Slot slot) {
        fields.get(code, object, slot);
        switch (slot.code()) {
            case 'F' ->
                    code.invokestatic(
                            CD_Float, "floatToRawIntBits", MethodTypeDesc.of(CD_int, CD_float));
            case 'D' ->
                    code.invokestatic(
                            CD_Double,
                            "doubleToRawLongBits",
                            MethodTypeDesc.of(CD_long, CD_double));
            default -> {
                // as it is
            }
        }
    }

    /// Writes a reference.
    ///
    /// @param again where to go with an object of the class itself instead of calling; null: call
    /// @param itself the class itself
    public void reference(Slot slot, @Nullable Label again, Class<?> itself) {
        if (slot.type() == String.class) {
            code.aload(TO);
            fields.get(code, object, slot);
            code.iload(AT);
            code.invokevirtual(ENCODER, "putTextOrNull", Names.PUT_TEXT);
            code.istore(AT);
            return;
        }
        var guess = again != null ? itself : Guess.of(slot.type());
        if (guess == null) {
            code.aload(TO);
            fields.get(code, object, slot);
            code.iload(DEPTH).iload(AT);
            code.invokevirtual(ENCODER, "write", Names.WRITE_ANY).istore(AT);
        } else {
            guessed(slot, guess, again);
        }
    }

    private void guessed(Slot slot, Class<?> guess, @Nullable Label again) {
        int value = code.allocateLocal(TypeKind.REFERENCE);
        var other = code.newLabel();
        var absent = code.newLabel();
        var known = code.newLabel();
        var done = code.newLabel();
        fields.get(code, object, slot);
        code.astore(value).aload(value).ifnull(absent);
        code.aload(value).invokevirtual(CD_Object, "getClass", GET_CLASS);
        fields.type(code, guess);
        code.if_acmpne(other);
        code.aload(TO).aload(value);
        fields.codec(code, guess);
        code.iload(DEPTH).iload(AT).invokevirtual(ENCODER, "open", Names.OPEN).istore(AT);
        code.iload(AT).iflt(known);
        if (again != null) {
            fields.itself(code, value);
            code.astore(OBJECT).goto_(again);
        } else {
            enter(value, guess, done);
        }
        code.labelBinding(known).iload(AT).iconst_m1().ixor().istore(AT).goto_(done);
        code.labelBinding(other).aload(TO).aload(value).iload(DEPTH).iload(AT);
        code.invokevirtual(ENCODER, "write", Names.WRITE_ANY).istore(AT).goto_(done);
        code.labelBinding(absent).aload(TO).iload(AT);
        code.invokevirtual(ENCODER, "putNull", Names.INT_TO_INT).istore(AT);
        code.labelBinding(done);
    }

    private void enter(int value, Class<?> guess, Label done) {
        var deep = code.newLabel();
        code.iload(DEPTH).loadConstant(Encoder.DEEP).if_icmpge(deep);
        fields.codec(code, guess);
        code.aload(TO).aload(value).iload(DEPTH).iconst_1().iadd().iload(AT);
        code.invokevirtual(CODEC, "put", Names.PUT).istore(AT).goto_(done);
        code.labelBinding(deep).aload(TO);
        fields.codec(code, guess);
        code.aload(value).iload(DEPTH).iload(AT);
        code.invokevirtual(ENCODER, "enter", Names.ENTER_WRITE).istore(AT).goto_(done);
    }
}
