package org.ibidem.rmi.program.rmi;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.spi.NamingManager;
import javax.naming.spi.ObjectFactory;
import org.ibidem.rmi.program.RmiContext;
import org.jspecify.annotations.Nullable;

/// Gives JNDI the context of URLs of the scheme `rmi`. Its name is the one that JNDI looks for.
public final class rmiURLContextFactory implements ObjectFactory {
    /// As JNDI makes it.
    public rmiURLContextFactory() {}

    @Override
    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // it is JNDI's
    public @Nullable Object getObjectInstance(
            @Nullable Object url,
            @Nullable Name name,
            @Nullable Context in,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        var theirs = new Hashtable<Object, Object>();
        if (environment != null) {
            theirs.putAll(environment);
        }
        theirs.remove(Context.URL_PKG_PREFIXES); // then it is the JDK's
        var context = RmiContext.of(NamingManager.getURLContext("rmi", theirs), "");
        return switch (url) {
            case null -> context;
            case String one -> context.lookup(one);
            case String[] all when all.length > 0 -> context.lookup(all[0]);
            default -> null;
        };
    }
}
