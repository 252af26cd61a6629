package org.ibidem.rmi.generate;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.ProxyStub;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.RemoteMethod;

/// Makes stubs: of a generated class, else behind a proxy.
public final class Stubs {
    /// The stub classes of sets of interfaces, by the first of them, so that they go with it.
    private static final ClassValue<Map<List<Class<?>>, Stubs>> KNOWN =
            new ClassValue<>() {
                @Override
                protected Map<List<Class<?>>, Stubs> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private final List<Class<?>> interfaces;
    private final RemoteMethod[] methods;
    private final boolean open;
    private final Class<?>[] proxied;
    private volatile @org.jspecify.annotations.Nullable Class<?> code;

    private Stubs(List<Class<?>> interfaces, List<RemoteMethod> methods) {
        this.interfaces = interfaces;
        this.methods = methods.toArray(RemoteMethod[]::new);
        this.open =
                interfaces.stream().allMatch(RemoteType::isOpen)
                        && methods.stream().allMatch(each -> RemoteType.isOpen(each.method()));
        this.proxied =
                (open ? interfaces : Neighbours.with(interfaces, methods)).toArray(Class<?>[]::new);
    }

    /// Stubs that have these interfaces.
    public static Stubs of(List<RemoteType> types) {
        List<Class<?>> interfaces =
                List.copyOf(types.stream().<Class<?>>map(RemoteType::type).toList());
        return KNOWN.get(interfaces.getFirst())
                .computeIfAbsent(interfaces, _ -> new Stubs(interfaces, RemoteType.methods(types)));
    }

    /// Stubs that have an interface beside remote ones: its methods have names and parameters of
    /// theirs, and give a future for the result, or nothing.
    ///
    /// @throws IllegalArgumentException when a method of it is none of theirs
    public static Stubs beside(Class<?> type, List<RemoteType> types) {
        List<Class<?>> key = new ArrayList<>(List.of(type));
        types.forEach(each -> key.add(each.type()));
        return KNOWN.get(type)
                .computeIfAbsent(
                        List.copyOf(key),
                        _ -> new Stubs(List.of(type), called(type, RemoteType.methods(types))));
    }

    private static List<RemoteMethod> called(Class<?> type, List<RemoteMethod> remote) {
        if (!type.isInterface()) {
            throw new IllegalArgumentException(type.getName() + " is no interface");
        }
        var all = new ArrayList<RemoteMethod>();
        for (var method : type.getMethods()) {
            if (!java.lang.reflect.Modifier.isStatic(method.getModifiers())) {
                all.add(new RemoteMethod(method, counterpart(method, remote)));
            }
        }
        return all;
    }

    private static Method counterpart(Method method, List<RemoteMethod> remote) {
        var result = method.getReturnType();
        if (result != CompletableFuture.class
                && result != CompletionStage.class
                && result != void.class) {
            throw new IllegalArgumentException(
                    method + " gives neither a CompletableFuture nor nothing");
        }
        for (var each : remote) {
            var other = each.method();
            if (other.getName().equals(method.getName())
                    && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                return other;
            }
        }
        throw new IllegalArgumentException(
                method + " is beside no method of the remote object: it has " + remote);
    }

    /// One of them.
    public Object stub(Exchange exchange, Reference reference, CallSettings settings) {
        if (open) {
            return CodeLoader.made(
                    code(), StubCode.PARAMETERS, exchange, reference, methods, settings);
        }
        var stub = new ProxyStub(exchange, reference, methods, settings);
        return Proxy.newProxyInstance(interfaces.getFirst().getClassLoader(), proxied, stub);
    }

    private Class<?> code() {
        var made = code;
        if (made == null) {
            synchronized (this) {
                made = code;
                if (made == null) {
                    made = StubCode.made(interfaces, List.of(methods));
                    code = made;
                }
            }
        }
        return made;
    }
}
