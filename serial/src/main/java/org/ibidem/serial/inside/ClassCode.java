package org.ibidem.serial.inside;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.reflect.Modifier;
import org.ibidem.serial.generate.Names;
import org.jspecify.annotations.Nullable;

/// A class file, to which code is added.
public final class ClassCode {
    private static final int CONSTANT =
            ClassFile.ACC_PRIVATE
                    | ClassFile.ACC_STATIC
                    | ClassFile.ACC_FINAL
                    | ClassFile.ACC_SYNTHETIC;

    /// The field that says its version to Java.
    public static final String VERSION = "serialVersionUID";

    private final ClassModel model;

    /// Parses the bytes of a class file.
    ///
    /// @throws IllegalArgumentException when it is none
    public ClassCode(byte[] bytes) {
        this.model = ClassFile.of().parse(bytes);
    }

    /// Its name.
    public String name() {
        return model.thisClass().asInternalName().replace('/', '.');
    }

    /// The version of its format.
    public int version() {
        return model.majorVersion();
    }

    /// Whether it says its own serialVersionUID.
    public boolean hasVersion() {
        int constant = ClassFile.ACC_STATIC | ClassFile.ACC_FINAL;
        return model.fields().stream()
                .anyMatch(field ->
                        field.fieldName().equalsString(VERSION)
                                && (field.flags().flagsMask() & constant) == constant);
    }

    /// Whether it declares a field of this name.
    public boolean has(String field) {
        return model.fields().stream().anyMatch(each -> each.fieldName().equalsString(field));
    }

    /// Whether it has a static initializer.
    public boolean initializes() {
        return model.methods().stream()
                .anyMatch(method -> method.methodName().equalsString(CLASS_INIT_NAME));
    }

    /// Whether just this code is in it already.
    public boolean isRewritten(Hierarchy hierarchy) {
        return model.fields().stream()
                .filter(field -> field.fieldName().equalsString(Members.SHAPE))
                .flatMap(field -> field.findAttribute(Attributes.constantValue()).stream())
                .map(value -> value.constant().constantValue())
                .anyMatch(hierarchy.text()::equals);
    }

    /// The class with code for its objects.
    ///
    /// @param version its serialVersionUID, which the new members would change; null: it says its
    ///   own
    /// @param loader where the classes are that it knows
    public byte[] rewritten(Hierarchy hierarchy, @Nullable Long version, ClassLoader loader) {
        var resolver =
                ClassHierarchyResolver.ofClassLoading(loader)
                        .orElse(ClassHierarchyResolver.defaultResolver());
        var files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(resolver));
        var add = ClassTransform.endHandler(type -> add(type, hierarchy, version));
        return files.transformClass(model, ClassTransform.dropping(ClassCode::isOurs).andThen(add));
    }

    private static boolean isOurs(ClassElement element) {
        return switch (element) {
            case FieldModel field -> field.fieldName().equalsString(Members.SHAPE);
            case MethodModel method ->
                    method.methodName().stringValue().startsWith(Members.PREFIX)
                            || (method.methodName().equalsString(INIT_NAME) && isOurs(method));
            default -> false;
        };
    }

    private static boolean isOurs(MethodModel constructor) {
        var type = constructor.methodTypeSymbol();
        return type.equals(Members.CONSTRUCTOR) || type.equals(Members.SUPER_CONSTRUCTOR);
    }

    private static void add(ClassBuilder type, Hierarchy hierarchy, @Nullable Long version) {
        var fields = new DirectCode(Names.desc(hierarchy.type()));
        int flags = hierarchy.type().getModifiers();
        var write = new WriteMembers(hierarchy, fields);
        var read = new ReadMembers(hierarchy, fields);
        constant(type, Members.SHAPE, CD_String, hierarchy.text());
        if (version != null) {
            constant(type, VERSION, CD_long, version);
        }
        if (!Modifier.isAbstract(flags)) {
            write.addPut(type);
            read.addRead(type);
        }
        if (!Modifier.isFinal(flags)) {
            write.addForSubclasses(type);
            read.addForSubclasses(type);
        }
    }

    private static void constant(
            ClassBuilder type, String name, ClassDesc kind, ConstantDesc value) {
        type.withField(
                name,
                kind,
                field -> field.withFlags(CONSTANT).with(ConstantValueAttribute.of(value)));
    }
}
