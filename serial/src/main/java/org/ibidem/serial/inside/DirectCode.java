package org.ibidem.serial.inside;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_String;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import org.ibidem.serial.generate.FieldCode;
import org.ibidem.serial.generate.Names;
import org.ibidem.serial.model.Slot;

/// Code inside the class: its fields are its own, and it finds codecs as constants that are
/// resolved when they are first used.
record DirectCode(ClassDesc self) implements FieldCode {
    private static final DirectMethodHandleDesc CODEC_OF =
            MethodHandleDesc.ofMethod(
                    DirectMethodHandleDesc.Kind.STATIC,
                    ClassDesc.of("org.ibidem.serial.Rewritten"),
                    "codec",
                    MethodTypeDesc.of(
                            Names.CODEC, CD_MethodHandles_Lookup, CD_String, CD_Class, CD_Class));

    @Override
    public void get(CodeBuilder code, int object, Slot slot) {
        code.aload(object).getfield(self, slot.name(), Names.desc(slot.type()));
    }

    @Override
    public void beginSet(CodeBuilder code, int object, Slot slot) {
        code.aload(object);
    }

    @Override
    public void set(CodeBuilder code, Slot slot) {
        var type = slot.type();
        if (!type.isPrimitive() && type != String.class && type != Object.class) {
            code.checkcast(Names.desc(type));
        }
        code.putfield(self, slot.name(), Names.desc(type));
    }

    @Override
    public void itself(CodeBuilder code, int object) {
        code.aload(object).checkcast(self);
    }

    @Override
    public void type(CodeBuilder code, Class<?> type) {
        code.loadConstant(Names.desc(type));
    }

    @Override
    public void codec(CodeBuilder code, Class<?> type) {
        code.loadConstant(
                DynamicConstantDesc.ofNamed(CODEC_OF, "codec", Names.CODEC, Names.desc(type)));
    }
}
