package org.ibidem.serial.generate;

import static org.ibidem.serial.generate.Names.DECODER;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import org.ibidem.serial.model.Slot;

/// `read` of a class whose last reference is of the class itself. Local variables: 0 its codec, 1
/// the decoder, 2 the depth.
///
/// ```java
/// Node first = null, previous = null;
/// int followed = 0;
/// for (;;) {
///     Node object = ...; // made
///     if (previous == null) first = object; else previous.next = object;
///     ... // all fields but the last
///     int tag = from.tag();
///     if (tag == 0) break;
///     if (from.codec(tag) != this) { object.next = from.read(tag, depth); break; }
///     previous = object;
///     from.loop();
///     followed++;
/// }
/// from.unloop(followed);
/// from.cost(0);
/// return first;
/// ```
public final class LoopCode {
    private static final int CODEC = 0;
    private static final int FROM = 1;
    private static final int DEPTH = 2;

    private final CodeBuilder code;
    private final FieldCode fields;
    private final Slot tail;
    private final int object;
    private final int first;
    private final int previous;

    /// How one object comes to be.
    public interface Step {
        /// Makes it, and perhaps reads some of its fields.
        void make(int object);

        /// Reads the rest of its fields but the last.
        ///
        /// @return the local variable with the tag of the last
        int fill(int object);
    }

    /// @param tail the last reference
    public LoopCode(CodeBuilder code, FieldCode fields, Slot tail) {
        this.code = code;
        this.fields = fields;
        this.tail = tail;
        this.object = code.allocateLocal(TypeKind.REFERENCE);
        this.first = code.allocateLocal(TypeKind.REFERENCE);
        this.previous = code.allocateLocal(TypeKind.REFERENCE);
    }

    /// The whole method.
    public void read(Step step) {
        int followed = code.allocateLocal(TypeKind.INT);
        code.aconst_null().astore(first).aconst_null().astore(previous);
        code.iconst_0().istore(followed);
        var begin = code.newBoundLabel();
        step.make(object);
        link();
        var end = code.newLabel();
        follow(step.fill(object), end);
        code.aload(object).astore(previous);
        code.aload(FROM).invokevirtual(DECODER, "loop", Names.TO_VOID);
        code.iinc(followed, 1).goto_(begin);
        code.labelBinding(end);
        code.aload(FROM).iload(followed).invokevirtual(DECODER, "unloop", Names.INT_TO_VOID);
        code.aload(FROM).lconst_0().invokevirtual(DECODER, "cost", Names.LONG_TO_VOID);
        code.aload(first).areturn();
    }

    private void link() {
        var later = code.newLabel();
        var linked = code.newLabel();
        code.aload(previous).ifnonnull(later);
        code.aload(object).astore(first).goto_(linked);
        code.labelBinding(later);
        fields.beginSet(code, previous, tail);
        code.aload(object);
        fields.set(code, tail);
        code.labelBinding(linked);
    }

    /// Falls through when the next object is of the class itself.
    private void follow(int tag, Label end) {
        var same = code.newLabel();
        code.iload(tag).ifeq(end);
        code.aload(FROM).iload(tag).invokevirtual(DECODER, "codec", Names.CODEC_OF);
        code.aload(CODEC).if_acmpeq(same);
        fields.beginSet(code, object, tail);
        code.aload(FROM).iload(tag).iload(DEPTH);
        code.invokevirtual(DECODER, "read", Names.READ_ANY);
        fields.set(code, tail);
        code.goto_(end);
        code.labelBinding(same);
    }
}
