package org.ibidem.rmi.program;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.NamingManager;

/// Stands for the JDK's factory of initial contexts of the same name, of which programs know no
/// more than that name.
public final class RegistryContextFactory implements InitialContextFactory {
    static final String JDKS = "com.sun.jndi.rmi.registry.RegistryContextFactory";

    /// As JNDI makes it.
    public RegistryContextFactory() {}

    @Override
    @SuppressWarnings("JdkObsolete") // as JNDI has it
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        var theirs = new Hashtable<Object, Object>(environment);
        theirs.put(Context.INITIAL_CONTEXT_FACTORY, JDKS);
        var url = environment.get(Context.PROVIDER_URL);
        return RmiContext.of(
                NamingManager.getInitialContext(theirs),
                url == null ? "rmi://localhost" : url.toString().replaceFirst("/+$", ""));
    }
}
