package pi;

import java.io.Serializable;
import java.rmi.Naming;
import java.util.ArrayList;
import java.util.List;

public class Client {
    static class Primes implements Task<List<Integer>>, Serializable {
        private static final long serialVersionUID = 1L;
        private final int most;

        Primes(int most) {
            this.most = most;
        }

        public List<Integer> execute() {
            List<Integer> all = new ArrayList<>();
            for (int i = 2; i <= most; i++) {
                int candidate = i;
                if (all.stream().noneMatch(each -> candidate % each == 0)) {
                    all.add(i);
                }
            }
            return all;
        }
    }

    public static void main(String[] args) throws Exception {
        Compute compute = (Compute) Naming.lookup("//" + args[0] + "/Compute");
        System.out.println(compute.executeTask(new Pi(60)));
        System.out.println(compute.executeTask(new Primes(50)));
    }
}
