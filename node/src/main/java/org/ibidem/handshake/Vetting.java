package org.ibidem.handshake;

import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.buffer.Malformed;
import org.ibidem.config.Settings;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.LocalAddresses;
import org.ibidem.connect.SocketPath;
import org.ibidem.identity.NodeKey;
import org.ibidem.identity.Shown;
import org.ibidem.link.Catalog;
import org.ibidem.link.Path;
import org.ibidem.link.Secrecy;
import org.ibidem.peer.Purpose;
import org.ibidem.stack.Stack;
import org.ibidem.tls.Engines;
import org.ibidem.topology.Contact;
import org.ibidem.trust.Chain;
import org.ibidem.trust.JobKey;
import org.ibidem.trust.JobKeys;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;

/// What the ends of a connection demand of each other in a pool that has an authority: a
/// certificate, and that data which leave the machine are encrypted. Each end decides alone, about
/// what both have signed and about the path that it has itself; so nobody between them can talk
/// either into anything.
///
/// Data may go in clear between two nodes whose certificates name the same site, over a connection
/// that leads directly from one to the other between addresses that are declared for that site; and
/// on one machine. A connection leads directly if each end has the address that the other sees.
public final class Vetting {
    /// Demands nothing, until a hub has proved to be that of a job.
    static Vetting none() {
        return new Vetting(Trust.NONE, Declarations.NONE, Catalog.NONE);
    }

    private static final String HOW =
            "; write auto, which encrypts where it must, or put 'tls >' above the driver";

    private final Trust trust;
    private final Declarations sites;
    private final Catalog catalog;
    private final JobKeys jobs = new JobKeys();

    /// Of a hub the key of the job that it is for; of a node that with which it has joined its hub.
    private volatile @Nullable JobKey job;

    private volatile Runnable answered = () -> {};

    /// @param sites which addresses are declared for which site
    /// @param catalog what stacks are made of
    public Vetting(Trust trust, Declarations sites, Catalog catalog) {
        this(trust, sites, catalog, null);
    }

    /// Of a hub.
    ///
    /// @param job the key of the job that the hub is for, which who comes must have; null: it is
    ///   for everybody
    public Vetting(Trust trust, Declarations sites, Catalog catalog, @Nullable JobKey job) {
        this.trust = trust;
        this.sites = sites;
        this.catalog = catalog;
        this.job = job;
    }

    /// The key of the job whose hub a path leads to, or whose members both ends are.
    JobKeys.Found towards(Hello hello, @Nullable Path path) {
        if (!hello.purpose().toHub()) {
            return new JobKeys.Found(job, "");
        }
        return path instanceof SocketPath socket
                ? jobs.towards(socket.remote())
                : JobKeys.Found.NOTHING;
    }

    /// A hub has proved to have the key of the job, too: so have all whom it has let in, and nobody
    /// else is dealt with from now on.
    void joins(Hello hello, @Nullable JobKey with) {
        if (hello.purpose().toHub()) {
            job = with != null ? with : job;
            answered.run();
        }
    }

    /// Does this whenever a hub has answered, before anybody else can have heard of this end.
    public void whenAnswered(Runnable then) {
        answered = then;
    }

    /// The key of a job that this end has in common with who says this. A hub is told its name,
    /// nodes know each other's: it is that of their hub.
    ///
    /// @throws Untrusted when a hub has none in common with it
    @Nullable JobKey job(Hello hello) {
        var job = this.job;
        if (!hello.purpose().toHub()) {
            return job;
        }
        var shown = hello.token();
        if (job == null && !shown.isEmpty()) {
            throw new Untrusted(
                    Refusal.JOB,
                    "this hub is of no job, and you show a job's key: that job has ended, and"
                            + " another hub has its port now; unset ibidem.job to join this one");
        }
        if (job != null && !shown.equals(job.name())) {
            throw new Untrusted(
                    Refusal.JOB,
                    "this is the hub of a job of user '%s', and you show %s; be that user, or start the job with: ibidem run --open"
                            .formatted(
                                    Settings.system().property("user.name").orElse("unknown"),
                                    shown.isEmpty() ? "no key of it" : "the key of another"));
        }
        return job;
    }

    /// What this end shows.
    Shown shown(String pool, @Nullable Path path) {
        return trust.governs(pool)
                ? new Shown(Shown.local(path), trust.shown(pool).bytes())
                : Shown.NOTHING;
    }

    /// What the other end is.
    ///
    /// @param initiator whether it is the one that connected
    /// @return null in a pool without an authority
    /// @throws Untrusted when it does not prove to belong to the pool
    @Nullable Standing standing(Hello hello, NodeKey key, Shown theirs, boolean initiator) {
        var pool = hello.pool();
        if (!trust.governs(pool)) {
            return null;
        }
        try {
            var standing = trust.check(pool, key.encoded(), Chain.of(theirs.certificates()));
            requireRole(hello.purpose(), standing, initiator);
            return standing;
        } catch (NotTrusted | Malformed e) {
            throw new Untrusted(
                    Refusal.CERTIFICATE,
                    "node " + key.id().brief() + " is not trusted: " + e.getMessage());
        }
    }

