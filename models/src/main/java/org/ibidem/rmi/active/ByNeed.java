package org.ibidem.rmi.active;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A result that is used before it is there: whoever calls a method of it waits for it then, and
/// not before (wait-by-necessity). It may be stored and handed on meanwhile.
///
/// ```java
/// var rows = rmi.beside(table, TableLater.class);                 // its methods give futures
/// List<String> all = ByNeed.of(List.class, rows.names());         // does not wait
/// int count = all.size();                                         // waits
/// ```
///
/// It is no object of the result's class, and does not travel: get that by [#value].
public final class ByNeed {
    private ByNeed() {}

    /// Stands for the result.
    ///
    /// @param type an interface that the result has
    /// @param future gives it, as the methods beside remote ones do
    /// @throws IllegalArgumentException when the type is no interface
    public static <T> T of(Class<T> type, CompletableFuture<? extends T> future) {
        if (!type.isInterface()) {
            throw new IllegalArgumentException(
                    type.getName() + " is no interface, so nothing can stand for one");
        }
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, new Waiting(future)));
    }

    /// Whether the result is there, or will never be: then nobody waits who uses it.
    public static boolean isThere(Object result) {
        var waiting = waiting(result);
        return waiting == null || waiting.future.isDone();
    }

    /// The result itself; waits for it.
    ///
    /// @throws CompletionException when there is none, with why
    public static <T> T value(T result) {
        var waiting = waiting(result);
        if (waiting == null) {
            return result;
        }
        @SuppressWarnings("unchecked") // it was made for a future of such
        var value = (T) waiting.future.join();
        return value;
    }

    private static @Nullable Waiting waiting(Object result) {
        return Proxy.isProxyClass(result.getClass())
                        && Proxy.getInvocationHandler(result) instanceof Waiting waiting
                ? waiting
                : null;
    }

    /// @param future gives the result
    private record Waiting(CompletableFuture<?> future) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
                throws Throwable {
            var value = awaited(method);
            if (value == null) {
                throw new NullPointerException("the result is null");
            }
            try {
                return method.invoke(value, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }

        /// What the call has thrown, its user gets, in another exception where it is not declared.
        private @Nullable Object awaited(Method method) throws Throwable {
            try {
                return future.get();
            } catch (ExecutionException e) {
                var why = e.getCause();
                boolean known =
                        why instanceof RuntimeException
                                || why instanceof Error
                                || Arrays.stream(method.getExceptionTypes())
                                        .anyMatch(each -> each.isInstance(why));
                throw known && why != null ? why : new CompletionException(why);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException("interrupted before the result was there", e);
            }
        }
    }
}
