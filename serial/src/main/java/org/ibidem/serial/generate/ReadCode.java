package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Double;
import static java.lang.constant.ConstantDescs.CD_Float;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static org.ibidem.serial.generate.Names.CODEC;
import static org.ibidem.serial.generate.Names.DECODER;
import static org.ibidem.serial.generate.Names.PAGE;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.MethodTypeDesc;
import java.nio.ByteOrder;
import java.util.List;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// Code that reads fields, each of which goes where [Target] says. Local variable 1 is the decoder.
///
/// ```java
/// int at = from.need(13);
/// byte[] page = from.page();
/// long two = Page.getLong(page, at);
/// object.a = (int) two;
/// object.b = (int) (two >>> 32);
/// object.c = Page.getInt(page, at + 8);
/// int tag = page[at + 12]; // of the first reference: two things were waited for at once
/// from.taken(at + 13);
/// object.name = from.readText(tag, depth);
/// tag = from.tag();
/// object.left = tag == 0 ? null
///         : from.codec(tag) != codec ? from.read(tag, depth)
///         : depth < from.deep() ? codec.read(from, depth + 1) : from.enter(codec, depth);
/// ```
public final class ReadCode {
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int FROM = 1;

    private final CodeBuilder code;
    private final FieldCode fields;
    private final int depth;
    private final boolean swapped;
    private final int tag;
    private boolean tagged;
    private Target target;

    /// Where values go.
    public interface Target {
        /// Before a value is pushed.
        void begin(Slot slot);

        /// Takes the pushed value.
        void end(Slot slot);
    }

    /// @param depth local variable with the depth
    /// @param swapped whether numbers come in the other byte order
    public ReadCode(CodeBuilder code, FieldCode fields, int depth, boolean swapped) {
        this.code = code;
        this.fields = fields;
        this.depth = depth;
        this.swapped = swapped;
        this.target = into(0);
        this.tag = code.allocateLocal(TypeKind.INT);
    }

    /// From now on values go into the fields of the object in this local variable.
    public ReadCode to(int object) {
        target = into(object);
        return this;
    }

    /// From now on values go there.
    public ReadCode to(Target other) {
        target = other;
        return this;
    }

    private Target into(int object) {
        return new Target() {
            @Override
            public void begin(Slot slot) {
                fields.beginSet(code, object, slot);
            }

            @Override
            public void end(Slot slot) {
                fields.set(code, slot);
            }
        };
    }

    /// Reads these primitives, which lie together.
    ///
    /// @param more whether a reference follows, of which the tag is read, too
    void block(List<Slot> slots, boolean more) {
        if (slots.isEmpty()) {
            return;
        }
        int block = slots.stream().mapToInt(Slot::size).sum();
        int bytes = more ? block + 1 : block;
        int at = code.allocateLocal(TypeKind.INT);
        code.aload(FROM).loadConstant(bytes).invokevirtual(DECODER, "need", Names.INT_TO_INT);
        code.istore(at);
        int page = page();
        load(page, Spot.row(slots, at));
        taken(page, at, block, more);
    }

    /// Gets the page.
    ///
    /// @return the local variable where it is
    public int page() {
        int page = code.allocateLocal(TypeKind.REFERENCE);
        code.aload(FROM).invokevirtual(DECODER, "page", Names.TO_BYTES).astore(page);
        return page;
    }

    /// Loads primitives from their places in the page.
    public void load(int page, List<Spot> spots) {
        for (int i = 0; i < spots.size(); i++) {
            var spot = spots.get(i);
            if (spot.pairs(spots, i)) {
                pair(page, spot, spots.get(++i).slot());
            } else {
                target.begin(spot.slot());
                address(page, spot);
                load(spot.slot());
                target.end(spot.slot());
            }
        }
    }

    /// Says that a block was taken.
    ///
    /// @param more whether the tag of a reference behind it is to be taken, too
    public void taken(int page, int at, int block, boolean more) {
        if (more) {
            code.aload(page).iload(at).loadConstant(block).iadd().baload().istore(tag);
            tagged = true;
        }
        code.aload(FROM).iload(at).loadConstant(more ? block + 1 : block).iadd();
        code.invokevirtual(DECODER, "taken", Names.INT_TO_VOID);
    }

