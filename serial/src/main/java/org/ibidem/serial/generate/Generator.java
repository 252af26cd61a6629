package org.ibidem.serial.generate;

import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.io.InvalidClassException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.function.Consumer;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.CodecSource;
import org.jspecify.annotations.Nullable;

/// Makes codecs for plain classes and records, and the code for the fields of single levels.
public final class Generator {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final CodecSource codecs;
    private final boolean swapped;

    /// @param codecs where generated code finds the codecs of other classes
    /// @param swapped whether what it reads comes from a machine of the other byte order
    public Generator(CodecSource codecs, boolean swapped) {
        this.codecs = codecs;
        this.swapped = swapped;
    }

    /// A codec for a plain class or a record.
    ///
    /// @throws InvalidClassException when the class cannot be reached
    public Codec codec(Plan plan) throws InvalidClassException {
        var itself = plan.shape().type;
        var name = name(itself);
        var handles = new HandleCode(plan.accesses(), itself.isRecord() ? null : plan.make());
        var layout = plan.slots();
        var bytes =
                build(
                        name,
                        PlainCodec.class,
                        Plan.class,
                        type -> {
                            new WriteMethods(type, name, handles).add(layout, plan.tail(), itself);
                            if (itself.isRecord()) {
                                RecordMethod.add(type, plan, layout, handles, swapped);
                            } else {
                                new ReadMethods(type, name, handles, swapped).addRead(plan, layout);
                            }
                        });
        return (Codec) define(bytes, handles, plan);
    }

    /// Code for the fields of one level.
    public PlainFields fields(ClassLevel level, Map<Slot, FieldAccess> accesses) {
        var name = name(level.type);
        var handles = new HandleCode(accesses, null);
        var layout = Layout.of(level.slots);
        var bytes =
                build(
                        name,
                        PlainFields.class,
                        null,
                        type -> {
                            new WriteMethods(type, name, handles).add(layout, null, level.type);
                            new ReadMethods(type, name, handles, swapped).addFill(layout);
                        });
        return (PlainFields) define(bytes, handles, null);
    }

    /// Hidden classes get a suffix, so equal names do no harm; but by a name that a class of this
    /// package has, such as that of its superclass, the hidden one would find itself.
    private static ClassDesc name(Class<?> type) {
        return ClassDesc.of(Generator.class.getPackageName(), type.getSimpleName() + "$Codec");
    }

    private static byte[] build(
            ClassDesc name,
            Class<?> superclass,
            @Nullable Class<?> argument,
            Consumer<ClassBuilder> methods) {
        return ClassFile.of()
                .build(
                        name,
                        type -> {
                            type.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
                            type.withSuperclass(Names.desc(superclass));
                            constructor(type, superclass, argument);
                            methods.accept(type);
                        });
    }

    private static void constructor(
            ClassBuilder type, Class<?> superclass, @Nullable Class<?> argument) {
        var descriptor =
                argument == null
                        ? MethodTypeDesc.of(CD_void)
                        : MethodTypeDesc.of(CD_void, Names.desc(argument));
        type.withMethodBody(
                INIT_NAME,
                descriptor,
                ClassFile.ACC_PUBLIC,
                code -> {
                    code.aload(0);
                    if (argument != null) {
                        code.aload(1);
                    }
                    code.invokespecial(Names.desc(superclass), INIT_NAME, descriptor).return_();
                });
    }

    private Object define(byte[] bytes, HandleCode handles, @Nullable Plan plan) {
        var data = new Constants(codecs, handles.values());
        try {
            var lookup = LOOKUP.defineHiddenClassWithClassData(bytes, data, false);
            var type =
                    plan == null
                            ? MethodType.methodType(void.class)
                            : MethodType.methodType(void.class, Plan.class);
            var constructor = lookup.findConstructor(lookup.lookupClass(), type);
            return plan == null ? constructor.invoke() : constructor.invoke(plan);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("generated code is wrong", e);
        }
    }
}
