package likejava.signed;

public class Intruder {
    public String toString() {
        return "unsigned";
    }
}