    private static void requireRole(Purpose purpose, Standing standing, boolean initiator) {
        if (purpose == Purpose.TRIAL) {
            return; // nothing is said over it
        }
        if (purpose == Purpose.INVITATION && initiator) {
            requireInviter(standing);
            return;
        }
        boolean hub = purpose.toHub() && !initiator;
        if (hub ? standing.role() != Role.HUB : !standing.role().isMember()) {
            throw new NotTrusted(
                    "its certificate has the role '%s', and here it would have to be '%s'"
                            .formatted(standing.role(), hub ? Role.HUB : Role.NODE));
        }
    }

    private static void requireInviter(Standing standing) {
        if (!standing.role().mayInvite()) {
            throw new NotTrusted(
                    "its certificate has the role '%s', and only '%s' or '%s' can invite"
                            .formatted(standing.role(), Role.ADMIN, Role.DELEGATE));
        }
    }

    /// Who can read the data that will go over a connection, for people; empty where nobody asks.
    ///
    /// @param them what the other end is, or null in a pool without an authority
    /// @throws Untrusted when the data may not go over it like that
    String secrecy(Hello hello, @Nullable Standing them, Shown theirs, @Nullable Path path) {
        if (them == null || !hello.purpose().carriesData()) {
            return "";
        }
        var stack = Stack.parse(hello.stack(), catalog);
        if (stack.isSecret()) {
            return stack.driver().overConnections() ? Engines.SPOKEN : "";
        }
        if (!(path instanceof SocketPath socket)) {
            throw refused("the path is not direct");
        }
        var ends = new Ends(Shown.address(socket.local()), Shown.address(socket.remote()));
        return clear(hello.pool(), them, theirs, ends);
    }

    /// The addresses of a connection as one end sees them; null: none.
    record Ends(@Nullable InetAddress here, @Nullable InetAddress there) {}

    /// Why data may go in clear between two addresses.
    String clear(String pool, Standing them, Shown theirs, Ends ends) {
        var here = ends.here;
        var there = ends.there;
        if (here == null || there == null) {
            throw refused("the path is not direct");
        }
        if (!Shown.text(there).equals(theirs.local())) {
            throw refused(
                    "the path is not direct: the other end has the address "
                            + theirs.local()
                            + " and is seen at "
                            + Shown.text(there));
        }
        if (there.isLoopbackAddress() || there.equals(here)) {
            return "clear: same machine";
        }
        requireSameSite(trust.site(pool), them.site(), List.of(here, there));
        return "clear: same site " + them.site();
    }

    /// Whether what goes over the connection is under TLS as a whole: what nodes and hubs say to
    /// each other. Data are encrypted by their own stacks.
    boolean seals(Hello hello) {
        return trust.governs(hello.pool()) && hello.purpose().isControl();
    }

    /// Whether nothing but a direct path has a chance: of data in clear.
    boolean mustBeDirect(Hello hello) {
        return trust.governs(hello.pool())
                && hello.purpose().carriesData()
                && !Stack.parse(hello.stack(), catalog).isSecret();
    }

    private void requireSameSite(String ours, String theirs, List<InetAddress> ends) {
        if (ours.isEmpty() || theirs.isEmpty()) {
            throw refused("not both certificates name a site");
        }
        if (!ours.equals(theirs)) {
            throw refused("the certificates name the sites '" + ours + "' and '" + theirs + "'");
        }
        for (var end : ends) {
            if (!sites.holds(ours, end)) {
                throw refused(
                        "address "
                                + end.getHostAddress()
                                + " is not declared for site '"
                                + ours
                                + "' (ibidem.site."
                                + ours
                                + ")");
            }
        }
    }

    private static Untrusted refused(String why) {
        return new Untrusted(Refusal.CLEAR, "not in clear, as " + why + HOW);
    }

    /// What is known of that before there is a connection.
    public Secrecy secrecy(String pool) {
        return !trust.governs(pool)
                ? Secrecy.NOT_ASKED
                : new Secrecy() {
                    @Override
                    public boolean asked() {
                        return true;
                    }

                    @Override
                    public boolean mayBeClear(Contact peer) {
                        return Vetting.this.mayBeClear(trust.site(pool), peer);
                    }
                };
    }

    private boolean mayBeClear(String site, Contact peer) {
        var mine = LocalAddresses.mine();
        var theirs =
                peer.addresses().stream()
                        .flatMap(each -> Stream.ofNullable(each.getAddress()))
                        .toList();
        return theirs.stream().anyMatch(each -> each.isLoopbackAddress() || mine.contains(each))
                || (!site.isEmpty() && holdsOne(site, theirs) && holdsOne(site, mine));
    }

    private boolean holdsOne(String site, Collection<InetAddress> addresses) {
        return addresses.stream().anyMatch(address -> sites.holds(site, address));
    }
}
