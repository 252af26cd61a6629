package org.ibidem.connect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ibidem.config.AddressFamilies;
import org.ibidem.task.Tasks;

/// Looks up names of hosts, within a limit.
///
/// The system's own call takes as long as it takes, tens of seconds where a name server is silent,
/// and cannot be interrupted. So it is made in a thread of its own, one for a name however many ask
/// for it, and a few at once in the whole process; whoever asks waits as long as he likes.
public final class HostLookup {
    /// The names this machine knows.
    public static final HostLookup SYSTEM = new HostLookup(InetAddress::getAllByName);

    /// Names that are looked up at once; with so many, a name server is silent.
    static final int MOST = 16;

    /// How the JDK says that a name server did not answer, or that there is none.
    private static final String SILENT = "Temporary failure in name resolution";

    private static final String LOCAL = "localhost";
    private static final List<InetAddress> NONE = List.of();

    private final Source source;
    private final Map<String, CompletableFuture<List<InetAddress>>> asked = new HashMap<>();

    /// Names to which there was no answer: the JDK remembers for some time that a name was not
    /// found, and not why.
    private final Set<String> silent = new HashSet<>();

    /// What knows names.
    @FunctionalInterface
    public interface Source {
        /// The addresses of a host; may take long.
        InetAddress[] all(String host) throws UnknownHostException;
    }

    /// There was no answer in time, which says nothing of whether there is such a name.
    public static final class NoAnswer extends IOException {
        private static final long serialVersionUID = 1L;

        NoAnswer(String host, String why) {
            super(
                    "no name server says where '"
                            + host
                            + "' is ("
                            + why
                            + "): give an address instead of the name, or mend /etc/resolv.conf");
        }
    }

    HostLookup(Source source) {
        this.source = source;
    }

    /// The addresses of a host, which may be an address itself. `localhost` is not looked up, so
    /// that it is where this machine has it (RFC 6761, section 6.3): what stands in /etc/hosts may
    /// be an address of a family that this machine does not have.
    ///
    /// @param tasks runs the system's own call
    /// @throws UnknownHostException when there is no such name
    /// @throws NoAnswer when nobody says in time
    /// @throws InterruptedIOException when the thread was interrupted, and still is
    public List<InetAddress> all(String host, Duration limit, Tasks tasks) throws IOException {
        var here = host.equalsIgnoreCase(LOCAL) ? AddressFamilies.loopbacks() : NONE;
        if (!here.isEmpty()) {
            return here;
        }
        try {
            return List.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException _) {
            return found(host, limit, ask(host, tasks));
        }
    }

    /// The first of them.
    public InetAddress first(String host, Duration limit, Tasks tasks) throws IOException {
        return all(host, limit, tasks).getFirst();
    }

    private List<InetAddress> found(
            String host, Duration limit, CompletableFuture<List<InetAddress>> answer)
            throws IOException {
        try {
            return answer.get(Math.max(1, Tasks.nanos(limit)), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new NoAnswer(host, "asked for " + limit.toMillis() + " ms");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while '" + host + "' was looked up");
        } catch (ExecutionException e) {
            var cause = e.getCause();
            if (isSilent(host, cause == null ? "" : String.valueOf(cause.getMessage()))) {
                throw new NoAnswer(host, "or there is none");
            }
            throw new UnknownHostException("no host is called '" + host + "'");
        }
    }

    private boolean isSilent(String host, String why) {
        synchronized (asked) {
            if (why.contains(SILENT)) {
                if (silent.size() >= MOST) {
                    silent.clear();
                }
                silent.add(host);
            } else if (!why.equals(host)) {
                silent.remove(host);
            }
            return silent.contains(host);
        }
    }

    private CompletableFuture<List<InetAddress>> ask(String host, Tasks tasks) throws NoAnswer {
        CompletableFuture<List<InetAddress>> answer;
        synchronized (asked) {
            answer = asked.get(host);
            if (answer != null) {
                return answer;
            }
            if (asked.size() >= MOST) {
                throw new NoAnswer(host, MOST + " other names are waited for already");
            }
            answer = new CompletableFuture<>();
            asked.put(host, answer);
        }
        var mine = answer;
        boolean started = false;
        try {
            tasks.block("look up " + host, () -> lookUp(host, mine));
            started = true;
            return answer;
        } finally {
            if (!started) {
                answered(host);
            }
        }
    }

    private void lookUp(String host, CompletableFuture<List<InetAddress>> answer) {
        try {
            var all = List.of(source.all(host));
            answered(host);
            answer.complete(all);
        } catch (UnknownHostException | RuntimeException e) {
            answered(host);
            answer.completeExceptionally(e);
        }
    }

    private void answered(String host) {
        synchronized (asked) {
            asked.remove(host);
        }
    }
}
