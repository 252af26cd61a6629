package likejava.multi;

class Newer {
    public String toString() {
        return "only of 25";
    }
}
