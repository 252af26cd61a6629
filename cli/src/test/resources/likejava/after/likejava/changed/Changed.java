package likejava.changed;

public class Changed {
    public String toString() {
        return "changed since";
    }
}
