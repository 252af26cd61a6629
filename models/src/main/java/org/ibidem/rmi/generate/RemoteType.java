package org.ibidem.rmi.generate;

import java.io.InvalidClassException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.rmi.frame.Incoming;
import org.ibidem.rmi.frame.RemoteMethod;
import org.jspecify.annotations.Nullable;

/// A remote interface: its methods, those of the interfaces above it included.
public final class RemoteType {
    private static final ClassValue<RemoteType> TYPES =
            new ClassValue<>() {
                @Override
                protected RemoteType computeValue(Class<?> type) {
                    return new RemoteType(type);
                }
            };

    private final Class<?> type;
    private final List<RemoteMethod> methods;
    private final Map<Long, Incoming> incoming = new ConcurrentHashMap<>();

    private RemoteType(Class<?> type) {
        this.type = type;
        this.methods =
                Arrays.stream(type.getMethods())
                        .filter(RemoteType::isCalled)
                        .map(method -> new RemoteMethod(checked(type, method)))
                        .sorted(Comparator.comparing(RemoteMethod::toString))
                        .toList();
    }

    /// That of an interface.
    ///
    /// @throws IllegalArgumentException when it is no remote interface, or a method of it cannot
    ///   say that a call has failed
    public static RemoteType of(Class<?> type) {
        if (!type.isInterface() || !Remote.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(
                    type.getName() + " is no interface that extends java.rmi.Remote");
        }
        return TYPES.get(type);
    }

    /// The remote interfaces that a class has, those that others of it extend left out.
    ///
    /// @throws IllegalArgumentException when there is none
    public static List<RemoteType> all(Class<?> type) {
        var all = new LinkedHashSet<Class<?>>();
        for (var in = type; in != null; in = in.getSuperclass()) {
            collect(in, all);
        }
        var found = new ArrayList<Class<?>>(all);
        found.removeIf(
                one -> all.stream().anyMatch(other -> other != one && one.isAssignableFrom(other)));
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    type.getName() + " has no remote interface: one that extends java.rmi.Remote");
        }
        return found.stream().map(RemoteType::of).toList();
    }

    /// Those of some names that a loader knows; others are for other nodes.
    ///
    /// @throws InvalidClassException when it knows none, or one is no remote interface
    public static List<RemoteType> named(List<String> names, ClassLoader loader)
            throws InvalidClassException {
        var found = new ArrayList<RemoteType>();
        for (var name : names) {
            try {
                found.add(of(Class.forName(name, false, loader)));
            } catch (ClassNotFoundException | LinkageError _) {
                // this node calls it by another one
            } catch (IllegalArgumentException e) {
                throw new InvalidClassException(name, String.valueOf(e.getMessage()));
            }
        }
        if (found.isEmpty()) {
            throw new InvalidClassException(
                    "none of the interfaces of a remote object is on the class path here: "
                            + names);
        }
        return found;
    }

    private static void collect(Class<?> in, Set<Class<?>> all) {
        for (var each : in.getInterfaces()) {
            if (each != Remote.class && Remote.class.isAssignableFrom(each)) {
                all.add(each);
            } else {
                collect(each, all);
            }
        }
    }

    private static boolean isCalled(Method method) {
        return !Modifier.isStatic(method.getModifiers());
    }

    private static Method checked(Class<?> type, Method method) {
        boolean says =
                Arrays.stream(method.getExceptionTypes())
                        .anyMatch(each -> each.isAssignableFrom(RemoteException.class));
        if (!says) {
            throw new IllegalArgumentException(
                    "method "
                            + method.getName()
                            + " of the remote interface "
                            + type.getName()
                            + " does not throw RemoteException: a call over a network can fail, so"
                            + " every method must");
        }
        return method;
    }

    /// The interface.
    public Class<?> type() {
        return type;
    }

    /// Its methods, in an order that is the same everywhere.
    public List<RemoteMethod> methods() {
        return methods;
    }

    /// Its method of this number; null: there is none.
    public @Nullable RemoteMethod method(long hash) {
        for (var each : methods) {
            if (each.hash() == hash) {
                return each;
            }
        }
        return null;
    }

    /// A call of one of its methods, to be asked for fresh ones.
    public Incoming incoming(RemoteMethod method) {
        return incoming.computeIfAbsent(method.hash(), _ -> made(method));
    }

    private Incoming made(RemoteMethod method) {
        return isOpen() ? IncomingCode.made(type, method) : new ReflectedIncoming(method, null);
    }

    /// Whether generated code can reach it and all that is in its methods.
    boolean isOpen() {
        return isOpen(type) && methods.stream().allMatch(each -> isOpen(each.method()));
    }

    static boolean isOpen(Method method) {
        return isOpen(method.getReturnType())
                && Arrays.stream(method.getParameterTypes()).allMatch(RemoteType::isOpen);
    }

    static boolean isOpen(Class<?> type) {
        var element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return Modifier.isPublic(element.getModifiers())
                && element.getModule().isExported(element.getPackageName());
    }

    /// The methods of several interfaces, each once.
    static List<RemoteMethod> methods(List<RemoteType> types) {
        var seen = new LinkedHashSet<Long>();
        var all = new ArrayList<RemoteMethod>();
        for (var each : types) {
            for (var method : each.methods()) {
                if (seen.add(method.hash())) {
                    all.add(method);
                }
            }
        }
        return Collections.unmodifiableList(all);
    }
}
