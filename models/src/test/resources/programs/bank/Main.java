package bank;

import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.TreeMap;

/** A factory of remote objects that are given to each other. */
public class Main {
    static class Counter implements Bank {
        final Map<String, Book> books = new TreeMap<>();

        public synchronized Account open(String owner) throws RemoteException {
            Book book = books.get(owner);
            if (book == null) {
                book = new Book(owner);
                UnicastRemoteObject.exportObject(book, 0);
                books.put(owner, book);
            }
            return book;
        }

        public synchronized Map<String, Long> balances() {
            Map<String, Long> all = new TreeMap<>();
            books.values().forEach(book -> all.put(book.owner(), book.balance()));
            return all;
        }

        public synchronized Account[] all() {
            return books.values().toArray(new Account[0]);
        }
    }

    static class Book implements Account {
        private final String owner;
        private long balance;

        Book(String owner) {
            this.owner = owner;
        }

        public String owner() {
            return owner;
        }

        public synchronized long balance() {
            return balance;
        }

        public synchronized void deposit(long amount) {
            if (amount < 0) {
                throw new IllegalArgumentException("a deposit of " + amount);
            }
            balance += amount;
        }

        public synchronized void withdraw(long amount) throws Overdrawn {
            if (amount > balance) {
                throw new Overdrawn(amount - balance);
            }
            balance -= amount;
        }

        public void transfer(Account to, long amount) throws RemoteException, Overdrawn {
            withdraw(amount);
            to.deposit(amount);
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        Counter counter = new Counter();
        registry.bind("bank", UnicastRemoteObject.exportObject(counter, 0));
        try {
            registry.bind("bank", counter);
        } catch (AlreadyBoundException e) {
            System.out.println("already bound: " + e.getMessage());
        }
        Registry seen = LocateRegistry.getRegistry(port);
        System.out.println(String.join(",", seen.list()));
        Bank bank = (Bank) seen.lookup("bank");
        Account ann = bank.open("ann");
        Account bob = bank.open("bob");
        ann.deposit(100);
        ann.transfer(bob, 30);
        System.out.println(bank.balances());
        try {
            bob.transfer(ann, 31);
        } catch (Overdrawn e) {
            System.out.println(e.getMessage() + " = " + e.missing);
        }
        try {
            bob.deposit(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e);
        }
        System.out.println(bank.open("ann").equals(ann) + " " + ann.equals(bob));
        System.out.println(ann.hashCode() == bank.open("ann").hashCode());
        for (Account each : bank.all()) {
            System.out.println(each.owner() + (each instanceof Book));
        }
        seen.unbind("bank");
        try {
            seen.lookup("bank");
        } catch (NotBoundException e) {
            System.out.println("not bound: " + e.getMessage());
        }
        for (Book each : counter.books.values()) {
            UnicastRemoteObject.unexportObject(each, false);
        }
        try {
            ann.balance();
        } catch (java.rmi.NoSuchObjectException e) {
            System.out.println("no such account");
        }
        UnicastRemoteObject.unexportObject(counter, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
