package org.ibidem.rmi;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/// What tests call.
public interface Counter extends Remote {
    /// A class of arguments.
    @SuppressWarnings("serial") // whatever is in it, travels or is refused
    final class Pair implements Serializable {
        private static final long serialVersionUID = 1L;

        /// May be the same as [#right].
        public Object left;

        /// May be the same as [#left].
        public Object right;

        /// Both.
        public Pair(Object left, Object right) {
            this.left = left;
            this.right = right;
        }
    }

    /// What a method says it throws.
    final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        /// With a reason.
        public Refused(String why) {
            super(why);
        }
    }

    /// Who is called back.
    interface Listener extends Remote {
        /// Called.
        int heard(int value) throws RemoteException;
    }

    int add(int value) throws RemoteException;

    void nothing() throws RemoteException;

    String all(boolean z, byte b, short s, char c, int i, long j, float f, double d, String t)
            throws RemoteException;

    double half(double value) throws RemoteException;

    float halfFloat(float value) throws RemoteException;

    long next(long value) throws RemoteException;

    boolean not(boolean value) throws RemoteException;

    char after(char value) throws RemoteException;

    short afterShort(short value) throws RemoteException;

    byte afterByte(byte value) throws RemoteException;

    int[] doubled(int[] values) throws RemoteException;

    boolean same(int[] one, int[] other) throws RemoteException;

    Pair swapped(Pair pair) throws RemoteException;

    void refuse(String why) throws RemoteException, Refused;

    void fail(String kind) throws RemoteException;

    int tell(Listener listener, int value) throws RemoteException;

    Counter me() throws RemoteException;

    Counter give(Counter other) throws RemoteException;

    List<Counter> listed(List<Counter> some) throws RemoteException;

    void await() throws RemoteException, InterruptedException;

    Object odd(Object value) throws RemoteException;
}
