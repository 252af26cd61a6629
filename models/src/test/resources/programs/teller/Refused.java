package teller;

public class Refused extends Exception {
    private static final long serialVersionUID = 1L;
    private final long missing;

    public Refused(String why, long missing, Throwable cause) {
        super(why, cause);
        this.missing = missing;
    }

    public long missing() {
        return missing;
    }
}
