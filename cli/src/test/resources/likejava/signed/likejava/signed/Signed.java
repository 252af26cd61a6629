package likejava.signed;

import ibis.satin.SatinObject;
import ibis.satin.Spawnable;

interface Looks extends Spawnable {
    String look();
}

/// Rewritten in each of the ways.
public class Signed extends SatinObject implements Looks {
    public String look() {
        for (StackTraceElement each : new Throwable().getStackTrace()) {
            if (each.getClassName().contains("$$Spawn")) {
                return "spawned";
            }
        }
        return java.rmi.Naming.class.getName().startsWith("java") ? "nothing" : "replaced";
    }

    public static String rewritten() {
        String found = new Signed().look();
        new Signed().sync();
        return found;
    }

    public String toString() {
        return "signed";
    }
}
