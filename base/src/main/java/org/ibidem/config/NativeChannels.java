package org.ibidem.config;

import java.lang.reflect.InvocationTargetException;
import java.nio.channels.spi.AsynchronousChannelProvider;
import java.nio.channels.spi.SelectorProvider;

/// The JDK's own channels and selectors, also where a program has others: those may stand on
/// Ibidem, which must not stand on them.
public final class NativeChannels {
    private static final String OWN = "sun.nio.ch.DefaultSelectorProvider";
    private static final String OWN_ASYNCHRONOUS = "sun.nio.ch.DefaultAsynchronousChannelProvider";

    private NativeChannels() {}

    /// Found when it is first asked for.
    private static final class Own {
        static final SelectorProvider PROVIDER = find();

        private static SelectorProvider find() {
            var usual = SelectorProvider.provider();
            var jdk = Object.class.getModule();
            return jdk.equals(usual.getClass().getModule()) ? usual : hidden();
        }
    }

    /// The provider that makes them.
    ///
    /// @throws IllegalStateException when the JDK does not let it be had, with what to do
    public static SelectorProvider provider() {
        return Own.PROVIDER;
    }

    /// The same, whether or not the usual one is another: for who is that one.
    ///
    /// @throws IllegalStateException when the JDK does not let it be had, with what to do
    public static SelectorProvider hidden() {
        return (SelectorProvider) own(OWN, "get");
    }

    /// Who makes the JDK's asynchronous channels, likewise.
    ///
    /// @throws IllegalStateException when the JDK does not let it be had, with what to do
    public static AsynchronousChannelProvider asynchronous() {
        return (AsynchronousChannelProvider) own(OWN_ASYNCHRONOUS, "create");
    }

    private static Object own(String type, String maker) {
        try {
            return Class.forName(type).getMethod(maker).invoke(null);
        } catch (IllegalAccessException e) {
            var module = NativeChannels.class.getModule();
            throw new IllegalStateException(
                    "this process has channels of its own, and the JDK's cannot be reached: start java with --add-exports=java.base/sun.nio.ch="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
                    e);
        } catch (ClassNotFoundException | NoSuchMethodException | InvocationTargetException e) {
            throw new IllegalStateException("this JDK's channels are others: " + e, e);
        }
    }
}
