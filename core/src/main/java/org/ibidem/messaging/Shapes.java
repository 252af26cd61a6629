package org.ibidem.messaging;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Set;
import org.ibidem.serial.ObjectPolicy;

/// Which classes the objects of a declared kind consist of, as far as that is known without an
/// object: a class, what a sealed type permits, and what the components of a record can be. Of a
/// component that may be anything (an interface, a class that is not final) only itself.
final class Shapes {
    private final Set<Class<?>> seen = new HashSet<>();
    private ObjectPolicy policy;

    private Shapes(ObjectPolicy policy) {
        this.policy = policy;
    }

    /// Lets in what a kind of object consists of.
    static ObjectPolicy allow(ObjectPolicy policy, Class<?> kind) {
        var shapes = new Shapes(policy);
        shapes.visit(kind);
        return shapes.policy;
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
        if (one.isPrimitive() || one.getName().startsWith("java.") || !seen.add(one)) {
            return; // what is let in of the JDK is for ObjectPolicy to say
        }
        policy = policy.allow(one);
        var permitted = one.getPermittedSubclasses();
        if (permitted != null) {
            for (var each : permitted) {
                visit(each);
            }
        }
        var components = one.getRecordComponents();
        if (components != null) {
            for (var each : components) {
                visit(each.getGenericType());
            }
        }
    }
}
