package org.ibidem.personality.sockets;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/// Starts a program whose sockets follow the rules in the property `ibidem.sockets`: what `ibidem
/// run --sockets` runs. Its arguments: the program's main class, then the program's.
public final class Main {
    private Main() {}

    /// Starts it.
    ///
    /// @throws Throwable what the program throws
    public static void main(String[] arguments) throws Throwable {
        var rules = Rules.parse(System.getProperty("ibidem.sockets", ""));
        NativeSocket.check();
        var node = Agent.join(); // before the program: others may connect to its ports
        Sockets.install(() -> node, rules);
        var main =
                Class.forName(arguments[0], true, ClassLoader.getSystemClassLoader())
                        .getMethod("main", String[].class);
        try {
            main.setAccessible(true);
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
