package likejava.plain;

public class Plain {
    public String toString() {
        return "in a folder of the class path";
    }
}
