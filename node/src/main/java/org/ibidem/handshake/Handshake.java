package org.ibidem.handshake;

import static org.ibidem.handshake.HandshakeMessages.INITIATOR;
import static org.ibidem.handshake.HandshakeMessages.LONGEST_HELLO;
import static org.ibidem.handshake.HandshakeMessages.LONGEST_REPLY;
import static org.ibidem.handshake.HandshakeMessages.NONCE_BYTES;
import static org.ibidem.handshake.HandshakeMessages.PREFIX_BYTES;
import static org.ibidem.handshake.HandshakeMessages.RESPONDER;
import static org.ibidem.handshake.HandshakeMessages.join;
import static org.ibidem.handshake.HandshakeMessages.prefix;
import static org.ibidem.handshake.HandshakeMessages.signatureOf;
import static org.ibidem.handshake.HandshakeMessages.signed;
import static org.ibidem.handshake.HandshakeMessages.withoutSignature;

import java.nio.channels.ByteChannel;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;
import org.ibidem.buffer.Malformed;
import org.ibidem.handshake.Admission.Refused;
import org.ibidem.handshake.Admission.Verdict;
import org.ibidem.handshake.HandshakeMessages.Answered;
import org.ibidem.handshake.HandshakeMessages.Asked;
import org.ibidem.handshake.HandshakeMessages.Nonced;
import org.ibidem.handshake.HandshakeMessages.Versions;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Tasks;
import org.ibidem.trust.JobKey;
import org.ibidem.trust.JobKeys;
import org.jspecify.annotations.Nullable;

/// The one handshake every connection begins with: each end proves to have the private half of the
/// key it shows, by a signature over all that both have said, nonces included.
///
/// ```
/// initiator                                  responder
///    | -- HELLO  versions, what I want, key, nonce --> |
///    | <- REPLY  versions, yes or no, key, nonce, sig  |   signed: "responder", HELLO, REPLY
///    | -- PROOF  sig --------------------------------> |   signed: "initiator", HELLO, REPLY
/// ```
///
/// Format: `docs/wire/handshake.md`. It proves who is there when the connection begins (a signed
/// Diffie-Hellman without the Diffie-Hellman, after Diffie, van Oorschot and Wiener 1992); secrecy
/// and integrity afterwards are the business of the `tls` filter, and in a pool that has an
/// authority of [Sealing] where nodes and hubs speak with each other. All methods block, for the
/// time limit at most, and close the channel when they throw.
public final class Handshake {
    /// The time limit to use where nothing asks for another.
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private final Identity identity;
    private final Tasks tasks;
    private final Duration limit;
    private final Versions versions;
    private final Vetting vetting;
    private final SecureRandom random = new SecureRandom();

    /// Handshakes of this node or hub.
    ///
    /// @param limit for one whole handshake; then the channel is closed
    public Handshake(Identity identity, Tasks tasks, Duration limit) {
        this(identity, tasks, limit, Vetting.none());
    }

    /// The same where pools have authorities.
    public Handshake(Identity identity, Tasks tasks, Duration limit, Vetting vetting) {
        this(identity, tasks, limit, Versions.OURS, vetting);
    }

    Handshake(Identity identity, Tasks tasks, Duration limit, Versions versions) {
        this(identity, tasks, limit, versions, Vetting.none());
    }

    private Handshake(
            Identity identity, Tasks tasks, Duration limit, Versions versions, Vetting vetting) {
        this.identity = identity;
        this.tasks = tasks;
        this.limit = limit;
        this.versions = versions;
        this.vetting = vetting;
    }

    /// Whether only a path that leads directly to the peer will do.
    public boolean mustBeDirect(Hello hello) {
        return vetting.mustBeDirect(hello);
    }

    /// Who we are.
    public Identity identity() {
        return identity;
    }

    /// A handshake at whose other end the peer has proved itself, but has no proof of us yet: it
    /// may still be dropped by closing its channel, and then the peer never acts on it.
    public final class Opening {
        private final Path path;
        private final Exchange exchange;
        private final Hello hello;
        private final Seen seen;

