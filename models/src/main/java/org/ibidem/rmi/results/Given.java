package org.ibidem.rmi.results;

import java.lang.System.Logger.Level;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.ibidem.rmi.Rmi;

/// What an iterator gives.
final class Given<T> implements Results<T>, Unreferenced {
    private static final System.Logger LOG = System.getLogger(Given.class.getName());
    private static final int MOST = 65_536;
    private static final long GATHER_NANOS = 2_000_000;

    private final Rmi rmi;
    private Iterator<T> results;
    private boolean over;

    Given(Rmi rmi, Iterator<T> results) {
        this.rmi = rmi;
        this.results = results;
    }

    @Override
    public synchronized List<T> next(int most) {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException("1 to " + MOST + " results, not " + most);
        }
        var all = new ArrayList<T>();
        if (!over && results.hasNext()) {
            all.add(results.next());
            long end = System.nanoTime() + GATHER_NANOS;
            while (all.size() < most && System.nanoTime() - end < 0 && results.hasNext()) {
                all.add(results.next());
            }
        }
        if (all.isEmpty()) {
            close();
        }
        return all;
    }

    @Override
    public void end() {
        close();
        rmi.unexport(this);
    }

    @Override
    public void unreferenced() {
        close();
    }

    private synchronized void close() {
        var mine = results;
        over = true;
        results = Collections.emptyIterator(); // what it has is not kept
        if (mine instanceof AutoCloseable open) {
            try {
                open.close();
            } catch (Exception e) { // of the program's own
                LOG.log(Level.WARNING, "results did not close", e);
            }
        }
    }
}