    private void address(int page, Spot spot) {
        code.aload(page);
        spot.push(code);
    }

    private void pair(int page, Spot first, Slot second) {
        int both = code.allocateLocal(TypeKind.LONG);
        address(page, first);
        number("getLong", Names.GET_LONG);
        code.lstore(both);
        // Read as one number, the first is low in the byte order of the reader, and high after a
        // swap.
        half(LITTLE != swapped ? first.slot() : second, both, false);
        half(LITTLE != swapped ? second : first.slot(), both, true);
    }

    private void half(Slot slot, int both, boolean high) {
        target.begin(slot);
        code.lload(both);
        if (high) {
            code.loadConstant(Integer.SIZE).lushr();
        }
        code.l2i();
        asFloat(slot);
        target.end(slot);
    }

    private void asFloat(Slot slot) {
        if (slot.code() == 'F') {
            code.invokestatic(CD_Float, "intBitsToFloat", MethodTypeDesc.of(CD_float, CD_int));
        }
    }

    private void number(String name, MethodTypeDesc type) {
        code.invokestatic(PAGE, swapped ? name + "Swapped" : name, type);
    }

    private void load(Slot slot) {
        switch (slot.code()) {
            case 'Z' -> code.invokestatic(PAGE, "getTruth", Names.GET_TRUTH);
            case 'B' -> code.baload();
            case 'S' -> number("getShort", Names.GET_SHORT);
            case 'C' -> number("getChar", Names.GET_CHAR);
            case 'I', 'F' -> {
                number("getInt", Names.GET_INT);
                asFloat(slot);
            }
            case 'J' -> number("getLong", Names.GET_LONG);
            default -> {
                number("getLong", Names.GET_LONG);
                code.invokestatic(
                        CD_Double, "longBitsToDouble", MethodTypeDesc.of(CD_double, CD_long));
            }
        }
    }

    /// Reads the tag of the next reference, if it was not read yet.
    ///
    /// @return the local variable where it is
    public int tag() {
        if (!tagged) {
            code.aload(FROM).invokevirtual(DECODER, "tag", Names.TO_INT).istore(tag);
        }
        tagged = false;
        return tag;
    }

    /// Reads a reference.
    public void reference(Slot slot) {
        tag();
        target.begin(slot);
        if (slot.type() == String.class) {
            text();
        } else {
            any(Guess.of(slot.type()));
        }
        target.end(slot);
    }

    private void text() {
        code.aload(FROM).iload(tag).iload(depth);
        code.invokevirtual(DECODER, "readText", Names.READ_TEXT);
    }

    private void any(@Nullable Class<?> guess) {
        if (guess == null) {
            code.aload(FROM).iload(tag).iload(depth);
            code.invokevirtual(DECODER, "read", Names.READ_ANY);
            return;
        }
        var other = code.newLabel();
        var deep = code.newLabel();
        var absent = code.newLabel();
        var done = code.newLabel();
        code.iload(tag).ifeq(absent);
        code.aload(FROM).iload(tag).invokevirtual(DECODER, "codec", Names.CODEC_OF);
        fields.codec(code, guess);
        code.if_acmpne(other);
        code.iload(depth).aload(FROM).invokevirtual(DECODER, "deep", Names.TO_INT);
        code.if_icmpge(deep);
        fields.codec(code, guess);
        code.aload(FROM).iload(depth).iconst_1().iadd();
        code.invokevirtual(CODEC, "read", Names.READ).goto_(done);
        code.labelBinding(deep).aload(FROM);
        fields.codec(code, guess);
        code.iload(depth).invokevirtual(DECODER, "enter", Names.ENTER_READ).goto_(done);
        code.labelBinding(other).aload(FROM).iload(tag).iload(depth);
        code.invokevirtual(DECODER, "read", Names.READ_ANY).goto_(done);
        code.labelBinding(absent).aconst_null();
        code.labelBinding(done);
    }
}
