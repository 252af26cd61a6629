package bank;

public class Overdrawn extends Exception {
    private static final long serialVersionUID = 1L;
    public final long missing;

    public Overdrawn(long missing) {
        super("missing " + missing);
        this.missing = missing;
    }
}
