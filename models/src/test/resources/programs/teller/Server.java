package teller;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

/** A bank account, which throws all kinds of exceptions. */
public class Server extends UnicastRemoteObject implements Account {
    private static final long serialVersionUID = 1L;
    private long balance;

    public Server() throws RemoteException {}

    public synchronized long deposit(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("a deposit of " + amount);
        }
        balance += amount;
        return balance;
    }

    public synchronized long withdraw(long amount) throws Refused {
        if (amount > balance) {
            ArithmeticException below = new ArithmeticException(balance + " - " + amount);
            throw new Refused("too much", amount - balance, below);
        }
        balance -= amount;
        return balance;
    }

    public void audit(String by) throws RemoteException {
        if (by == null) {
            throw new RemoteException("audited by nobody");
        }
        throw new AssertionError("audited by " + by);
    }

    public static void main(String[] args) throws Exception {
        LocateRegistry.getRegistry().rebind("account", new Server());
        System.out.println("teller: account bound");
    }
}
