package compute;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

public class Ask {
    public static void main(String[] args) throws Exception {
        Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[0]));
        Compute compute = (Compute) registry.lookup("Compute");
        System.out.println(compute.executeTask(new Digits(45)));
        Task<String> greeting = new Greeting("engine");
        System.out.println(compute.executeTask(greeting));
    }

    static class Greeting implements Task<String>, java.io.Serializable {
        private static final long serialVersionUID = 1L;
        private final String name;

        Greeting(String name) {
            this.name = name;
        }

        public String execute() {
            return "hello from the " + name;
        }
    }
}