        private Opening(Path path, Exchange exchange, Hello hello, Seen seen) {
            this.path = path;
            this.exchange = exchange;
            this.hello = hello;
            this.seen = seen;
        }

        /// Who proved to be there.
        public NodeKey peer() {
            return seen.key;
        }

        /// Proves ourselves to the peer.
        ///
        /// @throws HandshakeFailed when the connection broke or the time is over; the channel is
        ///   closed then
        public Proved finish() {
            return guarded(
                    exchange,
                    () -> {
                        var proof = prove(exchange, seen);
                        var over = path;
                        if (path instanceof StreamPath stream && vetting.seals(hello)) {
                            over = sealing(seen, proof).initiate(stream, exchange);
                        }
                        exchange.done();
                        return seen.proved(over, hello, true, proof);
                    });
        }
    }

    /// The whole handshake of the end that connected.
    ///
    /// @param path in blocking mode; closed when this throws
    /// @throws VersionMismatch when there is no common version
    /// @throws HandshakeRefused when the peer says no
    /// @throws WrongNode when somebody else than `hello.peer()` is there
    /// @throws SelfConnection when the connection leads back here
    /// @throws BadProof when the peer cannot prove its key
    /// @throws HandshakeGarbled when what came is no handshake
    /// @throws HandshakeTimeout when the time is over
    /// @throws HandshakeBroken when the connection ended
    public Proved initiate(Path path, Hello hello) {
        return begin(path, hello).finish();
    }

    /// The first half of [#initiate], up to the peer's proof; the time limit goes on.
    public Opening begin(Path path, Hello hello) {
        var exchange = new Exchange(path.words(), tasks, limit);
        return guarded(
                exchange, () -> new Opening(path, exchange, hello, ask(exchange, hello, path)));
    }

    /// The whole handshake of the end that accepted.
    ///
    /// @param path in blocking mode; closed when this throws
    /// @param admission asked once the HELLO is read
    /// @throws HandshakeFailed as for [#initiate]; [HandshakeRefused] when the answer was no
    public Proved respond(Path path, Admission admission) {
        return respond(path, admission, (_, _, _) -> false)
                .orElseThrow(() -> new AssertionError("no prelude was taken"));
    }

    /// Takes what a connection begins with, where that is no handshake.
    public interface Preamble {
        /// Looks at the first bytes.
        ///
        /// @return true: it was a prelude, and has been dealt with
        boolean take(byte[] prefix, Exchange exchange, Path path);
    }

    /// As [#respond(Path, Admission)], or a prelude instead.
    ///
    /// @return none when it was a prelude
    public Optional<Proved> respond(Path path, Admission admission, Preamble preamble) {
        var exchange = new Exchange(path.words(), tasks, limit);
        return guarded(
                exchange,
                () -> {
                    var prefix = firstBytes(exchange);
                    if (preamble.take(prefix, exchange, path)) {
                        return Optional.empty();
                    }
                    var heard = answer(exchange, prefix, admission, path);
                    var seen = heard.seen;
                    var over = path;
                    if (path instanceof StreamPath stream && vetting.seals(heard.hello)) {
                        over = sealing(seen, heard.proof).respond(stream, exchange);
                    }
                    exchange.done();
                    return Optional.of(seen.proved(over, heard.hello, false, heard.proof));
                });
    }

    /// [#respond] over any channel, for tests that need no socket.
    NodeKey respondOver(ByteChannel channel, Admission admission) {
        var exchange = new Exchange(channel, tasks, limit);
        return guarded(
                exchange,
                () -> {
                    var prefix = firstBytes(exchange);
                    var heard = answer(exchange, prefix, admission, null);
                    exchange.done();
                    return heard.seen.key;
                });
    }

    /// [#initiate] over any channel, for tests that need no socket.
    NodeKey initiateOver(ByteChannel channel, Hello hello) {
        var exchange = new Exchange(channel, tasks, limit);
        return guarded(
                exchange,
                () -> {
                    var seen = ask(exchange, hello, null);
                    prove(exchange, seen);
                    exchange.done();
                    return seen.key;
                });
    }

