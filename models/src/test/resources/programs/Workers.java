import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** A bag of tasks: threads fetch jobs of an abstract class and bring results back. */
public class Workers {
    public abstract static class Job implements Serializable {
        private static final long serialVersionUID = 1L;

        abstract long value();
    }

    static class Squares extends Job {
        private static final long serialVersionUID = 1L;
        final int from;
        final int to;

        Squares(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        long value() {
            long sum = 0;
            for (int i = from; i < to; i++) {
                sum += (long) i * i;
            }
            return sum;
        }
    }

    public interface Bag extends Remote {
        Job next() throws RemoteException;

        void done(long value) throws RemoteException;

        void awaitAll() throws RemoteException, InterruptedException;
    }

    static class Jobs implements Bag {
        private final Queue<Job> jobs = new ArrayDeque<>();
        private final CountDownLatch left;
        private long sum;

        Jobs(int count) {
            for (int i = 0; i < count; i++) {
                jobs.add(new Squares(100 * i, 100 * i + 100));
            }
            left = new CountDownLatch(count);
        }

        public synchronized Job next() {
            return jobs.poll();
        }

        public void done(long value) {
            synchronized (this) {
                sum += value;
            }
            left.countDown();
        }

        public void awaitAll() throws InterruptedException {
            left.await();
        }
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(args[0]);
        Registry registry = LocateRegistry.createRegistry(port);
        Jobs jobs = new Jobs(64);
        registry.rebind("bag", UnicastRemoteObject.exportObject(jobs, 0));
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread worker = new Thread(() -> work(port));
            workers.add(worker);
            worker.start();
        }
        ((Bag) registry.lookup("bag")).awaitAll();
        for (Thread each : workers) {
            each.join();
        }
        System.out.println("sum " + jobs.sum);
        UnicastRemoteObject.unexportObject(jobs, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }

    private static void work(int port) {
        try {
            Bag bag = (Bag) LocateRegistry.getRegistry(port).lookup("bag");
            for (Job job = bag.next(); job != null; job = bag.next()) {
                bag.done(job.value());
            }
        } catch (Exception e) {
            e.printStackTrace(System.out);
        }
    }
}
