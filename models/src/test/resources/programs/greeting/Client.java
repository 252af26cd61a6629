package greeting;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.Arrays;

public class Client {
    public static void main(String[] args) {
        String host = args.length < 1 ? null : args[0];
        try {
            Registry registry = LocateRegistry.getRegistry(host);
            Hello hello = (Hello) registry.lookup("Hello");
            System.out.println("response: " + hello.sayHello());
            System.out.println(Arrays.asList(registry.list()).contains("Hello"));
            registry.unbind("Hello");
            System.out.println(hello.sayHello());
            registry.lookup("Hello");
        } catch (Exception e) {
            System.out.println("client exception: " + e);
        }
    }
}
