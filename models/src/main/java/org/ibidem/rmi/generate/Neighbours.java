package org.ibidem.rmi.generate;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.ibidem.rmi.frame.RemoteMethod;

/// Has the proxies of public interfaces be in the package of one whose methods give what is not
/// public: a proxy is where an interface of it is that is not public, and such a one is made there.
/// Elsewhere it could not give such a result.
final class Neighbours {
    private static final String NAME = "$Neighbour";

    private Neighbours() {}

    /// The interfaces of a proxy that has these.
    static List<Class<?>> with(List<Class<?>> interfaces, List<RemoteMethod> methods) {
        var all = new ArrayList<>(interfaces);
        var loader = interfaces.getFirst().getClassLoader();
        if (interfaces.stream().allMatch(each -> Modifier.isPublic(each.getModifiers()))) {
            methods.stream()
                    .filter(each -> !RemoteType.isOpen(each.method().getReturnType()))
                    .<Class<?>>map(each -> each.method().getDeclaringClass())
                    .filter(in -> Objects.equals(in.getClassLoader(), loader))
                    .findFirst()
                    .flatMap(Neighbours::of)
                    .ifPresent(all::add);
        }
        return all;
    }

    /// None where code cannot be added to its package: then a call whose result is not public ends
    /// with an [IllegalAccessError], as in `java.rmi`.
    private static synchronized Optional<Class<?>> of(Class<?> type) {
        var name = type.getName() + NAME;
        try {
            return Optional.of(Class.forName(name, false, type.getClassLoader()));
        } catch (ClassNotFoundException _) {
            return made(type, name);
        }
    }

    private static Optional<Class<?>> made(Class<?> type, String name) {
        var code =
                ClassFile.of()
                        .build(
                                ClassDesc.of(name),
                                made ->
                                        made.withFlags(
                                                AccessFlag.INTERFACE,
                                                AccessFlag.ABSTRACT,
                                                AccessFlag.SYNTHETIC));
        try {
            Neighbours.class.getModule().addReads(type.getModule());
            return Optional.of(
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup()).defineClass(code));
        } catch (IllegalAccessException _) {
            return Optional.empty();
        }
    }
}
