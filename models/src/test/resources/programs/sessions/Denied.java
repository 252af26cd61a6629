package sessions;

public class Denied extends Exception {
    private static final long serialVersionUID = 1L;

    public Denied(String user) {
        super("no entry for " + user);
    }
}
