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
import org.ibidem.serial.ReviewedThrowables;

/// Which classes the objects of remote calls may be of: what the methods of known interfaces say.
/// Of a declared class also what its fields, the components of a record or what a sealed type
/// permits are declared as. Of what may be anything (an interface, a class that is not final) only
/// itself. The exceptions of the JDK may come, as any call may throw one; those that a method
/// declares may in any case.
public final class Allowed implements Predicate<String> {
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Set<RemoteType> taken = ConcurrentHashMap.newKeySet();
    private final Set<RemoteType> called = ConcurrentHashMap.newKeySet();

    /// Nothing but what may always come.
    public Allowed() {
        names.add("org.ibidem.rmi.frame.Reference");
    }

    @Override
    public boolean test(String name) {
        return names.contains(name) || ReviewedThrowables.has(name);
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
                    names.add(thrown.getName()); // of the JDK, too
                    addSuperclasses(thrown);
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
            addSuperclasses(one);
        }
    }

    /// Those of the JDK, too: without them there is no object of the class.
    private void addSuperclasses(Class<?> one) {
        for (var above = one.getSuperclass();
                above != null && above != Object.class;
                above = above.getSuperclass()) {
            if (above.getName().startsWith("java.")) {
                names.add(above.getName());
            }
        }
    }
}
