public class Unnamed {}
