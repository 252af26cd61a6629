package org.ibidem.filter.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;
import org.ibidem.tls.Binding;

/// The handshake of one end, and then the [Binding] of both: the server says its own first, once it
/// has seen the client's certificate, the client answers. So who is refused learns it here, not by
/// the first message, and nobody says anything else before he has seen the other's.
///
/// @param end when it has to be over, by the clock of `tasks`
record Opening(TlsStream stream, Tasks tasks, long end) {
    private static final Duration PAUSE = Duration.ofMillis(1);

    /// As the JDK says them.
    private static final String ALERT = "Received fatal alert";

    private static final String OTHER_LINK = "no_application_protocol";

    private static final String JOINED =
            ", which is of another link than it is: somebody between joins two connections: ";

    void run(Lower lower) throws IOException {
        try {
            shake();
            bind(stream.binding(lower.credentials(), lower.said()), lower.active());
        } catch (IOException e) {
            lastWords();
            throw new IOException(why(e), e);
        }
    }

    private void shake() throws IOException {
        stream.begin();
        while (!stream.isOpen()) {
            boolean stepped = stream.shakes();
            if (!stream.flush() || !stepped) {
                pause();
            }
        }
    }

    private void bind(Binding binding, boolean client) throws IOException {
        if (!client) {
            say(binding.say(false, true));
            require(binding.wrong(true, hear()));
            return;
        }
        var wrong = binding.wrong(false, hear());
        say(binding.say(true, wrong.isEmpty()));
        require(wrong);
    }

    private static void require(String wrong) throws IOException {
        if (!wrong.isEmpty()) {
            throw new NotBound(wrong);
        }
    }

    private byte[] hear() throws IOException {
        var heard = ByteBuffer.allocateDirect(Binding.BYTES);
        while (heard.hasRemaining()) {
            if (stream.read(heard) < 0) {
                throw new IOException("the other end ended the connection");
            }
            if (heard.hasRemaining()) {
                pause();
            }
        }
        var bytes = new byte[Binding.BYTES];
        heard.flip().get(bytes);
        return bytes;
    }

    private void say(byte[] bytes) throws IOException {
        var said = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        while (stream.write(said) == 0) {
            pause();
        }
        while (!stream.flush()) {
            pause();
        }
    }

    /// The other end shall know why it is left.
    private void lastWords() {
        try {
            stream.takeLeave();
        } catch (IOException _) {
            // then it will see that the connection ends
        }
    }

    private void pause() throws IOException {
        if (end - tasks.nanoTime() <= 0) {
            throw new IOException("the other end did not finish the TLS handshake in time");
        }
        try {
            tasks.pause(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in the TLS handshake");
        }
    }

    /// What the two have signed is not the same.
    private static final class NotBound extends IOException {
        private static final long serialVersionUID = 1;

        NotBound(String why) {
            super(why);
        }
    }

    private static String why(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NotBound) {
                return said(cause);
            }
            if (cause instanceof CertificateException) {
                return "the other end is not the peer it should be: " + cause.getMessage();
            }
            if (cause instanceof SSLException) {
                var known = known(said(cause));
                if (!known.isEmpty()) {
                    return known + said(cause);
                }
            }
        }
        return "the TLS handshake failed: " + e.getMessage();
    }

    /// What that means which the JDK says; empty: it says it all.
    private static String known(String said) {
        if (said.contains(ALERT)) {
            return "the other end refused this one" + (said.contains(OTHER_LINK) ? JOINED : ": ");
        }
        return said.contains(OTHER_LINK) ? "this end refuses the other" + JOINED : "";
    }

    private static String said(Throwable cause) {
        return String.valueOf(cause.getMessage());
    }
}
