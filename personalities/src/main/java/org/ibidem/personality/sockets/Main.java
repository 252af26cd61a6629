package org.ibidem.personality.sockets;

import java.util.Arrays;
import org.ibidem.program.Entry;

/// Starts a program whose sockets follow the rules in the property `ibidem.sockets`: what `ibidem
/// run --sockets` runs. Its arguments: the program's main class, then the program's.
public final class Main {
    private Main() {}

    /// Starts it.
    ///
    /// @throws Exception what the program throws
    public static void main(String[] arguments) throws Exception {
        var rules = Rules.parse(System.getProperty("ibidem.sockets", ""));
        NativeSocket.check();
        var node = Agent.join(); // before the program: others may connect to its ports
        Sockets.install(() -> node, rules);
        var type = Class.forName(arguments[0], false, ClassLoader.getSystemClassLoader());
        new Entry(type).call(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
}
