package org.ibidem.serial.generate;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// The method `put(Encoder, Object, int, int)` of a generated class, and those it is split into
/// where there are many fields.
final class WriteMethods {
    private static final int TO = 1;
    private static final int OBJECT = 2;
    private static final int DEPTH = 3;
    private static final int AT = 4;

    private final ClassBuilder type;
    private final ClassDesc self;
    private final FieldCode fields;

    WriteMethods(ClassBuilder type, ClassDesc self, FieldCode fields) {
        this.type = type;
        this.self = self;
        this.fields = fields;
    }

    /// Adds them.
    ///
    /// @param tail the last reference, if it holds objects of the class itself: they are written in
    ///   a loop, so a list takes no stack
    /// @param itself the class
    void add(Layout<Slot> layout, @Nullable Slot tail, Class<?> itself) {
        var parts = Part.of(layout);
        if (parts.size() == 1) {
            method("put", ClassFile.ACC_PUBLIC, c -> all(c, parts.getFirst(), tail, itself));
            return;
        }
        for (int i = 0; i < parts.size(); i++) {
            var part = parts.get(i);
            method("put" + i, ClassFile.ACC_PRIVATE, c -> all(c, part, null, itself));
        }
        method("put", ClassFile.ACC_PUBLIC, c -> callAll(c, parts.size()));
    }

    private void method(String name, int access, java.util.function.Consumer<CodeBuilder> code) {
        type.withMethodBody(name, Names.PUT, access | ClassFile.ACC_FINAL, code);
    }

    private void callAll(CodeBuilder code, int parts) {
        for (int i = 0; i < parts; i++) {
            code.aload(0).aload(TO).aload(OBJECT).iload(DEPTH).iload(AT);
            code.invokevirtual(self, "put" + i, Names.PUT).istore(AT);
        }
        code.iload(AT).ireturn();
    }

    private void all(CodeBuilder code, Part part, @Nullable Slot tail, Class<?> itself) {
        var write = new WriteCode(code, fields);
        var begin = code.newBoundLabel();
        if (!part.primitives().isEmpty()) {
            write.block(part.primitives());
        }
        for (var slot : part.references()) {
            write.reference(slot, slot.equals(tail) ? begin : null, itself);
        }
        code.iload(AT).ireturn();
    }
}
