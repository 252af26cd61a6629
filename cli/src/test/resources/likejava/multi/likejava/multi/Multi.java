package likejava.multi;

public class Multi {
    public String toString() {
        return "of 8";
    }
}
