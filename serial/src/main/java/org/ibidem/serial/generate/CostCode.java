package org.ibidem.serial.generate;

import static org.ibidem.serial.generate.Names.DECODER;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import org.ibidem.serial.model.Slot;

/// Code that adds up what it costs to hash the references of one object.
public final class CostCode {
    private static final int FROM = 1;

    private final CodeBuilder code;
    private final int sum;

    /// Begins with the cost of the object itself.
    public CostCode(CodeBuilder code) {
        this.code = code;
        this.sum = code.allocateLocal(TypeKind.LONG);
        code.lconst_1().lstore(sum);
    }

    /// Goes on from what the fields read so far cost, which the decoder knows.
    public void resume() {
        code.aload(FROM).invokevirtual(DECODER, "cost", Names.TO_LONG).lstore(sum);
    }

    /// Before a reference is read.
    public void begin(Slot slot) {
        if (slot.type() != String.class) {
            code.aload(FROM).lconst_0().invokevirtual(DECODER, "cost", Names.LONG_TO_VOID);
        }
    }

    /// After this reference was read.
    public void add(Slot slot) {
        if (slot.type() != String.class) {
            code.lload(sum).aload(FROM).invokevirtual(DECODER, "cost", Names.TO_LONG);
            code.invokestatic(DECODER, "sum", Names.SUM).lstore(sum);
        }
    }

    /// Pushes the sum.
    public void load() {
        code.lload(sum);
    }
}
