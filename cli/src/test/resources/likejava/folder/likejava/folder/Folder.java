package likejava.folder;

public class Folder {
    public String toString() {
        return "in a folder";
    }
}
