package org.ibidem.rmi.generate;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.rmi.Remote;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// Which classes the objects of remote calls may be of: what the methods of known interfaces say.
/// Of a declared class also what its fields, the components of a record or what a sealed type
/// permits are declared as. Of what may be anything (an interface, a class that is not final) only
/// itself. The exceptions of the JDK may come, as any call may throw one.
public final class Allowed implements Predicate<String> {
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<RemoteType> taken = ConcurrentHashMap.newKeySet();
    private final Set<RemoteType> called = ConcurrentHashMap.newKeySet();

    /// Nothing but what may always come.
    public Allowed() {
        names.add("org.ibidem.rmi.frame.Reference");
        names.add("java.lang.Throwable");
        names.add("java.lang.StackTraceElement");
    }

    @Override
    public boolean test(String name) {
        return names.contains(name) || isThrown(name);
    }

    private static boolean isThrown(String name) {
        boolean ours =
                name.startsWith("java.lang.")
                        || name.startsWith("java.io.")
                        || name.startsWith("java.util.")
                        || name.startsWith("java.net.")
                        || name.startsWith("java.rmi.");
        return ours && (name.endsWith("Exception") || name.endsWith("Error"));
    }

    /// Objects with this interface are called here: arguments come.
    public void addArguments(RemoteType type) {
        if (taken.add(type)) {
            for (var each : type.methods()) {
                for (var parameter : each.method().getGenericParameterTypes()) {
                    visit(parameter);
                }
            }
        }
    }

    /// Objects with this interface are called from here: results come, and what is thrown.
    public void addResults(RemoteType type) {
        if (called.add(type)) {
            for (var each : type.methods()) {
                visit(each.method().getGenericReturnType());
                for (var thrown : each.method().getExceptionTypes()) {
                    visit(thrown);
                }
            }
        }
    }

    private void visit(Type type) {
        switch (type) {
            case Class<?> one when one.isArray() -> visit(one.getComponentType());
            case Class<?> one -> visitClass(one);
            case ParameterizedType of -> {
                visit(of.getRawType());
                for (var argument : of.getActualTypeArguments()) {
                    visit(argument);
                }
            }
            case GenericArrayType array -> visit(array.getGenericComponentType());
            case WildcardType wild -> visit(wild.getUpperBounds()[0]);
            default -> {} // a type variable says nothing
        }
    }

    private void visitClass(Class<?> one) {
        if (one.isPrimitive()
                || one.getName().startsWith("java.") // for ObjectPolicy to say
                || (Remote.class.isAssignableFrom(one) && one.isInterface())
                || !names.add(one.getName())) {
            return;
        }
        var permitted = one.getPermittedSubclasses();
        if (permitted != null) {
            for (var each : permitted) {
                visit(each);
            }
        }
        for (var field : one.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())
                    && !Modifier.isTransient(field.getModifiers())) {
                visit(field.getGenericType());
            }
        }
        if (one.getSuperclass() != null) {
            visit(one.getGenericSuperclass());
        }
    }
}
