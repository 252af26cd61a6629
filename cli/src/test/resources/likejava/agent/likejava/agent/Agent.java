package likejava.agent;

public class Agent {
    public static void premain(String arguments) {
        boolean inSystem = Agent.class.getClassLoader() == ClassLoader.getSystemClassLoader();
        System.setProperty("likejava.agent", "agent in the system class loader: " + inSystem);
    }
}
