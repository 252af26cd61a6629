package likejava.two;

public class Two implements Runnable {
    public void run() {}

    public String toString() {
        return "named by a manifest";
    }
}
