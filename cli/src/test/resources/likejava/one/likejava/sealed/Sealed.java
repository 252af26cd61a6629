package likejava.sealed;

public class Sealed {
    public String toString() {
        return "in a sealed package";
    }
}
