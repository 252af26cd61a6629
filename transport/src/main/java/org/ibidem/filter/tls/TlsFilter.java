package org.ibidem.filter.tls;

import java.io.IOException;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Encrypting;
import org.ibidem.link.Lower;
import org.ibidem.link.Opaque;
import org.ibidem.link.StreamFilter;
import org.ibidem.tls.Engines;

/// The filter `tls`: TLS 1.3 (RFC 8446) over any byte stream, with a certificate at both ends, by
/// the JDK's `SSLEngine`. The keys of the certificates are the nodes' own, so that the peer is the
/// node that was meant, whoever carries the bytes. Before any payload both ends sign what the
/// session exports (RFC 9266) and the handshake of the link: [org.ibidem.tls.Binding].
///
/// Ends of links are said by frames: who ends a link says no `close_notify`, and bytes that were
/// cut off are found out by whoever reads frames.
public final class TlsFilter implements StreamFilter, Opaque, Encrypting {
    /// Found by its `provides` line.
    public TlsFilter() {}

    @Override
    public String name() {
        return "tls";
    }

    /// Since 2 both ends sign what TLS exports and the handshake of the link.
    @Override
    public int version() {
        return 2;
    }

    @Override
    public Class<Tls> options() {
        return Tls.class;
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) throws IOException {
        if (!below.delivery().isFaithful()) {
            throw new IOException(
                    "tls needs bytes that arrive whole and in order: write tls > reliable > udp");
        }
        var engine = Engines.engine(lower.credentials(), lower.active(), lower.key());
        var stream = new TlsStream(below, engine);
        var tasks = lower.tasks();
        new Opening(stream, tasks, tasks.deadline(((Tls) options).within())).run(lower);
        return stream;
    }
}
