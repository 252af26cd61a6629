package org.ibidem.hub;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.config.Settings;

/// The names of these tests' JVM: this machine's own, and those that end in `.silent`, are asked of
/// a name server that says nothing for half a minute, as one whose packets are lost; `.unknown` it
/// denies at once.
public final class SilentNames extends InetAddressResolverProvider {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final int SECONDS = 30;

    /// Found by the JDK.
    public SilentNames() {}

    @Override
    public InetAddressResolver get(Configuration configuration) {
        var usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
                    throws UnknownHostException {
                if (host.endsWith(".silent") || host.equals(Settings.hostName())) {
                    keepSilent();
                    throw new UnknownHostException(host + ": Temporary failure in name resolution");
                }
                if (host.endsWith(".unknown")) {
                    throw new UnknownHostException(host + ": Name or service not known");
                }
                return usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    /// As the system's own call, which nothing interrupts.
    private static void keepSilent() {
        boolean interrupted = false;
        try {
            NEVER.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            interrupted = true;
        }
        if (interrupted) {
            keepSilent();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String name() {
        return "silent";
    }
}
