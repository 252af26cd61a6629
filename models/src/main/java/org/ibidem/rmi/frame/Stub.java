package org.ibidem.rmi.frame;

import java.lang.reflect.Proxy;
import java.rmi.Remote;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A remote object as its users have it. Two stubs are equal when they stand for the same object.
/// Its subclasses are generated, each of the methods is a call:
///
/// ```java
/// public int add(int value) throws RemoteException {
///     Outgoing call = begin(0);
///     call.put(value);
///     return call.callInt();
/// }
/// ```
public abstract class Stub implements Remote {
    private final Exchange exchange;
    private final Reference reference;
    private final NodeId node;
    private final RemoteMethod[] methods;
    private final CallSettings settings;

    /// A stub for an object with these methods.
    protected Stub(
            Exchange exchange, Reference reference, RemoteMethod[] methods, CallSettings settings) {
        this.exchange = exchange;
        this.reference = reference;
        this.node = reference.node();
        this.methods = methods;
        this.settings = settings;
    }

    /// Begins the call of a method.
    protected final Outgoing begin(int method) {
        return exchange.begin(this, methods[method]);
    }

    /// What it stands for.
    public final Reference reference() {
        return reference;
    }

    /// Where that is.
    public final NodeId node() {
        return node;
    }

    /// Through whom it calls.
    public final Exchange exchange() {
        return exchange;
    }

    /// How it calls.
    public final CallSettings settings() {
        return settings;
    }

    /// The methods it has.
    final RemoteMethod[] methods() {
        return methods;
    }

    /// The stub that an object is, or a proxy has; null: it is none.
    public static @Nullable Stub of(Object object) {
        if (object instanceof Stub stub) {
            return stub;
        }
        boolean proxy = Proxy.isProxyClass(object.getClass());
        return proxy && Proxy.getInvocationHandler(object) instanceof Stub stub ? stub : null;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        var stub = other == null ? null : of(other);
        return stub != null && stub.reference.isSame(reference);
    }

    @Override
    public final int hashCode() {
        return Long.hashCode(reference.object());
    }

    @Override
    public final String toString() {
        return "stub of " + reference;
    }
}
