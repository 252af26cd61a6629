package org.ibidem.filter.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.ibidem.link.Tasks;

/// The handshake of one end. The client of TLS 1.3 has keys before the server has seen its
/// certificate; so the server says a byte once it has, and the client waits for that: who is
/// refused learns it here, not by the first message.
///
/// @param end when it has to be over, by the clock of `tasks`
record Opening(TlsStream stream, Tasks tasks, long end) {
    private static final Duration PAUSE = Duration.ofMillis(1);

    /// As the JDK says it.
    private static final String ALERT = "Received fatal alert";

    void run(boolean client) throws IOException {
        try {
            shake();
            welcome(client);
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

    private void welcome(boolean client) throws IOException {
        var word = ByteBuffer.allocateDirect(1);
        while (client && word.hasRemaining()) {
            if (stream.read(word) < 0) {
                throw new IOException("the other end ended the connection");
            }
            if (word.hasRemaining()) {
                pause();
            }
        }
        while (!client && stream.write(word) == 0) {
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
        Tasks.again(PAUSE, () -> false);
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted in the TLS handshake");
        }
    }

    private static String why(IOException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return "the other end is not who it should be: " + cause.getMessage();
            }
            if (cause instanceof SSLException && said(cause).contains(ALERT)) {
                return "the other end refused this one: " + said(cause);
            }
        }
        return "the TLS handshake failed: " + e.getMessage();
    }

    private static String said(Throwable cause) {
        return String.valueOf(cause.getMessage());
    }
}
