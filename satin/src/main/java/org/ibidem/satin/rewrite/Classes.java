package org.ibidem.satin.rewrite;

import java.lang.classfile.AccessFlags;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What the rewriter has to know of classes, from their files: none is loaded for it.
final class Classes {
    private static final String SPAWNABLE = "ibis/satin/Spawnable";
    private static final String SATIN_OBJECT = "ibis/satin/SatinObject";
    private static final String WRITE_METHODS = "ibis/satin/WriteMethodsInterface";
    private static final String SHARED_OBJECT = "ibis/satin/SharedObject";

    private final Function<String, byte @Nullable []> files;
    private final Map<String, Optional<ClassModel>> models = new ConcurrentHashMap<>();

    /// @param files from a class's internal name to its file; null where there is none
    Classes(Function<String, byte @Nullable []> files) {
        this.files = files;
    }

    private Optional<ClassModel> model(String name) {
        var known = models.get(name);
        if (known != null) {
            return known;
        }
        var bytes = files.apply(name);
        Optional<ClassModel> found =
                bytes == null ? Optional.empty() : Optional.of(ClassFile.of().parse(bytes));
        models.put(name, found);
        return found;
    }

    /// For stack maps.
    ClassHierarchyResolver resolver() {
        return described -> {
            var text = described.descriptorString();
            return described.isClassOrInterface()
                    ? model(text.substring(1, text.length() - 1)).map(Classes::info).orElse(null)
                    : null;
        };
    }

    private static ClassHierarchyInfo info(ClassModel model) {
        return model.flags().has(AccessFlag.INTERFACE)
                ? ClassHierarchyInfo.ofInterface()
                : ClassHierarchyInfo.ofClass(
                        model.superclass().map(ClassEntry::asSymbol).orElse(null));
    }

    /// Whether this class is, or extends, `SatinObject`.
    boolean isSatinObject(String name) {
        return is(name, SATIN_OBJECT);
    }

    /// Whether this class is, or extends, `SharedObject`.
    boolean isShared(String name) {
        return is(name, SHARED_OBJECT);
    }

    private boolean is(String name, String wanted) {
        for (var at = name; at != null; at = superclass(at)) {
            if (at.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable String superclass(String name) {
        return model(name)
                .flatMap(ClassModel::superclass)
                .map(ClassEntry::asInternalName)
                .orElse(null);
    }

    /// Whether an interface is, or extends, this one.
    private boolean extend(String itf, String wanted) {
        return itf.equals(wanted)
                || model(itf).stream()
                        .flatMap(model -> model.interfaces().stream())
                        .anyMatch(above -> extend(above.asInternalName(), wanted));
    }

    /// Whether an interface declares this method of a class that extends `WriteMethodsInterface`.
    boolean writes(String owner, MethodModel method) {
        var marked = new ArrayList<MethodModel>();
        collect(owner, method.methodName().stringValue(), WRITE_METHODS, marked);
        return marked.stream()
                .anyMatch(one ->
                        same(one, method)
                                || isBridged(owner, one, method.methodType().stringValue()));
    }

    /// Whether a class has a guard for one of its methods: a method `guard_NAME` of the same
    /// arguments, not private, that says yes or no.
    boolean isGuarded(String owner, String name, MethodTypeDesc type) {
        var wanted = type.changeReturnType(ConstantDescs.CD_boolean).descriptorString();
        for (var at = owner; at != null; at = superclass(at)) {
            for (var method : model(at).map(ClassModel::methods).orElse(List.of())) {
                if (method.methodName().equalsString("guard_" + name)
                        && method.methodType().equalsString(wanted)
                        && !method.flags().has(AccessFlag.PRIVATE)
                        && !method.flags().has(AccessFlag.STATIC)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// Whether a call of this method of this class or interface is to be spawned: an interface
    /// declares it that extends `Spawnable`, and the object is a `SatinObject`, as far as its type
    /// says. A method that a bridge of the compiler's stands for in the interface's place is meant
    /// by the interface, too.
    boolean spawns(String owner, String name, String descriptor) {
        boolean anyObject =
                model(owner).map(ClassModel::flags).map(Classes::isInterface).orElse(false);
        if (!anyObject && !isSatinObject(owner)) {
            return false;
        }
        var marked = new ArrayList<MethodModel>();
        collect(owner, name, SPAWNABLE, marked);
        return marked.stream()
                .anyMatch(method ->
                        method.methodType().equalsString(descriptor)
                                || isBridged(owner, method, descriptor));
    }

    private static boolean isInterface(AccessFlags flags) {
        return flags.has(AccessFlag.INTERFACE);
    }

    /// Methods of this name in those interfaces of a class that extend this one.
    private void collect(
            @Nullable String type, String name, String wanted, List<MethodModel> into) {
        var model = type == null ? Optional.<ClassModel>empty() : model(type);
        if (model.isEmpty()) {
            return;
        }
        if (isInterface(model.get().flags())
                && extend(model.get().thisClass().asInternalName(), wanted)) {
            model.get().methods().stream()
                    .filter(method -> method.methodName().equalsString(name))
                    .filter(method -> !method.flags().has(AccessFlag.STATIC))
                    .forEach(into::add);
        }
        model.get()
                .interfaces()
                .forEach(above -> collect(above.asInternalName(), name, wanted, into));
        collect(superclass(model.get().thisClass().asInternalName()), name, wanted, into);
    }

    /// Whether a class has a bridge for this method of an interface, beside one with this
    /// descriptor.
    private boolean isBridged(String owner, MethodModel method, String descriptor) {
        for (var at = owner; at != null; at = superclass(at)) {
            var methods = model(at).map(ClassModel::methods).orElse(List.of());
            boolean bridge =
                    methods.stream()
                            .anyMatch(
                                    one -> one.flags().has(AccessFlag.BRIDGE) && same(one, method));
            boolean meant =
                    methods.stream()
                            .anyMatch(one ->
                                    !one.flags().has(AccessFlag.BRIDGE)
                                            && one.methodName()
                                                    .equalsString(method.methodName().stringValue())
                                            && one.methodType().equalsString(descriptor)
                                            && one.methodTypeSymbol().parameterCount()
                                                    == method.methodTypeSymbol().parameterCount());
            if (bridge && meant) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(MethodModel one, MethodModel other) {
        return one.methodName().equalsString(other.methodName().stringValue())
                && one.methodType().equalsString(other.methodType().stringValue());
    }

    /// A class as the Class-File API describes it.
    static ClassDesc described(String internalName) {
        return ClassDesc.ofInternalName(internalName);
    }
}
