package org.ibidem.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.ibidem.arbitration.Clock;
import org.ibidem.buffer.Malformed;
import org.ibidem.identity.Identity;
import org.ibidem.task.Tasks;
import org.ibidem.trust.Authority;
import org.ibidem.trust.Chain;
import org.ibidem.trust.InvitationMessage.Call;
import org.ibidem.trust.InvitationMessage.Said;
import org.ibidem.trust.NotTrusted;
import org.ibidem.trust.Pem;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;

/// Gets a node its certificate by a one-time code. Its key never leaves it.
///
/// @param name as which the authority has issued it
/// @param standing what it is, and in which pool
/// @param authority the authority's certificate
/// @param own the node's, then that of the delegate who has let it in, if one has
public record Joining(String name, Standing standing, X509Certificate authority, Chain own) {
    private static final String LABEL = "CERTIFICATE";

    /// For which pool it is.
    public String pool() {
        return standing.pool();
    }

    /// Asks who invites, by a hub: any, as it need not be trusted.
    ///
    /// @param hub its `host:port`
    /// @param who whose key is to be certified
    /// @throws AuthorityFailed when it does not come about; the message says why
    public static Joining by(
            OneTimeCode code, String hub, Identity who, Tasks tasks, Duration limit) {
        try (var line = Line.to(hub, "", who, tasks, limit)) {
            var timer =
                    tasks.after(limit, "limit to join", () -> line.end("it has waited too long"));
            try {
                return by(code, line, who);
            } finally {
                timer.stop();
            }
        }
    }

    private static Joining by(OneTimeCode code, Line line, Identity who) {
        try {
            var letters = new Letters(false, code, new SecureRandom());
            line.say(new Call(code.slot(), letters.opening()));
            var request = letters.request(said(line), who.key());
            line.say(new Said(0, request.said()));
            var got = Letters.admitted(request.keys(), said(line));
            return checked(got, who);
        } catch (WrongCode e) {
            throw new AuthorityFailed(
                    "the inviting command has another code, or a message was altered on the way: "
                            + e.getMessage(),
                    e);
        } catch (Malformed | NotTrusted e) {
            throw new AuthorityFailed(
                    "the inviting command sent what cannot be used: " + e.getMessage(), e);
        }
    }

    private static byte[] said(Line line) {
        if (line.next() instanceof Said(_, var said)) {
            return said;
        }
        throw new AuthorityFailed("not admitted: " + line.why());
    }

    private static Joining checked(Admittance got, Identity who) {
        var trust =
                Trust.NONE.and(
                        new Authority(List.of(got.authority())), got.own(), Clock.TIME_OF_DAY);
        trust.requireOwn(who.key().encoded());
        var pool = trust.pools().iterator().next();
        var standing = trust.check(pool, who.key().encoded(), got.own());
        return new Joining(got.name(), standing, got.authority(), got.own());
    }

    /// Writes the authority's certificate to a file, and adds the node's, with that of a delegate
    /// who has let it in, to that of its key, which then serves as `ibidem.identity`.
    ///
    /// @throws IOException when they cannot be written, or there is an authority's already
    public void write(Path identity, Path root) throws IOException {
        try {
            PoolAuthority.write(root, Pem.section(LABEL, authority.getEncoded()));
            var all = new StringBuilder();
            for (var each : own.certificates()) {
                all.append(Pem.section(LABEL, each.getEncoded()));
            }
            Files.writeString(identity, all, StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
        } catch (CertificateEncodingException e) {
            throw new IOException(e);
        }
    }
}
