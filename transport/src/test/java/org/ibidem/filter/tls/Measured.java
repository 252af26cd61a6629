package org.ibidem.filter.tls;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// An engine that counts how often it encrypts and decrypts, and what it allocates for that, and
/// notes where it is told to do so.
final class Measured extends SSLEngine {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Bytes allocated so far.
    long bytes;

    /// How often it was called so far.
    long calls;

    /// What was encrypted last, and into what.
    @Nullable ByteBuffer plain;

    @Nullable ByteBuffer encrypted;

    private final SSLEngine engine;

    Measured(SSLEngine engine) {
        this.engine = engine;
    }

    /// What this thread has allocated so far.
    static long allocated() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    private SSLEngineResult counted(long before, SSLEngineResult result) {
        bytes += allocated() - before;
        calls++;
        return result;
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer from, ByteBuffer to) throws SSLException {
        plain = from;
        encrypted = to;
        return counted(allocated(), engine.wrap(from, to));
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer to) throws SSLException {
        return counted(allocated(), engine.unwrap(from, to));
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer[] from, int at, int count, ByteBuffer to)
            throws SSLException {
        return engine.wrap(from, at, count, to);
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer from, ByteBuffer[] to, int at, int count)
            throws SSLException {
        return engine.unwrap(from, to, at, count);
    }

    @Override
    public Runnable getDelegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeInbound() throws SSLException {
        engine.closeInbound();
    }

    @Override
    public boolean isInboundDone() {
        return engine.isInboundDone();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public boolean isOutboundDone() {
        return engine.isOutboundDone();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return engine.getSupportedCipherSuites();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        return engine.getEnabledCipherSuites();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        engine.setEnabledCipherSuites(suites);
    }

    @Override
    public String[] getSupportedProtocols() {
        return engine.getSupportedProtocols();
    }

    @Override
    public String[] getEnabledProtocols() {
        return engine.getEnabledProtocols();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        engine.setEnabledProtocols(protocols);
    }

    @Override
    public SSLSession getSession() {
        return engine.getSession();
    }

    @Override
    public void beginHandshake() throws SSLException {
        engine.beginHandshake();
    }

    @Override
    public HandshakeStatus getHandshakeStatus() {
        return engine.getHandshakeStatus();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        engine.setUseClientMode(mode);
    }

    @Override
    public boolean getUseClientMode() {
        return engine.getUseClientMode();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        engine.setNeedClientAuth(need);
    }

    @Override
    public boolean getNeedClientAuth() {
        return engine.getNeedClientAuth();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        engine.setWantClientAuth(want);
    }

    @Override
    public boolean getWantClientAuth() {
        return engine.getWantClientAuth();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        engine.setEnableSessionCreation(flag);
    }

    @Override
    public boolean getEnableSessionCreation() {
        return engine.getEnableSessionCreation();
    }
}
