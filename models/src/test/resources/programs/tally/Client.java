package tally;

import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

public class Client {
    public static void main(String[] args) throws Exception {
        Counter counter = (Counter) LocateRegistry.getRegistry(args[0]).lookup("tally");
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        List<Thread> threads = new ArrayList<>();
        threads.add(
                new Thread(
                        () -> {
                            try {
                                counter.awaitValue(800);
                                System.out.println("800 reached");
                            } catch (Exception e) {
                                e.printStackTrace(System.out);
                            }
                        }));
        for (int i = 0; i < 8; i++) {
            threads.add(
                    new Thread(
                            () -> {
                                try {
                                    for (int n = 0; n < 100; n++) {
                                        seen.add(counter.next());
                                    }
                                } catch (Exception e) {
                                    e.printStackTrace(System.out);
                                }
                            }));
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        System.out.println(counter.value() + ", " + seen.size() + " of them different");
    }
}
