package roaming;

import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Goes from host to host with all it has, and home in the end. */
public class Agent implements Serializable {
    private static final long serialVersionUID = 1L;
    private final Deque<Host> way = new ArrayDeque<>();
    private final List<String> diary = new ArrayList<>();

    public Agent(List<Host> hosts, Host home) {
        way.addAll(hosts);
        way.add(home);
    }

    public List<String> diary() {
        return diary;
    }

    /** What it does where it is; then it goes on. */
    public void arrive(Host here) throws RemoteException {
        diary.add(here.name() + ", " + way.size() + " to go");
        Host next = way.poll();
        if (next != null) {
            next.accept(this);
        }
    }
}
