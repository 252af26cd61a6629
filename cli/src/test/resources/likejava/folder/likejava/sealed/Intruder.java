package likejava.sealed;

public class Intruder {
    public String toString() {
        return "from outside";
    }
}