    /// The peer and all that was said up to the end of the REPLY.
    private static final class Seen {
        final NodeKey key;
        final int version;
        final byte[] hello;
        final byte[] reply;
        final String secrecy;

        final @Nullable JobKey job;

        Seen(
                NodeKey key,
                int version,
                byte[] hello,
                byte[] reply,
                String secrecy,
                @Nullable JobKey job) {
            this.job = job;
            this.key = key;
            this.version = version;
            this.hello = hello;
            this.reply = reply;
            this.secrecy = secrecy;
        }

        Proved proved(Path over, Hello asked, boolean initiator, byte[] proof) {
            var said = HandshakeMessages.digest(hello, reply, proof);
            return new Proved(over, key, asked, version, initiator, "", secrecy, said);
        }
    }

    private record Heard(Seen seen, Hello hello, byte[] proof) {}

    private Sealing sealing(Seen seen, byte[] proof) {
        return new Sealing(identity, seen.key, join(seen.hello, seen.reply, proof));
    }

    private static <T> T guarded(Exchange exchange, Supplier<T> steps) {
        try {
            return steps.get();
        } catch (Malformed e) {
            exchange.close();
            throw new HandshakeGarbled("not as a handshake must be: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            exchange.close();
            throw e;
        }
    }

    private static byte[] firstBytes(Exchange exchange) {
        try {
            return exchange.read("HELLO", PREFIX_BYTES);
        } catch (HandshakeBroken e) {
            throw exchange.hasHeard() ? e : new HandshakeDropped(e);
        }
    }

    private Seen ask(Exchange exchange, Hello wanted, @Nullable Path path) {
        var job = vetting.towards(wanted, path);
        var mine = job.key();
        var hello = mine != null && wanted.purpose().toHub() ? wanted.named(mine) : wanted;
        var asked = HandshakeMessages.hello(versions, myself(hello.pool(), path), hello);
        exchange.write("HELLO", asked);
        var prefix = exchange.read("REPLY", PREFIX_BYTES);
        int version = common(HandshakeMessages.readPrefix(prefix));
        var body = exchange.readSized("REPLY", Math.max(LONGEST_REPLY, LONGEST_HELLO));
        var reply = join(prefix, HandshakeMessages.sized(body));
        if (Arrays.equals(reply, asked)) {
            throw new SelfConnection("the connection leads back to this very socket");
        }
        var answered = HandshakeMessages.readReply(body);
        var key = answered.status() == 0 ? mine : null;
        requireSigned(
                answered.key(), signatureOf(reply), key, RESPONDER, asked, withoutSignature(reply));
        requireWelcome(hello, answered, job);
        vetting.joins(hello, key);
        var them = vetting.standing(hello, answered.key(), answered.shown(), false);
        var secrecy = vetting.secrecy(hello, them, answered.shown(), path);
        return new Seen(answered.key(), version, asked, reply, secrecy, key);
    }

    private static void requireSigned(
            NodeKey by, byte[] signature, @Nullable JobKey job, byte[]... parts) {
        if (by.verify(signature, signed(job, parts))) {
            return;
        }
        throw new BadProof(
                job != null && by.verify(signature, parts)
                        ? "node "
                                + by.id().brief()
                                + " does not prove to have the job's key: it is of no job, or"
                                + " that job has ended, and somebody else is there now"
                        : "the peer's signature does not fit its key and what was said");
    }

    private Nonced myself(String pool, @Nullable Path path) {
        return new Nonced(identity.key(), nonce(), vetting.shown(pool, path));
    }

    private void requireWelcome(Hello hello, Answered answered, JobKeys.Found job) {
        if (answered.key().equals(identity.key())) {
            throw new SelfConnection(
                    "the connection leads back to this very node, " + identity.id());
        }
        if (hello.peer() != null && !hello.peer().equals(answered.key().id())) {
            throw new WrongNode(hello.peer(), answered.key().id());
        }
        if (answered.status() != 0) {
            var refusal = Refusal.of(answered.status());
            boolean more = refusal == Refusal.JOB && !job.why().isEmpty();
            throw HandshakeRefused.byPeer(
                    refusal, answered.reason() + (more ? " (here " + job.why() + ")" : ""));
        }
    }

    private byte[] prove(Exchange exchange, Seen seen) {
        var proof = identity.sign(signed(seen.job, INITIATOR, seen.hello, seen.reply));
        exchange.write("PROOF", proof);
        return proof;
    }

    private Heard answer(
            Exchange exchange, byte[] prefix, Admission admission, @Nullable Path path) {
        int version = commonOrSaySo(exchange, HandshakeMessages.readPrefix(prefix));
        var body = exchange.readSized("HELLO", LONGEST_HELLO);
        var asked = HandshakeMessages.readHello(body);
        var hello = join(prefix, HandshakeMessages.sized(body));
        var me = myself(asked.pool(), path);
        Judged judged;
        try {
            judged = judged(asked, admission, path);
        } catch (HandshakeRefused e) {
            exchange.write("REPLY", reply(me, hello, null, e));
            exchange.lastWords();
            throw e;
        }
        var job = judged.job;
        var reply = reply(me, hello, job, null);
        exchange.write("REPLY", reply);
        var proof = proof(exchange);
        requireSigned(asked.key(), proof, job, INITIATOR, hello, reply);
        var seen = new Seen(asked.key(), version, hello, reply, judged.secrecy, job);
        return new Heard(seen, asked.hello().orElseThrow(), proof);
    }

    private static byte[] proof(Exchange exchange) {
        try {
            return exchange.read("PROOF", NodeKey.SIGNATURE_BYTES);
        } catch (HandshakeBroken e) {
            throw new HandshakeDropped(e);
        }
    }

    /// What an end that answers has found out where all is well.
    ///
    /// @param secrecy who can read the data
    /// @param job the key of a job that both have
    private record Judged(String secrecy, @Nullable JobKey job) {}

    /// @throws HandshakeRefused when all is not well
    private Judged judged(Asked asked, Admission admission, @Nullable Path path) {
        if (judge(asked, admission) instanceof Refused no) {
            throw HandshakeRefused.byUs(no);
        }
        var hello = asked.hello().orElseThrow();
        try {
            var job = vetting.job(hello);
            var them = vetting.standing(hello, asked.key(), asked.shown(), true);
            return new Judged(vetting.secrecy(hello, them, asked.shown(), path), job);
        } catch (Untrusted e) {
            throw HandshakeRefused.byUs(new Refused(e.refusal(), String.valueOf(e.getMessage())));
        }
    }

    private Verdict judge(Asked asked, Admission admission) {
        if (asked.key().equals(identity.key())) {
            return new Refused(Refusal.SELF, "both ends are node " + identity.id());
        }
        if (asked.peer() != null && !asked.peer().equals(identity.id())) {
            return new Refused(
                    Refusal.WRONG_NODE, "this is node " + identity.id() + ", not " + asked.peer());
        }
        var hello = asked.hello();
        if (hello.isEmpty()) {
            return new Refused(
                    Refusal.PURPOSE,
                    "connections for purpose " + asked.purpose() + " are not known here");
        }
        return admission.judge(asked.key(), hello.get());
    }

    private byte[] reply(
            Nonced me, byte[] hello, @Nullable JobKey job, @Nullable HandshakeRefused no) {
        int status = no == null ? 0 : no.refusal().code();
        var unsigned =
                HandshakeMessages.unsignedReply(
                        versions, me, status, no == null ? "" : no.reason());
        return join(unsigned, identity.sign(signed(job, RESPONDER, hello, unsigned)));
    }

    private int common(Versions theirs) {
        return versions.common(theirs)
                .orElseThrow(() ->
                        new VersionMismatch(
                                "the peer speaks version "
                                        + theirs
                                        + " of the protocol, we speak "
                                        + versions
                                        + "; use the same release of Ibidem at both ends"));
    }

    private int commonOrSaySo(Exchange exchange, Versions theirs) {
        try {
            return common(theirs);
        } catch (VersionMismatch e) {
            exchange.write("REPLY", prefix(versions));
            exchange.lastWords();
            throw e;
        }
    }

    private byte[] nonce() {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }
}
