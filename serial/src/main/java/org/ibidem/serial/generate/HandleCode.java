package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_Class;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_VarHandle;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// Code outside the class: fields through constant [java.lang.invoke.VarHandle]s, which need no
/// adaptation to take any object, and finals through constant method handles.
final class HandleCode implements FieldCode {
    private static final DirectMethodHandleDesc CONSTANT =
            MethodHandleDesc.ofMethod(
                    DirectMethodHandleDesc.Kind.STATIC,
                    Names.desc(Constants.class),
                    "constant",
                    MethodTypeDesc.of(
                            CD_Object, CD_MethodHandles_Lookup, CD_String, CD_Class, CD_int));

    private final Map<Slot, FieldAccess> accesses;
    private final @Nullable Constructor<?> maker;
    private final List<Object> values = new ArrayList<>();
    private final Map<Object, Integer> places = new HashMap<>();

    HandleCode(Map<Slot, FieldAccess> accesses, @Nullable Constructor<?> maker) {
        this.accesses = accesses;
        this.maker = maker;
    }

    /// Makes objects.
    Constructor<?> maker() {
        if (maker == null) {
            throw new IllegalStateException("it is not made by a constructor");
        }
        return maker;
    }

    /// The constants that the code refers to by their places.
    Object[] values() {
        return values.toArray();
    }

    private FieldAccess access(Slot slot) {
        var access = accesses.get(slot);
        if (access == null) {
            throw new IllegalArgumentException("no way to " + slot);
        }
        return access;
    }

    /// Pushes a constant.
    ///
    /// @param key what to know it by when it is needed again
    void constant(CodeBuilder code, ClassDesc type, Object key, Object value) {
        Integer place = places.get(key);
        if (place == null) {
            place = values.size();
            places.put(key, place);
            values.add(value);
        }
        code.loadConstant(DynamicConstantDesc.ofNamed(CONSTANT, "constant", type, place));
    }

    @Override
    public void get(CodeBuilder code, int object, Slot slot) {
        var handle = access(slot).handle;
        var result = slot.type() == String.class ? CD_String : Names.erased(slot.code());
        constant(code, CD_VarHandle, handle, handle);
        code.aload(object);
        code.invokevirtual(CD_VarHandle, "get", MethodTypeDesc.of(result, CD_Object));
    }

    @Override
    public void beginSet(CodeBuilder code, int object, Slot slot) {
        var access = access(slot);
        var setter = access.setter;
        if (setter == null) {
            constant(code, CD_VarHandle, access.handle, access.handle);
        } else {
            var erased =
                    setter.asType(
                            java.lang.invoke.MethodType.methodType(
                                    void.class,
                                    Object.class,
                                    slot.type().isPrimitive() ? slot.type() : Object.class));
            constant(code, CD_MethodHandle, setter, erased);
        }
        code.aload(object);
    }

    @Override
    public void set(CodeBuilder code, Slot slot) {
        boolean last = access(slot).setter != null;
        code.invokevirtual(
                last ? CD_MethodHandle : CD_VarHandle,
                last ? "invokeExact" : "set",
                MethodTypeDesc.of(CD_void, CD_Object, Names.erased(slot.code())));
    }

    @Override
    public void itself(CodeBuilder code, int object) {
        code.aload(object);
    }

    @Override
    public void type(CodeBuilder code, Class<?> type) {
        constant(code, CD_Class, type, type);
    }

    @Override
    public void codec(CodeBuilder code, Class<?> type) {
        constant(code, Names.CODEC, List.of(type), new Constants.CodecOf(type));
    }
}
