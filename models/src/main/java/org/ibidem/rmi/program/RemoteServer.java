package org.ibidem.rmi.program;

import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serial;
import java.lang.System.Logger.Level;
import java.rmi.ConnectException;
import java.rmi.server.ServerNotActiveException;
import org.jspecify.annotations.Nullable;

/// Stands for `java.rmi.server.RemoteServer`.
public abstract class RemoteServer extends RemoteObject {
    @Serial private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(RemoteServer.class.getName());

    /// One that is not exported.
    protected RemoteServer() {}

    /// Where the caller is whose call this thread runs: the narrowest level of its node's location,
    /// which is its host's name unless its program says otherwise; of a node that has left, its id.
    ///
    /// @throws ServerNotActiveException when this thread runs none
    public static String getClientHost() throws ServerNotActiveException {
        try {
            var home = Home.own();
            var caller = home.rmi().caller();
            if (caller.isPresent()) {
                return home.node().members().stream()
                        .filter(member -> member.id().equals(caller.get()))
                        .map(member -> member.location().levels().getFirst())
                        .findFirst()
                        .orElse(caller.get().brief());
            }
        } catch (ConnectException e) {
            LOG.log(Level.DEBUG, "no caller", e); // without a pool nobody calls
        }
        throw new ServerNotActiveException("this thread runs no remote call");
    }

    /// Says in the log that calls are not written anywhere.
    public static void setLog(@Nullable OutputStream out) {
        if (out != null) {
            LOG.log(
                    Level.INFO,
                    "RemoteServer.setLog: remote calls are not logged by Ibidem; JFR has its"
                            + " events");
        }
    }

    /// Null: calls are not logged.
    public static @Nullable PrintStream getLog() {
        return null;
    }
}
