package org.ibidem.lab.bench.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.ibidem.lab.bench.TreeNode;

/// What is called.
public interface Calls extends Remote {
    /// Takes and gives nothing.
    void nothing() throws RemoteException;

    /// Gives one more.
    int next(int value) throws RemoteException;

    /// Gives how many there are.
    int take(byte[] values) throws RemoteException;

    /// The same.
    int take(int[] values) throws RemoteException;

    /// The same.
    int take(double[] values) throws RemoteException;

    /// Gives the sum of what is in it.
    long take(TreeNode tree) throws RemoteException;

    /// The object that is called.
    final class Served implements Calls {
        @Override
        public void nothing() {}

        @Override
        public int next(int value) {
            return value + 1;
        }

        @Override
        public int take(byte[] values) {
            return values.length;
        }

        @Override
        public int take(int[] values) {
            return values.length;
        }

        @Override
        public int take(double[] values) {
            return values.length;
        }

        @Override
        public long take(TreeNode tree) {
            return tree.sum();
        }
    }
}
